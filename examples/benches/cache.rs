//! Measures a cache, which behaves differently when it is warm and when it is too small. The
//! function fills the cache first, then restarts the clock.

use std::hint::black_box;

use nanobench::{TimeControl, nanobench};
use nanobench_examples::{lru::LruCache, random};

const CAPACITY: u64 = 256;

/// Looks up keys in a warm cache that holds all of them, so that all lookups are hits.
#[nanobench(count = 1_000)]
fn hits(count: u64, tc: &mut TimeControl) {
    lookups(count, CAPACITY, tc);
}

/// Looks up keys in a cache that holds a quarter of them, so that three in four evict another
/// entry.
#[nanobench(count = 1_000)]
fn mostly_misses(count: u64, tc: &mut TimeControl) {
    lookups(count, 4 * CAPACITY, tc);
}

fn lookups(count: u64, keys: u64, tc: &mut TimeControl) {
    let mut cache = LruCache::new(CAPACITY as usize);
    for key in 0..keys {
        cache.get_or_insert_with(key, u64::to_string);
    }
    // Discards the time of this iteration so far.
    tc.reset();

    for _ in 0..count {
        black_box(cache.get_or_insert_with(random::number() % keys, u64::to_string));
    }
    // The cache is dropped after the clock has stopped.
    tc.pause();
}
