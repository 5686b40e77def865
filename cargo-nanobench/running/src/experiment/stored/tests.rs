//! Comparisons of figures that are made by hand.

use super::*;
use nanobench::model::{Launch, Sample};

fn measured(times: &[u64]) -> Measurement {
    Measurement { count: 1, unroll: 1, launches: vec![launch(times)], ..Measurement::default() }
}

fn launch(times: &[u64]) -> Launch {
    let clock = project::fixtures::clock();
    let sample =
        |&time| Sample { iterations: 1_000, elapsed: time * 1_000, segments: 0, reference: 0, round: 0 };
    let samples = times.iter().map(sample).collect();
    Launch { clock, segment_cost: 20.0, empty_loop: 0.5, samples }
}

fn verdict(baseline: &[u64], now: &[u64], identical: bool) -> Verdict {
    compare_with_stored(&measured(baseline), &measured(now), identical, 0.005).verdict
}

#[test]
fn only_changes_beyond_those_of_the_machine_are_reported() {
    let base = [100; 9];
    assert_eq!(verdict(&base, &[210; 9], false), Verdict::Slower);
    assert_eq!(verdict(&base, &[45; 9], false), Verdict::Faster);
    assert_eq!(verdict(&base, &[190; 9], false), Verdict::Unsure);
    assert_eq!(verdict(&base, &[55; 9], false), Verdict::Unsure);
    // The estimate is over the bound, the interval reaches below it.
    assert_eq!(verdict(&base, &[100, 101, 102, 220, 220, 220, 220, 300, 301], false), Verdict::Unsure);
}

#[test]
fn a_single_sample_gives_no_verdict_and_no_interval() {
    for (baseline, now) in [(&[100][..], &[900][..]), (&[100; 9], &[900]), (&[900], &[100; 9])] {
        let (baseline, now) = (measured(baseline), measured(now));
        let Comparison { verdict, reason, change, .. } = compare_with_stored(&baseline, &now, false, 0.005);
        assert_eq!((verdict, reason), (Verdict::Unsure, Some(Reason::SingleSample)));
        assert_eq!(change.unwrap().known_interval(), None);
    }
}

#[test]
fn a_threshold_above_the_built_in_one_applies() {
    let verdict =
        |threshold| compare_with_stored(&measured(&[100; 9]), &measured(&[250; 9]), false, threshold).verdict;
    assert_eq!([0.02, 1.4, 2.0].map(verdict), [Verdict::Slower, Verdict::Slower, Verdict::Unsure]);
}

#[test]
fn a_change_of_the_clock_is_not_a_change_of_the_benchmark() {
    // Half the clock: twice the time, for the benchmark and for the reference.
    let at = |time: u64, reference: u64| {
        let mut launch = launch(&[time; 9]);
        launch.samples.iter_mut().for_each(|sample| sample.reference = reference);
        Measurement { count: 1, unroll: 1, launches: vec![launch], ..Measurement::default() }
    };
    let of = |now: &Measurement| compare_with_stored(&at(100, 8_000), now, false, 0.005);
    assert!(of(&at(200, 16_000)).change.unwrap().estimate.abs() < 1e-9, "the core's clock was slower");
    assert!(of(&at(100, 16_000)).change.unwrap().estimate.abs() < 1e-9, "it waits for something else");
    assert_eq!(of(&at(400, 16_000)).verdict, Verdict::Slower);
    assert!(log_change(&at(100, 8_000), &at(200, 16_000)).unwrap().abs() < 1e-9);
    // The clock is a difference between two machines.
    let times = change_of_times(&at(100, 8_000), &at(200, 16_000)).unwrap();
    assert!((times.estimate - 1.0).abs() < 1e-9);
    // The row shows the figure that the change was computed from, and keeps the stored one.
    let corrected = of(&at(210, 16_000));
    let baseline = corrected.baseline.unwrap().median;
    assert!((210.0 / baseline - 1.0 - corrected.change.unwrap().estimate).abs() < 1e-9);
    assert!(corrected.uncorrected_median.is_some_and(|stored| stored < baseline * 0.6));
    let plain = of(&at(105, 8_000));
    assert_eq!(plain.uncorrected_median, None, "the clock was the same");
}

#[test]
fn an_unchanged_executable_is_same_within_the_spread_of_the_machine() {
    assert_eq!(verdict(&[100; 9], &[115; 9], true), Verdict::Same);
    assert_eq!(verdict(&[100; 9], &[500; 9], true), Verdict::Unsure, "something else changed");
    let busy = [100, 105, 490, 500, 500, 500, 510, 520, 530];
    assert_eq!(verdict(&[100; 9], &busy, true), Verdict::Same, "other programs took time");
    assert_eq!(verdict(&busy, &[100; 9], true), Verdict::Same);
    let once_fast = [100, 480, 490, 500, 500, 500, 510, 520, 530];
    assert_eq!(verdict(&[100; 9], &once_fast, true), Verdict::Unsure);
    for now in [115, 138, 500] {
        let comparison = compare_with_stored(&measured(&[100; 9]), &measured(&[now; 9]), true, 0.005);
        assert!(comparison.change.is_none() && comparison.baseline.is_some(), "the code can't have changed");
    }
}

#[test]
fn a_measurement_below_resolution_is_unsure() {
    let comparison = compare_with_stored(&measured(&[0; 9]), &measured(&[100; 9]), false, 0.005);
    assert_eq!((comparison.verdict, comparison.relative()), (Verdict::Unsure, None));
}

#[test]
fn another_count_gives_no_verdict() {
    let of = |count: u64, time: u64| Measurement { count, ..measured(&[time * count; 9]) };
    let verdict =
        |then: u64, now: u64| compare_with_stored(&of(then, 100), &of(now, 300), false, 0.005).verdict;
    assert_eq!((verdict(10, 10), verdict(10, 20)), (Verdict::Slower, Verdict::Unsure));
}

#[test]
fn a_change_has_to_recur_in_every_launch() {
    let of = |launches: &[&[u64]]| Measurement {
        count: 1,
        unroll: 1,
        launches: launches.iter().map(|times| launch(times)).collect(),
        ..Measurement::default()
    };
    let verdict =
        |before: &[&[u64]], now: &[&[u64]]| compare_with_stored(&of(before), &of(now), false, 0.005).verdict;
    let base: &[&[u64]] = &[&[100; 9]];
    assert_eq!(verdict(base, &[&[260; 9], &[270; 9], &[265; 9]]), Verdict::Slower);
    assert_eq!(verdict(base, &[&[260; 3], &[270; 2], &[265; 4]]), Verdict::Slower, "a few samples each");
    assert_eq!(verdict(base, &[&[260; 9], &[260; 9], &[101; 9]]), Verdict::Unsure);
    assert_eq!(verdict(&[&[100; 9], &[100; 9], &[150; 9]], &[&[260; 9]]), Verdict::Unsure);
}

#[test]
fn relative_is_over_100_where_faster() {
    let comparison = compare_with_stored(&measured(&[100; 9]), &measured(&[50; 9]), false, 0.005);
    assert!((comparison.relative().unwrap() - 200.0).abs() < 1e-9);
}
