//! Calls of functions.

use nanobench::nanobench;
use std::hint::black_box;

/// A call of a function that does nothing, and its return: the unit of the column that shows
/// multiples.
#[nanobench(name = "empty call")]
fn empty(count: u64) {
    #[inline(never)]
    fn empty() {
        // Without it, the compiler would remove the calls.
        black_box(());
    }
    (0..count).for_each(|_| empty());
}

/// A small function whose body replaces the call: an exclusive or and a multiplication.
#[nanobench(name = "call, inlined")]
fn inlined(count: u64) -> u64 {
    (0..count).fold(black_box(1), |x, _| step(x))
}

/// A call of that function, which is not inlined.
#[nanobench(name = "call")]
fn direct(count: u64) -> u64 {
    (0..count).fold(black_box(1), |x, _| step_called(x))
}

/// A call of that function through a trait object: its address is read from a vtable.
#[nanobench(name = "call through dyn")]
fn dynamic(count: u64) -> u64 {
    let object: &dyn Step = black_box(&Multiplied);
    (0..count).fold(black_box(1), |x, _| object.step(x))
}

/// A call of that function through a generic parameter: the compiler knows which one it is.
#[nanobench(name = "call through impl Trait")]
fn generic(count: u64) -> u64 {
    fn run(step: &impl Step, count: u64) -> u64 {
        (0..count).fold(black_box(1), |x, _| step.step(x))
    }
    run(&Multiplied, count)
}

/// A call of that function through a `fn(u64) -> u64`.
#[nanobench(name = "call through a function pointer")]
fn pointer(count: u64) -> u64 {
    let function: fn(u64) -> u64 = black_box(step_called);
    (0..count).fold(black_box(1), |x, _| function(x))
}

/// A closure that captures one number, through a `Box<dyn Fn>`.
#[nanobench(name = "call of a boxed closure")]
fn boxed_closure(count: u64) -> u64 {
    let factor = black_box(3);
    let closure: Box<dyn Fn(u64) -> u64> = black_box(Box::new(move |x| x.wrapping_mul(factor) + 1));
    (0..count).fold(black_box(1), |x, _| closure(x))
}

/// One call of a function that calls itself twice.
#[nanobench(name = "recursive call", batch = CALLS)]
fn recursive() -> u64 {
    fibonacci(black_box(DEPTH))
}

const DEPTH: u64 = 15;
const CALLS: u64 = calls(DEPTH);

trait Step {
    fn step(&self, x: u64) -> u64;
}

struct Multiplied;

impl Step for Multiplied {
    fn step(&self, x: u64) -> u64 {
        step(x)
    }
}

#[inline(always)]
fn step(x: u64) -> u64 {
    (x ^ 5).wrapping_mul(3)
}

#[inline(never)]
fn step_called(x: u64) -> u64 {
    step(x)
}

#[inline(never)]
fn fibonacci(n: u64) -> u64 {
    if n < 2 { n } else { fibonacci(n - 1) + fibonacci(n - 2) }
}

/// Returns how often [`fibonacci`] is called.
const fn calls(n: u64) -> u64 {
    if n < 2 { 1 } else { 1 + calls(n - 1) + calls(n - 2) }
}
