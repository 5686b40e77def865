//! What is said of pairs of figures that are made by hand.

use super::*;
use nanobench::model::{ClockInfo, Launch, Sample};
use nanobench::stats::Interval;

fn measured(times: &[u64]) -> Measurement {
    Measurement { count: 1, unroll: 1, launches: vec![launch(times)], ..Measurement::default() }
}

fn launch(times: &[u64]) -> Launch {
    let clock = ClockInfo { name: "os".into(), frequency: 1e9, resolution: 1.0, read_cost: 20.0 };
    let sample =
        |&time| Sample { iterations: 1_000, elapsed: time * 1_000, segments: 0, reference: 0, round: 0 };
    let samples = times.iter().map(sample).collect();
    Launch { clock, segment_cost: 20.0, empty_loop: 0.5, samples }
}

fn verdict(baseline: &[u64], now: &[u64], identical: bool) -> Verdict {
    Comparison::with_stored(&measured(baseline), &measured(now), identical, 0.005).verdict
}

#[test]
fn only_what_the_machine_does_not_do_by_itself_is_called() {
    let base = [100; 9];
    assert_eq!(verdict(&base, &[210; 9], false), Verdict::Slower);
    assert_eq!(verdict(&base, &[45; 9], false), Verdict::Faster);
    assert_eq!(verdict(&base, &[190; 9], false), Verdict::Unsure);
    assert_eq!(verdict(&base, &[55; 9], false), Verdict::Unsure);
    // The estimate is over the bound, the interval reaches below it.
    assert_eq!(verdict(&base, &[100, 101, 102, 220, 220, 220, 220, 300, 301], false), Verdict::Unsure);
}

#[test]
fn a_single_sample_is_not_called_and_has_no_interval() {
    for (baseline, now) in [(&[100][..], &[900][..]), (&[100; 9], &[900]), (&[900], &[100; 9])] {
        let (baseline, now) = (measured(baseline), measured(now));
        for identical in [false, true] {
            let Comparison { verdict, reason, change, .. } =
                Comparison::with_stored(&baseline, &now, identical, 0.005);
            assert_eq!((verdict, reason.as_deref()), (Verdict::Unsure, Some("1 sample")));
            assert_eq!(change.unwrap().known_interval(), None);
        }
        assert!(Comparison::is_suspicious(&baseline, &now), "worth a look side by side");
    }
}

#[test]
fn what_is_worth_another_look_is_not_called_yet() {
    let suspicious = |now: u64| Comparison::is_suspicious(&measured(&[100; 9]), &measured(&[now; 9]));
    assert_eq!([115, 130, 87, 80].map(suspicious), [false, true, false, true]);
}

#[test]
fn a_threshold_beyond_what_the_machine_does_counts() {
    let verdict = |threshold| {
        Comparison::with_stored(&measured(&[100; 9]), &measured(&[250; 9]), false, threshold).verdict
    };
    assert_eq!([0.02, 1.4, 2.0].map(verdict), [Verdict::Slower, Verdict::Slower, Verdict::Unsure]);
}

#[test]
fn stored_figures_are_set_right_for_the_clock() {
    // Half the clock: twice the time, for the benchmark and for the reference.
    let at = |time: u64, reference: u64| {
        let mut launch = launch(&[time; 9]);
        launch.samples.iter_mut().for_each(|sample| sample.reference = reference);
        Measurement { count: 1, unroll: 1, launches: vec![launch], ..Measurement::default() }
    };
    let of = |now: &Measurement| Comparison::with_stored(&at(100, 8_000), now, false, 0.005);
    assert!(of(&at(200, 16_000)).change.unwrap().estimate.abs() < 1e-9, "the clock");
    assert!(of(&at(100, 16_000)).change.unwrap().estimate.abs() < 1e-9, "it waits for something else");
    assert_eq!(of(&at(400, 16_000)).verdict, Verdict::Slower);
}

#[test]
fn the_same_bytes_are_the_same_within_what_the_machine_does() {
    assert_eq!(verdict(&[100; 9], &[115; 9], true), Verdict::Same);
    assert_eq!(verdict(&[100; 9], &[500; 9], true), Verdict::Unsure, "something else changed");
}

#[test]
fn nothing_is_said_of_what_was_not_resolved() {
    let comparison = Comparison::with_stored(&measured(&[0; 9]), &measured(&[100; 9]), false, 0.005);
    assert_eq!((comparison.verdict, comparison.relative()), (Verdict::Unsure, None));
}

#[test]
fn another_count_is_another_amount_of_work() {
    let of = |count: u64, time: u64| Measurement { count, ..measured(&[time * count; 9]) };
    let verdict =
        |then: u64, now: u64| Comparison::with_stored(&of(then, 100), &of(now, 300), false, 0.005).verdict;
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
    let verdict = |before: &[&[u64]], now: &[&[u64]]| {
        Comparison::with_stored(&of(before), &of(now), false, 0.005).verdict
    };
    let base: &[&[u64]] = &[&[100; 9]];
    assert_eq!(verdict(base, &[&[260; 9], &[270; 9], &[265; 9]]), Verdict::Slower);
    assert_eq!(verdict(base, &[&[260; 3], &[270; 2], &[265; 4]]), Verdict::Slower, "a few samples each");
    assert_eq!(verdict(base, &[&[260; 9], &[260; 9], &[101; 9]]), Verdict::Unsure);
    assert_eq!(verdict(&[&[100; 9], &[100; 9], &[150; 9]], &[&[260; 9]]), Verdict::Unsure);
}

fn paired(verdict: Verdict, change: f64, likeness: CodeMatch) -> Comparison {
    let interval = Interval { low: change - 0.01, high: change + 0.01 };
    let judged = PairedOutcome {
        verdict,
        change: Some(Change { estimate: change, interval }),
        noise_floor: None,
        pairs: 32,
        fresh_pairs: 16,
        more: None,
        baseline: measured(&[100; 9]),
        candidate: measured(&[100; 9]),
    };
    Comparison::from_paired(judged, || likeness)
}

#[test]
fn where_the_same_code_lies_explains_so_much_and_no_more() {
    let found = [
        (Verdict::Slower, 0.19),
        (Verdict::Slower, 0.21),
        (Verdict::Faster, -0.16),
        (Verdict::Faster, -0.18),
    ];
    let of = |likeness: CodeMatch| found.map(|(verdict, change)| paired(verdict, change, likeness.clone()));
    let same = of(CodeMatch::Same);
    let verdicts = same.each_ref().map(|comparison| comparison.verdict);
    assert_eq!(verdicts, [Verdict::Same, Verdict::Slower, Verdict::Same, Verdict::Faster]);
    let reasons = same.map(|comparison| comparison.reason);
    assert_eq!(reasons, [None, Some(SAME_CODE.into()), None, Some(SAME_CODE.into())]);
    for likeness in [CodeMatch::Differs(None), CodeMatch::Unknown] {
        let called = of(likeness);
        assert!(called.iter().all(|comparison| comparison.calls_a_change() && comparison.reason.is_none()));
    }
}

#[test]
fn it_explains_more_where_all_else_is_the_same() {
    let found = [
        (Verdict::Slower, 0.99),
        (Verdict::Slower, 1.01),
        (Verdict::Faster, -0.49),
        (Verdict::Faster, -0.51),
    ];
    let verdicts = found.map(|(verdict, change)| paired(verdict, change, CodeMatch::SameThroughout).verdict);
    assert_eq!(verdicts, [Verdict::Same, Verdict::Slower, Verdict::Same, Verdict::Faster]);
}

#[test]
fn only_what_is_called_names_the_function_that_differs() {
    let likeness = CodeMatch::Differs(Some("a::b".to_owned()));
    let differs_in = |verdict| paired(verdict, 0.1, likeness.clone()).paired.unwrap().differs_in;
    assert_eq!(differs_in(Verdict::Slower).as_deref(), Some("a::b"));
    assert_eq!(differs_in(Verdict::Unsure), None);
}

#[test]
fn relative_is_over_100_where_faster() {
    let comparison = Comparison::with_stored(&measured(&[100; 9]), &measured(&[50; 9]), false, 0.005);
    assert!((comparison.relative().unwrap() - 200.0).abs() < 1e-9);
}
