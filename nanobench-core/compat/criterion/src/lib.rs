//! Runs benchmarks that were written for criterion with nanobench. Their sources stay as they are:
//!
//! ```toml
//! [dev-dependencies]
//! criterion = { package = "nanobench-criterion", version = "0.1" }
//! ```
//!
//! `cargo nanobench` then measures, compares and reports them like its own benchmarks, and `cargo
//! bench` prints a table. The items are those of criterion 0.3 to 0.8, whose documentation describes
//! them. Settings of times, samples, statistics and plots are accepted without effect.
//!
//! # Features
//!
//! All features of criterion exist. There are two more:
//!
//! - `criterion-0_3`: `retain_baseline` has one argument, as in criterion 0.3.
//! - `regex`: [`BenchmarkFilter`] has the variant `Regex`, and filters in the code may have groups and
//!   classes.

#![expect(missing_docs, reason = "criterion's documentation describes the items")]

pub mod async_executor;
pub mod measurement;
pub mod profiler;

// Not public: items for the macros.
#[doc(hidden)]
pub mod __private;

mod arguments;
mod async_bencher;
mod bencher;
mod benchmark;
mod benchmark_group;
mod benchmark_id;
mod criterion;
mod filter;
mod macros;
mod options;

pub use async_bencher::AsyncBencher;
pub use bencher::Bencher;
pub use benchmark::{Benchmark, BenchmarkDefinition, Fun, ParameterizedBenchmark};
pub use benchmark_group::BenchmarkGroup;
pub use benchmark_id::BenchmarkId;
pub use criterion::{Criterion, runner};
pub use filter::BenchmarkFilter;
pub use options::{
    AxisScale, Baseline, BatchSize, PlotConfiguration, PlottingBackend, SamplingMode, Throughput,
};
pub use std::hint::black_box;
