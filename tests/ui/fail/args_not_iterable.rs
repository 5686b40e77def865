use nanobench::nanobench;

const SIZE: usize = 5;

#[nanobench(args = SIZE)]
fn constant(_: usize) {}

fn main() {}
