use nanobench::nanobench;

#[nanobench(setup = || vec![1], every = "sample", teardown = |v: &mut Vec<u8>| v.clear())]
fn exclusive(_: &mut Vec<u8>) {}

#[nanobench(setup = || vec![1], every = "sample", teardown = |v: &Vec<u8>| drop(v.len()))]
fn shared(_: &mut Vec<u8>) {}

fn main() {}
