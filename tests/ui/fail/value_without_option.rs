use nanobench::nanobench;

#[nanobench("short keys")]
fn string() {}

#[nanobench(1_000)]
fn number(_count: u64) {}

#[nanobench(count = 5 name = "x")]
fn without_comma(_count: u64) {}

fn main() {}
