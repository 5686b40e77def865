//! The plan for the samples of a benchmark's blocks, and the sampling of one block.

use nanobench::model::ClockCalibration;
use std::time::Duration;

/// Length in ns of a turn of a process with busy threads: several time slices of the system.
const LONG_TURN: f64 = 10_000_000.0;
/// Ratio of the intended length of samples to their real one beyond which later blocks have longer
/// ones. It is above that of a candidate much faster than the baseline.
const MIN_LENGTHENING: f64 = 2.5;

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
    /// Its intended time in ns. `None` once it was compared with the real one, or if the number of
    /// iterations is given.
    pub(super) intended_sample_time: Option<f64>,
}

impl BlockPlan {
    /// Gives samples the intended length, once, if those of the first block were much shorter. The
    /// calibration timed the first calls, which may be far slower than later ones. `sample_time`: the
    /// average time of a sample, with all that is not timed.
    pub(super) fn lengthen_samples(&mut self, sample_time: Duration) {
        let Some(intended) = self.intended_sample_time.take() else { return };
        let factor = intended / (sample_time.as_secs_f64() * 1e9);
        if factor.is_finite() && factor >= MIN_LENGTHENING {
            self.iterations = (self.iterations as f64 * factor) as u64;
            self.sample_time *= factor;
        }
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(intended_sample_time: Option<f64>) -> BlockPlan {
        BlockPlan {
            iterations: 100,
            count: 1,
            max_kept_results: 1,
            warmup: 0,
            samples_per_turn: 2,
            clock: ClockCalibration::default(),
            is_single_threaded: true,
            suspends_waiting: false,
            sample_time: 200_000.0,
            intended_sample_time,
        }
    }

    #[test]
    fn samples_that_are_far_too_short_get_longer_once() {
        let iterations_after = |intended, micros: [u64; 2]| {
            let mut plan = plan(intended);
            micros.into_iter().for_each(|micros| plan.lengthen_samples(Duration::from_micros(micros)));
            plan.iterations
        };
        assert_eq!(iterations_after(Some(200_000.0), [10, 10]), 2_000, "20 times, not 400");
        assert_eq!(iterations_after(Some(200_000.0), [100, 10]), 100, "the first block alone counts");
        assert_eq!(iterations_after(Some(200_000.0), [0, 10]), 100, "no time is no length");
        assert_eq!(iterations_after(None, [10, 10]), 100, "a given number stays");
    }
}
