//! Random numbers: `nanobench::Rng` is fast, small, and the same everywhere for the same seed. Not for secrets.

use std::hash::{BuildHasher as _, RandomState};
use std::hint::black_box;

use nanobench::{Rng, nanobench};

/// The next 64 bits.
#[nanobench(baseline = sip_hash)]
fn next(count: u64) {
    let mut rng = Rng::with_seed(1);
    for _ in 0..count {
        black_box(rng.next_u64());
    }
}

/// A number below a million.
#[nanobench(baseline = sip_hash)]
fn bounded(count: u64) {
    let mut rng = Rng::with_seed(1);
    for _ in 0..count {
        black_box(rng.bounded(1_000_000));
    }
}

/// A number from 0 to 1.
#[nanobench(baseline = sip_hash)]
fn uniform(count: u64) {
    let mut rng = Rng::with_seed(1);
    for _ in 0..count {
        black_box(rng.uniform01());
    }
}

/// What the standard library has for it: the hash of a number.
#[nanobench]
fn sip_hash(count: u64) {
    let state = RandomState::new();
    for i in 0..count {
        black_box(state.hash_one(i));
    }
}

/// Puts numbers into a random order. A closure with a state stands in a block: each sample begins with the same seed.
#[nanobench(args = [10, 1_000], setup = |n| (0..n).collect::<Vec<u64>>())]
fn shuffle(mut numbers: Vec<u64>) -> Vec<u64> {
    Rng::with_seed(5).shuffle(&mut numbers);
    numbers
}
