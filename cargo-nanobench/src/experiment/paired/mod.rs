//! Two builds side by side: the benchmarks that got slower or faster, with a bound on the error
//! over all of them.
//!
//! `block` runs fresh processes of both sides in turns, and `evidence` collects the results. `rule`
//! determines when they suffice and for which verdict. `runner` takes all benchmarks through these steps.

mod admission;
mod average_pairs;
mod benchmark;
mod block;
mod block_log;
mod block_plan;
mod block_times;
mod calibration;
mod core_probe;
mod deadlines;
mod error;
mod file_use;
mod fresh_executables;
mod kept;
mod launch_times;
mod outcome;
mod processes;
mod runner;
mod shared;
mod sharing;
mod state;
mod turn_noise;
mod waiting;

pub(crate) use benchmark::{OwnSamples, PairedBenchmark, Side, is_slow, time_of_slow};
pub(crate) use deadlines::{Deadlines, MIN_ANNOUNCED_TIME};
pub(crate) use error::BlockError;
pub(crate) use kept::KeptRun;
pub(crate) use outcome::{LayoutFindings, PairedDetails, PairedOutcome};
pub(crate) use runner::{Event, PairedRunner};
