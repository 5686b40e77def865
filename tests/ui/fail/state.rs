//! `setup`, `every`, `reset`, `teardown`, `fixture` and `runtime`.

#![allow(unused)]

mod setup_values {
    use nanobench::nanobench;

    fn make() -> Vec<u64> {
        vec![1, 2, 3]
    }

    #[nanobench(setup = make())]
    fn call(_numbers: Vec<u64>) {}

    #[nanobench(setup = vec![1, 2, 3])]
    fn value(_numbers: Vec<u64>) {}

    #[nanobench(setup = 7)]
    fn number(_number: u64) {}

    #[nanobench(setup = "make")]
    fn quoted(_numbers: Vec<u64>) {}

    #[nanobench(setup = { make() })]
    fn block(_numbers: Vec<u64>) {}

    #[nanobench(setup = async || 7)]
    fn asynchronous(_number: u64) {}
}

mod setup_blocks {
    use nanobench::nanobench;

    #[nanobench(setup = {
        let n = 5;
        n
    })]
    fn block(_: u64) {}

    #[nanobench(setup = {
        let n = 5;
        move |m| n + m
    })]
    fn argument(_: u64) {}
}

mod setup_arguments {
    use nanobench::nanobench;

    #[nanobench(setup = |n| vec![0; n])]
    fn closure(_numbers: Vec<u64>) {}

    #[nanobench(setup = move |_rows: usize, _columns: usize| ())]
    fn several(_: ()) {}

    #[nanobench(setup = { let mut sum = 0; move |n: u64| { sum += n; sum } })]
    fn in_a_block(_number: u64) {}
}

mod every {
    use nanobench::nanobench;

    #[nanobench(setup = || 5, every = "smaple")]
    fn misspelt(_: &u64) {}

    #[nanobench(setup = || 5, every = "hour")]
    fn unknown(_: &u64) {}

    #[nanobench(setup = || 5, every = 5)]
    fn number(_: &u64) {}

    #[nanobench(every = "sample")]
    fn nothing() {}
}

mod every_with_threads {
    use nanobench::nanobench;

    #[nanobench(setup = || 5, every = "benchmark", threads = [1, 2])]
    fn state(_: &u64) {}
}

mod reset {
    use nanobench::nanobench;

    fn clear() {}

    #[nanobench(reset = clear())]
    fn call() {}

    #[nanobench(reset = { clear(); })]
    fn block() {}

    #[nanobench(reset = true)]
    fn flag() {}

    #[nanobench(reset = |count| println!("{count}"))]
    fn with_arguments() {}

    #[nanobench(reset = async || clear())]
    fn asynchronous() {}
}

mod teardown {
    use nanobench::nanobench;

    #[nanobench(teardown = clear())]
    fn called() {}

    #[nanobench(teardown = |value| drop(value))]
    fn nothing_to_take() {}

    #[nanobench(setup = || 5, teardown = |value| drop(value))]
    fn no_one_value(_: u64) {}

    #[nanobench(setup = || 5, every = "sample", teardown = |a, b| drop((a, b)))]
    fn two(_: &u64) {}

    #[nanobench(teardown = async || ())]
    fn asynchronous() {}

    fn clear() {}
}

mod fixture {
    use nanobench::nanobench;

    #[nanobench(fixture = words())]
    fn called(_: &[String]) {}

    #[nanobench(fixture = |n| n)]
    fn closure(_: &u64) {}

    #[nanobench(fixture = words)]
    fn by_value(_: Vec<String>) {}

    #[nanobench(fixture = words)]
    fn exclusive(_: &mut Vec<String>) {}

    #[nanobench(fixture = words)]
    fn not_taken() {}

    #[nanobench(fixture = words, args = [1, 2])]
    fn not_taken_either(_: u64) {}

    #[nanobench(fixture = words)]
    fn a_number(_: u64) {}

    fn words() -> Vec<String> {
        Vec::new()
    }
}

mod runtime {
    use nanobench::nanobench;

    struct Runtime;

    #[nanobench(runtime = Runtime)]
    fn not_async() {}

    #[nanobench(runtime = || Runtime)]
    async fn closure() {}

    #[nanobench(runtime = "tokio")]
    async fn name() {}
}

mod teardown_with_args {
    use nanobench::nanobench;

    #[nanobench(args = [10], teardown = |n| drop(n))]
    fn no_one_value(_: u64) {}
}

fn main() {}
