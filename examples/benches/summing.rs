//! Summing numbers, after Shawn Hargreaves' "Microbenchmarks": the same code on the same data, in the cache and out
//! of it. Today's processors see an array coming and fetch it ahead; a list they can't.

use std::hint::black_box;
use std::sync::{LazyLock, Mutex, PoisonError};

use nanobench::{TimeControl, nanobench};

const LENGTH: usize = 4_096;

/// A number that fills a line of the cache, so that each one is fetched by itself. All of them are 256 kB, which
/// fit into the second-level cache of most processors.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Number(usize);

/// All numbers below `LENGTH`, far from sorted. Each is also the place of the next one in a list that visits all
/// (a linear congruential generator of full period; Hull and Dobell 1962).
static NUMBERS: LazyLock<Vec<Number>> =
    LazyLock::new(|| (0..LENGTH).map(|i| Number((i * 1_664_525 + 1_013_904_223) % LENGTH)).collect());

static OTHER_MEMORY: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Sums a range, which the compiler replaces by Gauss's formula: the figure is that of a multiplication.
#[nanobench]
fn range() -> usize {
    (0..black_box(LENGTH)).sum()
}

/// Sums numbers in the order in which they lie in memory.
#[nanobench]
fn array() -> usize {
    sum_array(&NUMBERS)
}

/// The same, but other memory was used in the meantime.
#[nanobench]
fn array_out_of_cache(tc: &mut TimeControl) -> usize {
    tc.exclude(use_other_memory);
    sum_array(&NUMBERS)
}

/// Sums numbers each of which tells where the next one is.
#[nanobench]
fn list() -> usize {
    sum_list(&NUMBERS)
}

/// The same, but other memory was used in the meantime.
#[nanobench]
fn list_out_of_cache(tc: &mut TimeControl) -> usize {
    tc.exclude(use_other_memory);
    sum_list(&NUMBERS)
}

fn sum_array(numbers: &[Number]) -> usize {
    black_box(numbers).iter().map(|number| number.0).sum()
}

fn sum_list(numbers: &[Number]) -> usize {
    let numbers = black_box(numbers);
    let (mut sum, mut place) = (0, 0);
    for _ in 0..numbers.len() {
        place = numbers[place].0;
        sum += place;
    }
    sum
}

/// Writes 4 MB, which push the numbers out of the nearer caches.
fn use_other_memory() {
    let mut memory = OTHER_MEMORY.lock().unwrap_or_else(PoisonError::into_inner);
    memory.resize(4 << 20, 0);
    memory.iter_mut().for_each(|byte| *byte = byte.wrapping_add(1));
    black_box(&*memory);
}
