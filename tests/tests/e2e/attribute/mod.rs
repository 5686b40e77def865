//! What the attribute and its options do, end to end: a module for each theme, a fixture for each module.

mod allocations;
mod caches;
mod context;
mod counters;
mod futures;
mod growth;
mod inputs;
mod problems;
mod state;
mod suite;
mod threads;
mod units;

use nanobench_tests::{Fixture, Report};

/// What a run of a fixture with these arguments found, none of which failed.
fn measured(fixture: &str, arguments: &str) -> Report {
    Fixture::of(fixture).nanobench(&format!("--format json {arguments}")).run().exits(0).json()
}

/// The ids that `--list` and these arguments print.
fn listed(fixture: &str, arguments: &str) -> Vec<String> {
    Fixture::of(fixture).nanobench(&format!("--list {arguments}")).run().exits(0).lines()
}

/// Whether two numbers agree but for rounding.
#[track_caller]
fn assert_same(left: f64, right: f64) {
    assert!((left - right).abs() <= 1e-6 * left.abs().max(right.abs()), "{left} is not {right}");
}
