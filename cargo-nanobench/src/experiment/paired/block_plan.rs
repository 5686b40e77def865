//! The plan for the samples of a benchmark's blocks, and the sampling of one block.

use nanobench::model::ClockCalibration;
use std::time::Duration;

/// Length in ns of a turn of a process with busy threads: several time slices of the system.
const LONG_TURN: f64 = 10_000_000.0;

/// The plan for the samples of all blocks of a benchmark. It is the same for both sides, because
/// different numbers of iterations would bias the comparison.
#[derive(Debug, Clone)]
pub(super) struct BlockPlan {
    pub(super) iterations: u64,
    pub(super) count: u64,
    pub(super) max_kept_results: u64,
    /// Calls before the first sample.
    pub(super) warmup: u64,
    pub(super) samples_per_turn: u64,
    /// The clock and its costs, as one process calibrated them. All other processes adopt them.
    pub(super) clock: ClockCalibration,
    /// Neither side uses several threads, so that one core suffices.
    pub(super) is_single_threaded: bool,
    /// Processes are suspended while they wait for their turns, because their threads would be
    /// busy.
    pub(super) suspends_waiting: bool,
    /// Time of a sample in ns.
    pub(super) sample_time: f64,
}

impl BlockPlan {
    /// Changes the plan for processes whose threads are busy while they wait. The turns get so long
    /// that the system shares the cores among the threads of a process, as it does in a program.
    pub(super) fn suspend_waiting(&mut self) {
        self.suspends_waiting = true;
        self.is_single_threaded = false;
        self.samples_per_turn = ((LONG_TURN / self.sample_time).ceil() as u64).max(1);
    }
}

/// The sampling of one block.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockSampling {
    /// Time for which all processes are sampled.
    pub(super) time: Duration,
    /// The long launches, if there are any.
    pub(super) long_launches: Option<LongLaunches>,
    /// Nothing but the number of slow launches counts.
    pub(super) only_adds_launches: bool,
}

/// Launches that are sampled for longer than usual, so that calls are seen that are expensive less
/// often than once in the usual time.
#[derive(Debug, Clone, Copy)]
pub(super) struct LongLaunches {
    /// Number of pairs of a block whose launches are long.
    pub(super) pairs: usize,
    /// Time for which each of them is sampled.
    pub(super) time: Duration,
}
