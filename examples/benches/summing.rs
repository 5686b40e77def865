//! Sums numbers, after Shawn Hargreaves' "Microbenchmarks": the same data, in the caches and
//! outside them. Processors prefetch an array, but not a list.
//!
//! Any benchmark can run with cold caches, and a sweep shows how the time rises from cache to cache:
//!
//! ```console
//! $ cargo nanobench --cache both
//! $ cargo nanobench summing::list --wipe-size sweep
//! ```

use std::hint::black_box;

use nanobench::nanobench;

const LENGTH: usize = 4_096;

/// A number that fills a cache line, so that each is fetched separately. All numbers take 256 kB,
/// which fits into the second-level cache of most processors.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Number(usize);

/// Returns all numbers below `LENGTH` in scattered order. Each is also the index of the next one in
/// a list of all (a linear congruential generator of full period; Hull and Dobell 1962).
fn numbers() -> Vec<Number> {
    (0..LENGTH).map(|i| Number((i * 1_664_525 + 1_013_904_223) % LENGTH)).collect()
}

/// Sums a range, which the compiler replaces with Gauss's formula, a multiplication.
#[nanobench]
fn range() -> usize {
    (0..black_box(LENGTH)).sum()
}

/// Sums numbers in the order of memory.
#[nanobench(fixture = numbers, cache = "both", items = LENGTH)]
fn array(numbers: &[Number]) -> usize {
    numbers.iter().map(|number| number.0).sum()
}

/// Sums numbers, each of which is the index of the next.
#[nanobench(fixture = numbers, cache = "both", items = LENGTH)]
fn list(numbers: &[Number]) -> usize {
    let (mut sum, mut index) = (0, 0);
    for _ in 0..numbers.len() {
        index = numbers[index].0;
        sum += index;
    }
    sum
}
