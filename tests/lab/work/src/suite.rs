//! The work of the 17 benchmarks of the suite.

use crate::chain::FACTOR;
use std::collections::HashMap;
use std::hint::black_box;

#[inline(never)]
pub fn format_u64(n: u64) -> String {
    n.to_string()
}

#[inline(never)]
pub fn vec_push(n: u64) -> Vec<u64> {
    let mut v = Vec::new();
    for i in 0..n {
        v.push(black_box(i));
    }
    v
}

pub type Map = HashMap<u64, u64>;

pub(crate) fn key(i: u64) -> u64 {
    (i + 1).wrapping_mul(FACTOR)
}

pub fn empty_map() -> Map {
    HashMap::new()
}

pub fn filled_map() -> Map {
    let mut map = HashMap::new();
    map_insert(&mut map);
    map
}

#[inline(never)]
pub fn map_insert(map: &mut Map) {
    for i in 0..1_000 {
        map.insert(key(i), i);
    }
}

#[inline(never)]
pub fn map_remove(map: &mut Map) -> u64 {
    (0..1_000).fold(0, |sum: u64, i| sum.wrapping_add(map.remove(&key(i)).unwrap_or(0)))
}

/// 10,000 pseudo-random numbers, the same in every process.
pub fn unsorted() -> Vec<u64> {
    let mut s = 88_172_645_463_325_252_u64;
    let mut next = || {
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        s
    };
    (0..10_000).map(|_| next()).collect()
}

#[inline(never)]
pub fn sort(v: &mut [u64]) {
    v.sort_unstable();
}

/// Input for `byte_hash`.
pub fn bytes(n: usize) -> Vec<u8> {
    (0..n).map(|i| (i * 131 + 7) as u8).collect()
}

/// A hash of a byte at a time. Each step depends on the previous one.
#[inline(never)]
pub fn byte_hash(data: &[u8]) -> u64 {
    data.iter()
        .fold(0xcbf2_9ce4_8422_2325, |h: u64, &b| (h.rotate_left(5) ^ u64::from(b)).wrapping_mul(FACTOR))
}

pub const MIB: usize = 1 << 20;

#[inline(never)]
pub fn copy(to: &mut [u8], from: &[u8]) {
    to.copy_from_slice(from);
}

/// Some 64 KiB of text with the needle once, at the end.
pub fn haystack() -> String {
    "the quick brown fox jumps over the lazy dog and needs a noodle; ".repeat(1_024) + "needle in here"
}

#[inline(never)]
pub fn search(text: &str, needle: &str) -> Option<usize> {
    text.find(needle)
}

pub fn sleep_2ms() {
    std::thread::sleep(std::time::Duration::from_millis(2));
}
