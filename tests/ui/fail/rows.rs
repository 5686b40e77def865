//! The options that give several rows: `args`, `types`, `consts` and `complexity`.

#![allow(unused)]

mod args {
    use nanobench::nanobench;

    #[nanobench(args = [])]
    fn empty(_: u64) {}

    #[nanobench(args = || [1, 2])]
    fn closure(_: u64) {}

    #[nanobench(args = 5)]
    fn number(_: u64) {}

    #[nanobench(args = 5, count = 7)]
    fn number_and_count(_: u64, _count: u64) {}
}

mod repeated_args {
    use nanobench::nanobench;

    #[nanobench(args = [1, 2])]
    fn two(_a: u64, _b: u64) {}

    #[nanobench(args = [1, 2], setup = |n| n)]
    fn three(_a: u64, _b: u64, _c: u64) {}

    #[nanobench(fixture = String::new)]
    fn two_fixtures(_a: &str, _b: &str) {}
}

mod args_without_parameter {
    use nanobench::nanobench;

    #[nanobench(args = [1, 2])]
    fn none() {}

    #[nanobench(args = [1, 2])]
    fn named_count(_count: u64) {}

    #[nanobench(args = [1, 2], setup = || 5)]
    fn setup_without_it(_: u64) {}

    #[nanobench(args = [1, 2], setup = |n| n)]
    fn not_even_for_setup() {}
}

mod args_for_setup {
    use nanobench::nanobench;

    #[nanobench(args = [1, 2], setup = |a, b| a + b)]
    fn two(_: u64) {}

    #[nanobench(args = [1, 2], setup = async |n| n)]
    fn asynchronous(_: u64) {}

    #[nanobench(args = [1, 2], setup = vec![1])]
    fn value(_: Vec<u64>) {}
}

mod types {
    use nanobench::nanobench;

    #[nanobench(types = u8)]
    fn bare<T>() {}

    #[nanobench(types = [])]
    fn empty<T>() {}

    #[nanobench(types = [u8, 5])]
    fn number<T>() {}

    #[nanobench(types = [u8, _])]
    fn inferred<T>() {}

    #[nanobench(types = [impl Copy])]
    fn any<T>() {}

    #[nanobench(types = [&str])]
    fn reference<T>() {}

    #[nanobench(types = [u8, u16, u8])]
    fn twice<T>() {}

    #[nanobench(types = [u8, (u8, u8, u8)])]
    fn pairs<A, B>() {}
}

mod consts {
    use nanobench::nanobench;

    #[nanobench(consts = 1..5)]
    fn range<const N: usize>() {}

    #[nanobench(consts = [])]
    fn empty<const N: usize>() {}

    #[nanobench(consts = [1, 1])]
    fn twice<const N: usize>() {}

    #[nanobench(consts = [1, (2, 3)])]
    fn pairs<const N: usize, const M: usize>() {}
}

mod types_without_parameter {
    use nanobench::nanobench;

    #[nanobench(types = [u8])]
    fn types() {}

    #[nanobench(consts = [8], types = [u8])]
    fn consts<T>() {}
}

mod without_values {
    use nanobench::nanobench;

    #[nanobench]
    fn ty<T: Default>() -> T {
        T::default()
    }

    #[nanobench(types = [u8])]
    fn constant<T, const N: usize>() {}

    #[nanobench(consts = [1])]
    fn both<T, const N: usize>() {}
}

mod generic_settings {
    use nanobench::nanobench;

    #[nanobench(consts = [1, 2], samples = N as u64)]
    fn samples<const N: usize>() {}

    #[nanobench(types = [u8], count = size_of::<T>())]
    fn count<T>(_count: usize) {}

    #[nanobench(consts = [1, 2], threads = [1, N])]
    fn threads<const N: usize>() {}
}

mod complexity {
    use nanobench::nanobench;

    #[nanobench(complexity)]
    fn one_row() {}

    #[nanobench(args = ["a", "b"], complexity)]
    fn texts(_: &str) {}

    #[nanobench(consts = [true, false], complexity)]
    fn flags<const F: bool>() {}

    #[nanobench(args = [1, 2, 3], complexity = "n log n")]
    fn text(_: u64) {}

    #[nanobench(args = [1, 2, 3], complexity = || 5.0)]
    fn constant(_: u64) {}

    #[nanobench(args = [1, 2, 3], complexity = )]
    fn no_value(_: u64) {}

    #[nanobench(args = [1, 2], complexity)]
    fn two(_: u64) {}

    #[nanobench(consts = [(1, 5), (2, 5), (3, 0x5)], complexity)]
    fn the_same<const A: usize, const B: usize>() {}
}

fn main() {}
