use nanobench::{TimeControl, nanobench};

#[nanobench(setup = || (1u64, String::new()))]
fn two(a: u64, s: String) {
    drop((a, s));
}

#[nanobench(setup = || { let text = "a"; (text.to_owned(), 5) })]
fn the_other_way(text: &str, tc: &mut TimeControl, n: usize) {
    tc.exclude(|| drop((text, n)));
}

fn main() {}
