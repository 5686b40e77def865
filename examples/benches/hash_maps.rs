//! Measures hash maps of 1,000 entries. The time of an operation depends on the size, so `count` is
//! fixed.

use std::collections::HashMap;
use std::hint::black_box;

use nanobench::{TimeControl, nanobench};

/// Inserts entries into a map that grows.
#[nanobench(count = 1_000)]
fn insert(count: usize, tc: &mut TimeControl) -> HashMap<usize, String> {
    let entries = tc.exclude(|| entries(count));
    let mut map = HashMap::new();
    for (key, value) in entries {
        map.insert(key, value);
    }
    map
}

/// Inserts entries into a map with enough capacity.
#[nanobench(count = 1_000)]
fn insert_with_capacity(count: usize, tc: &mut TimeControl) -> HashMap<usize, String> {
    let (entries, mut map) = tc.exclude(|| (entries(count), HashMap::with_capacity(count)));
    for (key, value) in entries {
        map.insert(key, value);
    }
    map
}

/// Looks up existing keys.
#[nanobench(count = 1_000)]
fn lookup(count: usize, tc: &mut TimeControl) -> HashMap<usize, String> {
    let map = tc.exclude(|| filled(count));
    for key in 0..count {
        black_box(map.get(&key));
    }
    map
}

/// Looks up missing keys.
#[nanobench(count = 1_000)]
fn lookup_missing(count: usize, tc: &mut TimeControl) -> HashMap<usize, String> {
    let map = tc.exclude(|| filled(count));
    for key in count..2 * count {
        black_box(map.get(&key));
    }
    map
}

/// Removes all entries one by one and drops their values.
#[nanobench(count = 1_000)]
fn remove(count: usize, tc: &mut TimeControl) -> HashMap<usize, String> {
    tc.pause();
    let mut map = filled(count);
    tc.resume();

    for key in 0..count {
        black_box(map.remove(&key));
    }
    map
}

fn filled(count: usize) -> HashMap<usize, String> {
    entries(count).into_iter().collect()
}

fn entries(count: usize) -> Vec<(usize, String)> {
    (0..count).map(|key| (key, key.to_string())).collect()
}
