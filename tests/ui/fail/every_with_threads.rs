use nanobench::nanobench;

#[nanobench(setup = || 5, every = "benchmark", threads = [1, 2])]
fn state(_: &u64) {}

fn main() {}
