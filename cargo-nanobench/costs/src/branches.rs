//! Branches. The conditions are bits of a random number that is computed on the way, and the
//! numbers go on from call to call: processors learn sequences of thousands of branches that repeat.

use nanobench::{Rng, nanobench};
use std::hint::black_box;

/// A random number and a condition on it that always holds.
#[nanobench(name = "branch that always goes the same way", setup = rng, every = "benchmark")]
fn predicted(count: u64, rng: &mut Rng) -> u64 {
    branch_on(count, rng, 0)
}

/// A random number and a condition on it that holds half of the time, so that every second branch
/// is mispredicted.
#[nanobench(name = "branch that goes either way", setup = rng, every = "benchmark")]
fn unpredicted(count: u64, rng: &mut Rng) -> u64 {
    branch_on(count, rng, 1)
}

/// A choice between two values without a branch, by arithmetic.
#[nanobench(name = "choice without a branch", setup = rng, every = "benchmark")]
fn selected(count: u64, rng: &mut Rng) -> u64 {
    let mask = black_box(1);
    with_numbers(count, rng, |x, number| {
        let is_odd = number & mask;
        x ^ (is_odd.wrapping_neg() & 3)
    })
}

/// A `match` with eight arms at random, compiled to a jump through a table.
#[nanobench(name = "match with eight arms at random", setup = rng, every = "benchmark")]
fn matched(count: u64, rng: &mut Rng) -> u64 {
    with_numbers(count, rng, |x, number| match black_box(number & 7) {
        0 => black_box(x ^ 11),
        1 => black_box(x.rotate_left(3)),
        2 => black_box(x.wrapping_mul(5)),
        3 => black_box(!x),
        4 => black_box(x.swap_bytes()),
        5 => black_box(x.wrapping_sub(7)),
        6 => black_box(x >> 1),
        _ => black_box(x << 1),
    })
}

fn branch_on(count: u64, rng: &mut Rng, mask: u64) -> u64 {
    let mask = black_box(mask);
    with_numbers(count, rng, |x, number| {
        if number & mask == 0 {
            // Keeps the compiler from replacing the branch by arithmetic.
            black_box(x + 1)
        } else {
            x
        }
    })
}

/// Folds `count` random numbers.
#[inline(always)]
fn with_numbers(count: u64, rng: &mut Rng, next: impl Fn(u64, u64) -> u64) -> u64 {
    // A copy, which the compiler can hold in registers.
    let mut numbers = rng.clone();
    let result = (0..count).fold(0, |x, _| next(x, numbers.next_u64() >> 20));
    *rng = numbers;
    result
}

fn rng() -> Rng {
    Rng::with_seed(1)
}
