//! Comparison of two sets of values.

use super::{Interval, median, median_interval};

/// The relative difference of a candidate from a baseline: 0.03 is 3 % more, which is slower.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// `candidate / baseline - 1`.
    pub estimate: f64,
    /// Confidence interval of the change.
    pub interval: Interval,
}

/// Returns the change from the median of `baseline` to the median of `candidate`. The two sets have
/// to be independent.
///
/// The interval is made of the order-statistic intervals of the two medians by MOVER in logarithms
/// (Zou and Donner 2008, "Construction of confidence limits about effect measures", the ratio
/// case): the distances from the medians to their limits add in quadrature. It covers the spread
/// within the two sets, but no drift between them.
///
/// `None` unless both sets have values and positive medians.
#[inline]
pub fn change_of_medians(baseline: &[f64], candidate: &[f64], confidence: f64) -> Option<Change> {
    let (before, before_limits) = log_median(baseline, confidence)?;
    let (after, after_limits) = log_median(candidate, confidence)?;
    let difference = after - before;
    let low = difference - (after - after_limits.low).hypot(before_limits.high - before);
    let high = difference + (after_limits.high - after).hypot(before - before_limits.low);
    Some(Change {
        estimate: difference.exp_m1(),
        interval: Interval { low: low.exp_m1(), high: high.exp_m1() },
    })
}

impl Change {
    /// Returns the interval. `None` if it is unbounded on both sides, because one of the two sets
    /// is a single value.
    #[inline]
    pub fn known_interval(&self) -> Option<Interval> {
        let Interval { low, high } = self.interval;
        (low > -1.0 || high.is_finite()).then_some(self.interval)
    }
}

/// Returns the logarithms of the median and of its limits.
#[inline]
fn log_median(values: &[f64], confidence: f64) -> Option<(f64, Interval)> {
    let median = median(values);
    if median.is_nan() || median <= 0.0 {
        return None;
    }
    if values.len() == 1 {
        // The error of a single value is unknown.
        return Some((median.ln(), Interval { low: f64::NEG_INFINITY, high: f64::INFINITY }));
    }
    let limits = median_interval(values, confidence)?;
    // A limit at or below zero, from a sample shorter than its overhead, leaves that side
    // unbounded.
    let log = |x: f64| if x > 0.0 { x.ln() } else { f64::NEG_INFINITY };
    Some((median.ln(), Interval { low: log(limits.low), high: log(limits.high) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn change_is_the_ratio_of_medians() {
        let baseline = [10.0, 10.0, 10.0, 10.0, 10.0, 10.0];
        let candidate = [12.0, 12.0, 12.0, 12.0, 12.0, 12.0];
        let change = change_of_medians(&baseline, &candidate, 0.95).unwrap();
        assert!((change.estimate - 0.2).abs() < 1e-12);
        assert!((change.interval.low - 0.2).abs() < 1e-12 && (change.interval.high - 0.2).abs() < 1e-12);
    }

    #[test]
    fn a_single_value_leaves_both_sides_unbounded() {
        let known = |baseline: &[f64], candidate: &[f64]| {
            let change = change_of_medians(baseline, candidate, 0.95).unwrap();
            assert!((change.estimate - 0.2).abs() < 1e-12);
            change.known_interval().is_some()
        };
        assert!(known(&[10.0; 2], &[12.0; 2]));
        assert!(!known(&[10.0], &[12.0]) && !known(&[10.0], &[12.0; 9]) && !known(&[10.0; 9], &[12.0]));
    }

    #[test]
    fn distances_to_the_limits_add_in_quadrature() {
        // The limits are a factor of e^0.3 and of e^0.4 from the medians.
        let spread = |width: f64| [(-width).exp(), 1.0, width.exp()];
        let change = change_of_medians(&spread(0.3), &spread(0.4), 0.95).unwrap();
        assert!((change.interval.high.ln_1p() - 0.5).abs() < 1e-12);
        assert!((change.interval.low.ln_1p() + 0.5).abs() < 1e-12);
    }

    #[test]
    fn without_positive_medians_there_is_no_change() {
        assert!(change_of_medians(&[], &[1.0], 0.95).is_none());
        assert!(change_of_medians(&[1.0], &[0.0], 0.95).is_none());
    }
}
