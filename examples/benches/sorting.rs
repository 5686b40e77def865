//! Measures sorting. Each iteration needs unsorted input, which is made outside the timing.

use std::cmp::Reverse;

use nanobench::{TimeControl, nanobench};
use nanobench_examples::random;

/// Sorts 100 random numbers.
#[nanobench]
fn numbers_100(tc: &mut TimeControl) -> Vec<u64> {
    sort_random(100, tc)
}

/// Sorts 1,000 random numbers with warm and with cold caches. What `exclude` has made is cold, too:
/// the caches are emptied when the clock starts again.
#[nanobench(cache = "both")]
fn numbers_1000(tc: &mut TimeControl) -> Vec<u64> {
    sort_random(1_000, tc)
}

/// Sorts 10,000 random numbers.
#[nanobench]
fn numbers_10000(tc: &mut TimeControl) -> Vec<u64> {
    sort_random(10_000, tc)
}

/// Sorts a million random numbers.
#[nanobench]
#[ignore = "an iteration takes 20 ms; run it with --ignored"]
fn numbers_1000000(tc: &mut TimeControl) -> Vec<u64> {
    sort_random(1_000_000, tc)
}

/// Sorts 1,000 sorted numbers.
#[nanobench]
fn sorted_before(tc: &mut TimeControl) -> Vec<u64> {
    let mut numbers: Vec<u64> = tc.exclude(|| (0..1_000).collect());
    numbers.sort_unstable();
    numbers
}

/// Sorts 1,000 numbers by a computed key with a stable sort.
#[nanobench]
fn stable_by_key(tc: &mut TimeControl) -> Vec<u64> {
    let mut numbers = tc.exclude(|| random::numbers(1_000));
    numbers.sort_by_key(|number| Reverse(number.count_ones()));
    numbers
}

/// `exclude` stops the clock, runs the closure, and starts the clock again.
fn sort_random(length: usize, tc: &mut TimeControl) -> Vec<u64> {
    let mut numbers = tc.exclude(|| random::numbers(length));
    numbers.sort_unstable();
    numbers
}
