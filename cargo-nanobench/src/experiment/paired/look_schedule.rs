//! The looks at the evidence of a confirmation, scheduled before it begins.

use super::evidence::MIN_PAIRS;
use super::outcome::Question;
use super::recurrence;
use super::rules::TimeLimits;
use crate::experiment::verdict::Verdict;
use nanobench_statistics as stats;
use std::time::Duration;

/// Probability of any reported change in a suite in which nothing changed.
const FAMILY_ERROR_RATE: f64 = 0.01;
/// Minimum number of looks of a confirmation, regardless of their time, while the benchmark looks
/// different.
const MIN_LOOKS: u32 = 3;
const MAX_LOOKS: u32 = 8;

/// The looks of a confirmation.
#[derive(Debug, Clone)]
pub(super) struct LookSchedule {
    looks: Vec<Look>,
    /// The number of looks so far, with those that were left out.
    done: usize,
    /// Time of the confirmation, and the number of pairs for which it suffices. Later looks are only
    /// for benchmarks that still look different.
    time: Duration,
    affordable_pairs: usize,
    pub(super) limits: TimeLimits,
    /// The changes that the looks so far have confirmed, by question. They stay so, because each
    /// look has its own share of the error rate.
    pub(super) confirmed: [Option<Verdict>; Question::ALL.len()],
}

/// The way in which the looks share the error rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Levels {
    /// Each level is twice the one before: the early looks, which only large changes pass, use little
    /// of the error rate, and the last look gets most of it.
    Doubling,
    /// All levels are the same, so that the first look needs few pairs. A part of the error rate is for
    /// changes that recur.
    Equal,
}

impl Levels {
    /// Returns the probability of any change that is confirmed in a suite in which nothing changed.
    fn error_rate(self) -> f64 {
        match self {
            Levels::Doubling => FAMILY_ERROR_RATE,
            Levels::Equal => FAMILY_ERROR_RATE - recurrence::ERROR_RATE,
        }
    }

    /// Returns the levels of this many looks, in their order.
    fn of(self, looks: u32, error_rate: f64) -> Vec<f64> {
        let growth = if self == Levels::Doubling { 2.0_f64 } else { 1.0 };
        let weights = (0..looks).map(|look| growth.powf(f64::from(look)));
        let sum: f64 = weights.clone().sum();
        weights.map(|weight| error_rate * weight / sum).collect()
    }
}

/// A look at the evidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Look {
    /// Number of pairs at which it takes place.
    pairs: usize,
    /// Time of the confirmation at which it takes place even if there are fewer pairs, because they
    /// take longer than planned. `None` if there is no time for so many in any case.
    time: Option<Duration>,
    /// Significance level.
    pub(super) level: f64,
    pub(super) is_last: bool,
}

impl LookSchedule {
    /// Schedules the looks at one of `tests` benchmarks. `pair_time`: the time of a pair;
    /// `time`: the time for the whole confirmation.
    pub(super) fn new(tests: usize, pair_time: Duration, time: Duration, limits: TimeLimits) -> LookSchedule {
        let levels = limits.levels;
        let error_rate = levels.error_rate() / tests.max(1) as f64;
        let affordable_pairs = (time.as_secs_f64() / pair_time.as_secs_f64().max(1e-9)) as usize;
        let with_looks = |number: u32| {
            let shares = levels.of(number, error_rate);
            let first = stats::min_values_for_level(shares[0]).max(MIN_PAIRS);
            // The last look but one is at the end of the time, and each earlier one at half the
            // size, but the first one not before it can show anything. The sizes are even, since a
            // block has two pairs.
            let last = (2 * affordable_pairs).max(first << (MIN_LOOKS - 1));
            let look = |(level, halvings): (f64, u32)| {
                let pairs = (last >> halvings).max(first);
                let share_of_time = pairs as f64 / affordable_pairs as f64;
                Look {
                    pairs: pairs.next_multiple_of(2),
                    time: (last == 2 * affordable_pairs).then(|| time.mul_f64(share_of_time)),
                    level,
                    is_last: halvings == 0,
                }
            };
            shares.into_iter().zip((0..number).rev()).map(look).collect::<Vec<Look>>()
        };
        let is_feasible = |looks: &Vec<Look>| 4 * looks[0].pairs <= 3 * looks[1].pairs;
        let feasible = (MIN_LOOKS..=MAX_LOOKS).rev().map(with_looks).find(is_feasible);
        LookSchedule {
            looks: feasible.unwrap_or_else(|| with_looks(MIN_LOOKS)),
            done: 0,
            time,
            affordable_pairs,
            limits,
            confirmed: [None; Question::ALL.len()],
        }
    }

    /// Returns the time until the first look after this many pairs whose number of pairs and level
    /// suffice, or until the next one if none of them do.
    pub(super) fn time_to_look(
        &self,
        pairs: usize,
        pair_time: Duration,
        suffices: impl Fn(usize, f64) -> bool,
    ) -> Duration {
        let mut later = self.looks.iter().filter(|look| look.pairs > pairs).peekable();
        let next = later.peek().copied();
        let look = later.find(|look| suffices(look.pairs, look.level)).or(next);
        let missing = look.map_or(1, |look| look.pairs - pairs);
        pair_time * u32::try_from(missing).unwrap_or(u32::MAX)
    }

    /// Returns whether the first look has been taken.
    pub(super) fn has_begun(&self) -> bool {
        self.done > 0
    }

    /// Returns whether the time is up that the confirmation of an unsuspicious benchmark may take.
    pub(super) fn is_out_of_time(&self, pairs: usize, spent: Duration) -> bool {
        pairs >= self.affordable_pairs || spent >= self.time
    }

    /// Takes the look that is due after this many pairs and this time; `None` between two looks.
    /// Neither depends on the changes, so neither does the schedule.
    pub(super) fn take_look(&mut self, pairs: usize, spent: Duration) -> Option<Look> {
        let is_due = |look: &Look| pairs >= look.pairs || look.time.is_some_and(|time| spent >= time);
        let place = self.looks.iter().rposition(is_due).filter(|&place| place >= self.done)?;
        self.done = place + 1;
        Some(self.looks[place])
    }

    /// Returns the level of the last look.
    pub(super) fn last_level(&self) -> Option<f64> {
        self.looks.last().map(|look| look.level)
    }
}

#[cfg(test)]
mod tests {
    use super::super::effort::Effort;
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// Schedules the looks with doubling levels.
    fn doubling(tests: usize, pair_time: Duration, time: Duration) -> LookSchedule {
        LookSchedule::new(tests, pair_time, time, Effort::Thorough.limits())
    }

    #[test]
    fn looks_are_planned_for_the_time_that_there_is() {
        let mut schedule = doubling(10, Duration::from_millis(15), 2 * SECOND);
        let looks = schedule.looks.clone();
        assert!(looks.len() >= 3 && looks.is_sorted_by_key(|look| look.pairs), "{looks:?}");
        assert!((looks.iter().map(|look| look.level).sum::<f64>() - 0.001).abs() < 1e-9, "{looks:?}");
        let needed = stats::min_values_for_level(looks[0].level).next_multiple_of(2);
        assert_eq!(looks[0].pairs, needed, "no more than it needs: {looks:?}");
        assert!(looks.windows(2).all(|looks| looks[0].pairs < looks[1].pairs), "{looks:?}");
        assert_eq!(looks[looks.len() - 2].time, Some(2 * SECOND), "{looks:?}");
        assert!(!schedule.has_begun());
        assert_eq!(schedule.take_look(looks[1].pairs, Duration::ZERO), Some(looks[1]));
        assert!(schedule.has_begun());
        assert_eq!(schedule.take_look(looks[1].pairs, Duration::ZERO), None, "it was taken");
        assert_eq!(schedule.take_look(looks[1].pairs + 2, Duration::ZERO), None, "between two looks");
        let slow = doubling(1, 4 * SECOND, 2 * SECOND);
        let sizes: Vec<usize> = slow.looks.iter().map(|look| look.pairs).collect();
        assert_eq!(sizes, [12, 24, 48], "few looks at what is slow");
    }

    #[test]
    fn equal_levels_make_the_first_look_early() {
        let first_look = |tests: usize, effort: Effort| {
            let schedule = LookSchedule::new(tests, SECOND / 200, SECOND / 2, effort.limits());
            let sum: f64 = schedule.looks.iter().map(|look| look.level).sum();
            assert!((sum * tests as f64 - effort.limits().levels.error_rate()).abs() < 1e-9, "{schedule:?}");
            schedule.looks[0].pairs
        };
        assert_eq!([1, 2, 4, 60].map(|tests| first_look(tests, Effort::Brief)), [12, 14, 14, 18]);
        assert_eq!([1, 2, 4, 60].map(|tests| first_look(tests, Effort::Thorough)), [14, 16, 16, 26]);
    }

    #[test]
    fn slower_pairs_than_planned_are_looked_at_in_time() {
        let mut schedule = doubling(1, Duration::from_millis(15), 2 * SECOND);
        let looks = schedule.looks.clone();
        let [end, last] = looks.last_chunk().unwrap();
        assert_eq!(schedule.take_look(looks[0].pairs, SECOND * 3 / 2).map(|look| look.is_last), Some(false));
        assert!(!schedule.is_out_of_time(20, SECOND * 3 / 2));
        assert_eq!(schedule.take_look(20, 2 * SECOND), Some(*end));
        assert!(schedule.is_out_of_time(20, 2 * SECOND));
        assert_eq!(schedule.take_look(22, 3 * SECOND), None);
        assert_eq!(schedule.take_look(40, 4 * SECOND), Some(*last));
    }
}
