use nanobench::nanobench;

fn repeated(times: usize) -> String {
    "word".repeat(times)
}

#[nanobench(args = ["a", "b"], setup = repeated)]
fn path(_: &str) {}

#[nanobench(args = ["a", "b"], setup = |n: usize| n)]
fn closure(_: usize) {}

fn length(text: &str) -> usize {
    text.len()
}

#[nanobench(args = vec![String::from("q")], setup = length)]
fn reference(_: usize) {}

fn main() {}
