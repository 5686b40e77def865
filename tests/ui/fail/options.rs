//! The option list itself.

#![allow(unused)]

mod unknown {
    use nanobench::nanobench;

    #[nanobench(cuont = 5)]
    fn misspelt(_count: u64) {}

    #[nanobench(Name = "x")]
    fn capital() {}

    #[nanobench(smaple_time = 5, krate = nanobench)]
    fn two_at_once() {}

    #[nanobench(sampletime = "1ms", warm_up = 5)]
    fn underscores() {}

    #[nanobench(ignore)]
    fn ignore() {}

    #[nanobench(=)]
    fn nothing_readable() {}

    #[nanobench(arg = ["a", "b"])]
    fn supplies_an_input(_text: &str) {}

    #[nanobench(args = [1, 2], setpu = |n| vec![n])]
    fn supplies_one_of_two(_numbers: &[u64], _n: u64) {}
}

mod names_of_other_tools {
    use nanobench::nanobench;

    #[nanobench(sample-time = "1ms", wipe-size = 5, sampel-time = "1ms", samples = 5)]
    fn dashed() {}

    #[nanobench(budget = "3s", timer = "os", same_within = 1.0)]
    fn of_a_run() {}

    #[nanobench(sample_count = 30, warm_up_time = "1s", with_inputs = || 5, sample_size = 10)]
    fn of_other_tools() {}

    #[nanobench(bytes_count = |a, b| a.len(), chars_count = 3, items_count = |_, b| b.len(), cycles_count = 9)]
    fn of_divan() {}

    #[nanobench(params = [1, 2], sample-time = "1s", bytes = |_, text| text.len())]
    mod on_a_module {}
}

mod repeated {
    use nanobench::nanobench;

    #[nanobench(count = 5, count = 6)]
    fn count(_count: u64) {}

    #[nanobench(name = "a", crate = nanobench, name = "b")]
    fn name() {}

    #[nanobench(setup = || 7, setup = || 8, reset = || (), prime = true, reset = || (), prime = true)]
    fn others(_number: i32) {}
}

mod without_value {
    use nanobench::nanobench;

    #[nanobench(count)]
    fn bare(_count: u64) {}

    #[nanobench(count =)]
    fn unfinished(_count: u64) {}

    #[nanobench(name = , count = 5)]
    fn missing(_count: u64) {}

    #[nanobench(name("x"))]
    fn parentheses() {}

    #[nanobench(crate)]
    fn path() {}

    #[nanobench(setup)]
    fn input(_numbers: Vec<u64>) {}

    #[nanobench(reset, unroll, samples, sample_time, iterations, warmup, prime)]
    fn settings() {}
}

mod values_alone {
    use nanobench::nanobench;

    #[nanobench("short keys")]
    fn string() {}

    #[nanobench(1_000)]
    fn number(_count: u64) {}

    #[nanobench(count = 5 name = "x")]
    fn without_comma(_count: u64) {}
}

mod equals_string {
    use nanobench::nanobench;

    #[nanobench = "short keys"]
    fn string() {}
}

mod crate_paths {
    #[nanobench::nanobench(crate = "nanobench")]
    fn quoted() {}

    #[nanobench::nanobench(crate = 5)]
    fn number() {}
}

fn main() {}
