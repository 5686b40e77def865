//! Something with a state: a cache behaves differently when it is cold, when it is warm, and when it is too
//! small. The state is brought about first, then the clock starts anew.

use std::hint::black_box;

use nanobench::{TimeControl, nanobench};
use nanobench_examples::{lru::LruCache, random};

const CAPACITY: u64 = 256;

/// Looks up keys in a cache that is warm and large enough: all hits.
#[nanobench(count = 1_000)]
fn hits(count: u64, tc: &mut TimeControl) {
    lookups(count, CAPACITY, tc);
}

/// Looks up keys in a cache that holds a quarter of them: three in four push another entry out.
#[nanobench(count = 1_000)]
fn mostly_misses(count: u64, tc: &mut TimeControl) {
    lookups(count, 4 * CAPACITY, tc);
}

fn lookups(count: u64, keys: u64, tc: &mut TimeControl) {
    let mut cache = LruCache::new(CAPACITY as usize);
    for key in 0..keys {
        cache.get_or_insert_with(key, u64::to_string);
    }
    // Forgets the time that this iteration took so far.
    tc.reset();

    for _ in 0..count {
        black_box(cache.get_or_insert_with(random::number() % keys, u64::to_string));
    }
    // The cache is dropped when the clock has stopped.
    tc.pause();
}
