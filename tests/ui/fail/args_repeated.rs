use nanobench::nanobench;

#[nanobench(args = [1, 2])]
fn two(_a: u64, _b: u64) {}

#[nanobench(args = [1, 2], setup = |n| n)]
fn three(_a: u64, _b: u64, _c: u64) {}

#[nanobench(fixture = String::new)]
fn two_fixtures(_a: &str, _b: &str) {}

fn main() {}
