use nanobench::nanobench;

#[nanobench]
unsafe fn read() {}

fn main() {}
