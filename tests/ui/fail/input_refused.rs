use nanobench::{TimeControl, nanobench};

#[nanobench(setup = || [1, 2, 3].into_iter())]
fn by_impl(_numbers: impl Iterator<Item = u64>) {}

#[nanobench(setup = || vec![String::new()])]
fn by_impl_inside(_lines: &mut Vec<impl AsRef<str>>) {}

#[nanobench(setup = || vec![1, 2, 3])]
fn forever(_numbers: &'static mut Vec<u64>) {}

#[nanobench(setup = || 7)]
fn control_by_value(_number: u64, _tc: TimeControl) {}

fn main() {}
