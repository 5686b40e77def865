//! Processes that are slow from beginning to end.

use crate::kind::kinds;
use crate::work;
use std::hash::{BuildHasher, RandomState};
use std::hint::black_box;
use std::sync::LazyLock;

kinds!(unlucky_seed_1_in_4, unlucky_seed_1_in_10, unlucky_address_1_in_4, slightly_unlucky_1_in_4);

/// Returns a number that is decided once per process, as the seed of a hash map is.
pub(crate) fn luck() -> u64 {
    static LUCK: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one("luck"));
    *LUCK
}

/// Takes twice as long in one process of four.
#[inline(always)]
fn unlucky_seed_1_in_4<const CHANGED: bool, const CONTROL: bool>() -> u64 {
    work(if CHANGED && luck().is_multiple_of(4) { 200 } else { 100 })
}

/// Takes three times as long in one process of ten.
#[inline(always)]
fn unlucky_seed_1_in_10<const CHANGED: bool, const CONTROL: bool>() -> u64 {
    work(if CHANGED && luck().is_multiple_of(10) { 300 } else { 100 })
}

/// Takes half as long again in one process of four: 12.5 % on average.
#[inline(always)]
fn slightly_unlucky_1_in_4<const CHANGED: bool, const CONTROL: bool>() -> u64 {
    work(if CHANGED && luck().is_multiple_of(4) { 150 } else { 100 })
}

/// Takes 1.8 times as long where the system has put the stack on an unlucky page.
#[inline(always)]
fn unlucky_address_1_in_4<const CHANGED: bool, const CONTROL: bool>() -> u64 {
    static PAGE: LazyLock<usize> = LazyLock::new(|| {
        let on_the_stack = 0_u8;
        black_box(&raw const on_the_stack) as usize >> 12
    });
    work(if CHANGED && PAGE.is_multiple_of(4) { 180 } else { 100 })
}
