//! The work that is left of a run, summed over its benchmarks.

use super::own_samples::OwnSamples;
use super::progress::Progress;
use std::time::Duration;

/// The work that is left of some benchmarks, with times in seconds. A run of many keeps the sum and updates
/// it with each step: adding all of them up each time would take longer than their samples.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct WorkLeft {
    /// The planned time of the samples left in this launch.
    pub(super) this_launch: f64,
    /// The planned time of each further launch.
    pub(super) further_launch: f64,
    /// The time of the samples so far as it was planned, and their wall time: other programs on the cores
    /// slow a run down, but don't shorten its plan.
    pub(super) planned: f64,
    pub(super) wall: f64,
    /// The wall time of the calibrations so far, their number, and that of others.
    pub(super) calibration_time: f64,
    pub(super) calibrated: f64,
    pub(super) uncalibrated: f64,
    /// The number of benchmarks that need a paired run, if all are to be compared. Otherwise, the
    /// need shows only after the samples.
    pub(super) paired: f64,
}

impl WorkLeft {
    /// Sums up the work that is left of benchmarks.
    pub(super) fn of<'p, 'a: 'p>(benchmarks: impl IntoIterator<Item = &'p Progress<'a>>) -> WorkLeft {
        let of_one = |progress: &Progress<'_>| WorkLeft {
            paired: f64::from(progress.expects_paired_run()),
            ..progress.samples().map(OwnSamples::work_left).unwrap_or_default()
        };
        benchmarks.into_iter().fold(WorkLeft::default(), |sum, progress| sum.plus(1.0, &of_one(progress)))
    }

    /// Updates a sum after a step that some of its benchmarks took.
    pub(super) fn update(&mut self, before: WorkLeft, after: WorkLeft) {
        *self = self.plus(-1.0, &before).plus(1.0, &after);
    }

    fn plus(&self, factor: f64, other: &WorkLeft) -> WorkLeft {
        WorkLeft {
            this_launch: self.this_launch + factor * other.this_launch,
            further_launch: self.further_launch + factor * other.further_launch,
            planned: self.planned + factor * other.planned,
            wall: self.wall + factor * other.wall,
            calibration_time: self.calibration_time + factor * other.calibration_time,
            calibrated: self.calibrated + factor * other.calibrated,
            uncalibrated: self.uncalibrated + factor * other.uncalibrated,
            paired: self.paired + factor * other.paired,
        }
    }

    /// Returns the wall time of samples as a multiple of the planned time, by those so far.
    pub(super) fn pace(&self) -> f64 {
        if self.planned > 0.0 { self.wall / self.planned } else { 1.0 }
    }

    /// Estimates the wall time of the paired runs, each of which typically takes 0.9 s.
    pub(super) fn paired_time(&self) -> Duration {
        duration(self.paired * 0.9)
    }

    /// Estimates the wall time of the samples, and of calibrations like those so far.
    pub(super) fn sampling_time(&self, launches_left: u64) -> Duration {
        let planned = self.this_launch + self.further_launch * launches_left as f64;
        let calibrations = self.calibration_time / self.calibrated.max(1.0) * self.uncalibrated;
        duration(planned * self.pace() + calibrations)
    }
}

/// Returns a time in seconds. Rounding may leave less than nothing.
fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_the_pace_so_far() {
        let left = |planned, wall| {
            let work = WorkLeft { this_launch: 7.0, planned, wall, ..WorkLeft::default() };
            work.sampling_time(0).as_secs()
        };
        assert_eq!(left(0.0, 0.0), 7, "unknown");
        assert_eq!(left(1.0, 6.0), 42);
        let (mut both, quiet) = (
            WorkLeft { this_launch: 7.0, planned: 1.0, wall: 6.0, ..WorkLeft::default() },
            WorkLeft { planned: 2.0, wall: 3.0, ..WorkLeft::default() },
        );
        both.update(WorkLeft::default(), quiet);
        assert_eq!(both.sampling_time(0).as_secs(), 21);
    }

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
