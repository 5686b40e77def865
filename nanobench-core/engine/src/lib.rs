//! The engine, the harness and the reports of `nanobench-core`, which re-exports what users need.
//!
//! Not for direct use: all items may change in any release.
//!
//! `cargo nanobench` compiles this crate without optimisation, in a third of the time. So nothing in
//! it may be timed, or be called by timed code, unless it is generic or `#[inline]`: the crate that
//! calls it compiles it then. The timed code of the engine itself is compiled by `nanobench-core`
//! ([`measure::TimedCode`]).

// Items for generated code. They are not part of the stable interface.
#[doc(hidden)]
pub mod __private;

// Modules for cargo-nanobench. They are not part of the stable interface.
#[doc(hidden)]
pub mod complexity;
#[doc(hidden)]
pub mod configuration;
#[doc(hidden)]
pub mod doubt;
#[doc(hidden)]
pub mod json;
#[doc(hidden)]
pub mod measure;
#[doc(hidden)]
pub mod model;
#[doc(hidden)]
pub mod options;
#[doc(hidden)]
pub mod protocol;
#[doc(hidden)]
pub mod report;
#[cfg(feature = "serde")]
#[doc(hidden)]
pub mod serialize;
#[doc(hidden)]
pub mod spelling;
#[doc(hidden)]
pub mod stats;
#[doc(hidden)]
pub mod summary;

mod alloc;
mod bench;
mod counters;
mod debugger;
mod fitness;
mod fixture;
mod harness;
mod option_table;
mod record;
mod registry;
mod rng;
mod stopwatch;
mod text;
mod time;

pub use alloc::{Alloc, heap_size_of};
#[doc(hidden)]
pub use bench::stored;
pub use bench::{
    Bench, BenchResult, BenchStyle, BigO, Column, Compare, ComparedTimes, ComplexityFits, Measure,
    RenderError, WithSetup, do_not_optimize_away, templates,
};
pub use fixture::fixture;
pub use measure::TimeControl;
pub use rng::Rng;
pub use stopwatch::{Stopwatch, UnknownUnit};
