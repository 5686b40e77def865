//! The test of a change that a benchmark's own figures show: whether it recurs in fresh processes.
//!
//! The expected change is known before the first block, so each block tests it, and no part of the blocks
//! has to select it. And not only its direction is expected but its size. A block shows the change if
//! both of its pairs do. That is rare if nothing has changed, whatever the times of its four processes are,
//! because their roles are assigned at random. Of any three times, at most two of the three differences lie
//! between a size and twice that size, as the largest is the sum of the others. So of the three ways to
//! divide four processes into pairs, at most two have such a difference in both pairs (Mantel 1907), and in
//! one of four, both have the expected sign: [`CHANCE_SHARE`].
//!
//! Figures of two runs may differ because the machine does. So the first block may expect a change of another
//! size, which the others test.
//!
//! The blocks are a sequential test of that share. Its likelihood ratio to [`RECURRING_SHARE`] may be looked
//! at after each block: if nothing has changed, it ever reaches `1 / level` with a probability of at most
//! `level` (Ville 1939).

use super::benchmark::PAIRS_PER_BLOCK;
use super::decision::{self, NextBlock, ScreeningDecision, Verdicts};
use super::evidence::{Evidence, MIN_PAIRS};
use super::questions::Direction;
use super::rules::{Rules, TimeLimits};
use nanobench_statistics as stats;
use std::time::Duration;

/// Probability of any change that recurs in a suite in which nothing has changed: half of the family-wise
/// error rate.
pub(super) const ERROR_RATE: f64 = 0.005;
/// Largest share of blocks that show the expected change if nothing has changed.
const CHANCE_SHARE: f64 = 1.0 / 6.0;
/// Share of blocks that show the expected change if it is one. Of ten, one may be disturbed.
const RECURRING_SHARE: f64 = 0.9;
/// Weight of the change that the own figures show, beside that of the first block.
const OWN_WEIGHT: f64 = 0.95;
/// Number of launches of each side without which nothing is faster, as some of them may be slow. If one in
/// four is, this many have none of them with a probability of 3 %.
const MIN_LAUNCHES_OF_FASTER: usize = 12;

/// A change that may recur.
#[derive(Debug, Clone, Copy)]
pub(super) struct Recurrence {
    /// The logarithm of the change.
    expected: f64,
    /// The logarithm of the smallest change that is reported.
    threshold: f64,
    level: f64,
}

/// Decides on the evidence of a screening that took `spent` so far: by the change that may recur, if there
/// is one, or else by the usual rules.
pub(super) fn decide_screening(
    recurrence: Option<&Recurrence>,
    evidence: &Evidence,
    spent: Duration,
    rules: &Rules,
    limits: &TimeLimits,
) -> ScreeningDecision {
    let by_recurrence = recurrence.and_then(|recurrence| recurrence.decide(evidence, spent, rules, limits));
    by_recurrence.unwrap_or_else(|| decision::decide_screening(evidence, spent, rules, limits))
}

impl Recurrence {
    /// Creates the test of this logarithm of a change, which is above the threshold. `tests`: the number of
    /// such tests in the suite.
    pub(super) fn new(expected: f64, rules: &Rules, tests: usize) -> Recurrence {
        Recurrence { expected, threshold: rules.threshold.ln_1p(), level: ERROR_RATE / tests as f64 }
    }

    /// Returns the decision of this test. `None` if the change does not recur, or not often enough.
    fn decide(
        &self,
        evidence: &Evidence,
        spent: Duration,
        rules: &Rules,
        limits: &TimeLimits,
    ) -> Option<ScreeningDecision> {
        let direction = Direction::from_estimate(self.expected);
        let min_launches = match direction {
            Direction::Slower => MIN_PAIRS,
            Direction::Faster => MIN_LAUNCHES_OF_FASTER,
        };
        let has_launches = evidence.launches.number().min(evidence.pairs()) >= min_launches;
        let recurs = self.missing_factor(evidence) <= 1.0;
        if recurs && has_launches {
            let verdicts = Verdicts::of_recurrence(evidence, direction.verdict(), rules);
            return verdicts.map(ScreeningDecision::Recurs);
        }
        let has_time = spent < limits.screening || evidence.pairs() < limits.sufficient_pairs;
        (recurs || self.is_open(evidence) && has_time)
            .then_some(ScreeningDecision::Continue(NextBlock::USUAL))
    }

    /// Returns whether no more blocks are missing than a confirmation of pairs that agree takes.
    pub(super) fn is_open(&self, evidence: &Evidence) -> bool {
        let blocks_of_confirmation = (-self.level.log2() / PAIRS_PER_BLOCK as f64).ceil();
        self.missing_factor(evidence) <= (RECURRING_SHARE / CHANCE_SHARE).powf(blocks_of_confirmation)
    }

    /// Returns the factor by which the likelihood ratio has to grow until the change recurs.
    fn missing_factor(&self, evidence: &Evidence) -> f64 {
        1.0 / (self.level * self.likelihood_ratio(&evidence.changes))
    }

    /// Returns how much more probable the blocks with these changes are if the expected one recurs than if
    /// nothing has changed. Figures of two runs may differ because the machine does, so the first block
    /// expects a change, too, which the others test. A weighted average of both ratios is one as well.
    fn likelihood_ratio(&self, changes: &[f64]) -> f64 {
        let of_first_block = match changes.split_at_checked(PAIRS_PER_BLOCK) {
            Some((first, others)) => self.likelihood_ratio_of(stats::mean(first), others),
            None => 1.0,
        };
        let of_own = self.likelihood_ratio_of(self.expected, changes);
        OWN_WEIGHT * of_own + (1.0 - OWN_WEIGHT) * of_first_block
    }

    /// Returns that ratio for a change of this size, if it has the direction of the expected one.
    fn likelihood_ratio_of(&self, size: f64, changes: &[f64]) -> f64 {
        // So even for a change of the size of the threshold, the farthest of the tolerated sizes is less than
        // twice the nearest one.
        let tolerance = (size * self.expected.signum() - self.threshold) / 3.0;
        let is_shown = |change: &f64| (change - size).abs() < tolerance;
        let ratio = |block: &[f64]| match block.iter().all(is_shown) {
            true => RECURRING_SHARE / CHANCE_SHARE,
            false => (1.0 - RECURRING_SHARE) / (1.0 - CHANCE_SHARE),
        };
        changes.chunks(PAIRS_PER_BLOCK).map(ratio).product()
    }
}

#[cfg(test)]
mod tests {
    use super::super::effort::Effort;
    use super::*;
    use crate::experiment::verdict::Verdict;
    use std::collections::HashSet;

    const RULES: Rules =
        Rules { threshold: 0.02, resolution: 0.02, average_resolution: 0.1, precision: f64::INFINITY };

    /// Returns the decision on pairs with these changes, if one of `expected` was seen in one of `tests`
    /// benchmarks.
    fn decide(expected: f64, changes: &[f64], tests: usize) -> Option<ScreeningDecision> {
        let mut evidence = Evidence::default();
        evidence.add(changes, &[0.001, -0.001].repeat(changes.len() / 2));
        evidence.launches.add(&changes.iter().map(|change| [0.0, *change]).collect::<Vec<_>>());
        let recurrence = Recurrence::new(expected, &RULES, tests);
        recurrence.decide(&evidence, Duration::ZERO, &RULES, &Effort::Brief.limits())
    }

    fn verdict(expected: f64, changes: &[f64], tests: usize) -> Option<Verdict> {
        match decide(expected, changes, tests)? {
            ScreeningDecision::Recurs(verdicts) => Some(verdicts.verdict()),
            _ => None,
        }
    }

    /// Returns the number of blocks after which pairs of about this change decide.
    fn blocks(expected: f64, change: f64, tests: usize) -> Option<usize> {
        let changes: Vec<f64> = (0..40).map(|i| change + 0.001 * f64::from(i % 3)).collect();
        (1..=20).find(|blocks| verdict(expected, &changes[..2 * blocks], tests).is_some())
    }

    #[test]
    fn a_change_recurs_in_four_blocks_or_a_few_more() {
        assert_eq!([1, 4, 5, 20].map(|tests| blocks(0.3, 0.3, tests)), [4, 4, 5, 5].map(Some));
        let disturbed = [&[0.9][..], &[0.3; 13]].concat();
        let number = |tests| (1..=7).find(|blocks| verdict(0.3, &disturbed[..2 * blocks], tests).is_some());
        assert_eq!([1, 2, 3, 4].map(number), [6, 6, 7, 7].map(Some), "one of them is disturbed");
        assert!(matches!(decide(0.3, &disturbed[..10], 4), Some(ScreeningDecision::Continue(_))));
        let half = [0.9, 0.3, 0.3, 0.3].repeat(5);
        assert!((2..=10).all(|blocks| verdict(0.3, &half[..2 * blocks], 1).is_none()));
    }

    #[test]
    fn what_is_faster_needs_more_launches() {
        let is_open = |pairs: usize| {
            matches!(decide(-0.3, &[-0.3].repeat(pairs), 1), Some(ScreeningDecision::Continue(_)))
        };
        assert_eq!([8, 10, 12].map(is_open), [true, true, false]);
    }

    #[test]
    fn a_change_of_another_size_recurs_later_and_one_of_another_direction_never() {
        assert_eq!([0.22, 0.38].map(|change| blocks(0.3, change, 1)), [Some(4); 2]);
        assert_eq!([0.15, 0.2, 0.4, 0.5].map(|change| blocks(0.3, change, 1)), [Some(6); 4], "the first's");
        assert_eq!([-0.3, 0.01].map(|change| blocks(0.3, change, 1)), [None; 2]);
        assert_eq!(decide(0.3, &[-0.3; 4], 1), None, "the usual stages decide");
    }

    #[test]
    fn at_most_a_sixth_of_the_orders_of_four_times_show_the_expected_change() {
        let recurrence = Recurrence::new(0.3, &Rules { threshold: 0.0, ..RULES }, 1);
        let places = (0..256).map(|n| [n % 4, n / 4 % 4, n / 16 % 4, n / 64]);
        let orders: Vec<[usize; 4]> =
            places.filter(|order| order.iter().collect::<HashSet<_>>().len() == 4).collect();
        let shown = |times: [i32; 4]| {
            let shows = |order: &&[usize; 4]| {
                let [a, b, c, d] = order.map(|place| f64::from(times[place]) * 0.3);
                recurrence.likelihood_ratio(&[c - a, d - b]) > 1.0
            };
            orders.iter().filter(shows).count()
        };
        assert_eq!(orders.len(), 24);
        assert_eq!(shown([0, 0, 1, 1]), 4, "two of them get something that is scarce");
        let all = (0..256).map(|n| [n % 4, n / 4 % 4, n / 16 % 4, n / 64]);
        assert_eq!(all.map(shown).max(), Some(4));
    }
}
