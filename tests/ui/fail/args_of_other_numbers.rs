use nanobench::nanobench;

#[nanobench(args = [100])]
fn float(_: f64) {}

#[nanobench(args = vec![1, 2].iter())]
fn borrowed(_: u64) {}

fn main() {}
