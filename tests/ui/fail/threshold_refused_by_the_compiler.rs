use nanobench::nanobench;

const NONE: f64 = 0.0;
const ROWS: u64 = 5;

#[nanobench(threshold = NONE)]
fn zero() {}

#[nanobench(threshold = ROWS)]
fn other_type() {}

fn main() {}
