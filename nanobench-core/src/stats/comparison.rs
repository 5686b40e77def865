//! Comparing two sets of values.

use super::{Interval, median, median_interval};

/// How much a candidate differs from a baseline, as shares: 0.03 is 3 % more, which is slower.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// candidate / baseline - 1.
    pub estimate: f64,
    /// Where the true change lies, with the confidence that was asked for.
    pub interval: Interval,
}

/// The change from the median of `baseline` to the median of `candidate`, two sets that were taken independently.
///
/// The interval comes from the order-statistic intervals of the two medians by MOVER in logarithms (Zou and Donner
/// 2008, "Construction of confidence limits about effect measures", the ratio case): distances from the medians to
/// their limits add in quadrature. It speaks of the values that it is given: what moved between the two
/// sittings is not in it.
///
/// `None` unless both sets have values and positive medians.
pub fn change_of_medians(baseline: &[f64], candidate: &[f64], confidence: f64) -> Option<Change> {
    let (base, base_limits) = log_median(baseline, confidence)?;
    let (now, now_limits) = log_median(candidate, confidence)?;
    let difference = now - base;
    let low = difference - (now - now_limits.low).hypot(base_limits.high - base);
    let high = difference + (now_limits.high - now).hypot(base - base_limits.low);
    Some(Change {
        estimate: difference.exp_m1(),
        interval: Interval { low: low.exp_m1(), high: high.exp_m1() },
    })
}

impl Change {
    /// The interval, where anything is known of it: not where either set is a single value.
    pub fn known_interval(&self) -> Option<Interval> {
        let Interval { low, high } = self.interval;
        (low > -1.0 || high.is_finite()).then_some(self.interval)
    }
}

/// The logarithm of the median and of its limits.
fn log_median(values: &[f64], confidence: f64) -> Option<(f64, Interval)> {
    let middle = median(values);
    if middle.is_nan() || middle <= 0.0 {
        return None;
    }
    if values.len() == 1 {
        // How far off a single value is, nothing tells.
        return Some((middle.ln(), Interval { low: f64::NEG_INFINITY, high: f64::INFINITY }));
    }
    let limits = median_interval(values, confidence)?;
    // A limit at or below zero (a sample whose overhead exceeds it) leaves that side open.
    let log = |x: f64| if x > 0.0 { x.ln() } else { f64::NEG_INFINITY };
    Some((middle.ln(), Interval { low: log(limits.low), high: log(limits.high) }))
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
    fn a_single_value_leaves_both_sides_open() {
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
        // Both have limits of a factor e^0.3 and e^0.4 from their medians.
        let spread = |width: f64| [(-width).exp(), 1.0, width.exp()];
        let change = change_of_medians(&spread(0.3), &spread(0.4), 0.95).unwrap();
        assert!((change.interval.high.ln_1p() - 0.5).abs() < 1e-12);
        assert!((change.interval.low.ln_1p() + 0.5).abs() < 1e-12);
    }

    #[test]
    fn nothing_is_said_of_nothing() {
        assert!(change_of_medians(&[], &[1.0], 0.95).is_none());
        assert!(change_of_medians(&[1.0], &[0.0], 0.95).is_none());
    }
}
