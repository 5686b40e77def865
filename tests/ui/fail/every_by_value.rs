use nanobench::nanobench;

#[nanobench(setup = || vec![1], every = "sample")]
fn sample(_: Vec<u64>) {}

#[nanobench(setup = || vec![1], every = "benchmark")]
fn benchmark(_: Vec<u64>) {}

#[nanobench(setup = || vec![1], every = "benchmark")]
fn for_ever(_: &'static mut Vec<u64>) {}

#[nanobench(setup = || 7, every = "sample")]
fn number(_: u64) {}

fn main() {}
