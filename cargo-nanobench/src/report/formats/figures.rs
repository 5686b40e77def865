//! The rows and figures that formats for single measurements share.

use crate::experiment::{Benchmark, Row};
use crate::report::Report;
use nanobench::model::Measurement;
use nanobench::summary::Summary;

/// The z-value of a 95 % confidence interval.
pub(super) const Z_95: f64 = 1.96;

/// A benchmark with figures above its resolution.
pub(super) struct Measured<'a> {
    pub(super) benchmark: &'a Benchmark,
    pub(super) measurement: &'a Measurement,
    pub(super) summary: &'a Summary,
}

/// Returns the benchmarks with figures, for formats that have each benchmark once. With several
/// baselines, they are those of the first run.
pub(super) fn measured(report: &Report) -> impl Iterator<Item = Measured<'_>> {
    let rows = report.runs.first().map_or(&[][..], |run| &run.rows);
    rows.iter().filter_map(|row: &Row| {
        let (measurement, summary) = row.resolved()?;
        Some(Measured { benchmark: &row.benchmark, measurement, summary })
    })
}

impl Measured<'_> {
    pub(super) fn unit(&self) -> &str {
        self.benchmark.spec.unit.as_deref().unwrap_or("op")
    }
}
