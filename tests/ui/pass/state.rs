//! State that lives longer than a call: shared values of `setup`, fixtures and teardown.

#![forbid(unsafe_code)]
#![deny(missing_docs, nonstandard_style, unreachable_pub, unused, warnings)]

use nanobench::{TimeControl, nanobench};
use std::cell::Cell;
use std::collections::HashMap;

thread_local! {
    pub(crate) static MADE: Cell<u64> = const { Cell::new(0) };
    pub(crate) static DONE: Cell<u64> = const { Cell::new(0) };
}

/// Counts how often it is made, and how often one is done with.
pub(crate) struct Table(HashMap<u64, String>);

impl Table {
    fn new() -> Table {
        MADE.set(MADE.get() + 1);
        Table(HashMap::new())
    }

    fn sized(n: u64) -> Table {
        MADE.set(MADE.get() + 1);
        Table((0..n).map(|n| (n, n.to_string())).collect())
    }

    fn close(self) {
        DONE.set(DONE.get() + 1);
    }
}

fn done() {
    DONE.set(DONE.get() + 1);
}

// A value for each sample or for the whole benchmark.

#[nanobench(setup = || vec![0_u64; 4], every = "call")]
fn each_call(numbers: Vec<u64>) -> usize {
    numbers.len()
}

#[nanobench(setup = Table::new, every = "sample")]
fn each_sample(table: &mut Table) -> Option<String> {
    table.0.insert(5, String::new())
}

#[nanobench(setup = Table::new, every = "sample", teardown = |table| table.close())]
fn each_sample_with_teardown(table: &Table) -> Option<&String> {
    table.0.get(&5)
}

#[nanobench(setup = Table::new, every = "sample", teardown = Table::close)]
fn each_sample_with_path(table: &mut Table) {
    table.0.clear();
}

#[nanobench(setup = Table::new, every = "sample", teardown = || done())]
fn each_sample_with_bare_teardown(table: &mut Table, count: u64) -> usize {
    table.0.len() + count as usize
}

#[nanobench(setup = Table::new, every = "benchmark")]
fn each_benchmark(table: &mut Table) {
    table.0.clear();
}

#[nanobench(setup = Table::new, every = "benchmark", teardown = |table| table.close())]
fn each_benchmark_with_teardown(table: &Table, tc: &mut TimeControl) -> usize {
    tc.pause();
    table.0.len()
}

#[nanobench(setup = Table::new, every = "benchmark", teardown = Table::close, count = 3)]
fn each_benchmark_with_path(table: &mut Table, count: usize) -> usize {
    table.0.len() + count
}

#[nanobench(setup = || vec![1, 2], every = "benchmark", teardown = || done(), unroll = 3)]
fn each_benchmark_with_bare_teardown(numbers: &[u64]) -> u64 {
    numbers[0]
}

#[nanobench(setup = || (0..4).collect(), every = "sample")]
fn inferred(numbers: &mut Vec<u64>) {
    numbers.push(5);
    numbers.pop();
}

#[nanobench(setup = || 7, every = "sample")]
fn number(n: &mut u64) -> u64 {
    *n += 1;
    *n
}

#[nanobench(setup = || String::from("word"), every = "benchmark", bytes = |text: &str| text.len())]
fn coerced(text: &str) -> usize {
    text.len()
}

#[nanobench(setup = || [3, 1, 2], every = "sample", reset = done)]
fn slice(numbers: &mut [u64]) {
    numbers.sort_unstable();
}

#[nanobench(args = [2, 3], setup = Table::sized, every = "sample", teardown = |table| table.close())]
fn sample_of_argument(table: &mut Table) -> usize {
    table.0.len()
}

#[nanobench(args = [2, 3], setup = |n| Table::sized(n), every = "benchmark", teardown = |table: Table| table.close())]
fn benchmark_of_argument(table: &mut Table, n: u64) -> Option<String> {
    table.0.insert(n, n.to_string())
}

#[nanobench(args = [vec![1], vec![2]], setup = || Table::new(), every = "benchmark", teardown = Table::close)]
fn benchmark_beside_argument(table: &Table, numbers: Vec<u64>) -> usize {
    table.0.len() + numbers.len()
}

#[nanobench(types = [u8, u64], setup = || vec![T::default(); 3], every = "sample", teardown = |values| drop::<Vec<T>>(values))]
fn sample_of_type<T: Default + Clone>(values: &mut Vec<T>) {
    values.clear();
}

// After each sample.

#[nanobench(teardown = done)]
fn teardown_by_path() {}

#[nanobench(teardown = || DONE.set(DONE.get() + 2), reset = done)]
fn teardown_and_reset(count: u64) -> u64 {
    count
}

#[nanobench(setup = || vec![1], teardown = done)]
fn teardown_and_setup(numbers: Vec<u64>) -> Vec<u64> {
    numbers
}

#[nanobench(args = [1, 2], teardown = done)]
fn teardown_and_args(n: u64) -> u64 {
    n
}

// Made once for all.

pub(crate) fn words() -> Vec<String> {
    vec!["one".to_owned(), "two".to_owned()]
}

#[nanobench(fixture = words)]
fn fixture(words: &Vec<String>) -> usize {
    words.capacity()
}

#[nanobench(fixture = words)]
fn fixture_by_slice(words: &[String]) -> Option<&String> {
    words.first()
}

#[nanobench(fixture = words)]
fn static_fixture(words: &'static [String]) -> &'static str {
    &words[0]
}

#[nanobench(fixture = || vec![1, 2, 3])]
fn fixture_by_closure(numbers: &[u64]) -> u64 {
    numbers[0]
}

#[nanobench(fixture = words, count = 5)]
fn fixture_and_count(count: usize, words: &[String]) -> usize {
    words.len() * count
}

#[nanobench(fixture = words, unroll = 3)]
fn fixture_and_unroll(words: &[String]) -> usize {
    words.len()
}

#[nanobench(fixture = words, setup = || String::from("one"))]
fn fixture_and_setup(word: &str, words: &[String], tc: &mut TimeControl) -> bool {
    tc.pause();
    words.iter().any(|other| other == word)
}

#[nanobench(fixture = words, args = ["one", "three"])]
fn fixture_and_args(word: &str, words: &[String]) -> bool {
    words.iter().any(|other| other == word)
}

#[nanobench(fixture = words, args = [0, 1], setup = |n| n + 1)]
fn all_of_it(next: usize, n: usize, words: &[String]) -> usize {
    next + n + words.len()
}

#[nanobench(fixture = words, args = [0, 1], setup = |n| vec![n; 5], every = "sample")]
fn without_argument(numbers: &mut Vec<usize>, words: &[String]) -> usize {
    numbers.push(5);
    numbers.len() + words.len()
}

#[nanobench(fixture = || T::default(), types = [u8, String])]
fn fixture_by_type<T: Default + Send + Sync>(value: &T) -> usize {
    size_of_val(value)
}

#[nanobench(setup = || nanobench::fixture(words))]
fn by_hand(words: &Vec<String>) -> usize {
    words.capacity()
}

/// The functions can be called as they were written.
pub(crate) fn main() {
    assert_eq!(each_call(vec![1]), 1);
    assert!(fixture(&words()) >= 2);
    teardown_by_path();
}
