//! All ways to take the value of `setup`, with its type on either side.

#![forbid(unsafe_code)]
#![deny(missing_docs, nonstandard_style, unreachable_pub, unused, warnings)]

use nanobench::{TimeControl, nanobench};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[nanobench(setup = || vec![3, 1, 2])]
fn by_value(mut numbers: Vec<u64>) -> Vec<u64> {
    numbers.sort_unstable();
    numbers
}

#[nanobench(setup = || vec![3, 1, 2])]
fn by_exclusive_reference(numbers: &mut Vec<u64>) {
    numbers.clear();
}

#[nanobench(setup = || BTreeMap::from([(1, "one")]))]
fn by_shared_reference(words: &BTreeMap<u64, &str>) -> Option<usize> {
    words.get(&1).map(|word| word.len())
}

// The type of the parameter decides.

#[nanobench(setup = || Vec::with_capacity(10))]
fn inferred(numbers: Vec<u64>) -> usize {
    numbers.capacity()
}

#[nanobench(setup = Default::default)]
fn inferred_by_reference(numbers: &mut BTreeMap<String, u64>) -> Option<u64> {
    numbers.insert(String::new(), 5)
}

#[nanobench(setup = || "1 2 3".split(' ').filter_map(|word| word.parse().ok()).collect())]
fn inferred_inside(numbers: Vec<u32>) -> u32 {
    numbers.iter().sum()
}

#[nanobench(setup = || Box::new(|number| number + 1))]
fn unsized_in_a_box(next: Box<dyn Fn(u64) -> u64>) -> u64 {
    next(5)
}

// A reference to the value can be dereferenced further.

#[nanobench(setup = || String::from("1 2 3"))]
fn text(line: &str) -> usize {
    line.split(' ').count()
}

#[nanobench(setup = || "static")]
fn static_text(line: &'static str) -> &'static str {
    line
}

#[nanobench(setup = || "static")]
fn text_by_reference(line: &&str) -> usize {
    line.len()
}

#[nanobench(setup = || [3, 1, 2])]
fn slice(numbers: &mut [u64]) {
    numbers.sort_unstable();
}

#[nanobench(setup = || PathBuf::from("a/b"))]
fn path(path: &Path) -> Option<PathBuf> {
    path.parent().map(Path::to_owned)
}

#[nanobench(setup = || 0..10)]
fn object(numbers: &mut dyn Iterator<Item = u64>) -> Option<u64> {
    numbers.next()
}

// Numbers.

#[nanobench(setup = || 7)]
fn number(n: u64) -> u64 {
    n
}

#[nanobench(setup = || 7)]
fn number_by_reference(n: &u32) -> u32 {
    *n
}

#[nanobench(setup = || 7, count = 5)]
fn number_and_count(n: &usize, count: usize) -> usize {
    n + count
}

#[nanobench(setup = || -1.5)]
fn other_number(n: f32) -> f32 {
    n
}

// With all that a function can take, in any order.

#[nanobench(setup = || (5, "five"), count = 2)]
fn all_of_it(count: u32, (number, word): (u32, &str), tc: &mut TimeControl) -> String {
    tc.pause();
    format!("{word} {}", number * count)
}

#[nanobench(setup = || vec![5])]
fn in_another_order(tc: &mut TimeControl, numbers: &mut Vec<u64>, count: u64) {
    tc.exclude(|| numbers.push(count));
}

#[nanobench(setup = || vec![5])]
fn control_and_shared(tc: &mut TimeControl, numbers: &[u64]) -> u64 {
    tc.reset();
    numbers[0]
}

// Sources of the value.

fn three_words() -> Vec<&'static str> {
    vec!["a", "b", "c"]
}

#[nanobench(setup = three_words)]
fn by_path(words: Vec<&str>) -> String {
    words.concat()
}

#[nanobench(setup = <Vec<u64> as Default>::default)]
fn by_qualified_path(numbers: Vec<u64>) -> usize {
    numbers.len()
}

const MAKE: fn() -> u64 = || 5;

#[nanobench(setup = (MAKE))]
fn by_constant(number: u64) -> u64 {
    number
}

#[nanobench(setup = || -> Vec<u64> { vec![1] })]
fn by_closure_with_type(numbers: &mut Vec<u64>) -> Option<u64> {
    numbers.pop()
}

#[nanobench(setup = {
    let mut last = 0;
    move || {
        last += 1;
        last
    }
})]
fn by_closure_with_state(number: i64) -> i64 {
    number
}

thread_local! {
    pub(crate) static MADE: Cell<u64> = const { Cell::new(0) };
    pub(crate) static TAKEN: Cell<u64> = const { Cell::new(0) };
}

#[nanobench(setup = || MADE.set(MADE.get() + 1))]
fn counted((): ()) {
    TAKEN.set(TAKEN.get() + 1);
}

/// The functions can be called as they were written.
pub(crate) fn main() {
    assert_eq!(by_value(vec![2, 1]), [1, 2]);
    assert_eq!(text("1 2"), 2);
    assert_eq!(number(5), 5);
    assert_eq!(by_shared_reference(&BTreeMap::new()), None);
}
