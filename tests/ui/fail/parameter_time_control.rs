use nanobench::{TimeControl, nanobench};

#[nanobench]
fn by_value(_tc: TimeControl) {}

#[nanobench]
fn shared(_tc: &TimeControl) {}

#[nanobench]
fn with_path(_tc: &nanobench::TimeControl) {}

#[nanobench]
fn forever(_tc: &'static mut TimeControl) {}

fn main() {}
