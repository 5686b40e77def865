//! Microbenchmarks that need one attribute and no configuration.
//!
//! This crate holds the attribute, and the subcommand `cargo nanobench` (crate `cargo-nanobench`)
//! runs the benchmarks. Add this crate to the development dependencies, and mark functions in
//! `benches/*.rs`, or next to private functions in a `#[cfg(test)]` module of `src/`:
//!
//! ```
//! use nanobench::{TimeControl, nanobench};
//! use std::collections::HashMap;
//! use std::hint::black_box;
//!
//! /// Joins two short strings.
//! #[nanobench]
//! fn concat() -> String {
//!     ["left", black_box("right")].concat()
//! }
//!
//! /// Loops over the measured operation. The result is the time of one operation.
//! #[nanobench(count = 1_000)]
//! fn remove(count: usize, tc: &mut TimeControl) {
//!     tc.pause();
//!     let mut map: HashMap<_, _> = (0..count).map(|i| (i, i.to_string())).collect();
//!     tc.resume();
//!     for i in 0..count {
//!         black_box(map.remove(&i));
//!     }
//! }
//! ```
//!
//! `cargo nanobench` measures them, prints a table, and compares the results with the previous run.
//! You don't need a `[[bench]]` section or `harness = false`: each benchmark is also a `#[test]`,
//! so `cargo test` checks that it runs. If a bench target has `harness = false` anyway, add
//! [`main!`] to it. Then `cargo bench` prints a table, too.
//!
//! # Writing benchmarks
//!
//! The value that a function returns is kept from the optimiser and dropped outside the timing. A
//! function may have these parameters:
//!
//! - a `count` (`u64`, `u32` or `usize`), to loop over an operation that is too short to time alone
//! - a `&mut` [`TimeControl`], to exclude parts of the function from the timing
//! - inputs that the options `setup`, `args` and `fixture` create outside the timing
//!
//! [`#[nanobench]`](macro@nanobench) documents the whole attribute.
//!
//! # Benchmarks called from code
//!
//! [`Bench`] measures closures in a `main` function of your own, with the same engine.
//!
//! # Tools for benchmarks
//!
//! - [`Rng`]: fast random numbers for inputs
//! - [`fixture`]: a value that is created once per process and shared by benchmarks
//! - [`Alloc`]: an allocator that counts, so that reports show allocations
//! - [`heap_size_of`]: the size of a value on the heap
//! - [`Stopwatch`]: a stopwatch for other code
//!
//! # Features
//!
//! - `rand_core` implements that crate's traits for [`Rng`].
//!
//! # Semantic versioning
//!
//! The items in this documentation are the stable interface. Public items that it hides serve
//! `cargo nanobench` and the code that the macros generate. They may change in any release.

// Items for generated code. They are not part of the stable interface.
#[doc(hidden)]
pub mod __private;

mod block_on;

// Modules for cargo-nanobench. They are not part of the stable interface.
#[doc(hidden)]
pub use nanobench_engine::{
    complexity, configuration, doubt, json, measure, model, options, protocol, report, spelling, stats,
    stored, summary,
};

#[cfg(feature = "serde")]
#[doc(hidden)]
pub use nanobench_engine::serialize;

#[doc(inline)]
pub use nanobench_engine::{
    Alloc, Bench, BenchResult, BenchStyle, BigO, Column, Compare, ComparedTimes, ComplexityFits, Measure,
    RenderError, Rng, Stopwatch, TimeControl, UnknownUnit, WithSetup, do_not_optimize_away, fixture,
    heap_size_of, templates,
};
pub use nanobench_macros::nanobench;

/// Defines the `main` function of a bench target that has `harness = false`.
///
/// ```toml
/// [[bench]]
/// name = "first"
/// harness = false
/// ```
///
/// ```no_run
/// #[nanobench::nanobench]
/// fn concat() -> String {
///     ["left", "right"].concat()
/// }
///
/// nanobench::main!();
/// ```
///
/// `cargo nanobench` treats the target like any other. `cargo bench` prints a table, and `cargo
/// test` and nextest run each benchmark once.
#[macro_export]
macro_rules! main {
    () => {
        fn main() -> ::std::process::ExitCode {
            $crate::__private::main("\u{1}nanobench:main\u{2}")
        }
    };
}

/// The examples of the page on [`Bench`] are tested with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../docs/reference/bench.md")]
struct BenchInCode;
