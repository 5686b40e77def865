//! A dynamic library of the workspace. The executables that use it stay the same when it changes.

use std::hint::black_box;

/// Works for about 1 us, or half as long again if `LAB_CHANGED` was set in the environment of the
/// build.
#[inline(never)]
pub fn linked() -> u64 {
    let units = if option_env!("LAB_CHANGED").is_some() { 150 } else { 100 };
    works(units)
}

/// Works for about 1 us in every build.
#[inline(never)]
pub fn control() -> u64 {
    works(100)
}

fn works(units: u64) -> u64 {
    (0..black_box(units)).fold(1, |x, _| work::chain::<10>(x))
}
