use nanobench::nanobench;

#[nanobench(cuont = 5)]
fn misspelt(_count: u64) {}

#[nanobench(Name = "x")]
fn capital() {}

#[nanobench(smaple_time = 5, krate = nanobench)]
fn two_at_once() {}

#[nanobench(sampletime = "1ms", warm_up = 5)]
fn underscores() {}

#[nanobench(ignore)]
fn ignore() {}

#[nanobench(=)]
fn nothing_readable() {}

fn main() {}
