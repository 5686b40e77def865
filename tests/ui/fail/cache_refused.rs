use nanobench::nanobench;

#[nanobench(cache = "clod")]
fn misspelt() {}

#[nanobench(cache = true)]
fn flag() {}

#[nanobench(cache = cold)]
fn word() {}

fn main() {}
