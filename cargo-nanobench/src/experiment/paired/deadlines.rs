//! The points in time that limit paired runs.

use std::time::{Duration, Instant};

/// The time of benchmarks whose calls take long from which on it is announced.
pub(crate) const MIN_ANNOUNCED_TIME: Duration = Duration::from_secs(10);

/// The points in time that limit the paired runs of several benchmarks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadlines {
    /// From then on, the screening only continues for benchmarks without a first look.
    screening: Option<Instant>,
    /// Confirmations begin if their first look is before, and one in any case.
    pub(super) first_tests: Instant,
    /// All runs have to end by then.
    pub(super) end: Instant,
    /// It may be later for benchmarks whose calls take long.
    waits_for_slow: bool,
}

impl Deadlines {
    /// Returns the deadlines of runs that may take all of the time until `end`.
    pub(crate) fn at(end: Instant) -> Deadlines {
        Deadlines { screening: None, first_tests: end, end, waits_for_slow: false }
    }

    /// Returns the deadlines of runs that begin now and should take `time`, but may take until `end`
    /// if the machine is busy. Half of the time is for confirmations, which would otherwise begin after
    /// all that is noisy was screened for as long as it may take. `waits_for_slow`: benchmarks whose calls
    /// take long get more time.
    pub(crate) fn shared(time: Duration, end: Instant, waits_for_slow: bool) -> Deadlines {
        let begin = Instant::now();
        Deadlines { screening: Some(begin + time / 2), first_tests: begin + time, end, waits_for_slow }
    }

    /// Returns the deadlines of benchmarks whose calls take long, and which begin now and take about `time`.
    /// Disturbed ones may take longer, but not for long without an announcement.
    pub(super) fn waiting_for_slow(self, time: Duration) -> Deadlines {
        let needed = Instant::now() + MIN_ANNOUNCED_TIME.max(2 * time);
        if self.waits_for_slow { Deadlines { end: self.end.max(needed), ..self } } else { self }
    }

    /// Returns the time that each of this many runs may take, on average.
    pub(crate) fn share_of(&self, number: usize) -> Duration {
        let left = self.first_tests.saturating_duration_since(Instant::now());
        left / u32::try_from(number.max(1)).unwrap_or(u32::MAX)
    }

    /// Returns whether a screening continues at this time. `had_look`: whether it had its first look.
    pub(super) fn allow_screening(&self, now: Instant, had_look: bool) -> bool {
        !had_look || self.screening.is_none_or(|screening| now < screening)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn half_of_a_shared_time_is_for_confirmations_and_for_screenings_without_a_look() {
        let second = Duration::from_secs(1);
        let end = Instant::now() + 9 * second;
        let allow = |deadlines: &Deadlines, at: Duration| {
            [false, true].map(|had_look| deadlines.allow_screening(end - 9 * second + at, had_look))
        };
        let shared = Deadlines::shared(4 * second, end, true);
        assert_eq!(allow(&shared, second), [true, true]);
        assert_eq!(allow(&shared, 4 * second), [true, false]);
        assert_eq!(allow(&Deadlines::at(end), 4 * second), [true, true]);
    }
}
