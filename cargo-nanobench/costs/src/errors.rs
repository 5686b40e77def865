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
#[nanobench(name = "return a boxed error", cache = "both")]
fn boxed(count: u64) -> u64 {
    #[inline(never)]
    fn fail(x: u64) -> Result<u64, Box<dyn Error>> {
        if x == 0 { Ok(x) } else { Err("it did not work".into()) }
    }
    (0..count).filter(|n| fail(black_box(*n | 1)).is_err()).count() as u64
}

/// Unwinding through one function and catching it, without a panic hook and a message.
#[nanobench(name = "unwind and catch", cache = "both")]
fn unwind() -> bool {
    panic::catch_unwind(AssertUnwindSafe(|| panic::resume_unwind(Box::new(0)))).is_err()
}

/// A `panic!` with a number in its message, through a panic hook that prints nothing, and catching
/// it.
#[nanobench(name = "panic and catch", setup = SilentPanics::new, every = "benchmark")]
fn panic_and_catch(_silent: &mut SilentPanics) -> bool {
    panic::catch_unwind(|| panic!("the number is {}", black_box(5))).is_err()
}

/// A closure that may panic, but doesn't.
#[nanobench(name = "catch_unwind without a panic")]
fn catch(count: u64) -> u64 {
    #[inline(never)]
    fn may_panic(x: u64) -> u64 {
        assert_ne!(x, 0);
        x
    }
    (0..count).fold(black_box(5), |x, _| panic::catch_unwind(|| may_panic(x)).unwrap_or(0))
}

/// The addresses of a backtrace, without the names of the functions.
#[nanobench(name = "Backtrace.force_capture")]
fn backtrace() -> Backtrace {
    Backtrace::force_capture()
}

/// Replaces the panic hook for as long as it lives.
struct SilentPanics {
    previous: Option<PanicHook>,
}

type PanicHook = Box<dyn Fn(&panic::PanicHookInfo<'_>) + Send + Sync>;

impl SilentPanics {
    fn new() -> Self {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(|_| ()));
        Self { previous: Some(previous) }
    }
}

impl Drop for SilentPanics {
    fn drop(&mut self) {
        if let Some(previous) = self.previous.take() {
            panic::set_hook(previous);
        }
    }
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
