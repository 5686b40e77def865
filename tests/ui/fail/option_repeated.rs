use nanobench::nanobench;

#[nanobench(count = 5, count = 6)]
fn count(_count: u64) {}

#[nanobench(name = "a", crate = nanobench, name = "b")]
fn name() {}

#[nanobench(setup = || 7, setup = || 8, reset = || (), prime = true, reset = || (), prime = true)]
fn others(_number: i32) {}

fn main() {}
