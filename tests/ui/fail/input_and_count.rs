use nanobench::{TimeControl, nanobench};

#[nanobench(setup = || 7, count = 5)]
fn number(_number: u64, _tc: &mut TimeControl) {}

#[nanobench(setup = String::new, count = 5)]
fn line(_line: String) {}

fn main() {}
