use nanobench::nanobench;

#[nanobench(baseline = "other")]
fn quoted() {}

#[nanobench(baseline = || other())]
fn closure() {}

#[nanobench]
fn other() {}

fn main() {}
