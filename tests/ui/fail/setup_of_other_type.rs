use nanobench::{TimeControl, nanobench};

#[nanobench(setup = || String::new())]
fn value(_numbers: Vec<u64>) {}

#[nanobench(setup = String::new)]
fn exclusive(_: &mut TimeControl, _numbers: &mut Vec<u64>) {}

#[nanobench(setup = || String::new())]
fn shared(_count: u64, _numbers: &[u64]) {}

#[nanobench(setup = || 7i32)]
fn number(_number: u64) {}

fn main() {}
