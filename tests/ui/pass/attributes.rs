//! Visibility, doc comments, conditions and other attributes.

#![forbid(unsafe_code)]
#![deny(missing_docs, nonstandard_style, unreachable_pub, unused, warnings)]

use nanobench::nanobench;

/// One line.
#[nanobench]
fn one_line() {}

/// First.
///
///   Indented.
#[nanobench]
/// Last.
fn several_lines() {}

/**
 Block.
 Comment.
*/
#[nanobench]
fn block() {}

#[doc = concat!("Made ", "by a macro.")]
/// And written.
#[nanobench]
#[doc(hidden)]
fn mixed() {}

#[nanobench]
#[ignore]
fn ignored() {
    panic!("ignored, but run");
}

#[ignore = "takes a minute"]
#[nanobench]
fn ignored_with_reason() {
    panic!("ignored, but run");
}

#[nanobench]
#[cfg_attr(all(), ignore, inline)]
fn ignored_where_it_holds() {
    panic!("ignored, but run");
}

#[nanobench]
#[cfg_attr(any(), ignore = "never")]
fn not_ignored() {}

#[nanobench]
#[cfg(any())]
fn not_there() -> DoesNotExist {}

#[nanobench]
#[cfg_attr(all(), cfg(any()))]
fn not_there_either() -> DoesNotExist {}

#[nanobench(count = LEFT_OUT)]
#[cfg(any())]
fn left_out(_count: u64) {}

#[nanobench]
#[cfg(any(unix, not(unix)))]
fn there() {}

#[nanobench]
#[inline(always)]
#[must_use]
#[track_caller]
fn attributed() -> u64 {
    5
}

#[nanobench]
fn inner_attribute() {
    #![expect(unused_variables)]
    let unused = 5;
}

mod inner {
    #[nanobench::nanobench]
    pub(crate) fn restricted() -> u64 {
        1
    }

    #[nanobench::nanobench]
    pub(super) fn by_super() -> u64 {
        2
    }
}

/// The functions can be called as they were written.
pub(crate) fn main() {
    assert_eq!(attributed(), 5);
    assert_eq!(inner::restricted() + inner::by_super(), 3);
    there();
}

/// Marks the benchmarks in it, at any depth and by any path.
#[nanobench]
#[ignore]
mod ignored_module {
    #[nanobench::nanobench]
    fn inside() {
        panic!("ignored, but run");
    }

    mod deeper {
        use super::super::nanobench;

        #[nanobench]
        #[ignore = "own reason"]
        fn twice() {
            panic!("ignored, but run");
        }

        #[nanobench(samples = 5)]
        mod marked {
            #[nanobench::nanobench]
            fn innermost() {
                panic!("ignored, but run");
            }
        }
    }
}

#[nanobench(samples = 5)]
#[cfg_attr(any(), ignore)]
mod not_ignored_module {
    #[nanobench::nanobench]
    fn run() {}
}
