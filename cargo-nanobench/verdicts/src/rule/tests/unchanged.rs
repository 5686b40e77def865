//! Suites in which nothing changed: any call is an error.

use super::scenarios::{OTHER_CODE, SAME_CODE, UNKNOWN_CODE, suite};
use crate::effort::Effort;
use crate::verdict::Verdict;

/// Runs suites in which nothing changed. At most this many may have any call.
#[track_caller]
fn assert_unchanged(effort: Effort, suites: u64, max_wrong: u64) {
    let (mut wrong, mut same, mut rows, mut blocks, mut seconds) = (0, 0.0, 0.0, 0.0, 0.0);
    let [mut intervals, mut held] = [0.0; 2];
    for run in 0..suites {
        let decided = suite(effort, run, |_| 0.0).run();
        if decided.iter().any(super::suite::Decided::is_called) {
            wrong += 1;
        }
        for decided in decided {
            rows += 1.0;
            blocks += f64::from(decided.blocks);
            seconds += decided.spent.as_secs_f64();
            same += f64::from(u8::from(decided.verdict == Verdict::Same));
            intervals += f64::from(u8::from(decided.holds.is_some()));
            held += f64::from(u8::from(decided.holds == Some(true)));
        }
    }
    let coverage = held / intervals;
    println!(
        "{effort:?}: {wrong} of {suites} suites with a call, {:.3} of rows the same, {:.0} blocks, {:.2} s, \
         {coverage:.4} of intervals hold",
        same / rows,
        blocks / rows,
        seconds / rows
    );
    assert!(wrong <= max_wrong, "{effort:?}: {wrong} of {suites} suites have a call");
    assert!(coverage >= 0.95, "{effort:?}: {coverage}");
}

// Three in 300 are allowed. If so many are the mean, there are more than nine in 1 of 1,000 simulations.

#[test]
fn unchanged_suites_of_other_code_are_reported_as_such() {
    assert_unchanged(OTHER_CODE, 300, 9);
}

#[test]
fn unchanged_suites_of_unknown_code_are_reported_as_such() {
    assert_unchanged(UNKNOWN_CODE, 300, 9);
}

#[test]
fn unchanged_suites_of_the_same_code_are_reported_as_such() {
    assert_unchanged(SAME_CODE, 300, 9);
}

#[test]
fn unchanged_suites_in_brief_runs_are_reported_as_such() {
    assert_unchanged(Effort::Brief, 300, 9);
}

#[test]
#[ignore = "takes minutes: for whoever changes the rule"]
fn unchanged_suites_of_other_code_are_reported_as_such_in_3_000_runs() {
    assert_unchanged(OTHER_CODE, 3_000, 45);
}

#[test]
#[ignore = "takes minutes: for whoever changes the rule"]
fn unchanged_suites_of_unknown_code_are_reported_as_such_in_3_000_runs() {
    assert_unchanged(UNKNOWN_CODE, 3_000, 45);
}

#[test]
#[ignore = "takes minutes: for whoever changes the rule"]
fn unchanged_suites_of_the_same_code_are_reported_as_such_in_3_000_runs() {
    assert_unchanged(SAME_CODE, 3_000, 45);
}

#[test]
#[ignore = "takes minutes: for whoever changes the rule"]
fn unchanged_suites_in_brief_runs_are_reported_as_such_in_3_000_runs() {
    assert_unchanged(Effort::Brief, 3_000, 45);
}
