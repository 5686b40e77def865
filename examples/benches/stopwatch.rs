//! Timing by hand, where a benchmark does not fit: a `Stopwatch` has the same clock as the benchmarks, and what reading it
//! costs is taken out.

use std::hint::black_box;
use std::time::{Duration, Instant};

use nanobench::{Stopwatch, nanobench};

/// What it costs to start one and to look at it.
#[nanobench(baseline = instant)]
fn stopwatch() -> f64 {
    Stopwatch::start().elapsed_ns()
}

/// The same with the standard library's clock.
#[nanobench]
fn instant() -> Duration {
    Instant::now().elapsed()
}

/// Phases of a program, as one would time them: in the unit that suits each.
#[test]
fn phases() {
    let whole = Stopwatch::start();
    let loading = Stopwatch::start();
    let text = black_box(include_str!("../../LICENSE-APACHE")).to_lowercase();
    let loaded = loading.elapsed("us").expect("a unit that there is");

    let counting = Stopwatch::start();
    let words = text.split_whitespace().count();
    let counted: Duration = counting.elapsed_duration();

    println!(
        "read in {loaded:.1} us, counted {words} words in {counted:?}, all in {:.0} ns",
        whole.elapsed_ns()
    );
    assert!(words > 1_000);

    // Any other unit is an error that says which ones there are.
    let error = whole.elapsed("hours").expect_err("there is no such unit");
    println!("{error}");
}
