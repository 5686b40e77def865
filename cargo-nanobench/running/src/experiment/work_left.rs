//! The work that is left of a run, summed over its benchmarks.

use super::own_samples::OwnSamples;
use super::progress::Progress;
use std::time::Duration;

/// The work that is left of some benchmarks, with times in seconds.
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
        benchmarks.into_iter().map(of_one).fold(WorkLeft::default(), WorkLeft::plus)
    }

    fn plus(self, other: WorkLeft) -> WorkLeft {
        WorkLeft {
            this_launch: self.this_launch + other.this_launch,
            further_launch: self.further_launch + other.further_launch,
            planned: self.planned + other.planned,
            wall: self.wall + other.wall,
            calibration_time: self.calibration_time + other.calibration_time,
            calibrated: self.calibrated + other.calibrated,
            uncalibrated: self.uncalibrated + other.uncalibrated,
            paired: self.paired + other.paired,
        }
    }

    /// Returns the wall time of samples as a multiple of the planned time, by those so far.
    pub(super) fn pace(&self) -> f64 {
        if self.planned > 0.0 { self.wall / self.planned } else { 1.0 }
    }

    /// Estimates the wall time of the paired runs, each of which typically takes 0.9 s.
    pub(super) fn paired_time(&self) -> Duration {
        Duration::from_secs_f64(self.paired * 0.9)
    }

    /// Estimates the wall time of the samples, and of calibrations like those so far.
    pub(super) fn sampling_time(&self, launches_left: u64) -> Duration {
        let planned = self.this_launch + self.further_launch * launches_left as f64;
        let calibrations = self.calibration_time / self.calibrated.max(1.0) * self.uncalibrated;
        Duration::try_from_secs_f64(planned * self.pace() + calibrations).unwrap_or(Duration::MAX)
    }
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
        let busy = WorkLeft { this_launch: 7.0, planned: 1.0, wall: 6.0, ..WorkLeft::default() };
        let quiet = WorkLeft { planned: 2.0, wall: 3.0, ..WorkLeft::default() };
        assert_eq!(busy.plus(quiet).sampling_time(0).as_secs(), 21);
    }

    #[test]
    fn all_benchmarks_and_launches_add_up() {
        let of_one = |this_launch| WorkLeft { this_launch, further_launch: 3.0, ..WorkLeft::default() };
        let all = of_one(0.5).plus(of_one(4.0)).plus(of_one(0.0));
        assert_eq!(all.sampling_time(0), Duration::from_secs_f64(4.5));
        assert_eq!(all.sampling_time(2), Duration::from_secs_f64(22.5));
    }

    #[test]
    fn calibrations_take_as_long_as_those_before() {
        let before = WorkLeft { calibration_time: 0.5, calibrated: 1.0, ..WorkLeft::default() };
        let left = |uncalibrated| WorkLeft { this_launch: 6.0, uncalibrated, ..WorkLeft::default() };
        assert_eq!(left(4.0).sampling_time(0), Duration::from_secs(6), "nothing is known of them");
        assert_eq!(left(3.0).plus(before).sampling_time(0), Duration::from_secs_f64(7.5));
        assert_eq!(left(2.0).plus(before).plus(before).sampling_time(0), Duration::from_secs(7));
    }

    #[test]
    fn absurd_plans_do_not_overflow() {
        let years = WorkLeft { further_launch: 1e10, ..WorkLeft::default() };
        assert_eq!(years.sampling_time(u64::MAX), Duration::MAX);
    }
}
