//! Estimate of the centre of a symmetric distribution, from the signs and the ranks of a few values: where
//! Wilcoxon's signed-rank statistic is in the middle of its range (Hodges and Lehmann; Hollander and Wolfe,
//! *Nonparametric Statistical Methods*, 3.2).
//!
//! Ranks are capped at a share of the number of values ("winsorised" scores: Policello and
//! Hettmansperger 1976, "Adaptive robust procedures for the one-sample location problem"), so that
//! outliers weigh no more than other values.

use super::order::ascending;

/// Cap of the ranks, as a share of the number of values. 1 yields Wilcoxon's statistic, 0 the median.
/// The value was chosen by simulation and by measured launches (`docs/internals/experiments.md`).
const RANK_CAP: f64 = 0.4;
/// Number of halvings of the range of the values: the rest of it is less than any figure shows.
const HALVINGS: usize = 32;

/// Returns the Hodges-Lehmann estimate of the centre, generalised to capped ranks. Returns NaN for
/// no values.
pub fn hodges_lehmann(values: &[f64]) -> f64 {
    SignedRanks::new(values, RANK_CAP).map_or(f64::NAN, |ranks| ranks.center())
}

/// Sorted values with the scores of their ranks.
struct SignedRanks {
    values: Vec<f64>,
    /// The score of each rank: the rank, up to the cap.
    scores: Vec<usize>,
}

impl SignedRanks {
    fn new(values: &[f64], cap: f64) -> Option<SignedRanks> {
        let n = values.len();
        if n == 0 || values.iter().any(|x| x.is_nan()) {
            return None;
        }
        let mut values = values.to_vec();
        values.sort_unstable_by(ascending);
        let max = ((cap * n as f64).ceil() as usize).max(1);
        let scores = (1..=n).map(|rank| rank.min(max)).collect();
        Some(SignedRanks { values, scores })
    }

    fn total_score(&self) -> usize {
        self.scores.iter().sum()
    }

    /// Returns the test statistic: the sum of the scores of the values below `center`, ranked by
    /// their distance from it. It increases with `center`.
    fn score_below(&self, center: f64) -> usize {
        let (mut below, mut above) = self.values.split_at(self.values.partition_point(|&x| x < center));
        let mut sum = 0;
        // The nearest value comes next.
        for score in &self.scores {
            match (below, above) {
                ([rest @ .., low], [high, ..]) if center - low < high - center => {
                    (below, sum) = (rest, sum + score);
                }
                (_, [_, rest @ ..]) => above = rest,
                ([rest @ .., _], []) => (below, sum) = (rest, sum + score),
                ([], []) => {}
            }
        }
        sum
    }

    /// Returns the largest center at which the score below is not larger than `score`: a value, or
    /// the mean of two. `score` is less than the total.
    fn last_within(&self, score: usize) -> f64 {
        let [mut low, mut high] = [self.values[0], self.values[self.values.len() - 1]];
        for _ in 0..HALVINGS {
            let middle = low + (high - low) / 2.0;
            if self.score_below(middle) <= score { low = middle } else { high = middle }
        }
        high
    }

    /// Returns the values with opposite signs.
    fn mirrored(&self) -> SignedRanks {
        SignedRanks { values: self.values.iter().rev().map(|x| -x).collect(), scores: self.scores.clone() }
    }

    fn center(&self) -> f64 {
        // Half of the total score, rounded down.
        let half = (self.total_score() - 1) / 2;
        (self.last_within(half) - self.mirrored().last_within(half)) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wilcoxon(values: &[f64]) -> SignedRanks {
        SignedRanks::new(values, 1.0).unwrap()
    }

    /// Differences in Hamilton's depression scale before and after (Hollander and Wolfe, example
    /// 3.1).
    const DEPRESSION: [f64; 9] = [-0.952, 0.147, -1.022, -0.430, -0.620, -0.590, -0.490, 0.080, -0.010];

    #[test]
    fn without_a_cap_it_is_the_published_estimate() {
        assert!((wilcoxon(&DEPRESSION).center() + 0.46).abs() < 1e-8);
    }

    #[test]
    fn with_equal_scores_it_is_the_median() {
        let values: Vec<f64> = (1..=10).map(f64::from).collect();
        assert!((SignedRanks::new(&values, 0.0).unwrap().center() - 5.5).abs() < 1e-8);
        assert!(hodges_lehmann(&[]).is_nan());
    }

    #[test]
    fn outliers_weigh_no_more_than_other_values() {
        let mut values: Vec<f64> = (0..30).map(|i| 1.0 + f64::from(i) / 100.0).collect();
        values.extend([-50.0, -60.0]);
        assert!((hodges_lehmann(&values) - 1.13).abs() < 0.05);
    }
}
