use nanobench::nanobench;

#[nanobench]
#[nanobench(count = 5)]
fn twice(_count: u64) {}

#[nanobench]
#[nanobench::nanobench]
fn with_path() {}

fn main() {}
