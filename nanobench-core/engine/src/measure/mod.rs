//! The engine: from a benchmark function to samples. It calibrates, plans and samples, but never
//! prints.
//!
//! It has three layers, each of which uses only the layers below:
//!
//! - [`Plan`] and [`SamplingLoop`] decide how many samples to take and how long they are. They
//!   request samples from a [`Sampler`].
//! - `calibrate`, `sample` and `count` answer one request in this process, with the clock of an
//!   `Engine`.
//! - [`Bencher`] is the bare timed loop.

mod barrier;
mod bencher;
mod caches;
mod calibrate;
#[cfg(test)]
mod coarse_clock_tests;
mod comparison_groups;
mod count;
mod count_events;
mod counting;
mod coverage;
mod engine;
mod kept_values;
mod plan;
mod preparation;
mod reference;
mod request;
mod sample;
mod sampling_loop;
mod segment_hooks;
mod stack;
mod time_control;
mod timed_code;
mod waiting;

pub(crate) use bencher::ClosureState;
use bencher::Timing;
pub use bencher::{Bencher, Segment};
pub(crate) use caches::Caches;
pub(crate) use calibrate::calibrate;
pub use comparison_groups::comparison_groups;
pub(crate) use count::count;
pub(crate) use count_events::count_timed;
pub(crate) use counting::Counting;
pub(crate) use engine::Engine;
pub use plan::Plan;
pub(crate) use preparation::Preparation;
pub(crate) use reference::STORED_LINKS as REFERENCE_LINKS;
pub use request::{Calibration, CalibrationRequest, CountRequest, SampleBatch, SampleRequest, Sampler};
pub(crate) use sample::{sample, sample_after};
pub use sampling_loop::SamplingLoop;
pub use time_control::TimeControl;
pub use timed_code::TimedCode;

/// The origin of the `count` that a benchmark function gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// The function takes no count: an iteration is one operation.
    None,
    /// The harness finds a good count.
    Auto,
    /// The attribute fixes it: `count = N`.
    Fixed(u64),
}
