use nanobench::nanobench;

#[nanobench(args = ["a", "b"])]
fn number(_: u64) {}

#[nanobench(args = [1, 2])]
fn text(_: &str) {}

#[nanobench(args = ["a", "b"])]
fn value(_: String) {}

#[nanobench(args = [vec![1]])]
fn exclusive(_: &mut String) {}

fn main() {}
