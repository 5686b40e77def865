use nanobench::nanobench;

#[nanobench(args = [vec![1]], unroll = 5)]
fn clones(_: Vec<u64>) {}

#[nanobench(args = [1, 2], unroll = 5)]
fn exclusive(_: &mut u64) {}

fn main() {}
