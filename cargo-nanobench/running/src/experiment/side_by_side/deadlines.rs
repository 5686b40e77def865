//! The points in time that limit paired runs, and the benchmarks for which there is enough of it.

use std::time::{Duration, Instant};
use verdicts::NOT_SAME;

/// The time of benchmarks whose calls take long from which on it is announced.
pub(super) const MIN_ANNOUNCED_TIME: Duration = Duration::from_secs(10);

/// The points in time that limit the paired runs of several benchmarks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deadlines {
    /// From then on, only those benchmarks go on that were not looked at yet, or for whose change more
    /// speaks than against it.
    unsuspicious: Instant,
    /// From then on, only the former.
    usual: Instant,
    /// All runs have to end by then.
    pub(super) end: Instant,
    /// It may be later for benchmarks whose calls take long.
    waits_for_slow: bool,
}

impl Deadlines {
    /// Returns the deadlines of runs that may take all of the time until `end`.
    pub(super) fn at(end: Instant) -> Deadlines {
        Deadlines { unsuspicious: end, usual: end, end, waits_for_slow: false }
    }

    /// Returns the deadlines of runs that begin now and should take `time`, but may take until `end`
    /// if the machine is busy. Half of the time is for changes, or all that is noisy would take as long as it
    /// may. `waits_for_slow`: benchmarks whose calls take long get more time.
    pub(super) fn shared(time: Duration, end: Instant, waits_for_slow: bool) -> Deadlines {
        let begin = Instant::now();
        Deadlines { unsuspicious: begin + time / 2, usual: begin + time, end, waits_for_slow }
    }

    /// Returns the deadlines of benchmarks whose calls take long, and which begin now and take about `time`.
    /// Disturbed ones may take longer, but not for long without an announcement.
    pub(super) fn waiting_for_slow(self, time: Duration) -> Deadlines {
        let needed = Instant::now() + MIN_ANNOUNCED_TIME.max(2 * time);
        if self.waits_for_slow { Deadlines { end: self.end.max(needed), ..self } } else { self }
    }

    /// Returns the time that each of this many runs may take, on average.
    pub(super) fn share_of(&self, number: usize) -> Duration {
        let left = self.usual.saturating_duration_since(Instant::now());
        left / u32::try_from(number.max(1)).unwrap_or(u32::MAX)
    }

    /// Returns whether a run goes on at this time. `had_look`: whether it was looked at; `log_evidence`: the
    /// logarithm of the evidence of a change, if more speaks for one than against it, or 0.
    pub(super) fn allow(&self, now: Instant, had_look: bool, log_evidence: f64) -> bool {
        let end = match log_evidence {
            _ if !had_look => self.end,
            log_evidence if log_evidence >= NOT_SAME.ln() => self.end,
            log_evidence if log_evidence > 0.0 => self.usual,
            _ => self.unsuspicious,
        };
        now < end
    }
}

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

    #[test]
    fn calls_that_take_long_may_take_more_time_than_was_shared() {
        let second = Duration::from_secs(1);
        let left = |may_wait: bool, time: Duration| {
            let deadlines = Deadlines::shared(second, Instant::now() + 2 * second, may_wait);
            deadlines
                .waiting_for_slow(time)
                .end
                .saturating_duration_since(Instant::now())
                .as_secs_f64()
                .round()
        };
        assert_eq!([left(true, second), left(true, 30 * second), left(false, second)], [10.0, 60.0, 2.0]);
    }

    #[test]
    fn half_of_a_shared_time_is_for_changes() {
        let second = Duration::from_secs(1);
        let begin = Instant::now();
        let end = begin + 9 * second;
        let [usual, unsuspicious] = [begin + 4 * second, begin + 2 * second];
        let shared = Deadlines { unsuspicious, usual, end, waits_for_slow: true };
        let last_second = |deadlines: Deadlines, had_look: bool, evidence: f64| {
            (0..=9).rev().find(|&at| deadlines.allow(begin + at * second, had_look, evidence.ln()))
        };
        assert_eq!(last_second(shared, true, 1.0), Some(1), "nothing speaks for a change");
        assert_eq!(last_second(shared, true, 2.0), Some(3));
        assert_eq!(last_second(shared, true, NOT_SAME), Some(8));
        assert_eq!(last_second(shared, false, 1.0), Some(8), "nobody has looked at it");
        assert_eq!(last_second(Deadlines::at(end), true, 1.0), Some(8));
    }
}
