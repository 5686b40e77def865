//! Quantiles and the mean of a set of values.

/// A closed interval.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(into = "[f64; 2]"))]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

pub(super) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

/// Returns the quantile `q` (0 to 1) of `values`, interpolated linearly between order statistics
/// (Hyndman and Fan 1996, type 7, numpy's default). NaN without values.
pub fn quantile(values: &[f64], q: f64) -> f64 {
    quantile_of_sorted(&sorted(values), q)
}

/// Returns the [`quantile`] of values in ascending order.
pub fn quantile_of_sorted(sorted: &[f64], q: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let position = q.clamp(0.0, 1.0) * last as f64;
    let (below, fraction) = (position.floor() as usize, position.fract());
    let above = (below + 1).min(last);
    sorted[below] + fraction * (sorted[above] - sorted[below])
}

/// Returns the median, which is the mean of the two middle values for an even number. NaN without
/// values.
pub fn median(values: &[f64]) -> f64 {
    quantile(values, 0.5)
}

/// Returns the medians of consecutive parts of the values: ten, or five if there are fewer than ten
/// values, so that sets of other sizes have as many. Fewer than five are returned as they are.
#[inline]
pub fn medians_of_parts(values: &[f64]) -> Vec<f64> {
    let (n, parts) = (values.len(), if values.len() < 10 { values.len().min(5) } else { 10 });
    (0..parts).map(|part| median(&values[part * n / parts..(part + 1) * n / parts])).collect()
}

/// Returns the arithmetic mean. NaN without values.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Returns the median absolute percentage error as a fraction (0.01 is 1 %): the median of `|x -
/// median| / x`, as ankerl::nanobench defines err%. Values of 0 are skipped. 0 without values.
#[inline]
pub fn mdape(values: &[f64]) -> f64 {
    let median_value = median(values);
    let errors: Vec<f64> =
        values.iter().filter(|&&x| x != 0.0).map(|x| ((x - median_value) / x).abs()).collect();
    if errors.is_empty() { 0.0 } else { median(&errors) }
}

/// Returns a confidence interval of the median of the population that `values` are drawn from.
/// `confidence` is from 0 to 1.
///
/// The interval makes no assumption about the distribution. Its ends are two order statistics such
/// that the binomial tails beyond them sum to at most `1 - confidence` (Hollander and Wolfe,
/// Nonparametric Statistical Methods, section 3.6). With too few values for that confidence, it is
/// the range of the values. `None` without values.
#[inline]
pub fn median_interval(values: &[f64], confidence: f64) -> Option<Interval> {
    let sorted = sorted(values);
    let n = sorted.len();
    let tail = (1.0 - confidence) / 2.0;
    // P(X <= k) of Binomial(n, 1/2), term by term in logarithms, because 2^-n underflows for large
    // n.
    let mut log_term = -(n as f64) * std::f64::consts::LN_2;
    let mut cumulative = log_term.exp();
    let mut rank = 0;
    for k in 0..n / 2 {
        if cumulative > tail {
            break;
        }
        rank = k;
        log_term += ((n - k) as f64 / (k + 1) as f64).ln();
        cumulative += log_term.exp();
    }
    Some(Interval { low: *sorted.get(rank)?, high: sorted[n - 1 - rank] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_as_many_for_any_number_of_values() {
        let values: Vec<f64> = (0..61).map(f64::from).collect();
        let numbers = [10, 11, 61, 9, 5, 3, 0].map(|n| medians_of_parts(&values[..n]).len());
        assert_eq!(numbers, [10, 10, 10, 5, 5, 3, 0]);
        assert_eq!(medians_of_parts(&values[..11])[8..], [8.0, 9.5]);
    }

    #[test]
    fn quantiles_agree_with_numpy() {
        // numpy.quantile([3, 1, 4, 1, 5, 9, 2, 6], [0, .1, .25, .5, .9, 1])
        let values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0];
        for (q, expected) in [(0.0, 1.0), (0.1, 1.0), (0.25, 1.75), (0.5, 3.5), (0.9, 6.9), (1.0, 9.0)] {
            assert!((quantile(&values, q) - expected).abs() < 1e-12, "q {q}");
        }
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn mdape_agrees_with_the_definition() {
        // The relative errors of [1, 2, 4] from their median 2 are 1, 0 and 0.5.
        assert_eq!(mdape(&[1.0, 2.0, 4.0]), 0.5);
        assert_eq!(mdape(&[0.0, 0.0]), 0.0);
    }

    #[test]
    fn median_intervals_agree_with_the_tables() {
        // 95 % order-statistic ranks: n = 6: 1 and 6; n = 10: 2 and 9; n = 31: 10 and 22; n = 100:
        // 40 and 61.
        for (n, low, high) in [(6, 1, 6), (10, 2, 9), (31, 10, 22), (100, 40, 61)] {
            let values: Vec<f64> = (1..=n).map(f64::from).collect();
            let interval = median_interval(&values, 0.95).unwrap();
            assert_eq!((interval.low, interval.high), (f64::from(low), f64::from(high)), "n {n}");
        }
    }

    #[test]
    fn the_median_interval_of_few_values_is_their_range() {
        assert_eq!(median_interval(&[2.0, 1.0], 0.95), Some(Interval { low: 1.0, high: 2.0 }));
        assert_eq!(median_interval(&[2.0], 0.95), Some(Interval { low: 2.0, high: 2.0 }));
        assert_eq!(median_interval(&[], 0.95), None);
    }
}
