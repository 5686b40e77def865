//! Numbers and words: how much to measure, and how.

#![allow(unused)]

mod count_literals {
    use nanobench::nanobench;

    #[nanobench(count = "1000")]
    fn string(_count: u64) {}

    #[nanobench(count = 1e3)]
    fn float(_count: u64) {}

    #[nanobench(count = true)]
    fn boolean(_count: u64) {}

    #[nanobench(count = -1.5)]
    fn negative(_count: u64) {}
}

mod count_range {
    use nanobench::nanobench;

    #[nanobench(count = 0)]
    fn zero(_count: u64) {}

    #[nanobench(count = 0x0_0)]
    fn zero_in_other_digits(_count: usize) {}

    #[nanobench(count = -5)]
    fn negative(_count: u64) {}

    #[nanobench(count = 4_294_967_296)]
    fn above_u32(_count: u32) {}

    #[nanobench(count = 18_446_744_073_709_551_616)]
    fn above_u64(_count: u64) {}

    #[nanobench(count = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_ffff_ffff)]
    fn above_all(_count: usize) {}
}

mod count_without_parameter {
    use nanobench::{TimeControl, nanobench};

    #[nanobench(count = 1_000)]
    fn nothing() {}

    #[nanobench(name = "x", count = 1_000)]
    fn control(tc: &mut TimeControl) {
        tc.pause();
    }
}

mod unroll {
    use nanobench::{TimeControl, nanobench};

    const TIMES: usize = 10;

    #[nanobench(unroll = 0)]
    fn zero() {}

    #[nanobench(unroll = 1001)]
    fn too_much() {}

    #[nanobench(unroll = TIMES)]
    fn constant() {}

    #[nanobench(unroll = -5)]
    fn negative() {}

    #[nanobench(unroll = 10u64)]
    fn suffix() {}

    #[nanobench(unroll = true)]
    fn flag() {}

    #[nanobench(unroll = 10, setup = || vec![1, 2, 3])]
    fn with_input(_numbers: &mut [u64]) {}

    #[nanobench(unroll = 10)]
    fn with_control(_tc: &mut TimeControl) {}
}

mod unroll_with_inputs {
    use nanobench::nanobench;

    #[nanobench(args = [vec![1]], unroll = 5)]
    fn clones(_: Vec<u64>) {}

    #[nanobench(args = [1, 2], unroll = 5)]
    fn exclusive(_: &mut u64) {}
}

mod sampling {
    use nanobench::nanobench;

    #[nanobench(samples = 0)]
    fn no_samples() {}

    #[nanobench(iterations = 0)]
    fn no_iterations() {}

    #[nanobench(samples = -5)]
    fn negative() {}

    #[nanobench(warmup = -1)]
    fn negative_warmup() {}

    #[nanobench(iterations = 1e3)]
    fn float() {}

    #[nanobench(warmup = true)]
    fn flag() {}

    #[nanobench(samples = "30")]
    fn string() {}

    #[nanobench(samples = 30u32)]
    fn suffix() {}

    #[nanobench(iterations = 18_446_744_073_709_551_616)]
    fn too_large() {}
}

mod sample_time {
    use nanobench::nanobench;

    #[nanobench(sample_time = 5u8)]
    fn number() {}

    #[nanobench(sample_time = "5ms 3")]
    fn without_unit() {}

    #[nanobench(sample_time = "ms")]
    fn without_number() {}

    #[nanobench(sample_time = "5 min")]
    fn other_unit() {}

    #[nanobench(sample_time = "0ms")]
    fn zero() {}

    #[nanobench(sample_time = "-1ms")]
    fn negative() {}

    #[nanobench(sample_time = "1e3 s")]
    fn exponent() {}

    #[nanobench(sample_time = "99999999999s")]
    fn too_long() {}

    #[nanobench(sample_time = true)]
    fn duration() {}

    #[nanobench(iterations = 100, sample_time = "1ms")]
    fn contradiction() {}
}

mod limits {
    use nanobench::nanobench;

    #[nanobench(min_time = "2s", max_time = "1s", timeout = "0s")]
    fn no_time() {}

    #[nanobench(samples = 30, max_time = "1s", precision = 0)]
    fn exact_and_not() {}

    #[nanobench(precision = "1%", min_time = true)]
    fn other_types() {}

    #[nanobench(samples = 5, precision = 1.0)]
    mod of_a_module {}
}

mod of_the_argument {
    use nanobench::nanobench;

    #[nanobench(batch = |text| text.len(), unit = |text| text, complexity_n = |text| text.len())]
    fn without_args() {}

    #[nanobench(args = ["a"], batch = |a, b| a, complexity_n = 5, unit = || "x")]
    fn no_closures(_text: &str) {}

    #[nanobench(args = ["a", "b", "c"], batch = 5, batch = |text| text.len(), complexity = ("", |n| n))]
    fn twice(_text: &str) {}

    #[nanobench(batch = |text| text.len())]
    mod of_a_module {}
}

mod threshold {
    use nanobench::nanobench;

    #[nanobench(threshold = -1)]
    fn less_than_none() {}

    #[nanobench(threshold = -0.5)]
    fn negative() {}

    #[nanobench(threshold = "2%")]
    fn text() {}

    #[nanobench(threshold = 1e999)]
    fn endless() {}

    #[nanobench(threshold = 2, threshold = 3)]
    fn twice() {}
}

mod prime {
    use nanobench::nanobench;

    const PRIME: bool = true;

    #[nanobench(prime = 1)]
    fn number() {}

    #[nanobench(prime = "no")]
    fn string() {}

    #[nanobench(prime = PRIME)]
    fn constant() {}

    #[nanobench(prime = false, warmup = 3)]
    fn contradiction() {}

    #[nanobench(warmup = 0, prime = false)]
    fn said_twice() {}
}

mod cache {
    use nanobench::nanobench;

    #[nanobench(cache = "clod")]
    fn misspelt() {}

    #[nanobench(cache = true)]
    fn flag() {}

    #[nanobench(cache = cold)]
    fn word() {}
}

mod threads {
    use nanobench::nanobench;

    #[nanobench(threads = [])]
    fn empty() {}

    #[nanobench(threads = [0, 1, 0])]
    fn zero_twice() {}

    #[nanobench(threads = [1, 2, 2])]
    fn twice() {}

    #[nanobench(threads = "4")]
    fn text() {}

    #[nanobench(threads = [2, -1])]
    fn negative() {}

    #[nanobench(threads = || [1, 2])]
    fn closure() {}
}

mod context {
    use nanobench::nanobench;

    #[nanobench(context = "value")]
    fn no_list() {}

    #[nanobench(context())]
    fn empty() {}

    #[nanobench(context(key))]
    fn no_value() {}

    #[nanobench(context(key = SIZE))]
    fn constant() {}

    #[nanobench(context("key" = 5))]
    fn text() {}

    #[nanobench(context(key = 5, key = 6))]
    fn twice() {}

    #[nanobench(context(a = 5 b = 6))]
    fn no_comma() {}

    const SIZE: usize = 5;
}

mod batch {
    use nanobench::nanobench;

    #[nanobench(batch = 0)]
    fn zero() {}

    #[nanobench(batch = -5)]
    fn negative() {}

    #[nanobench(batch = "5")]
    fn text() {}

    #[nanobench(scale = 1.5)]
    fn fraction() {}

    #[nanobench(scale = 2f64)]
    fn float() {}
}

mod throughput {
    use nanobench::nanobench;

    #[nanobench(bytes = |input| input.len())]
    fn no_input() {}

    #[nanobench(bytes = || 5)]
    fn no_parameter() {}

    #[nanobench(setup = || 5, chars = |a, b| a + b)]
    fn two(_: u64) {}

    #[nanobench(setup = String::new, chars = |text: String| text.len())]
    fn by_value(_: String) {}

    #[nanobench(items = -1)]
    fn negative() {}

    #[nanobench(items = "5")]
    fn text() {}

    #[nanobench(bytes = 5, bytes = 6)]
    fn twice() {}
}

mod settings_by_parameters {
    use nanobench::nanobench;

    #[nanobench(args = [10, 100], batch = n)]
    fn by_argument(n: usize) {
        let _ = n;
    }

    #[nanobench(args = [10, 100], samples = 2 * n, threads = n)]
    fn others(n: u64) {
        let _ = n;
    }

    #[nanobench(batch = count)]
    fn by_count(count: u64) {
        let _ = count;
    }
}

fn main() {}
