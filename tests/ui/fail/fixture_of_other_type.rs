use nanobench::nanobench;
use std::cell::Cell;

fn cell() -> Cell<u64> {
    Cell::new(5)
}

#[nanobench(fixture = String::new)]
fn another(_: &[u64]) {}

#[nanobench(fixture = cell)]
fn not_shared(_: &Cell<u64>) {}

fn main() {}
