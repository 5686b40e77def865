use nanobench::nanobench;

#[nanobench(args = [1, 2], setup = |a, b| a + b)]
fn two(_: u64) {}

#[nanobench(args = [1, 2], setup = async |n| n)]
fn asynchronous(_: u64) {}

#[nanobench(args = [1, 2], setup = vec![1])]
fn value(_: Vec<u64>) {}

fn main() {}
