use nanobench::nanobench;

#[nanobench(tags = [])]
fn empty() {}

#[nanobench(tags = [slow])]
fn word() {}

#[nanobench(tags = ["slow", "io", "slow"])]
fn twice() {}

#[nanobench(tags = slow)]
fn bare() {}

#[nanobench(tags = ["slow "])]
fn blank() {}

fn main() {}
