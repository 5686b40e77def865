use nanobench::nanobench;

// Everything that is wrong is said at once, and nothing that is not: the function is there all the same.
#[nanobench(count = 0, nmae = "x", name = "")]
#[should_panic]
async unsafe fn all_wrong<T>(_count: u64, _line: String) {}

#[nanobench(name = 5)]
fn still_callable() -> u64 {
    5
}

fn main() {
    assert_eq!(still_callable(), 5);
}
