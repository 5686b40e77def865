//! What a figure is per, and how much is done in a second.

use std::hint::black_box;

use nanobench::nanobench;
use nanobench_examples::{random, varint};

const TEXT: &str = include_str!("../../LICENSE-APACHE");

/// A copy: the time is that of all of it, and a column says how many bytes that is in a second.
#[nanobench(args = [1_024, 65_536], setup = |length| vec![7; length], bytes = |text| size_of_val(&text[..]))]
fn copy(text: &[u8]) -> Vec<u8> {
    text.to_vec()
}

/// Several at once.
#[nanobench(bytes = TEXT.len(), chars = TEXT.chars().count(), items = TEXT.split_whitespace().count())]
fn count_words() -> usize {
    black_box(TEXT).split_whitespace().count()
}

/// With `batch`, the figure itself is of one number, of the thousand that a call reads.
#[nanobench(batch = 1_000, unit = "number", setup = || varint::encode_all(&random::numbers(1_000)))]
fn decode(bytes: &[u8]) -> Option<Vec<u64>> {
    varint::decode(bytes)
}

/// Ten additions in a row that each wait for the one before; `scale` gives the figure of one.
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
