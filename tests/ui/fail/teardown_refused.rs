use nanobench::nanobench;

#[nanobench(teardown = clear())]
fn called() {}

#[nanobench(teardown = |value| drop(value))]
fn nothing_to_take() {}

#[nanobench(setup = || 5, teardown = |value| drop(value))]
fn no_one_value(_: u64) {}

#[nanobench(setup = || 5, every = "sample", teardown = |a, b| drop((a, b)))]
fn two(_: &u64) {}

#[nanobench(teardown = async || ())]
fn asynchronous() {}

fn clear() {}

fn main() {}
