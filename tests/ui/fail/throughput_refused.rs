use nanobench::nanobench;

#[nanobench(bytes = |input| input.len())]
fn no_input() {}

#[nanobench(bytes = || 5)]
fn no_parameter() {}

#[nanobench(setup = || 5, chars = |a, b| a + b)]
fn two(_: u64) {}

#[nanobench(setup = String::new, chars = |text: String| text.len())]
fn by_value(_: String) {}

#[nanobench(items = -1)]
fn negative() {}

#[nanobench(items = "5")]
fn text() {}

#[nanobench(bytes = 5, bytes = 6)]
fn twice() {}

fn main() {}
