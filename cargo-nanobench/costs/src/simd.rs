//! Several numbers at once. Portable code: the compiler vectorises loops whose order of additions
//! doesn't matter.

use nanobench::nanobench;
use std::hint::black_box;

const NUMBERS: usize = 4_096;

/// A sum in order. Each addition waits for the one before, because the order changes the rounding.
#[nanobench(
    name = "sum of 4096 f32, in order",
    setup = numbers, every = "benchmark", items = |v| v.len()
)]
#[ignore = "only if named"]
fn in_order(numbers: &[f32]) -> f32 {
    numbers.iter().sum()
}

/// Sixteen sums side by side, added at the end.
#[nanobench(
    name = "sum of 4096 f32, 16 at once",
    setup = numbers, every = "benchmark", items = |v| v.len()
)]
#[ignore = "only if named"]
fn side_by_side(numbers: &[f32]) -> f32 {
    let mut sums = [0.0; 16];
    for chunk in numbers.chunks_exact(16) {
        for (sum, number) in sums.iter_mut().zip(chunk) {
            *sum += number;
        }
    }
    sums.iter().sum()
}

/// Additions of integers may be in any order.
#[nanobench(name = "sum of 4096 u32", setup = integers, every = "benchmark", items = |v| v.len())]
#[ignore = "only if named"]
fn integer_sum(numbers: &[u32]) -> u32 {
    numbers.iter().fold(0, |sum, number| sum.wrapping_add(*number))
}

/// A sum whose additions wait for each other, because of a rotation in between.
#[nanobench(
    name = "sum of 4096 u32, one at a time",
    setup = integers, every = "benchmark", items = |v| v.len()
)]
#[ignore = "only if named"]
fn integer_sum_in_order(numbers: &[u32]) -> u32 {
    let mut sum = 0_u32;
    for number in numbers {
        sum = sum.wrapping_add(*number).rotate_left(1);
    }
    sum
}

fn numbers() -> Vec<f32> {
    (0..NUMBERS).map(|n| black_box(n as f32) * 0.5).collect()
}

fn integers() -> Vec<u32> {
    (0..NUMBERS as u32).map(|n| n.wrapping_mul(2_654_435_761)).collect()
}
