use nanobench::nanobench;

#[nanobench(count)]
fn bare(_count: u64) {}

#[nanobench(count =)]
fn unfinished(_count: u64) {}

#[nanobench(name = , count = 5)]
fn missing(_count: u64) {}

#[nanobench(name("x"))]
fn parentheses() {}

#[nanobench(crate)]
fn path() {}

#[nanobench(setup)]
fn input(_numbers: Vec<u64>) {}

#[nanobench(reset, unroll, samples, sample_time, iterations, warmup, prime)]
fn settings() {}

fn main() {}
