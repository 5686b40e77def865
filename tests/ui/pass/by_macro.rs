//! Functions created by macros, and functions inside functions.

#![forbid(unsafe_code)]
#![deny(missing_docs, nonstandard_style, unreachable_pub, unused, warnings)]

// `$crate` starts at the root of the crate, in which `forms.rs` has the same item.
use nanobench as nanobench_again;
use nanobench::{TimeControl, nanobench};

macro_rules! by_parts {
    ($(#[$attribute:meta])* $vis:vis fn $name:ident($count:ident: $type:ty) -> $output:ty $body:block) => {
        $(#[$attribute])*
        #[nanobench]
        $vis fn $name($count: $type) -> $output $body
    };
}

by_parts! {
    /// Written by hand.
    #[inline]
    pub(crate) fn parts(count: u64) -> u64 { count + 1 }
}

by_parts! {
    #[ignore = "slow"]
    fn private(_count: usize) -> () {}
}

macro_rules! by_item {
    ($($item:item)*) => { $(#[nanobench] $item)* };
}

by_item! {
    fn first() {}

    /// Second.
    #[ignore]
    fn second(_tc: &mut TimeControl) {}
}

macro_rules! by_options {
    ($name:ident, $count:expr, $label:literal, $type:ty, $control:ty, $parameter:pat) => {
        #[doc = concat!("Of ", stringify!($name), ".")]
        #[nanobench(count = $count, name = $label)]
        fn $name($parameter: $type, _: $control) {}
    };
}

by_options!(literal, 5, "by literal", u32, &mut TimeControl, _);
by_options!(expression, 5 + 5, "by expression", std::primitive::usize, &mut TimeControl, mut _count);

macro_rules! by_operators {
    ($count:expr, $numbers:expr) => {
        #[nanobench(count = 2 * $count, setup = || $numbers.skip(1))]
        fn operators(_count: u64, _numbers: &std::iter::Skip<std::ops::RangeFrom<u64>>) {}
    };
}

by_operators!(1 + 2, 0..);

macro_rules! by_nothing {
    () => {
        #[nanobench_again::nanobench]
        fn unnamed() {}
    };
}

by_nothing!();

macro_rules! numbered {
    ($($module:ident)*) => {
        $(mod $module {
            #[nanobench::nanobench(crate = $crate::nanobench_again)]
            fn same_name(count: u64) -> u64 {
                count
            }
        })*
    };
}

numbered!(one two);

/// A function in a function has a benchmark too, though it has no test.
fn outer() -> u64 {
    mod within {
        #[nanobench::nanobench]
        pub(super) fn nested() -> u64 {
            3
        }
    }
    within::nested()
}

pub(crate) fn main() {
    assert_eq!(parts(5), 6);
    assert_eq!(outer(), 3);
}
