use nanobench::nanobench;

#[nanobench(setup = {
    let n = 5;
    n
})]
fn block(_: u64) {}

#[nanobench(setup = {
    let n = 5;
    move |m| n + m
})]
fn argument(_: u64) {}

fn main() {}
