use nanobench::nanobench;

#[nanobench(unit = "")]
fn empty() {}

#[nanobench(unit = "ns/byte")]
fn figure() {}

#[nanobench(unit = byte)]
fn word() {}

#[nanobench(unit = "byte ")]
fn blank() {}

fn main() {}
