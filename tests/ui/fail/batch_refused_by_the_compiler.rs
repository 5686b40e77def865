use nanobench::nanobench;

const NOTHING: usize = 0;
const HALF: f64 = 0.5;

#[nanobench(batch = NOTHING)]
fn zero() {}

#[nanobench(batch = HALF)]
fn fraction() {}

fn main() {}
