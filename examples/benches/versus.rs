//! Compares several implementations with one of them in the same run. Their samples are taken side
//! by side, and the column `relative` shows the ratios: 200 % is twice as fast.

use std::hint::black_box;

use nanobench::nanobench;

/// Counts the lines of a text. The options of the module apply to all benchmarks in it.
#[nanobench(group = "lines", baseline = filter, tags = ["text"])]
mod lines {
    use super::*;

    const TEXT: &str = include_str!("../../LICENSE-APACHE");

    /// Counts byte by byte. This is the baseline of the other functions.
    #[nanobench(bytes = TEXT.len())]
    fn filter() -> usize {
        black_box(TEXT).bytes().filter(|&byte| byte == b'\n').count()
    }

    /// Uses the standard library's search for a character.
    #[nanobench(bytes = TEXT.len())]
    fn matches() -> usize {
        black_box(TEXT).matches('\n').count()
    }

    /// Uses the iterator over lines.
    #[nanobench(bytes = TEXT.len())]
    fn lines() -> usize {
        black_box(TEXT).lines().count()
    }
}

/// Searches linearly for the last of the numbers. Rows with the same argument are compared.
#[nanobench(args = [10, 1_000], setup = |n| (0..n).collect::<Vec<u64>>(), tags = ["search"])]
fn linear(sorted: &[u64]) -> bool {
    sorted.contains(&black_box(sorted.len() as u64 - 1))
}

/// Searches by bisection.
#[nanobench(args = [10, 1_000], setup = |n| (0..n).collect::<Vec<u64>>(), baseline = linear, tags = ["search"])]
fn binary(sorted: &[u64]) -> bool {
    sorted.binary_search(&black_box(sorted.len() as u64 - 1)).is_ok()
}
