//! The test of a change that a benchmark's own figures show: whether it recurs in pairs of fresh processes.
//!
//! The expected change is known before the first pair, so each pair tests it, and no part of the pairs has
//! to select it. And not only its direction is expected but its size. If nothing changed, the times of both
//! processes of a pair have the same distribution. Of three times, at most two of the three differences can
//! lie between a size and twice that size, as the third one is the sum of the others. So half of all
//! differences do at most (Mantel 1907), in either direction, and a quarter in the expected one, whatever
//! the distribution.
//!
//! The pairs are a sequential test of that quarter. Its likelihood ratio to [`RECURRING_SHARE`] may be
//! looked at after any pair: if nothing changed, it ever reaches `1 / level` with a probability of at most
//! `level` (Ville 1939).

use super::benchmark::PAIRS_PER_BLOCK;
use super::decision::{NextBlock, ScreeningDecision, Verdicts};
use super::evidence::{Evidence, MIN_PAIRS};
use super::questions::Direction;
use super::rules::{Rules, TimeLimits};

/// Probability of any change that recurs in a suite in which nothing changed: a part of the family-wise
/// error rate.
pub(super) const ERROR_RATE: f64 = 0.002;
/// Largest share of pairs with the expected change if nothing changed.
const CHANCE_SHARE: f64 = 0.25;
/// Share of pairs with the expected change if it is one. Of ten, one may be disturbed.
const RECURRING_SHARE: f64 = 0.9;

/// Largest number of further blocks that are worth their time if each pair of theirs has the expected change:
/// a confirmation takes six or more.
const MAX_MISSING_BLOCKS: usize = 2;

/// A change that may recur.
#[derive(Debug, Clone, Copy)]
pub(super) struct Recurrence {
    /// The logarithm of the change.
    expected: f64,
    /// Largest distance from it, for a pair to count as its recurrence.
    tolerance: f64,
    level: f64,
}

impl Recurrence {
    /// Creates the test of this logarithm of a change. Returns `None` if it is below the threshold.
    /// `tests`: the number of benchmarks with such a test.
    pub(super) fn new(expected: f64, rules: &Rules, tests: usize) -> Option<Recurrence> {
        // So even for a change of the size of the threshold, the farthest end of the tolerated sizes is less
        // than twice the nearest one.
        let tolerance = (expected.abs() - rules.threshold.ln_1p()) / 3.0;
        let level = ERROR_RATE / tests.max(1) as f64;
        (tolerance > 0.0).then_some(Recurrence { expected, tolerance, level })
    }

    /// Decides on the evidence of a screening. Returns `None` if the change does not recur, or not yet.
    pub(super) fn decide(
        &self,
        evidence: &Evidence,
        rules: &Rules,
        limits: &TimeLimits,
    ) -> Option<ScreeningDecision> {
        let missing = 1.0 / (self.level * self.likelihood_ratio(&evidence.changes));
        if evidence.pairs() >= MIN_PAIRS && missing <= 1.0 {
            let verdict = Direction::from_estimate(self.expected).verdict();
            return Verdicts::of_recurrence(evidence, verdict, rules).map(ScreeningDecision::Recurs);
        }
        let missing_pairs = (MAX_MISSING_BLOCKS * PAIRS_PER_BLOCK) as i32;
        (missing <= (RECURRING_SHARE / CHANCE_SHARE).powi(missing_pairs))
            .then(|| ScreeningDecision::Continue(NextBlock::before_looks(evidence, limits)))
    }

    /// Returns how much more probable these changes are if the expected one recurs than if nothing changed.
    fn likelihood_ratio(&self, changes: &[f64]) -> f64 {
        let recurs = |change: &&f64| (*change - self.expected).abs() < self.tolerance;
        let recurring = changes.iter().filter(recurs).count();
        let others = changes.len() - recurring;
        (RECURRING_SHARE / CHANCE_SHARE).powf(recurring as f64)
            * ((1.0 - RECURRING_SHARE) / (1.0 - CHANCE_SHARE)).powf(others as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::super::effort::Effort;
    use super::*;
    use crate::experiment::verdict::Verdict;
    use nanobench::Rng;

    /// Returns the decision on pairs with these changes, if one of `expected` has been seen in one of `tests`
    /// benchmarks.
    fn decide(expected: f64, changes: &[f64], tests: usize) -> Option<ScreeningDecision> {
        let rules = Rules { threshold: 0.02, ..Rules::default() };
        let mut evidence = Evidence::default();
        evidence.add(changes, &[0.001, -0.001].repeat(changes.len() / 2));
        Recurrence::new(expected, &rules, tests)?.decide(&evidence, &rules, &Effort::Brief.limits())
    }

    fn verdict(expected: f64, changes: &[f64], tests: usize) -> Option<Verdict> {
        match decide(expected, changes, tests)? {
            ScreeningDecision::Recurs(verdicts) => Some(verdicts.verdict()),
            _ => None,
        }
    }

    #[test]
    fn a_change_recurs_in_six_pairs_or_a_few_more() {
        let changes = [0.30, 0.31, 0.29, 0.33, 0.28, 0.30, 0.31, 0.27];
        let slower = Some(Verdict::Slower);
        assert_eq!([1, 4].map(|tests| verdict(0.3, &changes[..6], tests)), [slower; 2]);
        assert_eq!([5, 50].map(|tests| verdict(0.3, &changes, tests)), [slower; 2], "eight");
        assert!(matches!(decide(0.3, &changes[..6], 5), Some(ScreeningDecision::Continue(_))), "not yet");
        assert_eq!(verdict(0.3, &changes[..4], 1), None, "too few for an interval");
        let disturbed = [&[0.9], &changes[..]].concat();
        assert!(matches!(decide(0.3, &disturbed[..6], 1), Some(ScreeningDecision::Continue(_))));
        assert_eq!(verdict(0.3, &disturbed[..8], 1), slower, "one of them disturbed");
        let half = [0.9, 0.3].repeat(6);
        assert!([2, 4, 6, 8, 10, 12].iter().all(|&pairs| decide(0.3, &half[..pairs], 1).is_none()));
    }

    #[test]
    fn another_direction_or_size_is_no_recurrence() {
        let pairs = |change: f64| [change, change + 0.001].repeat(5);
        assert_eq!(verdict(0.3, &pairs(-0.3), 1), None);
        assert_eq!(verdict(0.3, &pairs(0.15), 1), None);
        assert_eq!(verdict(0.3, &pairs(0.5), 1), None);
        assert_eq!(verdict(0.3, &pairs(0.25), 1), Some(Verdict::Slower));
        assert!(decide(0.015, &pairs(0.015), 1).is_none(), "below the threshold");
    }

    #[test]
    fn equal_distributions_show_the_expected_change_in_a_quarter_of_the_pairs_at_most() {
        let mut rng = Rng::with_seed(1);
        let recurrence = Recurrence::new(0.3, &Rules { threshold: 0.0, ..Rules::default() }, 1).unwrap();
        for levels in 1..8_u32 {
            // The worst of all distributions has the expected change between any two neighbouring times.
            let mut time = || f64::from(rng.bounded(levels)) * 0.3;
            let shown = (0..20_000).filter(|_| recurrence.likelihood_ratio(&[time() - time()]) > 1.0).count();
            assert!(shown <= 5_200, "{levels}: {shown} of 20,000");
        }
    }
}
