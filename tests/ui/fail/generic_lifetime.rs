use nanobench::{TimeControl, nanobench};

#[nanobench]
fn named<'a>(tc: &'a mut TimeControl) {
    tc.pause();
}

fn main() {}
