use nanobench::nanobench;

#[nanobench]
#[test]
fn tested() {}

#[nanobench]
#[cfg_attr(all(), test)]
fn conditionally() {}

fn main() {}
