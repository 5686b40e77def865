use nanobench::nanobench;

#[nanobench = "short keys"]
fn string() {}

fn main() {}
