//! Workloads to measure the noise of the machine with.

use std::collections::HashMap;
use std::hint::black_box;

/// A workload, repeated the given number of times.
pub(super) type Workload = fn(u64);

/// All workloads with their names in reports.
pub(super) const WORKLOADS: [(&str, Workload); 2] = [("chain", chain), ("mixed", mixed)];

/// Does dependent multiplications, whose time depends on the clock of the core alone.
fn chain(repeats: u64) {
    let mut value = black_box(1_u64);
    for _ in 0..repeats {
        value = value.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        value ^= value >> 29;
    }
    black_box(value);
}

/// Allocates, sorts, hashes and formats, so that caches and the allocator matter, too.
fn mixed(repeats: u64) {
    const LENGTH: u64 = 64;
    for _ in 0..repeats {
        let mut values: Vec<u64> =
            (0..black_box(LENGTH)).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40).collect();
        values.sort_unstable();
        let names: HashMap<u64, String> = values.iter().map(|&value| (value, value.to_string())).collect();
        black_box(values.iter().map(|value| names[value].len()).sum::<usize>());
    }
}
