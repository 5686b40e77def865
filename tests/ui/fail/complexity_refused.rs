use nanobench::nanobench;

#[nanobench(complexity)]
fn one_row() {}

#[nanobench(args = ["a", "b"], complexity)]
fn texts(_: &str) {}

#[nanobench(consts = [true, false], complexity)]
fn flags<const F: bool>() {}

#[nanobench(args = [1, 2, 3], complexity = "n log n")]
fn text(_: u64) {}

#[nanobench(args = [1, 2, 3], complexity = || 5.0)]
fn constant(_: u64) {}

#[nanobench(args = [1, 2, 3], complexity = )]
fn no_value(_: u64) {}

#[nanobench(args = [1, 2], complexity)]
fn two(_: u64) {}

#[nanobench(consts = [(1, 5), (2, 5), (3, 0x5)], complexity)]
fn the_same<const A: usize, const B: usize>() {}

fn main() {}
