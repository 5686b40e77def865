//! Names that could collide with those of the expansion.

#![forbid(unsafe_code)]
#![deny(missing_docs, nonstandard_style, unreachable_pub, unused, warnings)]

mod raw {
    #[nanobench::nanobench]
    fn r#try() {}

    #[nanobench::nanobench]
    fn r#match(r#type: u64) -> u64 {
        r#type
    }

    #[nanobench::nanobench]
    fn größe() {}

    mod r#loop {
        #[nanobench::nanobench]
        fn r#fn() {}
    }
}

/// Functions whose names are those of parameters.
mod functions {
    use nanobench::{TimeControl, nanobench};

    #[nanobench]
    fn run() {}

    #[nanobench]
    fn count(count: u64) -> u64 {
        count
    }

    #[nanobench]
    fn tc(tc: &mut TimeControl) {
        tc.pause();
    }

    #[nanobench]
    fn test() {}
}

/// Functions whose names are those that the expansion uses.
mod expansion {
    use nanobench::{TimeControl, nanobench};

    #[nanobench(count = 3)]
    fn nanobench_count(nanobench_run: u64, nanobench_control: &mut TimeControl) -> u64 {
        nanobench_control.pause();
        nanobench_run
    }

    #[nanobench]
    fn nanobench_control(_: &mut TimeControl) {}

    #[nanobench(setup = || vec![1], iterations = 1 + 1)]
    fn nanobench_input(nanobench_input: &[u64], count: u64, nanobench_run: &mut TimeControl) -> u64 {
        nanobench_run.pause();
        nanobench_input[0] + count
    }

    const fn nanobench_number() -> u64 {
        5
    }

    #[nanobench(samples = nanobench_number(), unroll = 2)]
    fn reset() {}

    #[nanobench(setup = setup, reset = reset)]
    fn setup_of_unit(setup: ()) {
        assert_eq!(setup, ());
    }

    #[nanobench]
    fn setup() {}

    #[nanobench(
        args = [1, 2],
        types = [u8],
        consts = [5],
        setup = |nanobench_argument| nanobench_argument + NANOBENCH_CASES as u64 + NANOBENCH_RUN,
        fixture = nanobench_fixture,
        bytes = |nanobench_state| *nanobench_state + NANOBENCH_RUN
    )]
    fn nanobench_cases<NanobenchTypeA, const NANOBENCH_CASES: usize>(
        nanobench_input: u64,
        nanobench_clone: u64,
        nanobench_fixture: &u64,
    ) -> u64 {
        nanobench_input + nanobench_clone + nanobench_fixture + size_of::<NanobenchTypeA>() as u64
    }

    #[nanobench]
    fn nanobench_run() {}

    const NANOBENCH_RUN: u64 = 5;

    fn nanobench_fixture() -> u64 {
        5
    }

    #[nanobench(setup = nanobench_fixture, every = "sample", teardown = drop, items = NANOBENCH_RUN)]
    fn nanobench_value(nanobench_state: &mut u64) -> u64 {
        *nanobench_state
    }

    #[nanobench(count = 1 + 1)]
    fn insert(_: u64) {}

    #[nanobench]
    fn entry_insert() {}

    #[nanobench]
    fn count_insert() {}
}

/// Everything of the standard library that the expansion could have meant.
#[expect(unused, nonstandard_style)]
mod shadowed {
    mod core {}
    mod std {}
    mod nanobench {}
    struct Option;
    struct Some;
    struct None;
    struct String;
    struct Entry;
    struct Count;
    struct Registered;
    struct Vec;
    enum Auto {}
    fn assert() {}
    fn drop() {}
    fn black_box() {}
    const count: u64 = 12;
    const run: u64 = 12;

    macro_rules! refused {
        ($($name:ident)*) => {
            $(macro_rules! $name { ($d:tt) => { compile_error!("mistaken") } })*
        };
    }
    refused!(concat module_path file line cfg assert panic);

    // `#[test]` is another attribute here.
    use ::core::prelude::v1::derive as test;
    #[test(Clone)]
    struct Derived;

    #[::nanobench::nanobench(count = count, name = "shadowed")]
    fn function(_: u64) {}

    #[::nanobench::nanobench(setup = || 5, reset = || (), samples = count, sample_time = "1ms", prime = true)]
    fn with_settings(_: &::core::primitive::u32) -> ::core::primitive::u32 {
        5
    }

    #[::nanobench::nanobench(unroll = 2, warmup = count)]
    fn unrolled() {}

    #[::nanobench::nanobench(
        args = [1, 2, 4],
        types = [u8],
        consts = [1],
        setup = |n| n,
        every = "sample",
        teardown = |_| (),
        reset = || (),
        fixture = || 5,
        runtime = |future| ::nanobench::__private::block_on(future),
        batch = N,
        bytes = 5,
        baseline = unrolled,
        cache = "both",
        complexity,
        context(key = 5),
        threads = [1, 2],
    )]
    async fn all_at_once<T, const N: usize>(_: &mut u64, _: u64, _: &u64) -> [T; 0] {
        []
    }

    #[::nanobench::nanobench(tags = ["shadowed"], baseline = inside)]
    mod group {
        #[::nanobench::nanobench]
        fn inside() {}
    }

    #[::nanobench::nanobench(count = count)]
    #[cfg_attr(all(), ignore)]
    /// Joined
    #[doc = stringify!(text)]
    fn conditional(_: u64, _: &mut ::nanobench::TimeControl) {}
}

mod without_prelude {
    #![no_implicit_prelude]

    #[::nanobench::nanobench(count = 1 + 1, name = "bare", unroll = 2, reset = || (), samples = 2 + 3)]
    fn function(_: usize) {}

    #[::nanobench::nanobench(setup = || 5)]
    fn with_input(_: &mut u64, _: &mut ::nanobench::TimeControl) {}

    #[::nanobench::nanobench(args = [1, 2], types = [u8], consts = [5], setup = |n| n, teardown = || (), items = 5)]
    fn with_rows<T, const N: usize>(_: &mut u64, _: &u64) {}
}

mod another_path {
    pub(crate) mod reexported {
        pub(crate) use ::nanobench::*;
    }
    use nanobench as renamed;

    #[reexported::nanobench(crate = reexported)]
    fn relative(_: &mut reexported::TimeControl) {}

    #[renamed::nanobench(crate = self::renamed)]
    fn with_self() {}

    #[renamed::nanobench(crate = super::another_path::reexported)]
    fn with_super(_: u64) {}

    #[renamed::nanobench(
        crate = reexported,
        args = [1, 2, 4],
        types = [u8],
        consts = [5],
        setup = |n| n,
        fixture = || 5,
        runtime = Runtime,
        bytes = 5,
        cache = "both",
        complexity
    )]
    async fn with_all<T, const N: usize>(_: u64, _: u64, _: &u64) -> [T; 0] {
        []
    }

    #[renamed::nanobench(crate = reexported, cache = "warm", baseline = within)]
    mod group {
        #[super::reexported::nanobench]
        fn within() {}

        #[super::reexported::nanobench(crate = super::reexported, samples = 5)]
        fn with_its_own() {}

        mod inner {
            use super::super::renamed::nanobench;

            #[nanobench(setup = || 5, samples = 5)]
            fn deep(_: &mut u64) {}

            #[nanobench(group = "deeper")]
            mod marked {
                #[super::nanobench]
                fn deeper() {}
            }
        }
    }

    #[renamed::nanobench(crate = self::renamed)]
    pub(crate) mod only_crate {
        #[super::renamed::nanobench]
        fn within() {}
    }

    struct Runtime;

    impl Runtime {
        fn block_on<F: Future>(&self, future: F) -> F::Output {
            reexported::__private::block_on(future)
        }
    }
}

pub(crate) fn main() {}
