//! The input of benchmark-action/github-action-benchmark for its tool `customSmallerIsBetter`.

use super::figures::{Measured, measured};
use super::json::pretty;
use crate::report::Report;
use nanobench::report::percent;
use serde::Serialize;

#[derive(Serialize)]
struct Entry {
    name: String,
    unit: String,
    /// The median.
    value: f64,
    /// Half the width of its 95 % confidence interval, in the same unit.
    range: String,
    /// A text that its charts show.
    extra: String,
}

/// Returns the list of benchmarks with figures.
pub(super) fn github_action_benchmark(report: &Report) -> Result<String, serde_json::Error> {
    pretty(&measured(report).map(|measured| entry(&measured)).collect::<Vec<_>>())
}

fn entry(measured: &Measured<'_>) -> Entry {
    let Measured { benchmark, summary, .. } = measured;
    Entry {
        name: benchmark.id.to_string(),
        unit: format!("ns/{}", measured.unit()),
        value: summary.median,
        range: format!("± {:.3}", (summary.interval.high - summary.interval.low) / 2.0),
        extra: format!("{} samples, err {}", summary.samples, percent(summary.err)),
    }
}
