use nanobench::nanobench;

#[nanobench]
#[bench]
fn built_in(_count: u64) {}

#[nanobench]
#[divan::bench(args = [1, 2])]
fn of_another_crate() {}

fn main() {}
