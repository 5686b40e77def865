//! Verdicts on paired runs that are made by hand.

use super::*;
use nanobench::model::{ClockInfo, Launch, Sample};
use nanobench::stats::Interval;

fn measured(time: u64) -> Measurement {
    let clock = ClockInfo { name: "os".into(), frequency: 1e9, resolution: 1.0, read_cost: 20.0 };
    let sample = Sample { iterations: 1_000, elapsed: time * 1_000, segments: 0, reference: 0, round: 0 };
    let launch = Launch { clock, segment_cost: 20.0, empty_loop: 0.5, samples: vec![sample; 9] };
    Measurement { count: 1, unroll: 1, launches: vec![launch], ..Measurement::default() }
}

fn paired(verdict: Verdict, change: f64, code: CodeMatch) -> Comparison {
    let interval = Interval { low: change - 0.01, high: change + 0.01 };
    let outcome = PairedOutcome {
        verdict,
        change: Some(Change { estimate: change, interval }),
        details: PairedDetails {
            noise_floor: None,
            pairs: 32,
            confirmation_pairs: 16,
            time_to_decide: None,
            differs_in: None,
        },
        baseline: measured(100),
        candidate: measured(100),
    };
    Comparison::from_paired(outcome, || code)
}

#[test]
fn placement_explains_small_changes_of_the_same_code() {
    let found = [
        (Verdict::Slower, 0.19),
        (Verdict::Slower, 0.21),
        (Verdict::Faster, -0.16),
        (Verdict::Faster, -0.18),
    ];
    let of = |code: CodeMatch| found.map(|(verdict, change)| paired(verdict, change, code.clone()));
    let same = of(CodeMatch::Same);
    let verdicts = same.each_ref().map(|comparison| comparison.verdict);
    assert_eq!(verdicts, [Verdict::Moved, Verdict::Slower, Verdict::Moved, Verdict::Faster]);
    let reasons = same.map(|comparison| comparison.reason);
    assert_eq!(reasons, [None, Some(Reason::SameCodeLargeChange), None, Some(Reason::SameCodeLargeChange)]);
    for code in [CodeMatch::Differs(None), CodeMatch::Unknown] {
        let called = of(code);
        assert!(
            called.iter().all(|comparison| comparison.verdict.is_change() && comparison.reason.is_none())
        );
    }
}

#[test]
fn placement_explains_larger_changes_when_all_else_is_equal() {
    let found = [
        (Verdict::Slower, 0.99),
        (Verdict::Slower, 1.01),
        (Verdict::Faster, -0.49),
        (Verdict::Faster, -0.51),
    ];
    let verdicts = found.map(|(verdict, change)| paired(verdict, change, CodeMatch::SameWithStartup).verdict);
    assert_eq!(verdicts, [Verdict::Moved, Verdict::Slower, Verdict::Moved, Verdict::Faster]);
}

#[test]
fn only_a_change_names_the_function_that_differs() {
    let code = CodeMatch::Differs(Some("a::b".to_owned()));
    let differs_in = |verdict| paired(verdict, 0.1, code.clone()).paired.unwrap().differs_in;
    assert_eq!(differs_in(Verdict::Slower).as_deref(), Some("a::b"));
    assert_eq!(differs_in(Verdict::Unsure), None);
}
