use nanobench::nanobench;

#[nanobench(args = [1, 2])]
fn none() {}

#[nanobench(args = [1, 2])]
fn named_count(_count: u64) {}

#[nanobench(args = [1, 2], setup = || 5)]
fn setup_without_it(_: u64) {}

#[nanobench(args = [1, 2], setup = |n| n)]
fn not_even_for_setup() {}

fn main() {}
