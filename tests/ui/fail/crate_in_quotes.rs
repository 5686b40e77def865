#[nanobench::nanobench(crate = "nanobench")]
fn quoted() {}

#[nanobench::nanobench(crate = 5)]
fn number() {}

fn main() {}
