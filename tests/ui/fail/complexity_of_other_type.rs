use nanobench::nanobench;

#[nanobench(args = [1, 2, 3], complexity = |n: u64| n)]
fn integers(_: u64) {}

fn main() {}
