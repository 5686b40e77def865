use nanobench::nanobench;

const PRIME: bool = true;

#[nanobench(prime = 1)]
fn number() {}

#[nanobench(prime = "no")]
fn string() {}

#[nanobench(prime = PRIME)]
fn constant() {}

#[nanobench(prime = false, warmup = 3)]
fn contradiction() {}

#[nanobench(warmup = 0, prime = false)]
fn said_twice() {}

fn main() {}
