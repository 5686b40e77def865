//! The engine: from a benchmark function to samples. Calibrates, plans, samples; never prints.
//!
//! Three layers, each of which knows only the one below: the plan (how many samples, how long), the engine (one
//! calibration, one sample), the run (the bare timed loop).

mod bencher;
mod caches;
mod calibrate;
mod comparison_groups;
mod count;
mod counting;
mod engine;
mod plan;
mod reference;
mod request;
mod segment_hooks;
mod threads;
mod time_control;

pub use bencher::Bencher;
pub(crate) use caches::Caches;
pub use comparison_groups::comparison_groups;
pub(crate) use counting::Counting;
pub(crate) use engine::Engine;
pub use plan::{Plan, SamplingLoop};
pub use reference::CYCLES as REFERENCE_CYCLES;
pub use request::{Calibration, CalibrationRequest, SampleBatch, SampleRequest, Sampler};
pub use time_control::TimeControl;

/// How a benchmark function gets its `count`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// It takes none: an iteration is one operation.
    None,
    /// The harness finds a good one.
    Auto,
    /// `count = N` of the attribute.
    Fixed(u64),
}
