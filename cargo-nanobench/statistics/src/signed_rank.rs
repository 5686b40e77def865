//! Estimate, confidence interval and test for the centre of a symmetric distribution, from the
//! signs and the ranks of a few values.
//!
//! They are exact for every distribution, provided that each value is as likely to have the
//! opposite sign. The logarithm of the ratio of two times has this property if the roles of the two
//! were assigned at random. The methods are Wilcoxon's signed-rank test and the interval obtained
//! by inverting it (Hollander and Wolfe, *Nonparametric Statistical Methods*, 3.1 to 3.3).
//!
//! Ranks are capped at a share of the number of values ("winsorised" scores: Policello and
//! Hettmansperger 1976, "Adaptive robust procedures for the one-sample location problem"), so that
//! outliers weigh no more than other values.

use super::signed_rank_null::NullDistribution;
use nanobench::stats::Interval;

/// Cap of the ranks, as a share of the number of values. 1 yields Wilcoxon's test, 0 the sign test.
/// The value was chosen by simulation and by measured launches (`docs/experiments.md`).
const RANK_CAP: f64 = 0.4;

/// Returns the Hodges-Lehmann estimate of the centre, generalised to capped ranks. Returns NaN for
/// no values.
pub fn hodges_lehmann(values: &[f64]) -> f64 {
    SignedRanks::new(values, RANK_CAP).map_or(f64::NAN, |ranks| ranks.center())
}

/// Returns an interval that contains the centre with at least `confidence` (0 to 1). Returns `None`
/// if there are too few values.
pub fn signed_rank_interval(values: &[f64], confidence: f64) -> Option<Interval> {
    SignedRanks::new(values, RANK_CAP)?.interval((1.0 - confidence) / 2.0)
}

/// Returns the two-sided p-value of the hypothesis that the centre is 0. Returns 1 for no values.
pub fn signed_rank_p(values: &[f64]) -> f64 {
    SignedRanks::new(values, RANK_CAP).map_or(1.0, |ranks| ranks.p())
}

/// Returns the minimum number of values for a one-sided test at this level. It allows for a value
/// on the other side.
pub fn min_values_for_level(level: f64) -> usize {
    (4.0 / level).log2().ceil().max(4.0) as usize
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
        values.sort_unstable_by(f64::total_cmp);
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
        let [mut low, mut high] = [self.values[0], self.values[self.values.len() - 1]].map(ordinal);
        while low < high {
            // Rounded up.
            let middle = low + (high - low + 1) / 2;
            if self.score_below(with_ordinal(middle)) <= score { low = middle } else { high = middle - 1 }
        }
        with_ordinal(low)
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

    /// Returns the interval with at most `tail` probability on each side.
    fn interval(&self, tail: f64) -> Option<Interval> {
        // The largest score in the tail. Centres with such a score are outside of the interval.
        let score = NullDistribution::new(&self.scores).largest_score_within(tail)?;
        Some(Interval { low: self.last_within(score), high: -self.mirrored().last_within(score) })
    }

    fn p(&self) -> f64 {
        let (below, above) = (self.score_below(0.0), self.mirrored().score_below(0.0));
        (2.0 * NullDistribution::new(&self.scores).probability_up_to(below.min(above))).min(1.0)
    }
}

/// Returns the place of a number in the order of all numbers.
fn ordinal(x: f64) -> i128 {
    // The bits of positive numbers are in their order, those of negative ones in the opposite
    // order.
    let bits = i128::from(x.abs().to_bits());
    if x.is_sign_negative() { -bits } else { bits }
}

/// Returns the number at a place in the order of all numbers.
fn with_ordinal(ordinal: i128) -> f64 {
    let magnitude = f64::from_bits(u64::try_from(ordinal.abs()).unwrap_or(u64::MAX));
    if ordinal < 0 { -magnitude } else { magnitude }
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
    fn without_a_cap_it_is_the_published_signed_rank_test() {
        // scipy.stats.wilcoxon gives T = 5 and p = 0.0390625. The book gives an estimate of -0.46
        // and, at 96.1 %, the interval from -0.786 to -0.010.
        let signed = wilcoxon(&DEPRESSION);
        assert!((signed.p() - 0.039_062_5).abs() < 1e-12, "{}", signed.p());
        assert!((signed.center() + 0.46).abs() < 1e-9, "{}", signed.center());
        let interval = signed.interval(0.0196).unwrap();
        assert!((interval.low + 0.786).abs() < 1e-9, "{interval:?}");
        assert!((interval.high + 0.010).abs() < 1e-9, "{interval:?}");
    }

    #[test]
    fn the_null_distribution_equals_published_tables() {
        // P(T <= 8) of ten values is 25 / 1024, and P(T <= 0) of eight is 1 / 256 (Hollander and
        // Wolfe, table A.4).
        let tail = |n: usize, at: usize| -> f64 {
            let values: Vec<f64> = (1..=n).map(|i| i as f64).collect();
            NullDistribution::new(&wilcoxon(&values).scores).probability_up_to(at)
        };
        assert!((tail(10, 8) - 25.0 / 1024.0).abs() < 1e-12);
        assert!((tail(8, 0) - 1.0 / 256.0).abs() < 1e-12);
    }

    #[test]
    fn with_equal_scores_it_is_the_sign_test_and_the_median() {
        let values: Vec<f64> = (1..=10).map(f64::from).collect();
        let sign = SignedRanks::new(&values, 0.0).unwrap();
        // Ranks 2 and 9 of ten, as tabulated, and 2 x 2^-10.
        let interval = sign.interval(0.025).unwrap();
        assert_eq!((interval.low, interval.high), (2.0, 9.0));
        assert_eq!(sign.p(), 2.0 / 1024.0);
        assert_eq!(sign.center(), 5.5);
    }

    #[test]
    fn the_interval_contains_the_centers_that_the_test_accepts() {
        let values = [0.3, -0.1, 0.7, 0.4, 0.9, 0.2, 1.4, 0.05, 0.6, 0.8, 0.35, 0.45];
        let interval = signed_rank_interval(&values, 0.95).unwrap();
        let moved = |by: f64| signed_rank_p(&values.map(|x| x - by));
        assert!(moved(interval.low + 1e-6) > 0.05 && moved(interval.high - 1e-6) > 0.05, "{interval:?}");
        assert!(moved(interval.low - 1e-6) <= 0.05 && moved(interval.high + 1e-6) <= 0.05, "{interval:?}");
        assert!((interval.low..interval.high).contains(&hodges_lehmann(&values)));
    }

    #[test]
    fn few_values_yield_no_interval() {
        assert!(signed_rank_interval(&[1.0, 2.0, 3.0, 4.0], 0.95).is_none());
        assert!(signed_rank_interval(&[], 0.95).is_none());
        assert_eq!(signed_rank_p(&[]), 1.0);
        assert!(hodges_lehmann(&[]).is_nan());
        let six: Vec<f64> = (1..=6).map(f64::from).collect();
        assert_eq!(signed_rank_interval(&six, 0.95).map(|i| (i.low, i.high)), Some((1.0, 6.0)));
    }

    #[test]
    fn outliers_weigh_no_more_than_other_values() {
        let mut values: Vec<f64> = (0..30).map(|i| 1.0 + f64::from(i) / 100.0).collect();
        values.extend([-50.0, -60.0]);
        assert!(signed_rank_p(&values) < 1e-4, "{}", signed_rank_p(&values));
        assert!((hodges_lehmann(&values) - 1.13).abs() < 0.05);
    }
}
