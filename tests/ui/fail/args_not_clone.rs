use nanobench::nanobench;

struct Unique;

#[nanobench(args = [Unique])]
fn value(_: Unique) {}

fn main() {}
