use nanobench::nanobench;

#[nanobench(setup = String::new, bytes = |text| text.length())]
fn no_method(_: String) {}

#[nanobench(setup = String::new, bytes = |text| text.clone())]
fn no_number(_: String) {}

#[nanobench(bytes = 0.5 * 3.0)]
fn float() {}

fn main() {}
