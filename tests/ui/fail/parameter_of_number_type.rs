use nanobench::nanobench;

#[nanobench]
fn signed(_count: i32) {}

#[nanobench]
fn wide(_count: u128) {}

#[nanobench]
fn narrow(_count: u8) {}

#[nanobench]
fn float(_count: f64) {}

#[nanobench]
fn reference(_count: &u64) {}

#[nanobench]
fn exclusive(_count: &mut std::primitive::usize) {}

fn main() {}
