//! Drift and clusters within one series of values.

use super::quantile::sorted;
use super::{median, median_interval, quantile};

/// Confidence of the intervals whose distance makes a drift.
const CONFIDENCE: f64 = 0.95;
/// Minimum number of values in a third of the series for a drift.
const MIN_VALUES_PER_THIRD: usize = 6;
/// Minimum number of values in a group.
const MIN_GROUP: usize = 3;

/// Returns how much later values differ from earlier ones: the median of the last third relative
/// to that of the first, less 1. Returns `None` if the difference may be chance, because the 95 %
/// intervals overlap or there are too few values.
#[inline]
pub fn drift(values: &[f64]) -> Option<f64> {
    let third = values.len() / 3;
    if third < MIN_VALUES_PER_THIRD {
        return None;
    }
    let (first, last) = (&values[..third], &values[values.len() - third..]);
    let (before, after) = (median_interval(first, CONFIDENCE)?, median_interval(last, CONFIDENCE)?);
    let are_disjoint = before.high < after.low || after.high < before.low;
    are_disjoint.then(|| median(last) / median(first) - 1.0)
}

/// Returns the medians of the two groups that the values fall into, the lower one first. Returns
/// `None` if a group would have less than a fifth of the values, or if the gap is not wider than
/// the spread of both groups together (the distances of their 10th and 90th percentiles).
#[inline]
pub fn two_groups(values: &[f64]) -> Option<(f64, f64)> {
    let sorted = sorted(values);
    let min = sorted.len().div_ceil(5).max(MIN_GROUP);
    let splits = min..(sorted.len() + 1).saturating_sub(min);
    let gap = |split: usize| sorted[split] - sorted[split - 1];
    let split = splits.max_by(|&a, &b| gap(a).total_cmp(&gap(b)))?;
    let (low, high) = sorted.split_at(split);
    let spread = |group: &[f64]| quantile(group, 0.9) - quantile(group, 0.1);
    (gap(split) > spread(low) + spread(high)).then(|| (median(low), median(high)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    /// Values around `middle`, uniformly, up to `share` of it away.
    fn around(middle: f64, share: f64, number: usize, seed: u64) -> Vec<f64> {
        let mut rng = Rng::with_seed(seed);
        let mut next = || f64::from(rng.bounded(1_000_001)) / 500_000.0 - 1.0;
        (0..number).map(|_| middle * (1.0 + share * next())).collect()
    }

    #[test]
    fn a_drift_is_distinguished_from_noise() {
        let drifting: Vec<f64> = around(100.0, 0.02, 60, 1)
            .iter()
            .enumerate()
            .map(|(i, x)| x * (1.0 + i as f64 / 300.0))
            .collect();
        assert!((drift(&drifting).unwrap() - 0.13).abs() < 0.03);
        assert_eq!(drift(&[1.0; 17]), None, "too few");
    }

    #[test]
    fn noise_is_rarely_a_drift() {
        // Disjoint 95 % intervals of two medians of the same distribution: well below 5 %.
        let alarms = (0..500).filter(|&seed| drift(&around(100.0, 0.1, 60, seed)).is_some()).count();
        assert!(alarms <= 10, "{alarms} of 500");
    }

    #[test]
    fn two_groups_are_distinguished_from_one() {
        let mut values = around(100.0, 0.03, 30, 1);
        values.extend(around(150.0, 0.03, 12, 2));
        let (low, high) = two_groups(&values).unwrap();
        assert!((low - 100.0).abs() < 3.0 && (high - 150.0).abs() < 4.0, "{low} {high}");
        let alarms = (0..500).filter(|&seed| two_groups(&around(100.0, 0.1, 40, seed)).is_some()).count();
        assert_eq!(alarms, 0);
        assert_eq!(two_groups(&[]), None);
        assert_eq!(two_groups(&[1.0; 40]), None);
    }
}
