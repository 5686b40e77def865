use nanobench::nanobench;

#[nanobench(samples = 0)]
fn no_samples() {}

#[nanobench(iterations = 0)]
fn no_iterations() {}

#[nanobench(samples = -5)]
fn negative() {}

#[nanobench(warmup = -1)]
fn negative_warmup() {}

#[nanobench(iterations = 1e3)]
fn float() {}

#[nanobench(warmup = true)]
fn flag() {}

#[nanobench(samples = "30")]
fn string() {}

#[nanobench(samples = 30u32)]
fn suffix() {}

#[nanobench(iterations = 18_446_744_073_709_551_616)]
fn too_large() {}

fn main() {}
