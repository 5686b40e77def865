use nanobench::nanobench;

fn close(_: String) {}

#[nanobench(setup = || vec![1], every = "sample", teardown = close)]
fn path(_: &[u64]) {}

#[nanobench(teardown = || 5)]
fn result() {}

fn main() {}
