//! Suites of which some benchmarks changed: the intervals of their changes.

use super::scenarios::{OTHER_CODE, SAME_CODE, UNKNOWN_CODE, suite};
use crate::effort::Effort;
use crate::verdict::Verdict;

/// The change of a benchmark of a suite, by its place.
fn effect(place: u64) -> f64 {
    match place % 8 {
        0 => 0.01,
        3 => -0.01,
        6 => 0.05,
        _ => 0.0,
    }
}

/// How many intervals there were, and how many of these contain the true change.
#[derive(Default)]
struct Coverage {
    intervals: f64,
    held: f64,
}

impl Coverage {
    fn add(&mut self, holds: Option<bool>) {
        self.intervals += f64::from(u8::from(holds.is_some()));
        self.held += f64::from(u8::from(holds == Some(true)));
    }

    fn share(&self) -> f64 {
        self.held / self.intervals
    }
}

/// Runs suites of which some benchmarks changed. At most this many may have a wrong call.
#[track_caller]
fn assert_coverage(effort: Effort, suites: u64, max_wrong: u64) {
    let [mut all, mut called, mut averages] = [(); 3].map(|()| Coverage::default());
    let mut wrong = 0;
    for run in 0..suites {
        let decided = suite(effort, run, effect).run();
        let effects = || (0..).map(effect);
        let is_wrong = |(verdict, effect): (Verdict, f64)| match verdict {
            Verdict::Slower => effect <= 0.0,
            Verdict::Faster => effect >= 0.0,
            _ => false,
        };
        wrong += u64::from(decided.iter().map(|decided| decided.verdict).zip(effects()).any(is_wrong));
        for decided in &decided {
            all.add(decided.holds);
            if decided.is_called() {
                called.add(decided.holds);
            }
            averages.add(decided.average_holds);
        }
    }
    let [of_all, of_called, of_averages] = [&all, &called, &averages].map(Coverage::share);
    println!(
        "{effort:?}: {wrong} of {suites} suites with a wrong call; {of_all:.4} of all intervals hold, \
         {of_called:.4} of {} called, {of_averages:.4} of averages",
        called.intervals
    );
    assert!(wrong <= max_wrong, "{effort:?}: {wrong} of {suites}");
    assert!(of_all >= 0.95 && of_called >= 0.9, "{effort:?}: {of_all}, {of_called} of those called");
    assert!(of_averages >= 0.9, "{effort:?}: {of_averages}");
}

#[test]
fn intervals_hold_as_often_as_promised() {
    for effort in [OTHER_CODE, SAME_CODE, Effort::Brief] {
        assert_coverage(effort, 6, 1);
    }
}

#[test]
#[ignore = "takes minutes: for whoever changes the rule"]
fn intervals_hold_as_often_as_promised_in_600_suites() {
    for effort in [OTHER_CODE, UNKNOWN_CODE, SAME_CODE, Effort::Brief] {
        assert_coverage(effort, 600, 14);
    }
}
