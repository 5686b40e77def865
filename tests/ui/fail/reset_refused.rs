use nanobench::nanobench;

fn clear() {}

#[nanobench(reset = clear())]
fn call() {}

#[nanobench(reset = { clear(); })]
fn block() {}

#[nanobench(reset = true)]
fn flag() {}

#[nanobench(reset = |count| println!("{count}"))]
fn with_arguments() {}

#[nanobench(reset = async || clear())]
fn asynchronous() {}

fn main() {}
