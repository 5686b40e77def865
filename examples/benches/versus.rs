//! Several ways to do the same, compared with one of them in the same run: their samples are taken side by side,
//! and the column `relative` says how they stand to each other. 200 % is twice as fast.

use std::hint::black_box;

use nanobench::nanobench;

/// Counting the lines of a text. What is said of the module goes for all benchmarks in it.
#[nanobench(group = "lines", baseline = filter, tags = ["text"])]
mod lines {
    use super::*;

    const TEXT: &str = include_str!("../../LICENSE-APACHE");

    /// Byte by byte: what the others are compared with.
    #[nanobench(bytes = TEXT.len())]
    fn filter() -> usize {
        black_box(TEXT).bytes().filter(|&byte| byte == b'\n').count()
    }

    /// With the standard library's search for a character.
    #[nanobench(bytes = TEXT.len())]
    fn matches() -> usize {
        black_box(TEXT).matches('\n').count()
    }

    /// With what it says of lines.
    #[nanobench(bytes = TEXT.len())]
    fn lines() -> usize {
        black_box(TEXT).lines().count()
    }
}

/// Looks for the last one of some numbers, one by one. Rows of the same argument are compared with each other.
#[nanobench(args = [10, 1_000], setup = |n| (0..n).collect::<Vec<u64>>(), tags = ["search"])]
fn linear(sorted: &[u64]) -> bool {
    sorted.contains(&black_box(sorted.len() as u64 - 1))
}

/// Halves them again and again.
#[nanobench(args = [10, 1_000], setup = |n| (0..n).collect::<Vec<u64>>(), baseline = linear, tags = ["search"])]
fn binary(sorted: &[u64]) -> bool {
    sorted.binary_search(&black_box(sorted.len() as u64 - 1)).is_ok()
}
