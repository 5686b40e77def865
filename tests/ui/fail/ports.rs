//! Closures beside the argument, labels and inputs without names that can't work.

#![allow(unused)]

mod beside {
    use nanobench::nanobench;

    #[nanobench(args = ["x"], items = |text, other| text.len())]
    fn only_argument(_: &str) {}

    #[nanobench(setup = String::new, bytes = |text, argument| text.len())]
    fn only_setup(_: &str) {}

    #[nanobench(args = [1, 2], setup = |n| n, items = |made, n, more| n)]
    fn three(_: u64, _: u64) {}

    #[nanobench(args = [1, 2], setup = |n| n, items = |made, n: u64| n)]
    fn by_value(_: u64, _: u64) {}

    #[nanobench(args = [1, 2], setup = |n| n, every = "sample", teardown = |made, n, more| ())]
    fn teardown(_: &u64) {}

    #[nanobench(args = [1, 2], setup = |n, more| n)]
    fn setup(_: u64) {}
}

mod labels {
    use nanobench::nanobench;

    #[nanobench(args = ["x"], label = || "x")]
    fn nothing(_: &str) {}

    #[nanobench(args = ["x"], label = "x")]
    fn text(_: &str) {}

    #[nanobench(setup = || 5, label = |n| n)]
    fn no_arguments(_: u64) {}
}

mod parameters {
    use nanobench::nanobench;

    #[nanobench(setup = || (String::new(), vec![1]))]
    fn tuple((_text, _numbers): (&str, &mut [u64])) {}

    #[nanobench(setup = || 5)]
    fn generic<F: Fn()>(_: F) {}
}

mod benchers {
    use nanobench::nanobench;

    struct Bencher<'a>(&'a ());

    #[nanobench]
    fn of_another_library(bencher: Bencher<'_>) {}

    #[nanobench(args = [1, 2])]
    fn before_the_argument(bencher: Bencher<'_>, n: u64) {}

    #[nanobench(setup = String::new)]
    fn exclusive(text: &str, bencher: &mut criterion::Bencher) {}

    #[nanobench(args = [1, 2], fixture = String::new)]
    fn before_all(bencher: divan::Bencher, n: u64, text: &str) {}

    #[nanobench(setup = || Bencher(&()))]
    fn of_ones_own(bencher: &mut Bencher<'static>, count: u64) {}
}

fn main() {}
