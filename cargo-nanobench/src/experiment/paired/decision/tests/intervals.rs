//! Coverage of the intervals: the share of them that contain the true change.

use super::*;

#[test]
fn intervals_cover_the_truth_as_often_as_promised() {
    // 95 % is promised; 2.5 % is twice the standard deviation of 300.
    assert_intervals_cover(300, 0.925);
}

#[test]
#[ignore = "takes a minute: for whoever changes the rules"]
fn intervals_cover_the_truth_as_often_as_promised_in_10_000_runs() {
    assert_intervals_cover(10_000, 0.945);
}

/// Counts how often the interval covers the true change, with each kind of noise.
#[track_caller]
fn assert_intervals_cover(runs: u64, min_share: f64) {
    for noise in NOISES {
        for blocks in [4, 8, 16] {
            let holds = |seed: &u64| {
                let mut simulated = Simulated::new(noise, 0.01, 0.02, *seed);
                let mut evidence = Evidence::default();
                (0..blocks).for_each(|_| simulated.block(&mut evidence));
                let interval = evidence.interval().unwrap();
                (interval.low..=interval.high).contains(&0.02)
            };
            let held = (0..runs).filter(holds).count();
            assert!(held as f64 >= min_share * runs as f64, "{noise:?}, {blocks} blocks: {held} of {runs}");
        }
    }
}

/// The interval that is shown, after all that decides when to stop and of which blocks it is.
#[test]
#[ignore = "takes minutes: for whoever changes the rules"]
fn the_displayed_interval_has_its_nominal_coverage() {
    let (rules, limits) = (Rules::default(), Effort::Thorough.limits());
    for noise in NOISES {
        for effect in [0.0, 0.004, 0.01, 0.05] {
            let holds = |seed: &u64| {
                let mut simulated = Simulated::new(noise, 0.01, effect, *seed);
                let (screening, next) = simulated.screen(&rules, &limits);
                let shown = match next {
                    ScreeningDecision::Confirm(suspicions) => {
                        let (fresh, verdicts) =
                            simulated.confirm(&screening, &suspicions, 3, (&rules, &limits));
                        if calls(verdicts.typical) { fresh } else { screening.and(&fresh) }
                    }
                    _ => screening,
                };
                let interval = shown.interval().unwrap();
                (interval.low..=interval.high).contains(&effect)
            };
            let held = (0..1_000).filter(holds).count();
            println!("{noise:?}, {effect}: {held} of 1,000 held");
            assert!(held >= 940, "{noise:?}, {effect}: {held} of 1,000");
        }
    }
}

#[test]
fn an_empty_confirmation_changes_no_interval() {
    let mut screening = Evidence::default();
    screening.add(&[0.006, 0.004, 0.005, 0.007, 0.003, 0.006], &[0.0; 6]);
    let mut fresh = Evidence::for_confirmation(&Evidence::default());
    assert_eq!(screening.and(&fresh).interval(), screening.interval());
    fresh.add(&[0.005; 6], &[0.0; 6]);
    assert!(half_width(screening.and(&fresh).interval().unwrap()) >= screening.and(&fresh).precision());
}
