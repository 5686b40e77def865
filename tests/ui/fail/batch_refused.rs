use nanobench::nanobench;

#[nanobench(batch = 0)]
fn zero() {}

#[nanobench(batch = -5)]
fn negative() {}

#[nanobench(batch = "5")]
fn text() {}

#[nanobench(scale = 1.5)]
fn fraction() {}

#[nanobench(scale = 2f64)]
fn float() {}

fn main() {}
