use nanobench::{TimeControl, nanobench};

#[nanobench(count = 1_000)]
fn nothing() {}

#[nanobench(name = "x", count = 1_000)]
fn control(tc: &mut TimeControl) {
    tc.pause();
}

fn main() {}
