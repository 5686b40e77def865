use nanobench::nanobench;

#[nanobench(fixture = words())]
fn called(_: &[String]) {}

#[nanobench(fixture = |n| n)]
fn closure(_: &u64) {}

#[nanobench(fixture = words)]
fn by_value(_: Vec<String>) {}

#[nanobench(fixture = words)]
fn exclusive(_: &mut Vec<String>) {}

#[nanobench(fixture = words)]
fn not_taken() {}

#[nanobench(fixture = words, args = [1, 2])]
fn not_taken_either(_: u64) {}

#[nanobench(fixture = words)]
fn a_number(_: u64) {}

fn words() -> Vec<String> {
    Vec::new()
}

fn main() {}
