//! Inputs of the wrong type, which the compiler reports.

#![allow(unused)]

mod args_for_setup {
    use nanobench::nanobench;

    fn repeated(times: usize) -> String {
        "word".repeat(times)
    }

    #[nanobench(args = ["a", "b"], setup = repeated)]
    fn path(_: &str) {}

    #[nanobench(args = ["a", "b"], setup = |n: usize| n)]
    fn closure(_: usize) {}

    fn length(text: &str) -> usize {
        text.len()
    }

    #[nanobench(args = vec![String::from("q")], setup = length)]
    fn reference(_: usize) {}
}

mod args_without_clone {
    use nanobench::nanobench;

    struct Unique;

    #[nanobench(args = [Unique])]
    fn value(_: Unique) {}
}

mod args_without_iterator {
    use nanobench::nanobench;

    const SIZE: usize = 5;

    #[nanobench(args = SIZE)]
    fn constant(_: usize) {}
}

mod other_numbers {
    use nanobench::nanobench;

    #[nanobench(args = [100])]
    fn float(_: f64) {}

    #[nanobench(args = vec![1, 2].iter())]
    fn borrowed(_: u64) {}
}

mod args {
    use nanobench::nanobench;

    #[nanobench(args = ["a", "b"])]
    fn number(_: u64) {}

    #[nanobench(args = [1, 2])]
    fn text(_: &str) {}

    #[nanobench(args = ["a", "b"])]
    fn value(_: String) {}

    #[nanobench(args = [vec![1]])]
    fn exclusive(_: &mut String) {}
}

mod setup {
    use nanobench::{TimeControl, nanobench};

    #[nanobench(setup = || String::new())]
    fn value(_numbers: Vec<u64>) {}

    #[nanobench(setup = String::new)]
    fn exclusive(_: &mut TimeControl, _numbers: &mut Vec<u64>) {}

    #[nanobench(setup = || String::new())]
    fn shared(_count: u64, _numbers: &[u64]) {}

    #[nanobench(setup = || 7i32)]
    fn number(_number: u64) {}
}

mod setup_arguments {
    use nanobench::nanobench;

    fn make(n: usize) -> Vec<u64> {
        vec![0; n]
    }

    #[nanobench(setup = make)]
    fn path(_numbers: Vec<u64>) {}
}

mod fixture {
    use nanobench::nanobench;
    use std::cell::Cell;

    fn cell() -> Cell<u64> {
        Cell::new(5)
    }

    #[nanobench(fixture = String::new)]
    fn another(_: &[u64]) {}

    #[nanobench(fixture = cell)]
    fn not_shared(_: &Cell<u64>) {}
}

mod shared_by_threads {
    use nanobench::nanobench;
    use std::cell::Cell;

    #[nanobench(args = [Cell::new(5)], threads = [1, 2])]
    fn cell(_: &Cell<u64>) {}
}

fn main() {}
