//! Estimate of the centre of a symmetric distribution, from the signs and the ranks of a few values: where
//! Wilcoxon's signed-rank statistic is in the middle of its range (Hodges and Lehmann; Hollander and Wolfe,
//! *Nonparametric Statistical Methods*, 3.2).
//!
//! Ranks are capped at a share of the number of values ("winsorised" scores: Policello and
//! Hettmansperger 1976, "Adaptive robust procedures for the one-sample location problem"), so that
//! outliers weigh no more than other values.

use super::order::sorted;

/// Cap of the ranks, as a share of the number of values. 1 yields Wilcoxon's statistic, 0 the median.
/// The value was chosen by simulation and by measured launches (`docs/internals/experiments.md`).
const RANK_CAP: f64 = 0.4;
/// Number of halvings of the range of the values: the rest of it is less than any figure shows.
const HALVINGS: usize = 32;

/// Returns the Hodges-Lehmann estimate of the centre, generalised to capped ranks. Returns NaN for
/// no values.
pub fn hodges_lehmann(values: &[f64]) -> f64 {
    center(values, RANK_CAP)
}

fn center(values: &[f64], cap: f64) -> f64 {
    if values.is_empty() || values.iter().any(|value| value.is_nan()) {
        return f64::NAN;
    }
    let values = sorted(values);
    let mirrored: Vec<f64> = values.iter().rev().map(|value| -value).collect();
    let max = ((cap * values.len() as f64).ceil() as usize).max(1);
    let total: usize = (1..=values.len()).map(|rank| rank.min(max)).sum();
    let half = (total - 1) / 2;
    (last_within(&values, max, half) - last_within(&mirrored, max, half)) / 2.0
}

/// Returns the largest center at which the score below is not larger than `score`: a value, or the mean of
/// two. `values`: in ascending order; `max`: the cap of their ranks; `score`: less than the total.
fn last_within(values: &[f64], max: usize, score: usize) -> f64 {
    let [mut low, mut high] = [values[0], values[values.len() - 1]];
    for _ in 0..HALVINGS {
        let middle = low + (high - low) / 2.0;
        if score_below(values, max, middle) <= score { low = middle } else { high = middle }
    }
    high
}

/// Returns the test statistic: the sum of the capped ranks of the values below `center`, ranked by their
/// distance from it. It increases with `center`.
fn score_below(values: &[f64], max: usize, center: f64) -> usize {
    let (mut below, mut above) = values.split_at(values.partition_point(|&x| x < center));
    let mut sum = 0;
    // The nearest value comes next.
    for rank in 1..=values.len() {
        match (below, above) {
            ([rest @ .., low], [high, ..]) if center - low < high - center => {
                (below, sum) = (rest, sum + rank.min(max));
            }
            (_, [_, rest @ ..]) => above = rest,
            ([rest @ .., _], []) => (below, sum) = (rest, sum + rank.min(max)),
            ([], []) => {}
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Differences in Hamilton's depression scale before and after (Hollander and Wolfe, example
    /// 3.1).
    const DEPRESSION: [f64; 9] = [-0.952, 0.147, -1.022, -0.430, -0.620, -0.590, -0.490, 0.080, -0.010];

    #[test]
    fn without_a_cap_it_is_the_published_estimate() {
        assert!((center(&DEPRESSION, 1.0) + 0.46).abs() < 1e-8);
    }

    #[test]
    fn with_equal_scores_it_is_the_median() {
        let values: Vec<f64> = (1..=10).map(f64::from).collect();
        assert!((center(&values, 0.0) - 5.5).abs() < 1e-8);
        assert!(hodges_lehmann(&[]).is_nan());
    }

    #[test]
    fn outliers_weigh_no_more_than_other_values() {
        let mut values: Vec<f64> = (0..30).map(|i| 1.0 + f64::from(i) / 100.0).collect();
        values.extend([-50.0, -60.0]);
        assert!((hodges_lehmann(&values) - 1.13).abs() < 0.05);
    }
}
