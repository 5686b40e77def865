use nanobench::nanobench;

const LESS: f64 = -0.1;
const ROWS: u64 = 5;

#[nanobench(threshold = LESS)]
fn less_than_none() {}

#[nanobench(threshold = ROWS)]
fn other_type() {}

fn main() {}
