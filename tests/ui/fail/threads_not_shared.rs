use nanobench::nanobench;
use std::cell::Cell;

#[nanobench(args = [Cell::new(5)], threads = [1, 2])]
fn cell(_: &Cell<u64>) {}

fn main() {}
