//! The benchmarks and confirmations for which there is enough of a limited time.

use std::time::Duration;

/// The time until the first tests of all confirmations, as a multiple of the time of their blocks.
/// The rest is for new layouts. For twelve kinds of work, it was 1.2 on average: 0.8 to 1.1 for most
/// of them, and up to 2.8 if few benchmarks were left.
const CONFIRMATION_MARGIN: f64 = 1.5;

/// The benchmarks whose first block has run.
#[derive(Default)]
pub(super) struct Begun {
    number: usize,
    /// Estimated time of their whole runs.
    time: Duration,
}

impl Begun {
    /// Adds a benchmark. `time`: the estimated time of its whole run.
    pub(super) fn add(&mut self, time: Duration) {
        self.number += 1;
        self.time += time;
    }

    /// Returns whether there is time to decide another benchmark. `time`: the time for all.
    pub(super) fn leave_time_for_another(&self, time: Duration) -> bool {
        let share = (self.number + 1) as f64 / self.number.max(1) as f64;
        self.time.as_secs_f64() * share <= time.as_secs_f64()
    }
}

/// The time that admitted confirmations take until their first tests.
#[derive(Debug)]
pub(super) struct ReservedTime {
    reserved: Duration,
    /// The time for all of them, if it is limited.
    limit: Option<Duration>,
}

impl ReservedTime {
    pub(super) fn new(limit: Option<Duration>) -> ReservedTime {
        ReservedTime { reserved: Duration::ZERO, limit }
    }

    /// Admits a confirmation whose blocks take this time until its first test, if there is enough
    /// left. The first one is admitted in any case. `has_layouts`: the executables get new layouts.
    pub(super) fn admit(&mut self, time_to_test: Duration, has_layouts: bool) -> bool {
        let margin = if has_layouts { CONFIRMATION_MARGIN } else { 1.0 };
        let with_this = self.reserved + time_to_test.mul_f64(margin);
        let is_admitted = self.reserved.is_zero() || self.limit.is_none_or(|limit| with_this <= limit);
        if is_admitted {
            self.reserved = with_this;
        }
        is_admitted
    }
}

#[cfg(test)]
mod tests {
    use super::super::effort::Effort;
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// Returns the number of benchmarks that begin if there is this time for all of them. `runs`:
    /// the times of their whole runs.
    fn begin(runs: impl IntoIterator<Item = Duration>, time: Duration) -> usize {
        let mut begun = Begun::default();
        for run in runs {
            if !begun.leave_time_for_another(time) {
                break;
            }
            begun.add(run);
        }
        begun.number
    }

    #[test]
    fn a_short_time_is_for_few_benchmarks() {
        let affordable = |each: Duration, time: Duration| begin(vec![each; 1_000], time);
        assert_eq!(affordable(SECOND, 10 * SECOND), 10);
        assert_eq!(affordable(SECOND * 2, 11 * SECOND), 5);
        assert_eq!(affordable(SECOND, 2_000 * SECOND), 1_000);
        assert_eq!(affordable(20 * SECOND, SECOND), 1, "one runs in any case");
    }

    #[test]
    fn a_benchmark_with_other_code_does_not_take_the_time_of_the_others() {
        let mut efforts = [Effort::Moderate; 60];
        efforts[40] = Effort::Thorough;
        let runs = efforts.map(|effort| effort.time_of_run(SECOND / 10, Duration::ZERO));
        assert_eq!(begin(runs, 60 * SECOND), 60);
        assert_eq!(begin(runs, 40 * SECOND), 47);
    }

    #[test]
    fn a_limited_time_is_reserved_for_the_confirmations_that_fit_and_one_in_any_case() {
        let admitted = |times: &[Duration], limit: Option<Duration>, has_layouts: bool| {
            let mut reserved = ReservedTime::new(limit);
            times.iter().map(|time| reserved.admit(*time, has_layouts)).collect::<Vec<_>>()
        };
        let times = [2 * SECOND, 4 * SECOND, 2 * SECOND, SECOND];
        assert_eq!(admitted(&times, None, true), [true; 4]);
        assert_eq!(admitted(&times, Some(6 * SECOND), true), [true, false, true, false]);
        assert_eq!(admitted(&times, Some(6 * SECOND), false), [true, true, false, false]);
        assert_eq!(admitted(&times, Some(SECOND), true), [true, false, false, false]);
    }
}
