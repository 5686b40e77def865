use nanobench::nanobench;

fn make(n: usize) -> Vec<u64> {
    vec![0; n]
}

#[nanobench(setup = make)]
fn path(_numbers: Vec<u64>) {}

fn main() {}
