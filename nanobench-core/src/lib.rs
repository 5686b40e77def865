//! Microbenchmarks with one attribute and nothing to set up.
//!
//! Add this crate as a dev-dependency, mark functions in `benches/*.rs` (or, under `#[cfg(test)]`, beside private
//! functions in `src/`), and run `cargo nanobench`:
//!
//! ```
//! use nanobench::{TimeControl, nanobench};
//! use std::hint::black_box;
//!
//! /// Joining two short strings.
//! #[nanobench]
//! fn concat() -> String {
//!     ["left", black_box("right")].concat()
//! }
//!
//! /// A loop that is part of what is measured: the figure is per operation, whatever the count.
//! #[nanobench(count = 1_000)]
//! fn remove(count: usize, tc: &mut TimeControl) {
//!     tc.pause();
//!     let mut map: std::collections::HashMap<_, _> = (0..count).map(|i| (i, i.to_string())).collect();
//!     tc.resume();
//!     for i in 0..count {
//!         black_box(map.remove(&i));
//!     }
//! }
//! ```
//!
//! No `[[bench]]` entry and no `harness = false` is needed: each marked function is also a `#[test]`, so that
//! `cargo test` runs it once to see that it works, and `cargo nanobench` finds its way in. Where a bench target has
//! `harness = false`, [`main!`] gives it its `main`, and plain `cargo bench` prints the table too.
//!
//! What a function returns is kept from the optimiser and dropped outside the timing. What it takes is told by type:
//! a `count` (`u64`, `u32` or `usize`) to loop over, a `&mut` [`TimeControl`] to leave parts out, and a value that
//! `setup` makes outside the timing. See [`nanobench`](macro@nanobench) for all of the attribute.
//!
//! # For tools
//!
//! The other modules are what `cargo nanobench` is made of: data ([`model`]), the engine ([`measure`]), figures
//! ([`stats`], [`summary`], [`complexity`]), their text ([`report`]), the [`protocol`] between it and a process that holds
//! benchmarks, and the [`json`] that it is made of. They follow the needs of that tool.

#[doc(hidden)]
pub mod __private;
mod alloc;
pub mod complexity;
mod counters;
mod fixture;
mod harness;
pub mod json;
pub mod measure;
pub mod model;
pub mod protocol;
mod record;
mod registry;
pub mod report;
mod rng;
pub mod stats;
mod stopwatch;
pub mod summary;
mod time;

pub use alloc::{Alloc, heap_size_of};
pub use fixture::fixture;
pub use measure::TimeControl;
pub use nanobench_macros::nanobench;
pub use rng::Rng;
pub use stopwatch::{Stopwatch, UnknownUnit};

/// Gives a bench target with `harness = false` its `main`.
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
/// `cargo nanobench` treats it like any other target. `cargo bench` prints a table, `cargo test` and nextest run each
/// benchmark once.
#[macro_export]
macro_rules! main {
    () => {
        fn main() -> ::std::process::ExitCode {
            $crate::__private::main("\u{1}nanobench:main\u{2}")
        }
    };
}
