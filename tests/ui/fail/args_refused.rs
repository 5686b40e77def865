use nanobench::nanobench;

#[nanobench(args = [])]
fn empty(_: u64) {}

#[nanobench(args = || [1, 2])]
fn closure(_: u64) {}

#[nanobench(args = 5)]
fn number(_: u64) {}

#[nanobench(args = 5, count = 7)]
fn number_and_count(_: u64, _count: u64) {}

fn main() {}
