//! The order of stored results.

use super::*;
use crate::benchmark_id::BenchmarkId;
use nanobench::model::{CacheState, RunConditions};

/// Returns the id that reads like this. `~` at its end stands for cold caches.
fn with_conditions(text: &str) -> BenchmarkId {
    let mut id = id(text.trim_end_matches('~'));
    if text.ends_with('~') {
        id.row.conditions = RunConditions { cache: CacheState::Cold, ..RunConditions::default() };
    }
    id
}

/// Sorts results with these ids, in the order of packages and listed benchmarks.
#[track_caller]
fn assert_sorted(packages: &[&str], listed: &[&str], results: &[&str], expected: &[&str]) {
    let listed: Vec<BenchmarkId> = listed.iter().map(|text| with_conditions(text)).collect();
    let order = RunOrder::new(packages.iter().map(|&name| name.to_owned()).collect(), &listed);
    let result = |text: &&str| {
        let BenchmarkId { target, row } = with_conditions(text);
        let any = benchmark("any", None);
        StoredBenchmark { target, benchmark: BenchmarkSpec { id: row, ..any.benchmark.clone() }, ..any }
    };
    let mut results: Vec<StoredBenchmark> = results.iter().map(result).collect();
    order.sort(&mut results);
    let sorted: Vec<BenchmarkId> = results.iter().map(StoredBenchmark::id).collect();
    assert_eq!(sorted, expected.iter().map(|text| with_conditions(text)).collect::<Vec<_>>());
}

#[test]
fn listed_benchmarks_are_in_the_order_of_the_listing() {
    let listed = ["p::first::m::z/1", "p::first::m::z/2", "p::first::a"];
    let results = ["p::first::m::z/2", "p::first::a", "p::first::m::z/1"];
    assert_sorted(&["p"], &listed, &results, &listed);
}

#[test]
fn targets_are_in_the_order_of_the_workspace_even_if_they_were_not_built() {
    let results = ["right::b::f", "left::b::g", "left::b::f", "left::a::f"];
    let expected = ["left::a::f", "left::b::g", "left::b::f", "right::b::f"];
    assert_sorted(&["left", "right"], &["right::b::f"], &results, &expected);
    let expected = ["right::b::f", "left::a::f", "left::b::g", "left::b::f"];
    assert_sorted(&["right", "left"], &["left::a::f"], &results, &expected);
}

#[test]
fn rows_under_other_conditions_stay_with_their_case_or_function() {
    let listed = ["p::first::f/1", "p::first::f/2", "p::first::g"];
    let results = ["p::first::g", "p::first::f/3~", "p::first::f/1~", "p::first::f/2", "p::first::f/1"];
    let expected = ["p::first::f/1", "p::first::f/1~", "p::first::f/2", "p::first::f/3~", "p::first::g"];
    assert_sorted(&["p"], &listed, &results, &expected);
}
