use nanobench::nanobench;

#[nanobench(consts = 1..5)]
fn range<const N: usize>() {}

#[nanobench(consts = [])]
fn empty<const N: usize>() {}

#[nanobench(consts = [1, 1])]
fn twice<const N: usize>() {}

#[nanobench(consts = [1, (2, 3)])]
fn pairs<const N: usize, const M: usize>() {}

fn main() {}
