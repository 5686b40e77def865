use nanobench::nanobench;

#[nanobench(baseline = alone)]
fn alone() {}

fn main() {}
