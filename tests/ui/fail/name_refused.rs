use nanobench::nanobench;

#[nanobench(name = "")]
fn empty() {}

#[nanobench(name = "two\nlines")]
fn lines() {}

#[nanobench(name = "map::insert")]
fn path() {}

#[nanobench(name = "trailing ")]
fn blank() {}

fn main() {}
