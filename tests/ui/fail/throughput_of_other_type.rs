use nanobench::nanobench;

#[nanobench(setup = String::new, bytes = |text| text.length())]
fn no_method(_: String) {}

#[nanobench(setup = String::new, bytes = |text| text.clone())]
fn no_number(_: String) {}

#[nanobench(bytes = 0.5 * 3.0)]
fn float() {}

#[nanobench(args = [1_u64], bytes = |n| *n as f64)]
fn converted(_: u64) {}

#[nanobench(setup = String::new, items = |text: &str| text.len() as f32)]
fn of_type(_: &str) {}

#[nanobench(setup = || 5_u8, chars = |_| panic!("none"))]
fn never(_: &u8) {}

fn main() {}
