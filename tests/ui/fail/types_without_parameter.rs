use nanobench::nanobench;

#[nanobench(types = [u8])]
fn types() {}

#[nanobench(consts = [8], types = [u8])]
fn consts<T>() {}

fn main() {}
