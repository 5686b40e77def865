use nanobench::nanobench;

#[nanobench(setup = || vec![1, 2, 3])]
fn reference(numbers: &Vec<u64>) -> &u64 {
    &numbers[0]
}

#[nanobench(setup = || vec![1, 2, 3])]
fn inside(numbers: &mut [u64]) -> Option<&mut u64> {
    numbers.iter_mut().max()
}

#[nanobench(setup = || "a b c")]
fn anonymous(line: &str) -> std::str::SplitWhitespace<'_> {
    line.split_whitespace()
}

fn main() {}
