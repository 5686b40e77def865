use nanobench::nanobench;

#[nanobench(count = 5, count = 6)]
fn count(_count: u64) {}

#[nanobench(name = "a", crate = nanobench, name = "b")]
fn name() {}

fn main() {}
