//! Two builds side by side: the benchmarks that got slower or faster, with a bound on the error
//! over all of them.
//!
//! `block` runs fresh processes of both sides in turns, and `evidence` collects the results. `rule`
//! determines when they suffice and for which verdict. `runner` takes all benchmarks through these steps.

mod admission;
mod average;
mod average_pairs;
mod benchmark;
mod block;
mod block_log;
mod block_plan;
mod block_times;
mod calibration;
mod clusters;
mod core_probe;
mod deadlines;
mod effort;
mod error;
mod evidence;
mod file_use;
mod fresh_executables;
mod kept;
mod launch_groups;
mod launch_times;
mod outcome;
mod processes;
mod rule;
mod rules;
mod runner;
mod shared;
mod sharing;
mod state;
mod time_left;
mod turn_noise;
mod waiting;

pub(crate) use benchmark::{OwnSamples, PairedBenchmark, Side, is_slow, time_of_slow};
pub(crate) use deadlines::{Deadlines, MIN_ANNOUNCED_TIME};
pub(crate) use effort::{Effort, LAUNCHES_OF_OTHER_CODE, LAUNCHES_OF_SAME_CODE, LAUNCHES_OF_UNKNOWN_CODE};
pub(crate) use error::BlockError;
pub(crate) use kept::KeptRun;
pub(crate) use outcome::{
    Agreement, AverageChange, LayoutFindings, PairedDetails, PairedOutcome, Question, SlowLaunches,
};
pub(crate) use rules::Rules;
pub(crate) use runner::{Event, PairedRunner};
