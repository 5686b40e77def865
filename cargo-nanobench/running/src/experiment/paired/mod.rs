//! Two builds side by side: the benchmarks that got slower or faster, with a bound on the error
//! over all of them.
//!
//! A `PairedRun` goes from block to block. `block` runs fresh processes of both sides in turns, and
//! cargo-nanobench-verdicts collects the results, and determines when they suffice and for which verdict.

mod average_pairs;
mod benchmark;
mod block;
mod block_log;
mod block_plan;
mod block_statistics;
mod calibration;
mod core_probe;
mod error;
mod fresh_executables;
mod launch_times;
mod one_at_a_time;
mod outcome;
mod processes;
mod run;
mod sharing;
mod turns;
mod waiting;

pub(crate) use benchmark::{OwnFacts, PairedBenchmark, Side, is_slow, time_of_slow};
pub(crate) use calibration::Calibrators;
pub(crate) use error::BlockError;
pub(crate) use outcome::PairedOutcome;
pub use outcome::{CodeBefore, KeptRun, LayoutFindings, PairedDetails};
pub(crate) use run::PairedRun;
pub(crate) use sharing::{ExecutablePair, Executables, Shared};
