//! Arithmetic. Each operation waits for the result of the one before.

use nanobench::nanobench;
use std::hint::black_box;

/// Additions and exclusive ors in turn, so that the compiler can't merge them.
#[nanobench(name = "add or xor, u64", batch = 2)]
fn add(count: u64) -> u64 {
    let (a, b) = (black_box(0x9E37_79B9_7F4A_7C15), black_box(3));
    (0..count).fold(black_box(1_u64), |x, _| x.wrapping_add(a) ^ b)
}

/// An addition that is checked for overflow, and a branch that is never taken.
#[nanobench(name = "checked add, u64")]
fn checked_add(count: u64) -> u64 {
    let a = black_box(3);
    (0..count).fold(black_box(1_u64), |x, _| x.checked_add(a).unwrap_or_else(|| black_box(0)))
}

/// A number times itself, modulo 2^32.
#[nanobench(name = "multiply, u32")]
fn multiply_u32(count: u64) -> u32 {
    (0..count).fold(black_box(3_u32), |x, _| x.wrapping_mul(x))
}

/// A number times itself, modulo 2^64.
#[nanobench(name = "multiply, u64")]
fn multiply_u64(count: u64) -> u64 {
    (0..count).fold(black_box(3_u64), |x, _| x.wrapping_mul(x))
}

/// The upper half of a product of two numbers of 64 bits.
#[nanobench(name = "multiply to u128")]
fn multiply_u128(count: u64) -> u64 {
    let factor = black_box(0xF000_0000_0000_0001_u64);
    (0..count)
        .fold(black_box(u64::MAX), |x, _| ((u128::from(x) * u128::from(factor)) >> 64) as u64 | (1 << 63))
}

/// A constant divided by the last quotient.
#[nanobench(name = "divide, u32")]
fn divide_u32(count: u64) -> u32 {
    let dividend = black_box(4_000_000_000_u32);
    (0..count).fold(black_box(12_345_u32), |x, _| dividend / (x | 1))
}

/// A constant divided by the last quotient.
#[nanobench(name = "divide, u64")]
fn divide_u64(count: u64) -> u64 {
    let dividend = black_box(16_000_000_000_000_000_000_u64);
    (0..count).fold(black_box(1_234_567_890_u64), |x, _| dividend / (x | 1))
}

/// Division by a constant that the compiler knows becomes a multiplication and shifts.
#[nanobench(name = "divide by the constant 10, u64")]
fn divide_by_constant(count: u64) -> u64 {
    (0..count).fold(black_box(u64::MAX), |x, _| (x / 10) | (1 << 63))
}

/// The remainder of a constant divided by the last remainder.
#[nanobench(name = "remainder, u64")]
fn remainder(count: u64) -> u64 {
    let dividend = black_box(16_000_000_000_000_000_000_u64);
    (0..count).fold(black_box(1_234_567_890_u64), |x, _| dividend % (x | (1 << 40)))
}

/// The number of bits that are set, which `x86-64` without `popcnt` computes from additions.
#[nanobench(name = "count ones, u64")]
fn count_ones(count: u64) -> u64 {
    let bits = black_box(0x5555_0F0F_3333_00FF_u64);
    (0..count).fold(black_box(1_u64), |x, _| bits ^ u64::from(x.count_ones()))
}

/// A sum of floats.
#[nanobench(name = "add, f64")]
fn add_f64(count: u64) -> f64 {
    let a = black_box(0.5);
    (0..count).fold(black_box(1.0_f64), |x, _| x + a)
}

/// A product of floats.
#[nanobench(name = "multiply, f64")]
fn multiply_f64(count: u64) -> f64 {
    let a = black_box(1.0);
    (0..count).fold(black_box(1.5_f64), |x, _| x * a)
}

/// A constant divided by the last quotient.
#[nanobench(name = "divide, f64")]
fn divide_f64(count: u64) -> f64 {
    let dividend = black_box(2.75);
    (0..count).fold(black_box(1.3_f64), |x, _| dividend / x)
}

/// A square root and the addition of a constant.
#[nanobench(name = "square root and add, f64")]
fn square_root(count: u64) -> f64 {
    let a = black_box(1.7);
    (0..count).fold(black_box(2.0_f64), |x, _| (x + a).sqrt())
}

/// The sine of the last sine and a constant, in radians.
#[nanobench(name = "sine, f64")]
fn sine(count: u64) -> f64 {
    let a = black_box(0.7);
    (0..count).fold(black_box(2.0_f64), |x, _| (x + a).sin())
}

/// To a float and back, saturating.
#[nanobench(name = "u32 to f64 and back")]
fn convert(count: u64) -> u32 {
    let bit = black_box(1_u32);
    (0..count).fold(black_box(12_345_u32), |x, _| (f64::from(x) as u32) ^ bit)
}
