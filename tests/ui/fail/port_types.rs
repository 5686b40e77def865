//! Inputs and labels of the wrong type or lifetime, which the compiler reports.

#![allow(unused)]

mod labels {
    use nanobench::nanobench;

    #[nanobench(args = ["x"], label = |text| Some(text))]
    fn option(_: &str) {}
}

mod static_inputs {
    use nanobench::nanobench;

    #[nanobench(setup = || String::from("x"))]
    fn setup(_: &'static str) {}

    #[nanobench(setup = || String::from("x"), every = "sample")]
    fn state(_: &'static str) {}
}

mod unnamed {
    use nanobench::nanobench;

    #[nanobench(setup = || 5)]
    fn iterator(_: impl Iterator<Item = u64>) {}
}

mod tuples {
    use nanobench::nanobench;

    #[nanobench(args = [(String::from("x"), 5)])]
    fn argument((_text, _n): (&str, u64)) {}
}

fn main() {}
