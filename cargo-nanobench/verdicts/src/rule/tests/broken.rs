//! The simulations find faults of a rule.

use super::files::{Effects, Files, SuiteFiles};
use super::noise::Noise;
use super::scenarios::{OTHER_CODE, suite};
use super::simulated::Simulated;
use super::suite::{Decided, Suite};
use crate::effort::Effort;
use crate::rules::Rules;
use std::time::Duration;

/// The number of suites of a kind.
const SUITES: u64 = 20;

/// Returns how many of these suites, in which nothing changed, have a call.
fn wrong(suite: impl Fn(u64) -> Suite) -> usize {
    (0..SUITES).filter(|&run| suite(run).run().iter().any(Decided::is_called)).count()
}

/// Returns a suite of ten benchmarks in which half of the places of a file add this.
fn with_places(effort: Effort, kind: Files, place: f64, is_naive: bool, run: u64) -> Suite {
    let rules = Rules { threshold: 0.02, tests_threshold: effort == Effort::Brief, ..Rules::default() };
    let row = |i: u64| Simulated::new(Noise::Normal, 0.005, 0.0, run * 100 + i);
    let effects = Effects { place, cost: Duration::from_millis(900), ..Effects::default() };
    let mut files = SuiteFiles::new(kind, effects, run);
    files.is_naive = is_naive;
    let suite = Suite::with_files(effort, &rules, (0..10).map(row).collect(), files);
    if effort == Effort::Brief { suite.with_own_figures() } else { suite }
}

#[test]
fn pairs_of_the_same_files_that_count_as_many_are_called() {
    let wrong = |is_naive| wrong(|run| with_places(OTHER_CODE, Files::Copies, 0.03, is_naive, run));
    let [right, naive] = [false, true].map(wrong);
    assert!(right == 0 && naive >= 5, "{right} and {naive} of {SUITES}");
}

#[test]
fn originals_whose_place_adds_more_than_is_tested_are_called() {
    let wrong = |place| wrong(|run| with_places(Effort::Brief, Files::Originals, place, false, run));
    let [right, too_much] = [0.01, 0.03].map(wrong);
    assert!(right == 0 && too_much >= 15, "{right} and {too_much} of {SUITES}: no rule could tell");
}

#[test]
fn a_limit_that_is_too_low_is_exceeded() {
    let wrong = |error_rate| wrong(|run| suite(OTHER_CODE, run, |_| 0.0).with_error_rate(error_rate));
    let [right, lenient] = [0.01, 1.0].map(wrong);
    assert!(right == 0 && lenient >= 5, "{right} and {lenient} of {SUITES}");
}
