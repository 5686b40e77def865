use nanobench::nanobench;

#[nanobench(threads = [])]
fn empty() {}

#[nanobench(threads = [0, 1])]
fn zero() {}

#[nanobench(threads = [1, 2, 2])]
fn twice() {}

#[nanobench(threads = "4")]
fn text() {}

#[nanobench(threads = [2u64])]
fn other_type() {}

fn main() {}
