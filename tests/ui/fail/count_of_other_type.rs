use nanobench::nanobench;

const ROWS: usize = 10;

#[nanobench(count = 1_000u64)]
fn suffix(_count: usize) {}

#[nanobench(count = 5i32)]
fn signed(_count: u32) {}

#[nanobench(count = ROWS * 2)]
fn expression(_count: u64) {}

fn main() {}
