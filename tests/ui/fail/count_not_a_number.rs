use nanobench::nanobench;

#[nanobench(count = "1000")]
fn string(_count: u64) {}

#[nanobench(count = 1e3)]
fn float(_count: u64) {}

#[nanobench(count = true)]
fn boolean(_count: u64) {}

#[nanobench(count = -1.5)]
fn negative(_count: u64) {}

fn main() {}
