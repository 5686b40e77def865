use nanobench::nanobench;

const NAME: &str = "name";

#[nanobench(name = 5)]
fn number() {}

#[nanobench(name = b"bytes")]
fn bytes() {}

#[nanobench(name = NAME)]
fn constant() {}

#[nanobench(name = concat!("a", "b"))]
fn computed() {}

fn main() {}
