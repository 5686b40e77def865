use nanobench::{TimeControl, nanobench};

#[nanobench]
fn two_counts(_rows: u64, _columns: u64) {}

#[nanobench]
fn two_controls(_one: &mut TimeControl, _other: &mut TimeControl) {}

#[nanobench]
fn three(_count: u64, _tc: &mut TimeControl, _more: usize) {}

#[nanobench]
fn four(_count: u64, _more: u32, _tc: &mut TimeControl, _: &mut TimeControl) {}

fn main() {}
