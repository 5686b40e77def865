//! Forms that suites of other tools are ported to: closures beside the argument, labels, inputs
//! whose types have no names, and references that live as long as the process.

#![forbid(unsafe_code)]
#![deny(missing_docs, nonstandard_style, unreachable_pub, unused, warnings)]
#![allow(
    clippy::ptr_arg,
    clippy::single_range_in_vec_init,
    reason = "benchmarks may be written in these ways, too"
)]

use nanobench::{TimeControl, nanobench};
use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::Debug;
use std::path::Path;

pub(crate) fn words() -> Vec<String> {
    vec!["one".to_owned(), "two".to_owned()]
}

/// An input with a name.
#[derive(Clone, Debug)]
pub(crate) struct File {
    name: &'static str,
    text: String,
}

impl File {
    fn name(&self) -> &str {
        self.name
    }
}

fn files() -> [File; 2] {
    ["a.txt", "b\n"].map(|name| File { name, text: name.repeat(2) })
}

// Closures that see the argument beside the value of `setup`, and the fixture.

#[nanobench(args = [2, 3], setup = |n| vec![0; n], items = |numbers, n| numbers.len() * n, bytes = |_, &n| n)]
fn amounts(numbers: &mut Vec<u64>) {
    numbers.clear();
}

#[nanobench(args = files(), setup = |file: &File| file.text.clone(), every = "sample", bytes = |text: &str, file: &File| text.len() + file.name.len())]
fn amounts_of_state(text: &str) -> usize {
    text.len()
}

#[nanobench(args = ["one"], fixture = words, items = |word, words| word.len() + words.len())]
fn amounts_of_fixture(word: &str, words: &[String]) -> bool {
    words.iter().any(|other| other == word)
}

#[nanobench(args = [1], setup = |n| n + 1, fixture = words, items = |next, n, words: &[String]| next + n + words.len(), chars = |next| *next)]
fn amounts_of_all(next: usize, n: usize, words: &[String]) -> usize {
    next + n + words.len()
}

#[nanobench(setup = || 5_usize, fixture = words, items = |n, words| -> usize { if *n > 5 { return 0; } n + words.len() })]
fn amounts_without_argument(n: usize, words: &[String]) -> usize {
    n + words.len()
}

thread_local!(pub(crate) static SUM: Cell<u64> = const { Cell::new(0) });

#[nanobench(args = [2, 3], setup = |n| vec![n], every = "sample", teardown = |numbers, n| SUM.set(SUM.get() + numbers[0] * n))]
fn done_with_each_sample(numbers: &mut Vec<u64>) -> usize {
    numbers.len()
}

#[nanobench(args = [String::from("a")], setup = |_| 5_u64, every = "benchmark", teardown = |mut n, text: &str| { n += text.len() as u64; SUM.set(n) })]
fn done_with_each_benchmark(n: &u64) -> u64 {
    *n
}

#[nanobench(args = [String::from("a")], setup = |_| 5_u64, every = "sample", teardown = |n: u64, text| drop((n, text.into_bytes())))]
fn done_with_a_clone(n: &u64) -> u64 {
    *n
}

// Labels of rows.

#[nanobench(args = files(), label = |file| file.name)]
fn labelled(file: &File) -> usize {
    file.text.len()
}

#[nanobench(args = files(), label = File::name, setup = |file: &File| file.text.as_str())]
fn labelled_by_path(text: &str) -> usize {
    text.len()
}

#[nanobench(args = [1_024, 2_048, 4_096], label = |&n| format!("{} KiB", n / 1_024), complexity)]
fn labelled_sizes(n: u64) -> u64 {
    n
}

#[nanobench(args = [String::from("a"), String::from("b")], label = |text: &str| -> usize { text.len() })]
fn labelled_alike(text: &str) -> usize {
    text.len()
}

#[nanobench(types = [u8, u64], args = [("x", 1), ("y", 2)], label = |(name, _)| *name)]
fn labelled_types<T: From<u8>>((_, n): (&str, u8)) -> T {
    n.into()
}

// Inputs whose types have no names.

#[nanobench(setup = || (0..100).map(|n| n * 2))]
fn iterator(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.sum()
}

#[nanobench(setup = || (0..100).filter(|n| n % 2 == 0))]
fn iterator_by_reference(numbers: &mut impl Iterator<Item = u64>) -> Option<u64> {
    numbers.next()
}

#[nanobench(setup = || { let mut last = 0; move || { last += 1; last } }, every = "sample")]
fn closure(next: &mut impl FnMut() -> u64) -> u64 {
    next()
}

#[nanobench(args = [3, 4], setup = |n| move |m: u64| n + m)]
fn closure_over_argument(add: impl Fn(u64) -> u64, count: u64) -> u64 {
    add(count)
}

#[nanobench(args = [|n: u64| n + 1], label = |_| "next")]
fn closure_as_argument(next: &impl Fn(u64) -> u64, tc: &mut TimeControl) -> u64 {
    tc.pause();
    next(5)
}

#[nanobench(args = [1..4])]
fn clone_of_argument(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.sum()
}

#[nanobench(args = ["a"])]
fn shown(value: impl AsRef<str> + Debug) -> usize {
    value.as_ref().len()
}

fn adder() -> impl Fn(u64) -> u64 + Send + Sync {
    |n| n + 1
}

#[nanobench(fixture = adder)]
fn closure_as_fixture(add: &impl Fn(u64) -> u64) -> u64 {
    add(5)
}

#[nanobench(types = [u8, u64], setup = || [T::default()].into_iter())]
fn iterator_of_type<T: Default>(values: impl Iterator<Item = T>) -> Option<T> {
    values.last()
}

// References that live as long as the process.

#[nanobench(args = ["a"])]
fn static_text(text: &'static str) -> &'static str {
    text
}

#[nanobench(args = [String::from("a")], bytes = |text: &'static str| text.len(), label = |text: &'static str| text)]
fn static_text_of_owned(text: &'static str) -> &'static str {
    text
}

#[nanobench(args = [vec![1, 2]], setup = |numbers: &'static [u64]| numbers.first())]
fn static_slice(first: Option<&'static u64>, numbers: &'static [u64]) -> bool {
    first == numbers.last()
}

#[nanobench(setup = || "static")]
fn static_by_setup(text: &'static str) -> HashMap<&'static str, u64> {
    HashMap::from([(text, 5)])
}

#[nanobench(setup = || "static", every = "sample", teardown = |text: &'static str| assert_eq!(text.len(), 6))]
fn static_state(text: &'static str) -> &'static str {
    text
}

#[nanobench(setup = || ("static", 5))]
fn static_tuple((text, _): (&'static str, u64)) -> &'static str {
    text
}

#[nanobench(args = [("static", 5)])]
fn static_tuple_argument((text, _): (&'static str, u64)) -> &'static str {
    text
}

const REQUESTS: &[(&str, &[u8])] = &[("short", b"GET /"), ("long", b"GET /long")];

#[nanobench(args = REQUESTS, label = |(name, _)| *name, bytes = |(_, request)| request.len())]
fn static_tuple_by_reference((_, request): &'static (&'static str, &'static [u8])) -> &'static [u8] {
    request
}

#[nanobench(args = REQUESTS, label = |(name, _)| name)]
fn static_tuple_by_value((_, request): (&'static str, &'static [u8])) -> &'static [u8] {
    request
}

#[nanobench(args = REQUESTS.iter().map(|(_, request)| *request), setup = |request: &'static [u8]| vec![request])]
fn static_in_a_value(requests: Vec<&'static [u8]>, request: &'static [u8]) -> bool {
    requests == [request]
}

#[nanobench(args = ["a/b"].map(std::path::PathBuf::from))]
fn static_path(path: &'static Path) -> Option<&'static Path> {
    path.parent()
}

#[nanobench(fixture = words, items = |words: &'static [String]| words.len())]
fn static_fixture(words: &'static [String]) -> &'static str {
    &words[0]
}

/// The functions can be called as they were written.
pub(crate) fn main() {
    assert_eq!(iterator([1, 2].into_iter()), 3);
    assert_eq!(static_text("a"), "a");
}
