//! Parameters and inputs that don't match.

#![allow(unused)]

mod conditional {
    use nanobench::nanobench;

    #[nanobench]
    fn sometimes(#[cfg(unix)] _count: u64) {}
}

mod other_numbers {
    use nanobench::nanobench;

    #[nanobench]
    fn signed(_count: i32) {}

    #[nanobench]
    fn wide(_count: u128) {}

    #[nanobench]
    fn narrow(_count: u8) {}

    #[nanobench]
    fn float(_count: f64) {}

    #[nanobench]
    fn reference(_count: &u64) {}

    #[nanobench]
    fn exclusive(_count: &mut std::primitive::usize) {}
}

mod unknown_origin {
    use nanobench::nanobench;

    #[nanobench]
    fn string(_line: String) {}

    #[nanobench]
    fn text(_line: &str) {}

    #[nanobench]
    fn vec(_numbers: Vec<u64>) {}

    #[nanobench]
    fn tuple((_, _): (u64, u64)) {}

    #[nanobench]
    fn closure(_make: impl Fn() -> u64) {}
}

mod time_control {
    use nanobench::{TimeControl, nanobench};

    #[nanobench]
    fn by_value(_tc: TimeControl) {}

    #[nanobench]
    fn shared(_tc: &TimeControl) {}

    #[nanobench]
    fn with_path(_tc: &nanobench::TimeControl) {}

    #[nanobench]
    fn forever(_tc: &'static mut TimeControl) {}
}

mod repeated {
    use nanobench::{TimeControl, nanobench};

    #[nanobench]
    fn two_counts(_rows: u64, _columns: u64) {}

    #[nanobench]
    fn two_controls(_one: &mut TimeControl, _other: &mut TimeControl) {}

    #[nanobench]
    fn three(_count: u64, _tc: &mut TimeControl, _more: usize) {}

    #[nanobench]
    fn four(_count: u64, _more: u32, _tc: &mut TimeControl, _: &mut TimeControl) {}
}

mod unsupported_inputs {
    use nanobench::{TimeControl, nanobench};

    #[nanobench(setup = || [1, 2, 3].into_iter())]
    fn by_impl(_numbers: impl Iterator<Item = u64>) {}

    #[nanobench(setup = || vec![String::new()])]
    fn by_impl_inside(_lines: &mut Vec<impl AsRef<str>>) {}

    #[nanobench(setup = || vec![1, 2, 3])]
    fn forever(_numbers: &'static mut Vec<u64>) {}

    #[nanobench(setup = || 7)]
    fn control_by_value(_number: u64, _tc: TimeControl) {}
}

mod repeated_inputs {
    use nanobench::nanobench;

    #[nanobench(setup = || (String::new(), 7))]
    fn two_inputs(_line: String, _number: i32) {}

    #[nanobench(setup = || 7)]
    fn two_counts(count: u64, _count: usize) {}

    #[nanobench(setup = || 7)]
    fn input_and_two_numbers(_number: &u64, _count: u64, _other: u32) {}
}

mod setup_without_parameter {
    use nanobench::{TimeControl, nanobench};

    #[nanobench(setup = || 7)]
    fn nothing() {}

    #[nanobench(setup = || 7)]
    fn control(_tc: &mut TimeControl) {}
}

mod input_and_count {
    use nanobench::{TimeControl, nanobench};

    #[nanobench(setup = || 7, count = 5)]
    fn number(_number: u64, _tc: &mut TimeControl) {}

    #[nanobench(setup = String::new, count = 5)]
    fn line(_line: String) {}
}

mod tuple_inputs {
    use nanobench::{TimeControl, nanobench};

    #[nanobench(setup = || (1u64, String::new()))]
    fn two(a: u64, s: String) {
        drop((a, s));
    }

    #[nanobench(setup = || { let text = "a"; (text.to_owned(), 5) })]
    fn the_other_way(text: &str, tc: &mut TimeControl, n: usize) {
        tc.exclude(|| drop((text, n)));
    }
}

mod shared_values_by_value {
    use nanobench::nanobench;

    #[nanobench(setup = || vec![1], every = "sample")]
    fn sample(_: Vec<u64>) {}

    #[nanobench(setup = || vec![1], every = "benchmark")]
    fn benchmark(_: Vec<u64>) {}

    #[nanobench(setup = || vec![1], every = "benchmark")]
    fn for_ever(_: &'static mut Vec<u64>) {}

    #[nanobench(setup = || 7, every = "sample")]
    fn number(_: u64) {}
}

fn main() {}
