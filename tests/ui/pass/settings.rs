//! Options for sampling.

#![forbid(unsafe_code)]
#![deny(missing_docs, nonstandard_style, unreachable_pub, unused, warnings)]

use nanobench::{TimeControl, nanobench};
use std::cell::Cell;
use std::time::Duration;

thread_local! {
    pub(crate) static CALLS: Cell<u64> = const { Cell::new(0) };
    pub(crate) static RESETS: Cell<u64> = const { Cell::new(0) };
}

fn called() {
    CALLS.set(CALLS.get() + 1);
}

#[nanobench(unroll = 10)]
fn unrolled() {
    called();
}

#[nanobench(unroll = 3)]
fn unrolled_value() -> String {
    called();
    "value".to_owned()
}

#[nanobench(unroll = 4, count = 7)]
fn unrolled_count(count: u32) -> u32 {
    called();
    count
}

#[nanobench(unroll = 2)]
fn unrolled_opaque(count: usize) -> impl Iterator<Item = u64> {
    called();
    (0..).take(count)
}

#[nanobench(unroll = 1)]
fn unrolled_once() {
    called();
}

#[nanobench(unroll = 1_000)]
fn unrolled_most() {
    called();
}

fn clear() {
    RESETS.set(RESETS.get() + 1);
}

mod inner {
    pub(super) struct Log;

    impl Log {
        pub(super) fn clear() {
            super::clear();
        }
    }
}

#[nanobench(reset = clear)]
fn reset_by_path() {}

#[nanobench(reset = inner::Log::clear)]
fn reset_by_long_path() {}

#[nanobench(reset = || RESETS.set(7))]
fn reset_by_closure() {}

#[nanobench(reset = move || { clear(); clear() })]
fn reset_by_block(count: u64, tc: &mut TimeControl) -> u64 {
    tc.pause();
    count
}

#[nanobench(reset = clear, setup = || vec![1])]
fn reset_and_setup(numbers: &mut Vec<u64>) -> Option<u64> {
    numbers.pop()
}

const SAMPLES: u64 = 4;

const fn half(number: u64) -> u64 {
    number / 2
}

#[nanobench(samples = 5, sample_time = "1ms", warmup = 3)]
fn literals() {}

#[nanobench(samples = SAMPLES + 1, iterations = half(100), warmup = SAMPLES - 4)]
fn expressions() {}

#[nanobench(samples = 0x10u64, iterations = 1_000, prime = true)]
fn other_digits() {}

#[nanobench(prime = false, sample_time = "1.5 us")]
fn not_primed() {}

#[nanobench(warmup = 0)]
fn not_warmed_up() {}

const TOLERANCE: f64 = 3.0;
const NO_TOLERANCE: f64 = 0.0;

#[nanobench(threshold = 2)]
fn whole_threshold() {}

#[nanobench(threshold = 0.25)]
fn small_threshold() {}

#[nanobench(threshold = TOLERANCE / 2.0)]
fn computed_threshold() {}

#[nanobench(threshold = 0)]
fn no_threshold() {}

#[nanobench(threshold = NO_TOLERANCE)]
fn no_named_threshold() {}

#[nanobench(precision = TOLERANCE, min_time = "1ms", max_time = "1ms", timeout = "2m")]
fn limited() {}

#[nanobench(
    count = 2,
    unroll = 5,
    name = "all",
    reset = || (),
    samples = 3,
    sample_time = "20ns",
    warmup = 1,
    prime = true,
    crate = nanobench,
)]
fn all_at_once(count: u64) -> u64 {
    count
}

macro_rules! by_fragments {
    ($name:ident, $unroll:literal, $reset:expr, $samples:expr, $prime:literal, $time:literal) => {
        #[nanobench(unroll = $unroll, reset = $reset, samples = $samples, prime = $prime, sample_time = $time, timeout = $time)]
        fn $name() {
            called();
        }
    };
}

by_fragments!(by_literals, 5, clear, 6, false, "1ms");
by_fragments!(by_expressions, 5, || RESETS.set(5), SAMPLES + 2, true, "2ms");

macro_rules! by_setup {
    ($name:ident, $setup:expr, $type:ty) => {
        #[nanobench(setup = $setup)]
        fn $name(_: $type) {}
    };
}

by_setup!(setup_by_closure, || 5, u64);
by_setup!(setup_by_path, Default::default, &mut Vec<u64>);
by_setup!(
    setup_by_block,
    {
        let word = String::from("word");
        move || word.clone()
    },
    &str
);

const LONG: Duration = Duration::from_millis(20);

#[nanobench(max_time = LONG, min_time = 0.001, timeout = 5, sample_time = "0.0001")]
fn durations() {}

#[nanobench(timeout = "1m 30s", max_time = LONG.saturating_mul(2), threads)]
fn all_cores() {}

#[nanobench(ignore = cfg!(miri), threads = [0, 1])]
fn conditional() {}

#[nanobench(setup = || 7, every = "call")]
fn number_beside_count(n: &u64, count: u64) -> u64 {
    n + count
}

#[nanobench(setup = || 7)]
fn two_numbers(n: u64, count: u64) -> u64 {
    n + count
}

/// The functions can be called as they were written.
pub(crate) fn main() {
    unrolled();
    assert_eq!(unrolled_opaque(2).sum::<u64>(), 1);
    assert_eq!(all_at_once(5), 5);
}
