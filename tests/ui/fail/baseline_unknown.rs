use nanobench::nanobench;

#[nanobench(baseline = ohter)]
fn misspelt() {}

#[nanobench(baseline = nowhere::other)]
fn elsewhere() {}

#[nanobench]
fn other() {}

fn main() {}
