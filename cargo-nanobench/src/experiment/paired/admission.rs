//! The benchmarks for which there is enough of a limited time.

use std::time::Duration;

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

#[cfg(test)]
mod tests {
    use super::*;
    use verdicts::{Effort, LAUNCHES_OF_OTHER_CODE, LAUNCHES_OF_SAME_CODE};

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
        let mut efforts = [Effort::Named { launches: LAUNCHES_OF_SAME_CODE }; 60];
        efforts[40] = Effort::Named { launches: LAUNCHES_OF_OTHER_CODE };
        let runs = efforts.map(|effort| effort.time_of_run(SECOND / 10, Duration::ZERO));
        assert_eq!(begin(runs, 60 * SECOND), 60);
        assert_eq!(begin(runs, 40 * SECOND), 47);
    }
}
