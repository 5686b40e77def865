//! Verdicts and comparisons in words.

use super::*;
use crate::code::CodeChange;
use crate::experiment::NotPaired;
use nanobench::stats::{Change, Interval};
use std::sync::Arc;

fn comparison(verdict: Verdict, low: f64, high: f64, more: Option<u64>) -> Comparison {
    Comparison {
        baseline: None,
        change: Some(Change { estimate: (low + high) / 2.0, interval: Interval { low, high } }),
        baseline_samples: None,
        uncorrected_median: None,
        verdict,
        reason: None,
        not_paired: None,
        instructions: None,
        premises: Vec::new(),
        paired: Some(PairedDetails {
            launch_noise: Some(0.003),
            pairs: 32,
            time_to_decide: more.map(Duration::from_millis),
            ..PairedDetails::default()
        }),
    }
}

#[test]
fn the_bound_of_same_is_never_rounded_down() {
    assert_eq!(
        remark(&comparison(Verdict::Same, -0.003_1, 0.002, None), None),
        " (any change is under 0.4 %)"
    );
    assert_eq!(
        remark(&comparison(Verdict::Same, -0.000_1, 0.000_2, None), None),
        " (any change is under 0.1 %)"
    );
}

#[test]
fn unsure_has_the_time_that_would_decide_it() {
    assert_eq!(
        remark(&comparison(Verdict::Unsure, -0.03, 0.04, Some(2_100)), None),
        ": needs about 3 s more"
    );
    assert_eq!(
        remark(&comparison(Verdict::Unsure, -0.03, 0.04, Some(100_000)), None),
        ": needs about 2 min more"
    );
    assert_eq!(remark(&comparison(Verdict::Unsure, -0.03, 0.04, None), None), TOO_LONG);
    let at_once = Comparison { change: None, ..comparison(Verdict::Unsure, 0.0, 0.0, None) };
    assert_eq!(sentence(&at_once), format!("unsure{TOO_EARLY}"));
    assert_eq!(remark(&comparison(Verdict::Slower, 0.03, 0.04, None), None), "");
}

#[test]
fn busy_threads_and_processes_are_named_with_any_verdict() {
    const BUSY: &str = "its threads or processes run between calls, unlike the baseline's";
    let mut slower = comparison(Verdict::Slower, 0.04, 0.06, None);
    assert_eq!(busy_between_calls(&slower), None);
    slower.paired.as_mut().unwrap().busy = [false, true];
    assert_eq!(busy_between_calls(&slower), Some(BUSY));
    assert!(sentence(&slower).contains(&format!("; busy: {BUSY}")), "{}", sentence(&slower));
    slower.reason = Some(Reason::BusyCandidate);
    assert_eq!(busy_between_calls(&slower), None, "the remark says so");
}

#[test]
fn moved_code_shows_its_change() {
    let moved = comparison(Verdict::Placement, 0.02, 0.04, None);
    assert_eq!(remark(&moved, None), "");
    assert_eq!(
        [None, Some(24)].map(|room| word(&moved, room)),
        ["same code, placed elsewhere", "placed elsewhere"]
    );
    assert!(sentence(&moved).starts_with("same code, placed elsewhere; changed by +3.0 % "));
    assert!(sentence(&moved).contains(", in 32 pairs of fresh processes"));
}

#[test]
fn long_pairs_and_layouts_are_named() {
    let mut same = comparison(Verdict::Same, -0.003, 0.002, None).paired.unwrap();
    assert_eq!(pairs(&same), "in 32 pairs of fresh processes side by side");
    same.long_pairs = 2;
    assert_eq!(pairs(&same), "in 32 pairs of fresh processes side by side, 2 of them sampled for longer");
    same.layouts = Some(LayoutFindings { difference: 0.031, agreement: None });
    let end = "side by side, in several layouts, 2 of them sampled for longer";
    assert_eq!(pairs(&same), format!("in 32 pairs of fresh processes {end}"));
}

#[test]
fn a_change_names_the_layouts_that_show_it() {
    let mut slower = comparison(Verdict::Slower, 0.04, 0.06, None);
    let agreement = Some(Agreement { agreeing: 15, layouts: 16 });
    slower.paired.as_mut().unwrap().layouts = Some(LayoutFindings { difference: 0.031, agreement });
    assert_eq!(remark(&slower, None), " (15 of 16 layouts agree)");
    assert_eq!(remark(&slower, Some(10)), "");
    let text = layouts(&slower);
    assert_eq!(text.unwrap(), "differ by 3.1 %; 15 of 16 layouts agree");
    let text = sentence(&slower);
    assert!(text.starts_with("slower (15 of 16 layouts agree); changed by"), "{text}");
    assert!(text.contains("; layouts differ by 3.1 %"), "{text}");
}

#[test]
fn the_obstacle_to_a_paired_run_joins_the_reason() {
    let stored = |reason| Comparison {
        reason,
        not_paired: Some(Arc::new(NotPaired::Interrupted)),
        paired: None,
        ..comparison(Verdict::Unsure, 0.0, 0.0, None)
    };
    assert_eq!(remark(&stored(Some(Reason::MeasuredEarlier)), None), ": not side by side: interrupted");
    assert_eq!(
        remark(&stored(Some(Reason::SingleSample)), None),
        ": 1 sample; not side by side: interrupted"
    );
}

#[test]
fn the_sentence_of_a_change_names_its_pairs_and_the_noise_of_launches() {
    let verdict_text = sentence(&comparison(Verdict::Slower, 0.04, 0.06, None));
    assert!(
        verdict_text.starts_with("slower; changed by +5.0 % (+4.0 % to +6.0 % with 95 % confidence)"),
        "{verdict_text}"
    );
    let end = "in 32 pairs of fresh processes side by side; noise between processes 0.3 %";
    assert!(verdict_text.ends_with(end), "{verdict_text}");
    let mut known = comparison(Verdict::Slower, 0.04, 0.06, None);
    known.paired.as_mut().unwrap().differs_in = Some("a::sort".to_owned());
    assert!(sentence(&known).ends_with("; different machine code in a::sort"));
    let data = ChangedFunction::fixture("a::sort", [8, 8], vec![CodeChange::OtherData(None)]);
    known.paired.as_mut().unwrap().changed_functions = vec![data];
    assert!(sentence(&known).ends_with("; different data in a::sort"));
}
