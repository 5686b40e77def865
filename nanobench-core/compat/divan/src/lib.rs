//! Runs benchmarks that were written for [divan](https://docs.rs/divan), unchanged, with the engine of
//! `nanobench-core`. The sources stay as they are, and one line of `Cargo.toml` changes:
//!
//! ```toml
//! [dev-dependencies]
//! divan = { package = "nanobench-divan", version = "0.1" }
//! ```
//!
//! `cargo bench` then prints a table of `nanobench-core`, and `cargo nanobench` measures, saves and
//! compares the benchmarks like its own. Public items are those of divan 0.1.21, whose documentation
//! describes them. Settings of the length of a run never make one longer.

// Items for the code that the attributes generate. They are not part of the stable interface.
#[doc(hidden)]
pub mod __private;

mod amounts;
mod bencher;
pub mod counter;
mod runner;

pub use bencher::Bencher;
pub use nanobench_divan_macros::{bench, bench_group};
#[doc(no_inline)]
pub use nanobench_engine::Alloc as AllocProfiler;
pub use runner::Divan;
pub use std::hint::black_box;

/// The items that most suites import.
pub mod prelude {
    pub use crate::{AllocProfiler, Bencher, Divan, bench, bench_group, black_box, black_box_drop};
}

/// Runs all benchmarks, by the arguments of the process.
#[inline]
pub fn main() {
    Divan::from_args().main();
}

/// Drops a value that is kept from the optimiser.
#[inline]
pub fn black_box_drop<T>(dummy: T) {
    drop(black_box(dummy));
}
