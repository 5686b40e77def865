use nanobench::nanobench;

#[nanobench(sample_time = 5)]
fn number() {}

#[nanobench(sample_time = "5")]
fn without_unit() {}

#[nanobench(sample_time = "ms")]
fn without_number() {}

#[nanobench(sample_time = "5 min")]
fn other_unit() {}

#[nanobench(sample_time = "0ms")]
fn zero() {}

#[nanobench(sample_time = "-1ms")]
fn negative() {}

#[nanobench(sample_time = "1e3 s")]
fn exponent() {}

#[nanobench(sample_time = "99999999999s")]
fn too_long() {}

#[nanobench(sample_time = std::time::Duration::from_millis(1))]
fn duration() {}

#[nanobench(iterations = 100, sample_time = "1ms")]
fn contradiction() {}

fn main() {}
