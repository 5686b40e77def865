//! The engine: from a benchmark function to samples. Calibrates, plans, samples; never prints.
//!
//! Three layers, each of which knows only the one below: the plan (how many samples, how long), the engine (one
//! calibration, one sample), the run (the bare timed loop).

mod around;
mod caches;
mod calibrate;
mod count;
mod counting;
mod engine;
mod orders;
mod plan;
mod reference;
mod run;
mod teams;
mod threads;
mod time_control;

pub(crate) use caches::Caches;
pub(crate) use counting::Counting;
pub(crate) use engine::Engine;
pub use orders::{Calibrate, Calibration, Sampler, Take, Taken};
pub use plan::{Course, Plan};
pub use reference::CYCLES as REFERENCE_CYCLES;
pub use run::Run;
pub use teams::teams;
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
