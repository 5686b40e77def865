//! Bencher Metric Format, as `bencher run --adapter json` reads it:
//! <https://bencher.dev/docs/reference/bencher-metric-format/>.

use super::figures::measured;
use super::json::pretty;
use crate::report::Report;
use serde::Serialize;
use std::collections::BTreeMap;

/// The measures of a benchmark.
#[derive(Serialize)]
struct Measures {
    /// The built-in measure in ns. The bounds are those of the 95 % confidence interval.
    latency: Metric,
}

#[derive(Serialize)]
struct Metric {
    value: f64,
    lower_value: f64,
    upper_value: f64,
}

/// Returns the document: the measures of each benchmark by its id.
pub(super) fn bencher_metric(report: &Report) -> Result<String, serde_json::Error> {
    let benchmarks = measured(report).map(|measured| {
        let (value, interval) = (measured.summary.median, measured.summary.interval);
        let latency = Metric { value, lower_value: interval.low, upper_value: interval.high };
        (measured.benchmark.id.to_string(), Measures { latency })
    });
    pretty(&benchmarks.collect::<BTreeMap<_, _>>())
}
