use nanobench::nanobench;

#[nanobench(group = "")]
fn empty() {}

#[nanobench(group = sorting)]
fn word() {}

#[nanobench(group = "a::b")]
fn path() {}

fn main() {}
