//! Option values of the wrong type or value, which the compiler reports.

#![allow(unused)]

mod batch {
    use nanobench::nanobench;

    const NOTHING: usize = 0;
    const HALF: f64 = 0.5;

    #[nanobench(batch = NOTHING)]
    fn zero() {}

    #[nanobench(batch = HALF)]
    fn fraction() {}
}

mod complexity {
    use nanobench::nanobench;

    #[nanobench(args = [1, 2, 3], complexity = |n: u64| n)]
    fn integers(_: u64) {}
}

mod consts {
    use nanobench::nanobench;

    #[nanobench(consts = ["a"])]
    fn text<const N: usize>() {}

    fn size() -> usize {
        5
    }

    #[nanobench(consts = [size()])]
    fn not_constant<const N: usize>() {}
}

mod zero_count {
    use nanobench::nanobench;

    const ROWS: usize = 0;

    #[nanobench(count = ROWS)]
    fn constant(_count: usize) {}
}

mod count {
    use nanobench::nanobench;

    const ROWS: usize = 10;

    #[nanobench(count = 1_000u64)]
    fn suffix(_count: usize) {}

    #[nanobench(count = 5i32)]
    fn signed(_count: u32) {}

    #[nanobench(count = ROWS * 2)]
    fn expression(_count: u64) {}
}

mod sampling {
    use nanobench::nanobench;

    const NONE: u64 = 0;
    const ROWS: usize = 10;

    fn ask() -> u64 {
        5
    }

    #[nanobench(samples = NONE)]
    fn no_samples() {}

    #[nanobench(iterations = NONE * 2)]
    fn no_iterations() {}

    #[nanobench(warmup = ROWS)]
    fn other_type() {}

    #[nanobench(samples = ask())]
    fn not_constant() {}
}

mod reset {
    use nanobench::nanobench;

    fn fill() -> Vec<u64> {
        vec![1, 2, 3]
    }

    fn log(_line: &str) {}

    #[nanobench(reset = fill)]
    fn with_result() {}

    #[nanobench(reset = || 5 + 2)]
    fn closure_with_result() {}

    #[nanobench(reset = log)]
    fn with_arguments() {}
}

mod runtime {
    use nanobench::nanobench;

    struct Runtime;

    #[nanobench(runtime = Runtime)]
    async fn no_method() {}
}

mod teardown_by_reference {
    use nanobench::nanobench;

    #[nanobench(setup = || vec![1], every = "sample", teardown = |v: &mut Vec<u8>| v.clear())]
    fn exclusive(_: &mut Vec<u8>) {}

    #[nanobench(setup = || vec![1], every = "sample", teardown = |v: &Vec<u8>| drop(v.len()))]
    fn shared(_: &mut Vec<u8>) {}
}

mod teardown {
    use nanobench::nanobench;

    fn close(_: String) {}

    #[nanobench(setup = || vec![1], every = "sample", teardown = close)]
    fn path(_: &[u64]) {}

    #[nanobench(teardown = || 5)]
    fn result() {}
}

mod threads {
    use nanobench::nanobench;

    const NAME: &str = "two";

    #[nanobench(threads = NAME)]
    fn text() {}

    #[nanobench(threads = [0.5 * 4.0])]
    fn floats() {}

    #[nanobench(threads = vec!["two"])]
    fn texts() {}
}

mod threshold {
    use nanobench::nanobench;

    const LESS: f64 = -0.1;
    const ROWS: u64 = 5;

    #[nanobench(threshold = LESS)]
    fn less_than_none() {}

    #[nanobench(threshold = ROWS)]
    fn other_type() {}
}

mod throughput {
    use nanobench::nanobench;

    #[nanobench(setup = String::new, bytes = |text| text.length())]
    fn no_method(_: String) {}

    #[nanobench(setup = String::new, bytes = |text| text.clone())]
    fn no_number(_: String) {}

    #[nanobench(bytes = 0.5 * 3.0)]
    fn float() {}

    #[nanobench(args = [1_u64], bytes = |n| *n as f64)]
    fn converted(_: u64) {}

    #[nanobench(setup = String::new, items = |text: &str| text.len() as f32)]
    fn of_type(_: &str) {}

    #[nanobench(setup = || 5_u8, chars = |_| panic!("none"))]
    fn never(_: &u8) {}
}

mod types {
    use nanobench::nanobench;

    struct NoDefault;

    #[nanobench(types = [u8, NoDefault])]
    fn default<T: Default>() -> T {
        T::default()
    }
}

fn main() {}
