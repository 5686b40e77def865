use nanobench::nanobench;

#[nanobench(setup = || 5, every = "smaple")]
fn misspelt(_: &u64) {}

#[nanobench(setup = || 5, every = "hour")]
fn unknown(_: &u64) {}

#[nanobench(setup = || 5, every = 5)]
fn number(_: &u64) {}

#[nanobench(every = "sample")]
fn nothing() {}

fn main() {}
