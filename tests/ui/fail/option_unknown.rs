use nanobench::nanobench;

#[nanobench(cuont = 5)]
fn misspelt(_count: u64) {}

#[nanobench(Name = "x")]
fn capital() {}

#[nanobench(iterations = 5, krate = nanobench)]
fn two_at_once() {}

#[nanobench(ignore)]
fn ignore() {}

#[nanobench(=)]
fn nothing_readable() {}

fn main() {}
