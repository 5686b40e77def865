use nanobench::{TimeControl, nanobench};

const TIMES: usize = 10;

#[nanobench(unroll = 0)]
fn zero() {}

#[nanobench(unroll = 1001)]
fn too_much() {}

#[nanobench(unroll = TIMES)]
fn constant() {}

#[nanobench(unroll = -5)]
fn negative() {}

#[nanobench(unroll = 10u64)]
fn suffix() {}

#[nanobench(unroll = true)]
fn flag() {}

#[nanobench(unroll = 10, setup = || vec![1, 2, 3])]
fn with_input(_numbers: &mut [u64]) {}

#[nanobench(unroll = 10)]
fn with_control(_tc: &mut TimeControl) {}

fn main() {}
