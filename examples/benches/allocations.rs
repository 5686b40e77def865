//! Counts allocations. With nanobench's allocator, columns show the blocks and bytes that an
//! operation allocates, and the maximum that it holds. The allocator counts only in calls that are
//! not timed.

use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;

use nanobench::{Alloc, nanobench};

#[global_allocator]
static ALLOC: Alloc = Alloc::system();

/// Fills a vector that grows: one allocation, and a reallocation whenever it is full.
#[nanobench]
fn growing() -> Vec<u64> {
    let mut numbers = Vec::new();
    for number in 0..black_box(1_000) {
        numbers.push(number);
    }
    numbers
}

/// Fills a vector with enough capacity: one allocation of the right size.
#[nanobench(baseline = growing)]
fn with_capacity() -> Vec<u64> {
    let mut numbers = Vec::with_capacity(1_000);
    for number in 0..black_box(1_000) {
        numbers.push(number);
    }
    numbers
}

/// Allocations of `setup` are not counted, nor is dropping the result.
#[nanobench(setup = || vec!["a"; 100])]
fn to_strings(words: &[&str]) -> Vec<String> {
    words.iter().map(ToString::to_string).collect()
}

/// Measures the heap size of values, which works anywhere, for example in a test.
#[test]
fn sizes() {
    assert_eq!(nanobench::heap_size_of(|| vec![0_u64; 1_000]), 8_000);
    assert_eq!(nanobench::heap_size_of(|| String::from("nanobench")), 9);
    let entries = || (0..1_000_u64).map(|key| (key, key));
    let hashed = nanobench::heap_size_of(|| entries().collect::<HashMap<_, _>>());
    let sorted = nanobench::heap_size_of(|| entries().collect::<BTreeMap<_, _>>());
    assert!(hashed > 16_000 && sorted > 16_000, "{hashed} and {sorted} bytes for 1,000 pairs of 16");
}
