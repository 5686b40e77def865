//! Functions that measure their own time.

#![forbid(unsafe_code)]
#![deny(missing_docs, nonstandard_style, unreachable_pub, unused, warnings)]
#![allow(clippy::ptr_arg, reason = "benchmarks may be written in this way, too")]

use nanobench::nanobench;
use std::time::{Duration, Instant};

type Time = Duration;

#[nanobench(manual)]
fn counted(count: u64) -> Duration {
    let start = Instant::now();
    for _ in 0..count {
        std::hint::black_box(5);
    }
    start.elapsed()
}

#[nanobench(manual = true)]
fn one_call() -> std::time::Duration {
    Instant::now().elapsed()
}

#[nanobench(manual = false)]
fn timed() -> Duration {
    Duration::ZERO
}

#[nanobench(manual, count = 5)]
fn fixed(count: u32) -> Time {
    Duration::from_nanos(1) * count
}

#[nanobench(manual, setup = || vec![1_u64])]
fn by_value(numbers: Vec<u64>, count: u64) -> Duration {
    Duration::from_nanos(numbers[0] * count)
}

#[nanobench(manual, setup = || vec![1_u64])]
fn by_reference(count: u64, numbers: &mut Vec<u64>) -> Duration {
    numbers.push(count);
    Duration::from_nanos(count)
}

#[nanobench(manual, args = [1, 2], setup = |n| vec![n; 2], items = |numbers| numbers.len())]
fn made_and_argument(numbers: &[u64], n: u64, count: u64) -> Duration {
    Duration::from_nanos(numbers[0] * n * count)
}

#[nanobench(manual, setup = || vec![1_u64], every = "sample", teardown = |numbers| drop(numbers))]
fn shared(numbers: &mut Vec<u64>, count: u64) -> Duration {
    Duration::from_nanos(numbers[0] * count)
}

#[nanobench(manual, setup = || 1, every = "benchmark")]
fn kept(number: &mut u64) -> Duration {
    *number += 1;
    Duration::from_nanos(*number)
}

#[nanobench(manual, types = [u8, u64], threads = [1, 2], cache = "both")]
fn typed<T>(count: u64) -> Duration {
    Duration::from_nanos(size_of::<T>() as u64 * count)
}

#[nanobench(manual)]
async fn asynchronous(count: u64) -> Duration {
    Duration::from_nanos(count)
}

/// The functions can be called as they were written.
pub(crate) fn main() {
    assert_eq!(by_value(vec![2], 3), Duration::from_nanos(6));
    counted(1);
}
