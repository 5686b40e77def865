use nanobench::nanobench;

#[nanobench(count = 0)]
fn zero(_count: u64) {}

#[nanobench(count = 0x0_0)]
fn zero_in_other_digits(_count: usize) {}

#[nanobench(count = -5)]
fn negative(_count: u64) {}

#[nanobench(count = 4_294_967_296)]
fn above_u32(_count: u32) {}

#[nanobench(count = 18_446_744_073_709_551_616)]
fn above_u64(_count: u64) {}

#[nanobench(count = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_ffff_ffff)]
fn above_all(_count: usize) {}

fn main() {}
