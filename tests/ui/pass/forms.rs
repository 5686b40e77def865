//! All forms of benchmarks, which stay callable functions.

#![forbid(unsafe_code)]
#![deny(missing_docs, nonstandard_style, unreachable_pub, unused, warnings)]

use nanobench::{TimeControl, nanobench};

const ROWS: usize = 3;

#[nanobench]
fn nothing() {}

#[nanobench()]
fn empty_options() {}

#[nanobench]
fn value() -> String {
    ["left", "right"].concat()
}

#[nanobench]
fn opaque() -> impl Iterator<Item = u64> {
    (0..3).chain(5..7)
}

#[nanobench]
fn reference() -> &'static str {
    "static"
}

#[nanobench]
#[ignore = "it never returns"]
fn never() -> ! {
    std::process::exit(1)
}

#[nanobench]
fn count_u64(count: u64) -> u64 {
    (0..count).sum()
}

#[nanobench]
fn count_u32(mut count: u32) -> u32 {
    count += 1;
    count
}

#[nanobench]
fn count_usize(_: usize) {}

#[nanobench]
fn count_with_path(count: std::primitive::u64) -> u64 {
    count
}

#[nanobench(count = 1_000)]
fn fixed(count: usize) -> usize {
    count
}

#[nanobench(count = 0xffu32)]
fn fixed_in_other_digits(count: u32) -> u32 {
    count
}

#[nanobench(count = ROWS * 2)]
fn fixed_by_expression(count: usize) -> usize {
    count
}

#[nanobench(count = usize::MAX.count_ones() as u64)]
fn fixed_by_call(count: u64) -> u64 {
    count
}

#[nanobench]
fn control(tc: &mut TimeControl) {
    tc.pause();
    tc.resume();
}

#[nanobench]
fn control_with_path(_tc: &mut ::nanobench::TimeControl) -> u64 {
    1
}

#[nanobench]
fn control_with_lifetime(_: &'_ mut TimeControl) {}

#[nanobench]
fn count_and_control(count: u64, tc: &mut TimeControl) -> u64 {
    tc.reset();
    count
}

#[nanobench(count = 7)]
fn control_and_count(tc: &mut TimeControl, count: u32) -> u32 {
    tc.exclude(|| count)
}

#[nanobench(name = "named / short keys")]
fn named() {}

#[nanobench(count = 2, name = "all", crate = ::nanobench,)]
fn all_options(count: u64) -> u64 {
    count
}

#[nanobench(count = 4_294_967_296)]
#[ignore]
fn large(count: u64) -> u64 {
    count
}

#[nanobench]
const fn constant() -> u64 {
    5
}

/// The functions can be called as they were written.
pub(crate) fn main() {
    nothing();
    assert_eq!(value(), "leftright");
    assert_eq!(opaque().sum::<u64>(), 14);
    assert_eq!(count_u64(4), 6);
    assert_eq!(count_u32(1), 2);
    assert_eq!(fixed(5), 5);
    const FIVE: u64 = constant();
    assert_eq!(FIVE, 5);
}
