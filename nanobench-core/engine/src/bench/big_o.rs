//! Complexity fits over the results of a `Bench`.

use super::result::{BenchResult, Measure};
use crate::report::escape;
use crate::stats::{self, ComplexityFit, Point};
use std::fmt;
use std::ops::Deref;

/// The fit of one complexity to the times of an operation over the sizes of its input.
#[derive(Debug, Clone, PartialEq)]
pub struct BigO {
    /// The complexity, such as `O(n log n)`.
    pub name: String,
    /// Its factor, in seconds.
    pub constant: f64,
    /// Root mean square of the relative errors: 0.01 is 1 %.
    pub normalized_root_mean_square: f64,
    /// The error of the fit of ankerl::nanobench, which minimises absolute errors: their root mean
    /// square, as a fraction of the mean time.
    pub absolute_error: f64,
}

impl fmt::Display for BigO {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BigO { name, constant, normalized_root_mean_square: rms, .. } = self;
        write!(f, "{constant:.5e} * {}, rms={rms:.5}", escape(name))
    }
}

/// The fits of several complexities, the best first. Displayed as a Markdown table.
#[derive(Debug, Clone, PartialEq)]
pub struct ComplexityFits(Vec<BigO>);

impl ComplexityFits {
    #[inline]
    pub(super) fn new(
        results: &[BenchResult],
        custom: Option<(&str, &dyn Fn(f64) -> f64)>,
    ) -> ComplexityFits {
        let point = |result: &BenchResult| {
            let n = result.complexity_n()?;
            let value = custom.map(|(_, complexity)| complexity(n));
            // Not divided by the batch, which may be the size.
            let time = result.median(Measure::Elapsed) / result.measurement.operations() as f64;
            Some(Point { n, time, custom: value })
        };
        let points: Vec<Point> = results.iter().filter_map(point).collect();
        let fits = stats::fit_complexity(&points, custom.map(|(name, _)| name));
        let fit = |ComplexityFit { name, coefficient, error, absolute_error }| BigO {
            name,
            constant: coefficient,
            normalized_root_mean_square: error,
            absolute_error,
        };
        ComplexityFits(fits.into_iter().map(fit).collect())
    }
}

impl Deref for ComplexityFits {
    type Target = [BigO];

    #[inline]
    fn deref(&self) -> &[BigO] {
        &self.0
    }
}

impl fmt::Display for ComplexityFits {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return writeln!(f, "no complexity fits: it needs three different sizes over 0 that have a time");
        }
        writeln!(f, "|   coefficient |   err% | ankerl err% | complexity")?;
        writeln!(f, "|--------------:|-------:|------------:|------------")?;
        for BigO { name, constant, normalized_root_mean_square: rms, absolute_error } in self.iter() {
            let [rms, absolute] = [rms, absolute_error].map(|error| error * 100.0);
            writeln!(f, "| {constant:>13.5e} | {rms:>5.1}% | {absolute:>10.1}% | {}", escape(name))?;
        }
        Ok(())
    }
}
