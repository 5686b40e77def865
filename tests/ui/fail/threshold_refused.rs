use nanobench::nanobench;

#[nanobench(threshold = -1)]
fn less_than_none() {}

#[nanobench(threshold = -0.5)]
fn negative() {}

#[nanobench(threshold = "2%")]
fn text() {}

#[nanobench(threshold = 1e999)]
fn endless() {}

#[nanobench(threshold = 2, threshold = 3)]
fn twice() {}

fn main() {}
