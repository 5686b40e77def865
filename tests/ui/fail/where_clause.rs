use nanobench::nanobench;

#[nanobench]
fn bounded() where String: Clone {}

fn main() {}
