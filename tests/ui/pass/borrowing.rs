//! Results and inputs that borrow from an input.

#![forbid(unsafe_code)]
#![deny(missing_docs, nonstandard_style, unreachable_pub, unused, warnings)]
#![allow(
    clippy::multiple_bound_locations,
    clippy::needless_lifetimes,
    clippy::ptr_arg,
    reason = "benchmarks may be written in these ways, too"
)]

use nanobench::{TimeControl, nanobench};
use std::cell::Cell;

/// A header of a request, as parsers return it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header<'a> {
    name: &'a str,
}

fn headers(request: &str) -> Vec<Header<'_>> {
    request.lines().map(|name| Header { name }).collect()
}

fn fill<'b>(headers: &mut [Header<'b>], request: &'b str) -> usize {
    let lines = request.lines().map(|name| Header { name });
    headers.iter_mut().zip(lines).map(|(header, line)| *header = line).count()
}

const NONE: Header<'_> = Header { name: "" };
const REQUEST: &str = "a\nb";

// From the value of `setup`.

#[nanobench(setup = || vec![1, 2, 3])]
fn reference(numbers: &Vec<u64>) -> &u64 {
    &numbers[0]
}

#[nanobench(setup = || vec![1, 2, 3])]
fn exclusive(numbers: &mut [u64]) -> Option<&mut u64> {
    numbers.iter_mut().max()
}

#[nanobench(setup = || String::from("a b c"))]
fn anonymous(line: &str) -> std::str::SplitWhitespace<'_> {
    line.split_whitespace()
}

#[nanobench(setup = || String::from(REQUEST))]
fn owner<'a>(request: &'a str) -> Vec<Header<'a>> {
    headers(request)
}

#[nanobench(setup = || String::from("a b c"))]
fn unnamed(line: &str) -> impl Iterator<Item = &str> {
    line.split(' ')
}

#[nanobench(setup = || String::from("a b c"))]
fn counted<'a>(line: &'a str, count: u64) -> Option<&'a str> {
    line.get(..count as usize % 2)
}

#[nanobench(setup = || String::from("a b c"))]
fn controlled<'a>(line: &'a mut String, tc: &mut TimeControl) -> Vec<&'a str> {
    tc.exclude(|| line.push('d'));
    line.split(' ').collect()
}

#[nanobench(setup = || String::from("a b c"))]
fn controlled_nothing(line: &mut String, tc: &mut TimeControl) {
    tc.exclude(|| line.push('d'));
}

#[nanobench(setup = || String::from("a b c"))]
async fn awaited(line: &str) -> &str {
    line
}

#[nanobench(setup = || (String::from("a b c"), 5))]
fn parts<'a>((line, number): &'a mut (String, u64)) -> (&'a str, &'a u64) {
    (line, number)
}

#[nanobench(types = [u8, String], setup = || vec![T::default()])]
fn typed<'a, T: Default>(values: &'a [T]) -> Option<&'a T> {
    values.first()
}

#[nanobench(setup = || (String::from("a"), String::from("b")))]
fn longest<'a: 'b, 'b>((line, other): &'a (String, String)) -> &'b str
where
    'a: 'b,
{
    if line.len() > other.len() { line } else { other }
}

// From the argument.

#[nanobench(args = [REQUEST])]
fn argument<'a>(request: &'a str) -> Vec<Header<'a>> {
    headers(request)
}

#[nanobench(args = [vec![1]])]
fn clone(numbers: &mut Vec<u64>) -> &u64 {
    &numbers[0]
}

#[nanobench(args = [NONE, Header { name: "a" }])]
fn named_value<'a>(header: Header<'a>) -> &'a str {
    header.name
}

#[nanobench(args = [(5, "five")])]
fn named_tuple<'a>((_, word): (u64, &'a str)) -> &'a str {
    word
}

#[nanobench(args = [String::from(REQUEST)], setup = |request: &str| headers(request))]
fn made_of_argument(headers: &[Header]) -> usize {
    headers.len()
}

#[nanobench(args = [String::from(REQUEST)], setup = |request: &str| headers(request))]
fn value_of_argument<'a>(mut headers: Vec<Header<'a>>, request: &'a str) -> Vec<Header<'a>> {
    headers.push(Header { name: request });
    headers
}

#[nanobench(args = [REQUEST], setup = || [NONE; 4])]
fn buffer_and_argument<'b>(headers: &mut [Header<'b>], request: &'b str) -> usize {
    fill(headers, request)
}

#[nanobench(args = [REQUEST])]
fn buffer_inside(request: &str) -> usize {
    fill(&mut [NONE; 4], request)
}

#[nanobench(args = [REQUEST], setup = |request| (request, [NONE; 4]))]
fn buffer_beside_value<'b>((request, headers): &mut (&'b str, [Header<'b>; 4])) -> usize {
    fill(headers, request)
}

// From the fixture.

fn request() -> String {
    String::from(REQUEST)
}

#[nanobench(fixture = request, setup = || [NONE; 4])]
fn buffer_and_fixture<'b>(headers: &mut [Header<'b>], request: &'b str) -> usize {
    fill(headers, request)
}

#[nanobench(fixture = request)]
fn fixture<'a>(request: &'a str) -> Vec<Header<'a>> {
    headers(request)
}

// From a value that calls share.

#[nanobench(setup = || vec![1], every = "sample")]
fn state(numbers: &mut Vec<u64>) -> Option<&mut u64> {
    numbers.last_mut()
}

#[nanobench(setup = || String::from(REQUEST), every = "benchmark")]
fn lent_state<'a>(request: &'a str) -> Vec<Header<'a>> {
    headers(request)
}

#[nanobench(setup = || String::from(REQUEST), every = "benchmark")]
fn exclusive_state<'a>(request: &'a mut String) -> Vec<Header<'a>> {
    request.make_ascii_lowercase();
    headers(request)
}

#[nanobench(setup = || vec![1], every = "sample", unroll = 3)]
fn unrolled_state(numbers: &mut Vec<u64>) -> &mut u64 {
    &mut numbers[0]
}

#[nanobench(setup = || vec![1, 2], every = "sample")]
fn controlled_state<'a>(numbers: &'a mut Vec<u64>, tc: &mut TimeControl) -> &'a u64 {
    tc.reset();
    numbers.swap(0, 1);
    &numbers[0]
}

#[nanobench(setup = || 0..10, every = "sample")]
fn unnamed_state(numbers: &mut std::ops::Range<u64>) -> impl Iterator<Item = u64> {
    numbers.by_ref()
}

#[nanobench(setup = || [NONE; 4], every = "sample", args = [REQUEST])]
fn buffer_of_sample<'b>(headers: &mut [Header<'b>], request: &'b str) -> usize {
    fill(headers, request)
}

#[nanobench(setup = || vec![1], every = "sample", args = [vec![2]])]
fn state_and_clone<'a>(state: &mut Vec<u64>, numbers: &'a mut Vec<u64>) -> &'a u64 {
    state.append(numbers);
    numbers.push(5);
    &numbers[0]
}

thread_local!(pub(crate) static ALIVE: Cell<u64> = const { Cell::new(0) });

/// Counts how many of its kind there are.
pub(crate) struct Guard<'a>(&'a u64);

impl<'a> Guard<'a> {
    fn new(value: &'a u64) -> Guard<'a> {
        ALIVE.set(ALIVE.get() + value);
        Guard(value)
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - self.0);
    }
}

#[nanobench(setup = || 5)]
fn guard(value: &mut u64) -> Guard<'_> {
    Guard::new(value)
}

#[nanobench(setup = || 5, every = "sample")]
fn guard_of_state(value: &mut u64) -> Guard<'_> {
    assert_eq!(ALIVE.get(), 0, "the result of the previous call is dropped");
    Guard::new(value)
}

/// The functions can be called as they were written.
pub(crate) fn main() {
    assert_eq!(reference(&vec![1]), &1);
    assert_eq!(owner("a\nb").len(), 2);
}
