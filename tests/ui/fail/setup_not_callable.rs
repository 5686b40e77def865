use nanobench::nanobench;

fn make() -> Vec<u64> {
    vec![1, 2, 3]
}

#[nanobench(setup = make())]
fn call(_numbers: Vec<u64>) {}

#[nanobench(setup = vec![1, 2, 3])]
fn value(_numbers: Vec<u64>) {}

#[nanobench(setup = 7)]
fn number(_number: u64) {}

#[nanobench(setup = "make")]
fn quoted(_numbers: Vec<u64>) {}

#[nanobench(setup = { make() })]
fn block(_numbers: Vec<u64>) {}

#[nanobench(setup = async || 7)]
fn asynchronous(_number: u64) {}

fn main() {}
