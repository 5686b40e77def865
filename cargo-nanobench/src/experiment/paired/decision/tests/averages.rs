//! The second and the third question: the average time, and slow launches.

use super::simulated::Hidden;
use super::*;
use nanobench::stats::quantile;

/// Regressions of 12 % and more on average that the typical time doesn't show.
const HIDDEN: [(&str, Hidden); 8] = [
    ("30 % after 5 ms", Hidden::Later { after: 5.0, slowdown: 0.3 }),
    ("1 ms every 2 ms", Hidden::Calls { every: 2.0, cost: 1.0 }),
    ("0.2 ms every 0.4 ms at random", Hidden::RandomCalls { every: 0.4, cost: 0.2 }),
    ("0.6 ms every 4 ms", Hidden::Calls { every: 4.0, cost: 0.6 }),
    ("1.5 ms every 10 ms at random", Hidden::RandomCalls { every: 10.0, cost: 1.5 }),
    ("12 ms every 48 ms", Hidden::Calls { every: 48.0, cost: 12.0 }),
    ("1 launch in 4, 50 % slower", Hidden::Launches { one_in: 4.0, slowdown: 0.5 }),
    ("1 launch in 10 twice as slow", Hidden::Launches { one_in: 10.0, slowdown: 1.0 }),
];

/// Average time of the simulated baseline, with all disturbances, relative to the typical one.
const TAIL: f64 = 1.03;

/// Returns the share of `slower`, and of `same` or `faster`, in this many runs. Prints the median and
/// the 95th percentile of their times. `scale`: how far launches differ.
fn verdicts(hidden: Hidden, scale: f64, runs: u64) -> [f64; 2] {
    verdicts_with(Effort::Thorough, hidden, scale, runs)
}

fn verdicts_with(effort: Effort, hidden: Hidden, scale: f64, runs: u64) -> [f64; 2] {
    verdicts_of(effort, runs, |seed| Simulated::new(Noise::Normal, scale, 0.0, seed).hiding(hidden))
}

fn verdicts_of(effort: Effort, runs: u64, benchmark: impl Fn(u64) -> Simulated) -> [f64; 2] {
    let decided: Vec<Decided> =
        (0..runs).flat_map(|seed| suite_with(effort, vec![benchmark(seed)], &Rules::default())).collect();
    let mut seconds: Vec<f64> = decided.iter().map(|decided| decided.spent.as_secs_f64()).collect();
    seconds.sort_unstable_by(f64::total_cmp);
    println!("{:.1} s, at most {:.1} s", quantile(&seconds, 0.5), quantile(&seconds, 0.95));
    let share = |wanted: &[Verdict]| {
        decided.iter().filter(|decided| wanted.contains(&decided.verdict)).count() as f64 / runs as f64
    };
    [share(&[Verdict::Slower]), share(&[Verdict::Same, Verdict::Faster])]
}

#[test]
fn hidden_regressions_are_slower() {
    for (name, hidden) in HIDDEN {
        let [slower, same] = verdicts(hidden, 0.005, 10);
        assert!(slower >= 0.8 && same <= 0.1, "{name}: slower in {slower}, same in {same}");
    }
}

#[test]
#[ignore = "takes minutes: for whoever changes the rules"]
fn hidden_regressions_are_slower_in_200_runs() {
    for effort in [Effort::Light, Effort::Moderate, Effort::Thorough] {
        for (name, hidden) in HIDDEN.into_iter().rev() {
            let [slower, same] = verdicts_with(effort, hidden, 0.005, 200).map(|share| share * 100.0);
            println!("{effort:?}, {name}: slower in {slower:.1} %, same or faster in {same:.1} %");
        }
    }
}

/// Regressions of 10 to 30 %: up to 35 calls of a long launch, or all after 5 ms.
const CALLS: [(&str, Hidden); 7] = [
    ("0.25 ms every 2.5 ms", Hidden::Calls { every: 2.5, cost: 0.25 }),
    ("0.25 ms every 1.6 ms", Hidden::Calls { every: 1.6, cost: 0.25 }),
    ("0.6 ms every 4 ms", Hidden::Calls { every: 4.0, cost: 0.6 }),
    ("2 ms every 10 ms", Hidden::Calls { every: 10.0, cost: 2.0 }),
    ("12 ms every 48 ms", Hidden::Calls { every: 48.0, cost: 12.0 }),
    ("13 % after 5 ms", Hidden::Later { after: 5.0, slowdown: 0.13 }),
    ("30 % after 5 ms", Hidden::Later { after: 5.0, slowdown: 0.3 }),
];

#[test]
#[ignore = "takes minutes: for whoever changes the rules"]
fn expensive_calls_with_an_unsteady_clock_in_1_000_runs() {
    for effort in [Effort::Light, Effort::Moderate, Effort::Thorough] {
        for (name, hidden) in CALLS {
            let benchmark = |seed: u64| Simulated::new(Noise::Normal, 0.005, 0.0, seed).hiding(hidden);
            let shares = verdicts_of(effort, 1_000, |seed| benchmark(seed).with_unsteady_clock());
            let [slower, same] = shares.map(|share| share * 100.0);
            println!("{effort:?}, {name}: slower in {slower:.1} %, same or faster in {same:.1} %");
            let is_within_resolution = name == "0.25 ms every 2.5 ms";
            assert!(is_within_resolution || same <= 3.0, "{same}");
        }
    }
}

#[test]
fn rare_calls_are_slower_although_launches_differ() {
    let [slower, same] = verdicts(Hidden::Calls { every: 48.0, cost: 15.0 }, 0.04, 20);
    assert!(slower >= 0.9 && same == 0.0, "slower in {slower}, same in {same}");
}

#[test]
#[ignore = "takes minutes: for whoever changes the rules"]
fn rare_calls_of_code_that_is_not_known_to_differ_in_1_000_runs() {
    for scale in [0.002, 0.02] {
        for (every, cost) in [(48.0, 8.0), (48.0, 15.0), (30.0, 6.0), (10.0, 2.0)] {
            let [slower, same] = verdicts_with(Effort::Light, Hidden::Calls { every, cost }, scale, 1_000);
            println!(
                "{cost} ms every {every} ms, launches differ by {:.1} %: slower in {:.1} %, same in {:.1} %",
                scale * 100.0,
                slower * 100.0,
                same * 100.0
            );
            assert!(same <= 0.01, "{same}");
        }
    }
}

#[test]
#[ignore = "takes minutes: for whoever changes the rules"]
fn rare_calls_are_slower_although_launches_differ_in_200_runs() {
    for scale in [0.002, 0.01, 0.02, 0.04] {
        for (every, cost) in [(48.0, 8.0), (48.0, 15.0), (30.0, 6.0), (20.0, 4.0), (10.0, 2.0)] {
            let [slower, same] = verdicts(Hidden::Calls { every, cost }, scale, 200);
            println!(
                "{cost} ms every {every} ms, launches differ by {:.1} %: slower in {:.1} %, same in {:.1} %",
                scale * 100.0,
                slower * 100.0,
                same * 100.0
            );
        }
    }
}

#[test]
#[ignore = "takes minutes: for whoever changes the rules"]
fn slow_launches_beside_small_typical_changes_are_slower_in_200_runs() {
    for (scale, effect) in [(0.002, 0.002), (0.002, 0.003), (0.002, 0.004), (0.005, 0.003), (0.005, 0.006)] {
        let verdicts: Vec<Verdict> = (0..200)
            .map(|seed| {
                let hidden = Hidden::Launches { one_in: 12.0, slowdown: 2.0 };
                let benchmark = Simulated::new(Noise::Normal, scale, effect, seed).hiding(hidden);
                suite(vec![benchmark], &Rules::default())[0].verdict
            })
            .collect();
        let number = |wanted: Verdict| verdicts.iter().filter(|verdict| **verdict == wanted).count();
        let [slower, same, unsure] = [Verdict::Slower, Verdict::Same, Verdict::Unsure].map(number);
        println!(
            "typical +{:.1} %, launches differ by {:.1} %: {slower} slower, {same} same, {unsure} unsure",
            effect * 100.0,
            scale * 100.0
        );
    }
}

#[test]
fn unchanged_benchmarks_with_tails_are_the_same() {
    let verdicts: Vec<_> = (0..30)
        .flat_map(|seed| suite(vec![Simulated::new(Noise::Normal, 0.005, 0.0, seed)], &Rules::default()))
        .collect();
    let same = verdicts.iter().filter(|decided| decided.verdict == Verdict::Same).count();
    assert!(same >= 28, "{same} of 30");
}

/// The displayed interval of the average, after all that decides when to stop.
#[test]
#[ignore = "takes minutes: for whoever changes the rules"]
fn the_displayed_interval_of_the_average_has_its_nominal_coverage() {
    let (rules, limits) = (Rules::default(), Effort::Thorough.limits());
    for noise in NOISES {
        for (effect, hidden, truth) in [
            (0.0, Hidden::Nothing, 0.0),
            (0.05_f64.ln_1p(), Hidden::Nothing, 0.05),
            (0.0, Hidden::RandomCalls { every: 1.0, cost: 0.1 }, 0.1 / TAIL),
            (0.0, Hidden::RandomCalls { every: 2.0, cost: 1.0 }, 0.5 / TAIL),
        ] {
            let holds = |seed: &u64| {
                let mut simulated = Simulated::new(noise, 0.01, effect, *seed).hiding(hidden);
                let (screening, next) = simulated.screen(&rules, &limits);
                let shown = match next {
                    ScreeningDecision::Confirm(suspicions) => {
                        let (fresh, verdicts) =
                            simulated.confirm(&screening, &suspicions, 3, (&rules, &limits));
                        if calls(verdicts.average) { fresh } else { screening.and(&fresh) }
                    }
                    _ => screening,
                };
                let interval = shown.averages.interval(shown.confidence()).unwrap();
                (interval.low..=interval.high).contains(&truth)
            };
            let held = (0..200).filter(holds).count();
            println!("{noise:?}, +{:.0} %: {held} of 200 held", truth * 100.0);
        }
    }
}
