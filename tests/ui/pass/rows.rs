//! Functions with several rows: arguments, types, constants and combinations.

#![forbid(unsafe_code)]
#![deny(missing_docs, nonstandard_style, unreachable_pub, unused, warnings)]

use nanobench::{TimeControl, nanobench};
use std::collections::{BTreeSet, HashMap};
use std::fmt::{self, Debug, Display};
use std::path::{Path, PathBuf};

// Iterable values.

const SIZES: [usize; 3] = [1, 2, 4];
static WORDS: [&str; 2] = ["one", "two"];

#[nanobench(args = [10, 1_000])]
fn array(n: u64) -> u64 {
    n * n
}

#[nanobench(args = vec![10, 1_000])]
fn vector(n: u32) -> u32 {
    n + 1
}

#[nanobench(args = 1..=3)]
fn range(n: usize) -> usize {
    n
}

#[nanobench(args = SIZES)]
fn constant(n: usize) -> usize {
    n
}

#[nanobench(args = (0..3).map(|power| 10_u64.pow(power)))]
fn iterator(n: u64) -> u64 {
    n
}

fn names() -> Vec<String> {
    vec!["a".to_owned(), "b c".to_owned()]
}

#[nanobench(args = names())]
fn call(name: &str) -> usize {
    name.len()
}

#[nanobench(args = &WORDS)]
fn references(word: &str) -> usize {
    word.len()
}

#[nanobench(args = &[1, 2])]
fn references_to_numbers(n: u8) -> u8 {
    n
}

#[nanobench(args = { let base = 5; [base, base * base] })]
fn block(n: i64) -> i64 {
    n
}

// Ways to pass an argument.

#[nanobench(args = [-1.5, 2.5])]
fn float(x: f64) -> f64 {
    x
}

#[nanobench(args = [false, true])]
fn boolean(flag: bool) -> bool {
    !flag
}

#[nanobench(args = ["a", "b"])]
fn text(word: &str) -> usize {
    word.len()
}

#[nanobench(args = ["a", "b"])]
fn static_text(word: &'static str) -> &'static str {
    word
}

#[nanobench(args = ["a", "b"])]
fn borrowed_result(word: &str) -> &str {
    &word[..1]
}

#[nanobench(args = [vec![3, 1, 2], vec![]])]
fn by_value(mut numbers: Vec<u64>) -> Vec<u64> {
    numbers.sort_unstable();
    numbers
}

#[nanobench(args = [BTreeSet::from([3, 1]), BTreeSet::new()])]
fn by_reference(numbers: &BTreeSet<u64>) -> Option<&u64> {
    numbers.first()
}

#[nanobench(args = [vec![3, 1, 2], vec![]])]
fn by_slice(numbers: &[u64]) -> u64 {
    numbers.iter().sum()
}

#[nanobench(args = [[3, 1, 2], [1, 2, 3]])]
fn by_array_slice(numbers: &[u64]) -> u64 {
    numbers.iter().sum()
}

#[nanobench(args = [vec![3, 1, 2], vec![]])]
fn by_exclusive_reference(numbers: &mut Vec<u64>) -> Option<u64> {
    numbers.pop()
}

#[nanobench(args = [vec![3, 1, 2], vec![]])]
fn by_exclusive_slice(numbers: &mut [u64]) {
    numbers.sort_unstable();
}

#[nanobench(args = [5, 6])]
fn number_by_exclusive_reference(n: &mut u64) {
    *n += 1;
}

#[nanobench(args = [5, 6])]
fn number_by_reference(n: &u32) -> u32 {
    *n
}

#[nanobench(args = [PathBuf::from("a/b")])]
fn path(path: &Path) -> Option<&Path> {
    path.parent()
}

#[nanobench(args = [5_u64, 6])]
fn object(value: &dyn Display) -> String {
    value.to_string()
}

#[nanobench(args = [("a", 1), ("b", 2)])]
fn tuple((word, times): (&str, usize)) -> String {
    word.repeat(times)
}

#[nanobench(args = [Some(5), None])]
fn option(number: Option<u64>) -> u64 {
    number.unwrap_or_default()
}

// Combinations with other parameters.

#[nanobench(args = [10, 1_000])]
fn number_and_count(n: u64, count: u64) -> u64 {
    n * count
}

#[nanobench(args = [10, 1_000], count = 5)]
fn unused_count(mut _count: u64, n: u64) -> u64 {
    n
}

#[nanobench(args = [10, 1_000])]
fn control(tc: &mut TimeControl, n: usize) -> Vec<u64> {
    tc.exclude(|| vec![0; n])
}

#[nanobench(args = [10, 1_000], count = 3)]
fn all_of_it(tc: &mut TimeControl, numbers: usize, count: u32) -> u32 {
    tc.pause();
    numbers as u32 * count
}

#[nanobench(args = [10, 1_000], unroll = 3)]
fn unrolled(n: u64) -> u64 {
    n
}

#[nanobench(args = ["a", "b"], unroll = 3)]
fn unrolled_reference(word: &str) -> String {
    word.to_owned()
}

// Arguments that go to `setup`.

#[nanobench(args = [10, 1_000], setup = |n| vec![0; n])]
fn to_setup(numbers: Vec<u64>) -> usize {
    numbers.len()
}

#[nanobench(args = [10, 1_000], setup = |n: usize| vec![0; n])]
fn to_typed_setup(numbers: &mut Vec<u64>) -> usize {
    numbers.push(5);
    numbers.len()
}

#[nanobench(args = [10, 1_000], setup = Vec::with_capacity)]
fn to_path(numbers: Vec<u64>) -> usize {
    numbers.capacity()
}

fn repeated(times: usize) -> String {
    "word".repeat(times)
}

#[nanobench(args = SIZES, setup = repeated)]
fn to_function(text: &str) -> usize {
    text.len()
}

#[nanobench(args = ["a", "b"], setup = |word: &str| word.to_owned())]
fn to_setup_by_reference(word: String) -> String {
    word
}

#[nanobench(args = names(), setup = |word: &str| word.to_owned())]
fn to_setup_by_coercion(word: String) -> String {
    word
}

#[nanobench(args = [vec![1, 2], vec![]], setup = |numbers: &Vec<u64>| numbers.len())]
fn to_setup_by_type(n: usize) -> usize {
    n
}

#[nanobench(args = SIZES, setup = |&n| vec![0_u8; n])]
fn to_setup_by_pattern(bytes: &[u8]) -> usize {
    bytes.len()
}

#[nanobench(args = SIZES, setup = {
    let mut made = 0;
    move |n| {
        made += n;
        made
    }
})]
fn to_setup_with_state(n: usize) -> usize {
    n
}

#[nanobench(args = SIZES, setup = || vec![1, 2, 3])]
fn beside_setup(numbers: Vec<u64>, n: usize) -> u64 {
    numbers[0] + n as u64
}

#[nanobench(args = SIZES, setup = |n| vec![0; n])]
fn to_setup_and_function(numbers: &mut Vec<u64>, n: usize) {
    numbers.push(n as u64);
}

#[nanobench(args = names(), setup = || vec![String::new()])]
fn values_of_both(mut words: Vec<String>, word: String) -> Vec<String> {
    words.push(word);
    words
}

#[nanobench(args = names(), setup = || vec![String::new()])]
fn value_and_reference(words: Vec<String>, word: &mut String) -> usize {
    word.push('x');
    words.len() + word.len()
}

#[nanobench(args = names(), setup = || vec![String::new()])]
fn reference_and_value(words: &mut Vec<String>, word: String) {
    words.push(word);
}

#[nanobench(args = names(), setup = || vec![String::new()])]
fn references_to_both(words: &mut Vec<String>, word: &mut String) {
    word.clear();
    words.push(word.clone());
}

#[nanobench(args = names(), setup = || vec![String::new()], count = 2)]
fn both_with_all(count: u32, words: &mut Vec<String>, tc: &mut TimeControl, word: String) -> usize {
    tc.pause();
    words.push(word);
    words.len() + count as usize
}

// Types and constants.

#[nanobench(types = [Vec<u64>, BTreeSet<u64>, std::collections::VecDeque<u64>])]
fn types<T: FromIterator<u64>>() -> T {
    (0..10).collect()
}

#[nanobench(types = [(u8, u16), (HashMap<u64, &'static str>, [u8; 4])])]
fn pairs_of_types<A, B>() -> (usize, usize) {
    (size_of::<A>(), size_of::<B>())
}

#[nanobench(consts = SIZES, types = [u8, u16])]
fn named_constants<const N: usize, T>() -> usize {
    N * size_of::<T>()
}

#[nanobench(consts = [1, SIZES[1], 8 * 2])]
fn consts<const N: usize>() -> [u8; N] {
    [0; N]
}

#[nanobench(consts = [(1, 'a'), (2, 'b')])]
fn pairs_of_consts<const N: usize, const C: char>() -> String {
    C.to_string().repeat(N)
}

#[nanobench(consts = [true, false])]
fn boolean_const<const FLAG: bool>(count: u64) -> u64 {
    if FLAG { count } else { 0 }
}

#[nanobench(types = [u32, u64], consts = [2, 4], args = [10, 100], setup = |n| vec![T::from(7_u8); n * N])]
fn everything<T: From<u8> + Copy, const N: usize>(values: Vec<T>) -> usize {
    values.len() / N
}

#[nanobench(types = [u32, u64], args = [1, 2])]
fn argument_of_type<T>(n: u8) -> T
where
    T: From<u8> + Display,
{
    T::from(n)
}

#[nanobench(types = [u8, u64], args = [T::MIN, T::MAX])]
fn arguments_by_type<T: Debug + Clone>(value: T) -> String {
    format!("{value:?}")
}

type T = u64;
const N: usize = 5;

#[nanobench(types = [T, Vec<T>], consts = [N, N + 1])]
fn names_of_something_else<T, const N: usize>() -> usize {
    size_of::<T>() * N
}

#[nanobench(consts = [4, 8], batch = N as u64 * 2, bytes = N)]
fn batch_by_const<const N: usize>() -> [u8; N] {
    [1; N]
}

#[nanobench(consts = [2, 4], types = [u8, u16], setup = Vec::<T>::new, unit = "item", count = 2)]
fn constants_first<const N: usize, T: Clone>(values: &mut Vec<T>, count: usize) -> usize {
    values.clear();
    values.len() + N + count
}

// Labels.

pub(crate) struct Silent(pub(crate) u64);

#[derive(Debug)]
struct Debugged;

impl Clone for Silent {
    fn clone(&self) -> Silent {
        Silent(self.0)
    }
}

struct Displayed(u64);

impl Display for Displayed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}>", self.0)
    }
}

#[nanobench(args = [Silent(1), Silent(2)])]
fn silent(silent: Silent) -> u64 {
    silent.0
}

#[nanobench(args = [Debugged])]
fn debugged(_: &Debugged) {}

#[nanobench(args = [Displayed(5), Displayed(5)])]
fn displayed(displayed: &Displayed) -> u64 {
    displayed.0
}

macro_rules! by_fragments {
    ($name:ident, $args:expr, [$($type:ty),*], [$($const:expr),*], $setup:expr, $parameter:ty) => {
        #[nanobench(args = $args, types = [$($type),*], consts = [$($const),*], setup = $setup)]
        fn $name<T: Default, const N: usize>(_: $parameter) -> T {
            T::default()
        }
    };
}

by_fragments!(fragments, [1, 2], [u64, Vec<u8>], [1 + 1, 5], |n| vec![n; 3], &[u64]);

/// The functions can be called as they were written.
pub(crate) fn main() {
    assert_eq!(array(2), 4);
    assert_eq!(types::<Vec<u64>>().len(), 10);
    assert_eq!(everything::<u64, 2>(vec![1, 2]), 1);
}
