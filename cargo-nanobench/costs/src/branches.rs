//! Branches. The conditions are bits of a random number that is computed on the way, so that
//! their sequence never repeats and can't be learnt.

use nanobench::{Rng, nanobench};
use std::hint::black_box;

/// A random number and a condition on it that always holds.
#[nanobench(name = "branch that always goes the same way")]
fn predicted(count: u64) -> u64 {
    branch_on(count, 0)
}

/// A random number and a condition on it that holds half of the time, so that every second branch
/// is mispredicted.
#[nanobench(name = "branch that goes either way")]
fn unpredicted(count: u64) -> u64 {
    branch_on(count, 1)
}

/// A choice between two values without a branch, by arithmetic.
#[nanobench(name = "choice without a branch")]
fn selected(count: u64) -> u64 {
    let (mut rng, mask) = (Rng::with_seed(1), black_box(1));
    (0..count).fold(0, |x, _| {
        let is_odd = (rng.next_u64() >> 20) & mask;
        x ^ (is_odd.wrapping_neg() & 3)
    })
}

/// A `match` with eight arms at random, compiled to a jump through a table.
#[nanobench(name = "match with eight arms at random")]
fn matched(count: u64) -> u64 {
    let mut rng = Rng::with_seed(1);
    (0..count).fold(0, |x, _| match black_box((rng.next_u64() >> 20) & 7) {
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

fn branch_on(count: u64, mask: u64) -> u64 {
    let (mut rng, mask) = (Rng::with_seed(1), black_box(mask));
    (0..count).fold(0, |x, _| {
        if (rng.next_u64() >> 20) & mask == 0 {
            // Keeps the compiler from replacing the branch by arithmetic.
            black_box(x + 1)
        } else {
            x
        }
    })
}
