//! The work that is left of a run, summed over its benchmarks.

use super::benchmark_state::BenchmarkState;
use super::pace::Pace;
use super::policy::ComparisonPolicy;
use super::side_by_side;
use std::time::Duration;

/// The work that is left of some benchmarks. A run of many keeps the sum and updates it with each
/// step: adding all of them up each time would take longer than their samples.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct WorkLeft {
    /// The planned time of the samples left in this launch, in seconds.
    this_launch: f64,
    /// The planned time of each further launch, in seconds.
    further_launch: f64,
    pace: Pace,
    /// The wall time of the calibrations so far, in seconds, their number, and that of others.
    calibration_time: f64,
    calibrated: f64,
    uncalibrated: f64,
    /// The number of benchmarks that need a paired run, if all are to be compared. Otherwise, the
    /// need shows only after the samples.
    paired: u32,
}

impl WorkLeft {
    /// Sums up the work that is left of benchmarks.
    pub(super) fn of<'a, 'b: 'a>(
        states: impl IntoIterator<Item = &'a BenchmarkState<'b>>,
        policy: &ComparisonPolicy,
    ) -> WorkLeft {
        let mut sum = WorkLeft::default();
        for state in states {
            let planned = Duration::try_from_secs_f64(state.sampling.plan.max_time / 1e9).unwrap_or_default();
            let left = state.sampling.planned_time_left().as_secs_f64();
            let calibration = state.sampling.calibration_time();
            sum.this_launch += left;
            sum.calibration_time += calibration.map_or(0.0, |time| time.as_secs_f64());
            sum.calibrated += f64::from(calibration.is_some());
            sum.uncalibrated += f64::from(calibration.is_none() && left > 0.0);
            sum.further_launch += planned.as_secs_f64();
            sum.pace += state.sampling.pace();
            sum.paired += u32::from(policy.runs_all_paired() && state.needs_paired_run(policy));
        }
        sum
    }

    /// Updates a sum after a step that some of its benchmarks took.
    pub(super) fn update(&mut self, before: WorkLeft, after: WorkLeft) {
        self.this_launch += after.this_launch - before.this_launch;
        self.calibration_time += after.calibration_time - before.calibration_time;
        self.calibrated += after.calibrated - before.calibrated;
        self.uncalibrated += after.uncalibrated - before.uncalibrated;
        self.pace -= before.pace;
        self.pace += after.pace;
        self.paired = (self.paired + after.paired).saturating_sub(before.paired);
    }

    /// Estimates the wall time of the paired runs.
    pub(super) fn paired_time(&self) -> Duration {
        side_by_side::TYPICAL_TIME * self.paired
    }

    /// Estimates the wall time of the samples, and of calibrations like those so far.
    pub(super) fn sampling_time(&self, launches_left: u64) -> Duration {
        // Rounding may leave less than nothing.
        let time = |seconds: f64| Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX);
        let planned = self.this_launch + self.further_launch * launches_left as f64;
        let calibrations = self.calibration_time / self.calibrated.max(1.0) * self.uncalibrated;
        self.pace.wall_time(time(planned)).saturating_add(time(calibrations))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_update_the_sum() {
        let of_one = |this_launch| WorkLeft { this_launch, further_launch: 3.0, ..WorkLeft::default() };
        let mut all = WorkLeft { this_launch: 6.0, further_launch: 9.0, ..WorkLeft::default() };
        all.update(of_one(2.0), of_one(0.5));
        assert_eq!(all.sampling_time(0), Duration::from_secs_f64(4.5));
        assert_eq!(all.sampling_time(2), Duration::from_secs_f64(22.5));
        all.update(of_one(5.0), of_one(0.0));
        assert_eq!(all.sampling_time(0), Duration::ZERO, "no less than nothing");
    }

    #[test]
    fn calibrations_take_as_long_as_those_before() {
        let of_one = WorkLeft { calibration_time: 0.5, calibrated: 1.0, ..WorkLeft::default() };
        let mut all = WorkLeft { this_launch: 6.0, uncalibrated: 4.0, ..WorkLeft::default() };
        assert_eq!(all.sampling_time(0), Duration::from_secs(6), "nothing is known of them");
        for left in [7.5, 7.0] {
            all.update(WorkLeft { uncalibrated: 1.0, ..WorkLeft::default() }, of_one);
            assert_eq!(all.sampling_time(0), Duration::from_secs_f64(left));
        }
    }

    #[test]
    fn absurd_plans_do_not_overflow() {
        let years = WorkLeft { further_launch: 1e10, ..WorkLeft::default() };
        assert_eq!(years.sampling_time(u64::MAX), Duration::MAX);
    }
}
