use nanobench::nanobench;

#[nanobench(complexity)]
fn one_row() {}

#[nanobench(args = ["a", "b"], complexity)]
fn texts(_: &str) {}

#[nanobench(consts = [true, false], complexity)]
fn flags<const F: bool>() {}

#[nanobench(args = [1, 2], complexity = "n log n")]
fn text(_: u64) {}

#[nanobench(args = [1, 2], complexity = || 5.0)]
fn constant(_: u64) {}

#[nanobench(args = [1, 2], complexity = )]
fn no_value(_: u64) {}

fn main() {}
