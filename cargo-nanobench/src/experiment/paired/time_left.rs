//! Estimates of the time until a verdict, for the progress of a run. No decision depends on them.

use super::decision::{Rules, TimeLimits};
use super::evidence::{Evidence, MIN_PAIRS};
use std::time::Duration;

/// The time of a confirmation that has not begun.
pub(super) const TYPICAL_CONFIRMATION: Duration = Duration::from_millis(900);

/// Estimates the further time of a screening that took `spent` so far. It ends when the change is
/// known precisely, or when its time is up and the change is known to be within the resolution; at
/// the latest after the total time. `pair_time`: the time of a pair of processes.
pub(super) fn screening(
    evidence: &Evidence,
    spent: Duration,
    pair_time: Duration,
    rules: &Rules,
    limits: &TimeLimits,
) -> Duration {
    let known = evidence.launches.number().max(evidence.pairs());
    let missing = |number: usize| pairs(pair_time, number.saturating_sub(known) as f64);
    let (screening, total) = (limits.screening.saturating_sub(spent), limits.total.saturating_sub(spent));
    let minimum = missing(MIN_PAIRS).max(missing(limits.min_launches).min(screening));
    if evidence.precision().is_infinite() {
        return screening.max(minimum);
    }
    // The width of an interval shrinks with the square root of the number of pairs.
    let until = |precision: f64| {
        let growth = (evidence.precision() / precision).powi(2) - 1.0;
        pairs(pair_time, evidence.pairs() as f64 * growth.max(0.0))
    };
    let room = (rules.resolution - evidence.estimate().abs()).max(rules.resolution / 4.0);
    let same = until(room);
    until(rules.target_precision()).min(screening).max(same).min(total).max(minimum)
}

/// Returns the time of this many pairs.
fn pairs(pair_time: Duration, number: f64) -> Duration {
    Duration::try_from_secs_f64(pair_time.as_secs_f64() * number).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::effort::Effort;
    use super::*;

    const PAIR: Duration = Duration::from_millis(20);

    /// Returns the estimate after these changes, of which each pair took `PAIR`.
    fn left(changes: &[f64]) -> Duration {
        let mut evidence = Evidence::default();
        evidence.add(changes, &[]);
        let spent = PAIR * changes.len() as u32;
        screening(&evidence, spent, PAIR, &Rules::default(), &Effort::Thorough.limits())
    }

    /// Returns this many changes, alternating around none.
    fn noise(number: usize, size: f64) -> Vec<f64> {
        (0..number).map(|i| size * [1.0, -1.0, 0.5, -0.5][i % 4]).collect()
    }

    #[test]
    fn a_screening_takes_its_time_unless_it_is_precise() {
        let limits = Effort::Thorough.limits();
        assert_eq!(left(&[]), limits.screening, "nothing is known");
        assert_eq!(left(&noise(2, 0.01)), limits.screening - 2 * PAIR);
        assert_eq!(left(&noise(32, 0.001)), Duration::ZERO, "precise");
        let noisy = left(&noise(12, 0.02));
        assert!(Duration::ZERO < noisy && noisy <= limits.screening - 12 * PAIR, "{noisy:?}");
        assert_eq!(left(&noise(12, 0.9)), limits.total - 12 * PAIR, "hopeless");
    }

    #[test]
    fn slow_pairs_take_their_minimum() {
        let slow = Duration::from_secs(2);
        let left = screening(&Evidence::default(), slow, slow, &Rules::default(), &Effort::Thorough.limits());
        assert_eq!(left, slow * MIN_PAIRS as u32);
    }
}
