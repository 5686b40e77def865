use nanobench::nanobench;

#[nanobench(threads = [])]
fn empty() {}

#[nanobench(threads = [0, 1])]
fn zero() {}

#[nanobench(threads = [1, 2, 2])]
fn twice() {}

#[nanobench(threads = "4")]
fn text() {}

#[nanobench(threads = [2, -1])]
fn negative() {}

#[nanobench(threads = || [1, 2])]
fn closure() {}

fn main() {}
