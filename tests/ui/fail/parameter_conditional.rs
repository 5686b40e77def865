use nanobench::nanobench;

#[nanobench]
fn sometimes(#[cfg(unix)] _count: u64) {}

fn main() {}
