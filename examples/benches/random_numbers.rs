//! Measures `nanobench::Rng`. It is fast and small, and a seed gives the same numbers everywhere.
//! It is not suitable for secrets.

use std::hash::{BuildHasher as _, RandomState};
use std::hint::black_box;

use nanobench::{Rng, nanobench};

/// Returns the next 64 bits.
#[nanobench(baseline = sip_hash)]
fn next(count: u64) {
    let mut rng = Rng::with_seed(1);
    for _ in 0..count {
        black_box(rng.next_u64());
    }
}

/// Returns a number below a million.
#[nanobench(baseline = sip_hash)]
fn bounded(count: u64) {
    let mut rng = Rng::with_seed(1);
    for _ in 0..count {
        black_box(rng.bounded(1_000_000));
    }
}

/// Returns a number between 0 and 1.
#[nanobench(baseline = sip_hash)]
fn uniform(count: u64) {
    let mut rng = Rng::with_seed(1);
    for _ in 0..count {
        black_box(rng.uniform01());
    }
}

/// Hashes a number, as a source of random numbers in the standard library.
#[nanobench]
fn sip_hash(count: u64) {
    let state = RandomState::new();
    for i in 0..count {
        black_box(state.hash_one(i));
    }
}

/// Shuffles numbers with the same seed in each call.
#[nanobench(args = [10, 1_000], setup = |n| (0..n).collect::<Vec<u64>>())]
fn shuffle(mut numbers: Vec<u64>) -> Vec<u64> {
    Rng::with_seed(5).shuffle(&mut numbers);
    numbers
}
