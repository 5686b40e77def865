//! The points in time that limit paired runs.

use std::time::{Duration, Instant};

/// The points in time that limit the paired runs of several benchmarks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadlines {
    /// From then on, the screening only continues for benchmarks without a first look.
    screening: Option<Instant>,
    /// Confirmations begin if their first look is before, and one in any case.
    pub(super) first_tests: Instant,
    /// All runs have to end by then.
    pub(super) end: Instant,
}

impl Deadlines {
    /// Returns the deadlines of runs that may take all of the time until `end`.
    pub(crate) fn at(end: Instant) -> Deadlines {
        Deadlines { screening: None, first_tests: end, end }
    }

    /// Returns the deadlines of runs that begin now and should take `time`, but may take until `end`
    /// if the machine is busy. Half of the time is for confirmations, which would otherwise begin after
    /// all that is noisy was screened for as long as it may take.
    pub(crate) fn shared(time: Duration, end: Instant) -> Deadlines {
        let begin = Instant::now();
        Deadlines { screening: Some(begin + time / 2), first_tests: begin + time, end }
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
    fn half_of_a_shared_time_is_for_confirmations_and_for_screenings_without_a_look() {
        let second = Duration::from_secs(1);
        let end = Instant::now() + 9 * second;
        let allow = |deadlines: &Deadlines, at: Duration| {
            [false, true].map(|had_look| deadlines.allow_screening(end - 9 * second + at, had_look))
        };
        let shared = Deadlines::shared(4 * second, end);
        assert_eq!(allow(&shared, second), [true, true]);
        assert_eq!(allow(&shared, 4 * second), [true, false]);
        assert_eq!(allow(&Deadlines::at(end), 4 * second), [true, true]);
    }
}
