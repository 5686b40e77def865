//! Tests of the answers in words.

use super::super::change_cell::change_cell;
use super::super::tests::row;
use super::super::verdict_text;
use super::*;
use crate::experiment::{LayoutFindings, PairedDetails, Reason};
use nanobench::stats::{Change, Interval};
use verdicts::Agreement;

fn changed(low: f64, high: f64) -> Change {
    Change { estimate: (low + high) / 2.0, interval: Interval { low, high } }
}

fn found(verdict: Verdict, low: f64, high: f64) -> AverageChange {
    AverageChange {
        verdict,
        change: changed(low, high),
        p: 0.001,
        sampled: Duration::from_millis(45),
        longest_launch: Duration::from_millis(30),
        samples: [206, 206],
        interrupted: [1, 2],
        waited: [4, 8].map(Duration::from_millis),
        counts_waiting: false,
    }
}

fn slow(verdict: Verdict, slow: [usize; 2]) -> SlowLaunches {
    SlowLaunches { verdict, launches: [24; 2], slow, slowdown: 0.5, p: 0.002 }
}

/// Returns a comparison whose typical time is the same within 0.3 %.
fn comparison(verdict: Verdict, question: Question, average: AverageChange) -> Comparison {
    Comparison {
        change: Some(changed(-0.002, 0.003)),
        verdict,
        paired: Some(PairedDetails {
            question,
            typical: Verdict::Same,
            average: Some(average),
            pairs: 24,
            ..PairedDetails::default()
        }),
        ..Comparison::new_benchmark()
    }
}

#[test]
fn a_change_of_the_average_is_named_with_the_typical_time() {
    let slower = found(Verdict::Slower, 0.4, 0.6);
    let mut comparison = comparison(Verdict::Slower, Question::Average, slower);
    let text = |comparison: &Comparison| verdict_text::remark(comparison, Some(0));
    assert_eq!(text(&comparison), " on average (typical +0.1 %)");
    assert_eq!(change_cell(&row("a", &[150; 5], Some(comparison.clone()))), "+50.0 % slower on average");
    let paired = comparison.paired.as_mut().unwrap();
    paired.typical = Verdict::Faster;
    // The layouts tell about the typical change only.
    let agreement = Some(Agreement { agreeing: 16, layouts: 16 });
    paired.layouts = Some(LayoutFindings { difference: 0.03, agreement });
    comparison.change = Some(changed(-0.04, -0.02));
    assert_eq!(text(&comparison), " on average (typical -3.0 %)");
}

#[test]
fn an_average_that_changed_by_far_more_is_beside_the_typical_time() {
    let text = |low, high| {
        let average = found(Verdict::Unsure, low, high);
        let mut comparison = comparison(Verdict::Slower, Question::Typical, average);
        comparison.change = Some(changed(0.005, 0.007));
        comparison.paired.as_mut().unwrap().typical = Verdict::Slower;
        verdict_text::remark(&comparison, None)
    };
    assert_eq!(text(0.4, 0.6), " (average +50.0 %)");
    assert_eq!(text(-0.2, -0.1), " (average -15.0 %)");
    assert_eq!(text(0.0, 0.4), "", "it may be the same change");
    assert_eq!(text(0.01, 0.02), "", "hardly more");
}

#[test]
fn slow_launches_are_named_with_those_of_the_baseline() {
    let average = found(Verdict::Unsure, 0.0, 0.25);
    let mut comparison = comparison(Verdict::Slower, Question::Launches, average);
    let mut text = |verdict, launches| {
        comparison.verdict = verdict;
        comparison.paired.as_mut().unwrap().slow_launches = Some(slow(verdict, launches));
        verdict_text::remark(&comparison, None)
    };
    assert_eq!(text(Verdict::Slower, [0, 6]), " in 1 of 4 processes (typical +0.1 %)");
    assert_eq!(text(Verdict::Slower, [2, 18]), " in 3 of 4 processes, instead of 1 of 11 (typical +0.1 %)");
    assert_eq!(text(Verdict::Faster, [6, 0]), " in 1 of 4 processes that were slow (typical +0.1 %)");
    assert_eq!(
        text(Verdict::Faster, [18, 2]),
        ": 1 of 11 processes are slow, instead of 3 of 4 (typical +0.1 %)"
    );
}

#[test]
fn slow_launches_are_the_subject_of_a_verdict_that_they_have_themselves() {
    let slower = found(Verdict::Slower, 0.1, 0.2);
    let mut comparison = comparison(Verdict::Slower, Question::Average, slower);
    assert_eq!(comparison.question(), Question::Average);
    comparison.paired.as_mut().unwrap().slow_launches = Some(slow(Verdict::Slower, [0, 6]));
    let text = verdict_text::remark(&comparison, None);
    assert_eq!(text, " in 1 of 4 processes (typical +0.1 %)");
    assert_eq!(comparison.question(), Question::Launches);
    assert_eq!(short(&comparison).as_deref(), Some("+15.0 % on average"), "as in the sentence");
}

#[test]
fn slow_launches_that_explain_the_average_are_named_beside_it() {
    let slower = found(Verdict::Slower, 0.1, 0.2);
    let mut comparison = comparison(Verdict::Slower, Question::Average, slower);
    let mut text = |p, launches| {
        let slow = SlowLaunches { p, ..slow(Verdict::Unsure, launches) };
        comparison.paired.as_mut().unwrap().slow_launches = Some(slow);
        verdict_text::remark(&comparison, None)
    };
    assert_eq!(text(1e-6, [0, 6]), " on average, in 1 of 4 processes (typical +0.1 %)");
    let without = " on average (typical +0.1 %)";
    assert!(text(0.01, [0, 6]).contains(", in 1 of 4 processes"), "less than what shows a change");
    assert_eq!(text(0.1, [0, 6]), without, "possibly by chance");
    assert_eq!(text(1e-6, [6, 0]), without, "the opposite");
    comparison.verdict = Verdict::Faster;
    comparison.paired.as_mut().unwrap().slow_launches =
        Some(SlowLaunches { p: 1e-6, ..slow(Verdict::Unsure, [6, 0]) });
    assert_eq!(
        verdict_text::remark(&comparison, None),
        " on average, in 1 of 4 processes that were slow (typical +0.1 %)"
    );
}

#[test]
fn shares_of_launches_are_small_fractions() {
    assert_eq!([0.24, 0.1, 0.5, 0.67, 1.0].map(fraction), ["1 of 4", "1 of 10", "1 of 2", "2 of 3", "all"]);
    assert_eq!(fraction(0.01), "1 of 100");
}

#[test]
fn an_unsure_average_has_its_interval_and_what_would_decide_it() {
    let mut comparison = comparison(Verdict::Unsure, Question::Typical, found(Verdict::Unsure, -0.01, 0.25));
    let text = |comparison: &Comparison| verdict_text::remark(comparison, None);
    let typical = " (typical +0.1 %)";
    assert_eq!(text(&comparison), format!(" on average{TOO_LONG}{typical}"));
    comparison.paired.as_mut().unwrap().time_to_decide = Some(Duration::from_millis(2_100));
    assert_eq!(text(&comparison), format!(" on average: needs about 3 s more{typical}"));
    comparison.paired.as_mut().unwrap().typical = Verdict::Unsure;
    assert_eq!(text(&comparison), ": needs about 3 s more", "the typical time comes first");
}

#[test]
fn slow_launches_are_the_open_question_if_the_average_is_the_same() {
    let mut comparison = comparison(Verdict::Unsure, Question::Launches, found(Verdict::Same, -0.01, 0.02));
    let text = |comparison: &Comparison| verdict_text::remark(comparison, None);
    assert_eq!(text(&comparison), " about slow processes (typical +0.1 %)");
    comparison.paired.as_mut().unwrap().slow_launches = Some(slow(Verdict::Unsure, [2, 1]));
    let of_launches = " about slow processes: 1 of 24, baseline 2 of 24 (typical +0.1 %)";
    assert_eq!(text(&comparison), of_launches);
    assert_eq!(comparison.question(), Question::Launches);
    comparison.reason = Some(Reason::BusyCandidate);
    let busy = text(&comparison);
    assert!(busy.starts_with(": its threads or processes are busy between calls"), "{busy}");
}

#[test]
fn same_has_the_bound_of_an_average_that_may_have_grown_by_more() {
    let same = |low, high| comparison(Verdict::Same, Question::Typical, found(Verdict::Same, low, high));
    let text = |low, high, room| verdict_text::remark(&same(low, high), room);
    assert_eq!(text(-0.01, 0.07, None), " (typical under 0.3 %, average under 7 %)");
    assert_eq!(text(-0.01, 0.07, Some(41)), " (typical under 0.3 %, average under 7 %)");
    assert_eq!(text(-0.01, 0.07, Some(40)), " (average under 7 %)", "the one to know");
    assert_eq!(text(-0.01, 0.0701, None), " (typical under 0.3 %, average under 8 %)", "never rounded down");
    assert_eq!(text(-0.13, 0.03, None), " (typical under 0.3 %, average under 13 %)", "the farther end");
    for (low, high) in [(-0.01, 0.02), (-0.13, 0.02), (-0.13, -0.02)] {
        assert_eq!(
            text(low, high, None),
            " (any change is under 0.3 %)",
            "it has not grown by more than 2 %"
        );
    }
    let unexplained = Comparison { reason: Some(Reason::NotAsStored), ..same(-0.01, 0.07) };
    let text = verdict_text::remark(&unexplained, None);
    assert!(
        text.starts_with(" (typical under 0.3 %, average under 7 %): the same side by side, but not"),
        "{text}"
    );
    let sentence = verdict_text::sentence(&same(-0.01, 0.02));
    assert!(
        sentence.ends_with(
            "; average +0.5 % (-1.0 .. +2.0), 45.0 ms on each side, 3 of 412 samples interrupted, 12.0 ms subtracted"
        ),
        "{sentence}"
    );
}

#[test]
fn the_column_of_changes_has_an_average_that_may_have_grown() {
    let cell = |verdict, low, high| {
        let average = found(verdict, low, high);
        change_cell(&row("a", &[100; 5], Some(comparison(verdict, Question::Typical, average))))
    };
    assert_eq!(cell(Verdict::Same, -0.01, 0.02), "under 0.3 %");
    assert_eq!(cell(Verdict::Same, -0.01, 0.07), "average under 7 %");
    assert_eq!(cell(Verdict::Unsure, -0.01, 0.12), "under 0.3 %", "only `same` is a claim about the average");
}

#[test]
fn moved_is_never_told_as_a_change_of_the_average() {
    let comparison = comparison(Verdict::Placement, Question::Average, found(Verdict::Slower, 0.02, 0.04));
    let text = verdict_text::remark(&comparison, None);
    assert_eq!(text, " (typical +0.1 %)");
}
