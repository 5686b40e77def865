//! Work to measure the machine with: what depends on the core alone, and what depends on caches and the allocator, too.

use std::collections::HashMap;
use std::hint::black_box;

/// A kind of work, done so many times.
pub(super) type Work = fn(u64);

/// Each with the name that reports give it.
pub(super) const ALL: [(&str, Work); 2] = [("chain", chain), ("mixed", mixed)];

/// Multiplications that wait for each other: nothing but the clock of the core moves it.
fn chain(times: u64) {
    let mut value = black_box(1_u64);
    for _ in 0..times {
        value = value.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        value ^= value >> 29;
    }
    black_box(value);
}

/// Allocating, sorting, hashing and formatting.
fn mixed(times: u64) {
    const LENGTH: u64 = 64;
    for _ in 0..times {
        let mut values: Vec<u64> =
            (0..black_box(LENGTH)).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40).collect();
        values.sort_unstable();
        let names: HashMap<u64, String> = values.iter().map(|&value| (value, value.to_string())).collect();
        black_box(values.iter().map(|value| names[value].len()).sum::<usize>());
    }
}
