//! The plan for the samples of a benchmark's blocks, and the sampling of one block.

use nanobench::model::ClockCalibration;
use std::time::Duration;
use verdicts::{LongLaunches, NextBlock};

/// Ratio of the intended time of samples to their real one beyond which they get longer.
const MIN_LENGTHENING: f64 = 2.5;

/// The plan for the samples of all blocks of a benchmark. It is the same for both sides, because
/// different numbers of iterations would bias the comparison.
#[derive(Debug, Clone)]
pub(super) struct BlockPlan {
    pub(super) iterations: u64,
    pub(super) count: u64,
    /// Largest number of results to keep at a time.
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
    /// That of the side that takes longer.
    pub(super) longest_sample_time: f64,
    /// Its intended time in ns. `None` once samples were compared with it, or if the number of iterations
    /// is given.
    pub(super) intended_sample_time: Option<f64>,
}

impl BlockPlan {
    /// Gives samples the intended time if those of the first block were far too short: the calibration
    /// timed the first calls, which may be far slower than later ones. Returns whether it did.
    /// `sample_time`: the typical one in ns of the side that takes longer.
    pub(super) fn lengthen_samples(&mut self, sample_time: f64) -> bool {
        let Some(intended) = self.intended_sample_time.take() else { return false };
        let factor = intended / sample_time;
        let is_far_too_short = factor.is_finite() && factor >= MIN_LENGTHENING;
        if is_far_too_short {
            self.iterations = (self.iterations as f64 * factor) as u64;
            self.sample_time = intended;
            self.longest_sample_time = intended;
        }
        is_far_too_short
    }

    /// Changes the plan for processes whose threads are busy while they wait. Turns of 10 ms are several time
    /// slices, so the system shares the cores among the threads of a process, as it does in a program.
    pub(super) fn suspend_waiting(&mut self) {
        self.suspends_waiting = true;
        self.is_single_threaded = false;
        self.samples_per_turn = ((10e6 / self.sample_time).ceil() as u64).max(1);
    }
}

/// The sampling of one block.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockSampling {
    /// Time for which all processes are sampled.
    pub(super) time: Duration,
    /// The long launches, if there are any.
    pub(super) long_launches: Option<LongLaunches>,
    /// The kind that the rule asks for.
    pub(super) kind: NextBlock,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_that_are_far_too_short_get_longer_once() {
        let after = |intended: Option<f64>, sample_times: [f64; 2]| {
            let mut plan = BlockPlan {
                iterations: 100,
                count: 1,
                max_kept_results: 1,
                warmup: 0,
                samples_per_turn: 2,
                clock: ClockCalibration::default(),
                is_single_threaded: true,
                suspends_waiting: false,
                sample_time: 5_000_000.0,
                longest_sample_time: 5_000_000.0,
                intended_sample_time: intended,
            };
            let changes = sample_times.map(|time| plan.lengthen_samples(time));
            (changes, plan.iterations, plan.sample_time)
        };
        let intended = Some(200_000.0);
        assert_eq!(after(intended, [10_000.0; 2]), ([true, false], 2_000, 200_000.0), "not 40,000");
        assert_eq!(after(intended, [100_000.0, 10.0]), ([false; 2], 100, 5_000_000.0), "the first block");
        assert_eq!(after(intended, [0.0, 10.0]), ([false; 2], 100, 5_000_000.0), "no time");
        assert_eq!(after(None, [10.0; 2]), ([false; 2], 100, 5_000_000.0), "a given number");
    }
}
