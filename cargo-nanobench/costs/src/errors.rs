//! Ways to report an error, from a function that isn't inlined.

use nanobench::nanobench;
use std::backtrace::Backtrace;
use std::error::Error;
use std::hint::black_box;
use std::panic::{self, AssertUnwindSafe};

/// A number, without a possible error.
#[nanobench(name = "return a number")]
fn plain(count: u64) -> u64 {
    #[inline(never)]
    fn next(x: u64) -> u64 {
        x.wrapping_mul(3)
    }
    (0..count).fold(black_box(1), |x, _| next(x))
}

/// `Ok` through two functions with `?`.
#[nanobench(name = "return Ok through `?`")]
fn ok(count: u64) -> Option<u64> {
    through(count, black_box(u64::MAX)).ok()
}

/// A small error through two functions with `?`.
#[nanobench(name = "return Err through `?`")]
fn err(count: u64) -> u64 {
    (0..count).filter(|n| middle(black_box(*n | 1), 0).is_err()).count() as u64
}

/// A `Box<dyn Error>` of a text, and its drop.
#[nanobench(name = "return a boxed error")]
fn boxed(count: u64) -> u64 {
    #[inline(never)]
    fn fail(x: u64) -> Result<u64, Box<dyn Error>> {
        if x == 0 { Ok(x) } else { Err("it did not work".into()) }
    }
    (0..count).filter(|n| fail(black_box(*n | 1)).is_err()).count() as u64
}

/// Unwinding through one function and catching it. `panic!` costs this, and the message.
#[nanobench(name = "unwind and catch")]
fn unwind() -> bool {
    panic::catch_unwind(AssertUnwindSafe(|| panic::resume_unwind(Box::new(0)))).is_err()
}

/// A closure that may panic, but doesn't.
#[nanobench(name = "catch_unwind without a panic")]
fn catch() -> Option<u64> {
    #[inline(never)]
    fn may_panic(x: u64) -> u64 {
        assert_ne!(x, 0);
        x
    }
    panic::catch_unwind(|| may_panic(black_box(5))).ok()
}

/// The addresses of a backtrace, without the names of the functions.
#[nanobench(name = "Backtrace.force_capture")]
fn backtrace() -> Backtrace {
    Backtrace::force_capture()
}

/// An error of one byte.
#[derive(Debug)]
struct TooLarge;

#[inline(never)]
fn through(count: u64, limit: u64) -> Result<u64, TooLarge> {
    let mut x = black_box(1);
    for _ in 0..count {
        x = middle(x, limit)?;
    }
    Ok(x)
}

#[inline(never)]
fn middle(x: u64, limit: u64) -> Result<u64, TooLarge> {
    Ok(innermost(x, limit)? ^ 1)
}

#[inline(never)]
fn innermost(x: u64, limit: u64) -> Result<u64, TooLarge> {
    if x > limit { Err(TooLarge) } else { Ok(x.wrapping_mul(3)) }
}
