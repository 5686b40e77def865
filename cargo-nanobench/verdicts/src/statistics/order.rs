//! Values in their order. The compiler would take the sort of nanobench-core, which isn't optimised in
//! tests, if the order were not a function of this crate.

use nanobench::stats::quantile_of_sorted;
use std::cmp::Ordering;

/// The ascending order of numbers.
pub fn ascending(a: &f64, b: &f64) -> Ordering {
    a.total_cmp(b)
}

/// Returns the values in ascending order.
pub fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(ascending);
    sorted
}

/// Returns the median. NaN without values.
pub fn median(values: &[f64]) -> f64 {
    quantile_of_sorted(&sorted(values), 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_usual_one() {
        for values in [&[3.0, 1.0, 2.0][..], &[4.0, 1.0, 2.0, 9.0]] {
            assert_eq!(median(values), nanobench::stats::median(values));
        }
        assert!(median(&[]).is_nan());
    }
}
