use nanobench::nanobench;

const NONE: u64 = 0;
const ROWS: usize = 10;

fn ask() -> u64 {
    5
}

#[nanobench(samples = NONE)]
fn no_samples() {}

#[nanobench(iterations = NONE * 2)]
fn no_iterations() {}

#[nanobench(warmup = ROWS)]
fn other_type() {}

#[nanobench(samples = ask())]
fn not_constant() {}

fn main() {}
