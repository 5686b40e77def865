use nanobench::nanobench;

#[nanobench(setup = || (String::new(), 7))]
fn two_inputs(_line: String, _number: i32) {}

#[nanobench(setup = || 7)]
fn two_numbers(_count: u64, _number: usize) {}

#[nanobench(setup = || 7)]
fn input_and_two_numbers(_number: &u64, _count: u64, _other: u32) {}

fn main() {}
