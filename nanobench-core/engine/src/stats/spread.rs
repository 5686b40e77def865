//! Spread of one set of values.

use super::{mean, median};

/// Returns the sample standard deviation (n - 1). 0 for fewer than two values.
pub(crate) fn standard_deviation(values: &[f64]) -> f64 {
    if values.len() < 2 {
        return 0.0;
    }
    let mean = mean(values);
    let squares: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
    (squares / (values.len() - 1) as f64).sqrt()
}

/// Returns the median absolute deviation from the median, without the factor that makes it the
/// standard deviation of a normal distribution. NaN without values.
pub(crate) fn mad(values: &[f64]) -> f64 {
    let center = median(values);
    let deviations: Vec<f64> = values.iter().map(|x| (x - center).abs()).collect();
    median(&deviations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_agree_with_numpy_and_scipy() {
        // numpy.std(v, ddof=1), scipy.stats.median_abs_deviation(v)
        let values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0];
        assert!((standard_deviation(&values) - 2.748_376_143_938_713).abs() < 1e-12);
        assert_eq!(mad(&values), 2.0);
        assert_eq!(standard_deviation(&[7.0]), 0.0);
    }
}
