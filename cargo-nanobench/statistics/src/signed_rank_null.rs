//! The null distribution of the signed-rank test: the sum of the scores of the ranks below the
//! centre, if each value is below or above it with equal probability, regardless of its rank.
//!
//! The exact distribution takes time in proportion to the third power of the number of values: a
//! fraction of a millisecond for 100 of them, but 1,000 times as much for 1,000. So it is
//! approximated for more than [`MAX_EXACT`] values. The approximate probabilities differ from the
//! exact ones by at most 0.05 % of themselves, however small they are.

use super::random_signs::tail_probability;

/// Largest number of values whose distribution is exact.
const MAX_EXACT: usize = 100;

/// The null distribution of the sum of the scores below the centre.
pub(crate) enum NullDistribution {
    /// The probability of each sum: 0, 1, 2 and so on.
    Exact(Vec<f64>),
    /// The scores, whose sum is approximated.
    Approximate(Vec<f64>),
}

impl NullDistribution {
    pub(crate) fn new(scores: &[usize]) -> NullDistribution {
        if scores.len() <= MAX_EXACT {
            NullDistribution::Exact(exact(scores))
        } else {
            NullDistribution::Approximate(scores.iter().map(|&score| score as f64).collect())
        }
    }

    /// Returns the probability of a sum of at most `score`.
    pub(crate) fn probability_up_to(&self, score: usize) -> f64 {
        match self {
            NullDistribution::Exact(probabilities) => probabilities.iter().take(score + 1).sum(),
            NullDistribution::Approximate(scores) => {
                // Scores below the centre have the sign that lowers the sum.
                let total: f64 = scores.iter().sum();
                tail_probability(scores, total - 2.0 * score as f64, 2.0)
            }
        }
    }

    /// Returns the largest score up to which the probability is at most `tail`; `None` if even 0 is
    /// more probable.
    pub(crate) fn largest_score_within(&self, tail: f64) -> Option<usize> {
        let is_within = |score: usize| self.probability_up_to(score) <= tail;
        match self {
            NullDistribution::Exact(probabilities) => {
                let mut cumulative = 0.0;
                let is_in_tail = |probability: &&f64| {
                    cumulative += **probability;
                    cumulative <= tail
                };
                probabilities.iter().take_while(is_in_tail).count().checked_sub(1)
            }
            NullDistribution::Approximate(scores) => {
                let total = scores.iter().sum::<f64>() as usize;
                let (mut within, mut beyond) = (0, total);
                while beyond - within > 1 {
                    let middle = within + (beyond - within) / 2;
                    if is_within(middle) { within = middle } else { beyond = middle }
                }
                is_within(within).then_some(within)
            }
        }
    }
}

/// Returns the exact probability of each sum.
fn exact(scores: &[usize]) -> Vec<f64> {
    let mut probabilities = vec![0.0; scores.iter().sum::<usize>() + 1];
    probabilities[0] = 1.0;
    let mut max = 0;
    for &score in scores {
        max += score;
        for sum in (0..=max).rev() {
            let with = if sum >= score { probabilities[sum - score] } else { 0.0 };
            probabilities[sum] = 0.5 * (probabilities[sum] + with);
        }
    }
    probabilities
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the scores of this many ranks, capped as in the test that is in use.
    fn scores(number: usize) -> Vec<usize> {
        (1..=number).map(|rank| rank.min(number * 2 / 5)).collect()
    }

    #[test]
    fn the_approximation_is_within_its_error_of_the_exact_distribution() {
        for number in [MAX_EXACT + 1, 150, 200] {
            let exact = NullDistribution::Exact(exact(&scores(number)));
            let approximate = NullDistribution::new(&scores(number));
            assert!(matches!(approximate, NullDistribution::Approximate(_)));
            let mut compared = 0;
            for score in 0..scores(number).iter().sum() {
                let expected = exact.probability_up_to(score);
                if expected > 1e-15 {
                    let ratio = approximate.probability_up_to(score) / expected;
                    assert!((0.999_5..1.000_5).contains(&ratio), "{number}: {ratio} at {expected}");
                    compared += 1;
                }
            }
            assert!(compared > 1_000, "{compared}");
        }
    }

    #[test]
    fn intervals_change_by_no_more_than_a_score() {
        for tail in [0.025, 0.012_5, 1e-4, 1e-8] {
            let exact = NullDistribution::Exact(exact(&scores(150))).largest_score_within(tail).unwrap();
            let approximate = NullDistribution::new(&scores(150)).largest_score_within(tail).unwrap();
            assert!(exact.abs_diff(approximate) <= 1, "{tail}: {exact}, {approximate}");
        }
        assert_eq!(NullDistribution::new(&scores(150)).largest_score_within(1e-60), None);
    }

    #[test]
    fn thousands_of_values_have_a_distribution() {
        let many = NullDistribution::new(&scores(20_000));
        let half = scores(20_000).iter().sum::<usize>() / 2;
        assert!((many.probability_up_to(half) - 0.5).abs() < 1e-4);
        let score = many.largest_score_within(1e-6).unwrap();
        assert!(many.probability_up_to(score) <= 1e-6 && many.probability_up_to(score + 1) > 1e-6);
    }
}
