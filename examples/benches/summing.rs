//! Summing numbers, after Shawn Hargreaves' "Microbenchmarks": the same code on the same data, in the cache and out
//! of it. Today's processors see an array coming and fetch it ahead; a list they can't.
//!
//! Any benchmark can be run with cold caches, and a sweep shows where the caches end:
//!
//! ```console
//! $ cargo nanobench --cache both
//! $ cargo nanobench summing::list --wipe-size sweep
//! ```

use std::hint::black_box;

use nanobench::nanobench;

const LENGTH: usize = 4_096;

/// A number that fills a line of the cache, so that each one is fetched by itself. All of them are 256 kB, which
/// fit into the second-level cache of most processors.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Number(usize);

/// All numbers below `LENGTH`, far from sorted. Each is also the place of the next one in a list that visits all
/// (a linear congruential generator of full period; Hull and Dobell 1962).
fn numbers() -> Vec<Number> {
    (0..LENGTH).map(|i| Number((i * 1_664_525 + 1_013_904_223) % LENGTH)).collect()
}

/// Sums a range, which the compiler replaces by Gauss's formula: the figure is that of a multiplication.
#[nanobench]
fn range() -> usize {
    (0..black_box(LENGTH)).sum()
}

/// Sums numbers in the order in which they lie in memory.
#[nanobench(fixture = numbers, cache = "both", items = LENGTH)]
fn array(numbers: &[Number]) -> usize {
    numbers.iter().map(|number| number.0).sum()
}

/// Sums numbers each of which tells where the next one is.
#[nanobench(fixture = numbers, cache = "both", items = LENGTH)]
fn list(numbers: &[Number]) -> usize {
    let (mut sum, mut place) = (0, 0);
    for _ in 0..numbers.len() {
        place = numbers[place].0;
        sum += place;
    }
    sum
}
