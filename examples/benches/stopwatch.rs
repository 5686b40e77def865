//! Measures time without a benchmark. A `Stopwatch` uses the clock of the benchmarks and subtracts
//! the overhead of reading it.

use std::hint::black_box;
use std::time::{Duration, Instant};

use nanobench::{Stopwatch, nanobench};

/// Starts and reads a stopwatch.
#[nanobench(baseline = instant)]
fn stopwatch() -> f64 {
    Stopwatch::start().elapsed_ns()
}

/// Starts and reads the clock of the standard library.
#[nanobench]
fn instant() -> Duration {
    Instant::now().elapsed()
}

/// Measures the phases of a program, each in a suitable unit.
#[test]
fn phases() {
    let total = Stopwatch::start();
    let loading = Stopwatch::start();
    let text = black_box(include_str!("../../LICENSE-APACHE")).to_lowercase();
    let loaded = loading.elapsed("us").expect("`us` is a unit");

    let counting = Stopwatch::start();
    let words = text.split_whitespace().count();
    let counted: Duration = counting.elapsed_duration();

    println!(
        "read in {loaded:.1} us, counted {words} words in {counted:?}, all in {:.0} ns",
        total.elapsed_ns()
    );
    assert!(words > 1_000);

    // The error of an unknown unit lists the units.
    let error = total.elapsed("hours").expect_err("`hours` is not a unit");
    println!("{error}");
}
