use nanobench::nanobench;

#[nanobench]
#[should_panic(expected = "boom")]
fn panics() {
    panic!("boom");
}

fn main() {}
