//! Sets the unit of a figure, and reports throughput.

use std::hint::black_box;

use nanobench::nanobench;
use nanobench_examples::{random, varint};

const TEXT: &str = include_str!("../../LICENSE-APACHE");

/// Copies a text. The time is that of the whole copy, and a column shows the bytes per second.
#[nanobench(args = [1_024, 65_536], setup = |length| vec![7; length], bytes = |text| size_of_val(&text[..]))]
fn copy(text: &[u8]) -> Vec<u8> {
    text.to_vec()
}

/// Reports three throughputs at once.
#[nanobench(bytes = TEXT.len(), chars = TEXT.chars().count(), items = TEXT.split_whitespace().count())]
fn count_words() -> usize {
    black_box(TEXT).split_whitespace().count()
}

/// With `batch`, the time is that of one of the thousand numbers that a call decodes.
#[nanobench(batch = 1_000, unit = "number", setup = || varint::encode_all(&random::numbers(1_000)))]
fn decode(bytes: &[u8]) -> Option<Vec<u64>> {
    varint::decode(bytes)
}

/// Does ten additions that depend on each other. With `scale`, the time is that of one.
#[nanobench(scale = 10)]
fn add(count: u64) {
    let one = black_box(1_u64);
    let mut sum = 0_u64;
    for _ in 0..count {
        for _ in 0..10 {
            sum = black_box(sum.wrapping_add(one));
        }
    }
}
