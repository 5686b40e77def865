use nanobench::nanobench;

const NAME: &str = "two";

#[nanobench(threads = NAME)]
fn text() {}

#[nanobench(threads = [0.5 * 4.0])]
fn floats() {}

#[nanobench(threads = vec!["two"])]
fn texts() {}

fn main() {}
