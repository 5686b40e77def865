//! What is allocated. With nanobench's allocator installed, columns say how many blocks and bytes an operation asks for
//! and how many it holds at most. It counts only in calls that are not timed.

use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;

use nanobench::{Alloc, nanobench};

#[global_allocator]
static ALLOC: Alloc = Alloc::system();

/// A vector that grows: one allocation, and a reallocation each time that it is full.
#[nanobench]
fn growing() -> Vec<u64> {
    let mut numbers = Vec::new();
    for number in 0..black_box(1_000) {
        numbers.push(number);
    }
    numbers
}

/// A vector that has room from the start: one allocation, of the right size.
#[nanobench(baseline = growing)]
fn with_capacity() -> Vec<u64> {
    let mut numbers = Vec::with_capacity(1_000);
    for number in 0..black_box(1_000) {
        numbers.push(number);
    }
    numbers
}

/// What `setup` makes is not counted, nor is what happens to the result afterwards.
#[nanobench(setup = || vec!["a"; 100])]
fn to_strings(words: &[&str]) -> Vec<String> {
    words.iter().map(ToString::to_string).collect()
}

/// The sizes of values, with all that they own, as they can be had anywhere, e.g. in a test.
#[test]
fn sizes() {
    assert_eq!(nanobench::heap_size_of(|| vec![0_u64; 1_000]), 8_000);
    assert_eq!(nanobench::heap_size_of(|| String::from("nanobench")), 9);
    let entries = || (0..1_000_u64).map(|key| (key, key));
    let hashed = nanobench::heap_size_of(|| entries().collect::<HashMap<_, _>>());
    let sorted = nanobench::heap_size_of(|| entries().collect::<BTreeMap<_, _>>());
    assert!(hashed > 16_000 && sorted > 16_000, "{hashed} and {sorted} bytes for 1,000 pairs of 16");
}
