use nanobench::nanobench;
use std::collections::HashMap;
use text::{checksum, count_words, join, reverse};

const TEXT: &str = "the quick brown fox jumps over the lazy dog, and the dog sleeps on";

/// Returns numbers in no order.
fn numbers(n: usize) -> Vec<u64> {
    (1..=n as u64).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
}

#[nanobench]
fn reversed() -> String {
    reverse(TEXT)
}

/// Counts how often each word of a sentence occurs.
#[nanobench(bytes = TEXT.len())]
fn count() -> HashMap<&'static str, usize> {
    count_words(TEXT)
}

#[nanobench]
fn joined() -> String {
    join(&["the", "quick", "brown", "fox", "jumps", "over", "the", "lazy", "dog"])
}

#[nanobench]
fn checksum_of_text() -> u32 {
    checksum(TEXT.as_bytes())
}

#[nanobench(args = [100, 1_000, 10_000], setup = |n| numbers(n), complexity)]
fn sort(mut numbers: Vec<u64>) -> Vec<u64> {
    numbers.sort_unstable();
    numbers
}
