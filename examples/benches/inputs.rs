//! Measures a function with several inputs. Each is a row with a stable id: `inputs::sort/1000`.

use std::collections::{BTreeSet, HashSet, LinkedList, VecDeque};
use std::hint::black_box;

use nanobench::nanobench;
use nanobench_examples::random;

/// Sorts random numbers. `setup` takes the argument and makes the input of a call, outside the
/// timing.
#[nanobench(args = [10, 1_000, 100_000], setup = random::numbers)]
fn sort(mut numbers: Vec<u64>) -> Vec<u64> {
    numbers.sort_unstable();
    numbers
}

/// Parses integers. An argument can have any type; its `Display` or `Debug` names the row.
#[nanobench(args = ["7", "65536", "18446744073709551615"])]
fn parse(digits: &str) -> Option<u64> {
    digits.parse().ok()
}

/// Collects 1,000 numbers into collections of different types.
#[nanobench(types = [Vec<u64>, VecDeque<u64>, LinkedList<u64>, BTreeSet<u64>])]
fn collect<C: FromIterator<u64>>() -> C {
    (0..black_box(1_000)).collect()
}

const TEXT: &[u8] = include_bytes!("../../LICENSE-APACHE");

/// Adds up the bytes of a text in several parallel sums.
#[nanobench(consts = [1, 4, 16])]
fn add_up<const LANES: usize>() -> u32 {
    let mut sums = [0_u32; LANES];
    for chunk in black_box(TEXT).chunks(LANES) {
        for (sum, &byte) in sums.iter_mut().zip(chunk) {
            *sum += u32::from(byte);
        }
    }
    sums.iter().sum()
}

/// The sets of `contains`.
trait Set: FromIterator<u64> {
    fn has(&self, number: u64) -> bool;
}

impl Set for HashSet<u64> {
    fn has(&self, number: u64) -> bool {
        self.contains(&number)
    }
}

impl Set for BTreeSet<u64> {
    fn has(&self, number: u64) -> bool {
        self.contains(&number)
    }
}

/// Looks up a number in sets of two types and two sizes, in four rows.
#[nanobench(types = [HashSet<u64>, BTreeSet<u64>], args = [100, 10_000], setup = |n| (0..n).collect::<T>())]
fn contains<T: Set>(set: &T) -> bool {
    set.has(black_box(67))
}
