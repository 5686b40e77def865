use nanobench::nanobench;

fn fill() -> Vec<u64> {
    vec![1, 2, 3]
}

fn log(_line: &str) {}

#[nanobench(reset = fill)]
fn with_result() {}

#[nanobench(reset = || 5 + 2)]
fn closure_with_result() {}

#[nanobench(reset = log)]
fn with_arguments() {}

fn main() {}
