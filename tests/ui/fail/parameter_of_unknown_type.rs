use nanobench::nanobench;

#[nanobench]
fn string(_line: String) {}

#[nanobench]
fn text(_line: &str) {}

#[nanobench]
fn vec(_numbers: Vec<u64>) {}

#[nanobench]
fn tuple((_, _): (u64, u64)) {}

#[nanobench]
fn closure(_make: impl Fn() -> u64) {}

fn main() {}
