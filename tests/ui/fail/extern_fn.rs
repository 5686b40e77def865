use nanobench::nanobench;

#[nanobench]
extern "C" fn callback() {}

fn main() {}
