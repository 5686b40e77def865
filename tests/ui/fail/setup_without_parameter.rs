use nanobench::{TimeControl, nanobench};

#[nanobench(setup = || 7)]
fn nothing() {}

#[nanobench(setup = || 7)]
fn control(_tc: &mut TimeControl) {}

fn main() {}
