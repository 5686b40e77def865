//! Measures the cost of sharing, with a function on several threads at once. All threads start
//! together, and the time is that of an operation on one of them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;

use nanobench::nanobench;
use nanobench_examples::lru::LruCache;

static TOTAL: AtomicU64 = AtomicU64::new(0);
static LOCKED: Mutex<u64> = Mutex::new(0);

/// Increments a counter that each thread has for itself.
#[nanobench(threads = [1, 2, 4])]
fn own_counter(count: u64) -> u64 {
    let own = AtomicU64::new(0);
    for _ in 0..count {
        own.fetch_add(1, Ordering::Relaxed);
    }
    own.into_inner()
}

fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// Increments one counter for all threads, whose cache line moves between the cores. Runs on one
/// core and on all.
#[nanobench(threads = [1, cores()])]
fn shared_counter(count: u64) {
    for _ in 0..count {
        TOTAL.fetch_add(1, Ordering::Relaxed);
    }
}

/// Increments a counter behind a lock.
#[nanobench(threads = [1, 2, 4])]
fn locked_counter(count: u64) {
    for _ in 0..count {
        *LOCKED.lock().unwrap_or_else(PoisonError::into_inner) += 1;
    }
}

/// Creates and fills a cache, a fixture that all threads share.
fn cache() -> Mutex<LruCache<u64, String>> {
    let mut cache = LruCache::new(16);
    for key in 0..16 {
        cache.get_or_insert_with(key, u64::to_string);
    }
    Mutex::new(cache)
}

/// Looks up a key in the shared cache.
#[nanobench(threads = [1, 2], fixture = cache)]
fn lookup(cache: &Mutex<LruCache<u64, String>>) -> usize {
    cache.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(7, u64::to_string).len()
}
