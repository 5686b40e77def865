use nanobench::nanobench;

#[nanobench]
mod bare {}

#[nanobench(args = [1, 2])]
mod arguments {}

#[nanobench(smaples = 5)]
mod misspelt {}

#[nanobench(samples = 0)]
mod zero {}

#[nanobench(group = "a", group = "b")]
mod twice {}

#[nanobench(baseline = nothing)]
mod unknown {}

fn main() {}
