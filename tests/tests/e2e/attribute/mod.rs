//! The attribute and its options. Each topic has a module and a fixture.

mod allocations;
mod caches;
mod context;
mod counters;
mod futures;
mod growth;
mod inputs;
mod manual;
mod problems;
mod state;
mod suite;
mod threads;
mod units;

use nanobench_tests::{Fixture, Report};

/// Runs a fixture with these arguments. Expects success, and returns the JSON document.
fn measured(fixture: &str, arguments: &str) -> Report {
    Fixture::of(fixture).nanobench(&format!("--format json {arguments}")).run().exits(0).json()
}

/// Returns the ids that `--list` prints with these arguments.
fn listed(fixture: &str, arguments: &str) -> Vec<String> {
    Fixture::of(fixture).nanobench(&format!("--list {arguments}")).run().exits(0).lines()
}

/// Expects two numbers to be equal except for rounding.
#[track_caller]
fn assert_same(left: f64, right: f64) {
    assert!((left - right).abs() <= 1e-6 * left.abs().max(right.abs()), "{left} is not {right}");
}
