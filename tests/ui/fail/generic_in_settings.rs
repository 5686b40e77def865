use nanobench::nanobench;

#[nanobench(consts = [1, 2], samples = N as u64)]
fn samples<const N: usize>() {}

#[nanobench(types = [u8], count = size_of::<T>())]
fn count<T>(_count: usize) {}

#[nanobench(consts = [1, 2], threads = [1, N])]
fn threads<const N: usize>() {}

fn main() {}
