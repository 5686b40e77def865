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

fn main() {}
