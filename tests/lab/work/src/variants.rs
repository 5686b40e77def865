//! Four functions that really do a few per cent more work if a `slow` feature is enabled.

use crate::chain::chain;
use crate::suite::{bytes, key};
use std::hint::black_box;

/// By how much they are slower in this build, in per cent.
const SLOWER: usize = if cfg!(feature = "slow100") {
    100
} else if cfg!(feature = "slow10") {
    10
} else if cfg!(feature = "slow5") {
    5
} else if cfg!(feature = "slow2") {
    2
} else if cfg!(feature = "slow1") {
    1
} else {
    0
};

const fn more(n: usize) -> usize {
    n + n * SLOWER / 100
}

/// Bound by latency.
#[inline(never)]
pub fn ab_chain(x: u64) -> u64 {
    chain::<{ more(100) }>(x)
}

/// Allocates.
#[inline(never)]
pub fn ab_format(seed: u64) -> usize {
    (0..black_box(more(100)) as u64).map(|i| black_box((seed + i).to_string()).len()).sum()
}

/// Input for `byte_hash`, which is bound by latency, too.
pub fn ab_bytes_input() -> Vec<u8> {
    bytes(more(65_536))
}

/// Input for `ab_sum`: 512 KiB.
pub fn ab_sum_input() -> Vec<u64> {
    (0..more(65_536)).map(|i| key(i as u64)).collect()
}

/// Bound by the bandwidth of the caches.
#[inline(never)]
pub fn ab_sum(v: &[u64]) -> u64 {
    v.iter().fold(0, |sum: u64, &n| sum.wrapping_add(n))
}

/// Code that an unrelated edit adds: kept in the executable, and never called.
#[cfg(any(feature = "edit1", feature = "edit2", feature = "edit3"))]
mod edit {
    #[used]
    static UNRELATED: fn(&[u8]) -> String = unrelated;

    const LENGTH: usize = if cfg!(feature = "edit1") {
        10
    } else if cfg!(feature = "edit2") {
        100
    } else {
        1_000
    };

    fn unrelated(text: &[u8]) -> String {
        let length = crate::chain::<LENGTH>(text.len() as u64);
        format!("{} of {length}", String::from_utf8_lossy(text))
    }
}
