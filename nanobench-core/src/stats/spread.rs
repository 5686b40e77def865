//! Spread of one set of values.

use super::{mean, median};

/// The sample standard deviation (n - 1). 0 for fewer than two values.
pub fn standard_deviation(values: &[f64]) -> f64 {
    if values.len() < 2 {
        return 0.0;
    }
    let middle = mean(values);
    let squares: f64 = values.iter().map(|x| (x - middle).powi(2)).sum();
    (squares / (values.len() - 1) as f64).sqrt()
}

/// Median absolute deviation from the median, as it is: not scaled to the standard deviation of a normal distribution.
/// NaN for no values.
pub fn mad(values: &[f64]) -> f64 {
    let middle = median(values);
    let deviations: Vec<f64> = values.iter().map(|x| (x - middle).abs()).collect();
    median(&deviations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_are_those_of_numpy_and_scipy() {
        // numpy.std(v, ddof=1), scipy.stats.median_abs_deviation(v)
        let values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0];
        assert!((standard_deviation(&values) - 2.748_376_143_938_713).abs() < 1e-12);
        assert_eq!(mad(&values), 2.0);
        assert_eq!(standard_deviation(&[7.0]), 0.0);
    }
}
