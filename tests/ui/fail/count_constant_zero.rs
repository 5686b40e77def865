use nanobench::nanobench;

const ROWS: usize = 0;

#[nanobench(count = ROWS)]
fn constant(_count: usize) {}

fn main() {}
