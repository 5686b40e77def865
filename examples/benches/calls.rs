//! Measures the overhead of calls, after the first table of MeasureIt's usage guide. A call takes
//! about a nanosecond, so each function loops. The figures include the loop and `black_box`;
//! `loop_alone` measures these separately.

use std::hint::black_box;

use nanobench::nanobench;

trait Shape {
    fn area(&self, scale: u64) -> u64;
}

struct Square(u64);
struct Circle(u64);

impl Shape for Square {
    fn area(&self, scale: u64) -> u64 {
        self.0 * self.0 * scale
    }
}

impl Shape for Circle {
    fn area(&self, scale: u64) -> u64 {
        self.0 * self.0 * scale * 355 / 113
    }
}

/// Contains a `black_box`: the compiler omits calls without an effect, even if they are not
/// inlined.
#[inline(never)]
fn empty() {
    black_box(());
}

#[inline(never)]
fn five_arguments(a: u64, b: u64, c: u64, d: u64, e: u64) -> u64 {
    black_box(a ^ b ^ c ^ d ^ e)
}

/// Runs the loop of the other benchmarks.
#[nanobench]
fn loop_alone(count: u64) {
    for i in 0..count {
        black_box(i);
    }
}

/// Calls a function that does nothing.
#[nanobench]
fn empty_function(count: u64) {
    for i in 0..count {
        black_box(i);
        empty();
    }
}

/// Calls a function with five arguments.
#[nanobench]
fn function_with_five_arguments(count: u64) {
    for i in 0..count {
        five_arguments(i, 2, 3, 4, 5);
    }
}

/// Calls a method of a known type, which the compiler inlines.
#[nanobench]
fn method(count: u64) {
    let square = black_box(Square(3));
    for i in 0..count {
        black_box(square.area(i));
    }
}

/// Calls a method through a trait object.
#[nanobench]
fn virtual_method(count: u64) {
    let shape: &dyn Shape = black_box(&Square(3));
    for i in 0..count {
        black_box(shape.area(i));
    }
}

/// Calls a method of trait objects of alternating types.
#[nanobench]
fn virtual_method_of_two_types(count: usize) {
    let shapes: [&dyn Shape; 2] = black_box([&Square(3), &Circle(3)]);
    for i in 0..count {
        black_box(shapes[i % 2].area(i as u64));
    }
}
