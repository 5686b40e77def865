use nanobench::nanobench;

#[nanobench(consts = ["a"])]
fn text<const N: usize>() {}

fn size() -> usize {
    5
}

#[nanobench(consts = [size()])]
fn not_constant<const N: usize>() {}

fn main() {}
