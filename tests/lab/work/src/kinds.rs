//! Kinds of work that a change can make slower: each does some units of one kind. How many per cent
//! more is a number in the executable's data, read at run time. The lab writes it into a built
//! executable, so that nothing else differs: all code stays where it is, and what is found is the
//! change, not the placement.

use crate::chain::{FACTOR, chain};
use crate::suite::{MIB, bytes, key, unsorted};
use std::collections::HashMap;
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// The additional work at first, in per cent. A build with all features enables several of these.
const MORE: usize = if cfg!(feature = "more5") {
    5
} else if cfg!(feature = "more1") {
    1
} else {
    0
};

/// A mark to find it by, and how much more is done, in per cent.
static PER_CENT: [AtomicUsize; 3] = [
    AtomicUsize::new(0x6c61_622d_7065_7263),
    AtomicUsize::new(0x656e_742d_6d6f_7265),
    AtomicUsize::new(MORE),
];

pub(crate) fn more(n: usize) -> usize {
    n + n * black_box(&PER_CENT)[2].load(Relaxed) / 100
}

/// Sets how much more is done, for the truth.
pub fn do_more(per_cent: usize) {
    PER_CENT[2].store(per_cent, Relaxed);
}

pub type KindMap = HashMap<u64, u64>;

#[inline(never)]
pub fn kind_chain(x: u64) -> u64 {
    (0..more(100)).fold(x, |x, _| chain::<10>(x))
}

#[inline(never)]
pub fn kind_push() -> Vec<u64> {
    let mut v = Vec::new();
    for i in 0..more(10_000) as u64 {
        v.push(black_box(i));
    }
    v
}

/// With room for all: growing would not take 1 % more.
pub fn kind_empty_map() -> KindMap {
    HashMap::with_capacity(12_000)
}

#[inline(never)]
pub fn kind_insert(map: &mut KindMap) {
    for i in 0..more(10_000) as u64 {
        map.insert(key(i), i);
    }
}

pub fn kind_filled_map() -> KindMap {
    let mut map = HashMap::new();
    for i in 0..12_000 {
        map.insert(key(i), i);
    }
    map
}

#[inline(never)]
pub fn kind_lookup(map: &KindMap) -> u64 {
    (0..more(10_000) as u64).filter_map(|i| map.get(&key(i))).fold(0, |a, b| a ^ b)
}

#[inline(never)]
pub fn kind_remove(map: &mut KindMap) -> u64 {
    (0..more(10_000) as u64).filter_map(|i| map.remove(&key(i))).fold(0, |a, b| a ^ b)
}

/// Boxes of several sizes, all alive at once.
#[inline(never)]
pub fn kind_allocate() -> Vec<Vec<u8>> {
    (0..more(1_000)).map(|i| Vec::with_capacity(black_box(16 + i % 7 * 24))).collect()
}

/// Many short pieces.
pub fn kind_unsorted() -> Vec<u64> {
    let mut numbers = unsorted();
    numbers.extend(unsorted().iter().map(|n| n.rotate_left(7)));
    numbers
}

#[inline(never)]
pub fn kind_sort(numbers: &mut [u64]) {
    for piece in numbers.chunks_mut(100).take(more(100)) {
        piece.sort_unstable();
    }
}

#[inline(never)]
pub fn kind_format() -> usize {
    (0..more(1_000) as u64).map(|i| black_box((1_000_000 + i).to_string()).len()).sum()
}

pub fn kind_bytes() -> Vec<u8> {
    bytes(more(65_536))
}

#[inline(never)]
pub fn kind_copy(to: &mut [u8], from: &[u8]) {
    for _ in 0..more(100) {
        black_box(&mut *to).copy_from_slice(black_box(from));
    }
}

pub fn kind_buffers() -> (Vec<u8>, Vec<u8>) {
    (vec![2; 16 << 10], vec![1; 16 << 10])
}

/// Text of 1,000 equal pieces, with the needle behind them.
pub fn kind_haystack() -> String {
    "the quick brown fox jumps over the lazy dog and needs a noodle; ".repeat(more(1_000)) + "needle"
}

/// A ring through 64 MiB in random order: each step waits for memory.
pub fn kind_ring() -> Vec<u32> {
    let n = 64 * MIB / 4;
    let mut ring: Vec<u32> = (0..n as u32).collect();
    let mut s = FACTOR;
    for i in (1..n).rev() {
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        // Sattolo: one cycle through all.
        ring.swap(i, ((u128::from(s) * i as u128) >> 64) as usize);
    }
    ring
}

#[inline(never)]
pub fn kind_chase(ring: &[u32], from: u32) -> u32 {
    (0..more(1_000)).fold(from, |at, _| ring[at as usize])
}

pub fn kind_sleep() {
    std::thread::sleep(Duration::from_micros(more(2_000) as u64));
}

/// Code that an unrelated edit adds, and that a benchmark calls.
#[cfg(feature = "edit4")]
pub fn kind_added(n: usize) -> Vec<String> {
    let mut words: Vec<String> = kind_haystack().split(' ').take(n).map(str::to_uppercase).collect();
    words.sort();
    words
}

/// Code like the rest that an unrelated edit adds: kept in the executable, and never called.
#[cfg(feature = "edit5")]
mod edit {
    use super::*;

    #[used]
    static UNRELATED: fn(usize) -> (KindMap, Vec<Vec<u8>>) = unrelated;

    fn unrelated(n: usize) -> (KindMap, Vec<Vec<u8>>) {
        let mut map = kind_filled_map();
        map.retain(|key, _| *key > n as u64);
        let mut all: Vec<Vec<u8>> = map.values().map(|value| value.to_string().into_bytes()).collect();
        all.sort_unstable();
        all.extend((0..n).map(|n| Vec::with_capacity(black_box(n))));
        kind_sort(&mut map.values().copied().collect::<Vec<u64>>());
        (map, all)
    }
}
