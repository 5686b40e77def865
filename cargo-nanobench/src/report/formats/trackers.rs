//! The formats of trackers of benchmarks, which have each benchmark with figures once.

use super::json::pretty;
use crate::experiment::Row;
use crate::report::Report;
use nanobench::model::Measurement;
use nanobench::report::{escape, percent};
use nanobench::stats;
use nanobench::summary::{Summary, times};
use serde_json::{Map, Value, json};

/// A benchmark with figures above its resolution.
pub(super) struct Measured<'a> {
    pub(super) row: &'a Row,
    pub(super) measurement: &'a Measurement,
    pub(super) summary: &'a Summary,
}

/// Returns the benchmarks with figures. With several baselines, they are those of the first run.
pub(super) fn measured(report: &Report) -> impl Iterator<Item = Measured<'_>> {
    let rows = report.runs.first().map_or(&[][..], |run| &run.rows);
    let measured = |row| {
        let (measurement, summary) = Row::resolved(row)?;
        Some(Measured { row, measurement, summary })
    };
    rows.iter().filter_map(measured)
}

impl Measured<'_> {
    pub(super) fn id(&self) -> String {
        self.row.benchmark.id.to_string()
    }
}

/// Returns the lines that libtest prints for `#[bench]`: `test NAME ... bench: 12.34 ns/iter (+/- 0.56)`.
pub(super) fn bencher(report: &Report) -> String {
    let line = |measured: Measured<'_>| {
        // Readers split the lines at spaces.
        let name = escape(&measured.id()).replace(char::is_whitespace, "_");
        // The deviation of libtest is the range of the samples, without 5 % of them at either end.
        let times = times(measured.measurement);
        let deviation = stats::quantile(&times, 0.95) - stats::quantile(&times, 0.05);
        let [time, deviation] = [measured.summary.median, deviation].map(with_separators);
        format!("test {name} ... bench: {time:>14} ns/iter (+/- {deviation})\n")
    };
    measured(report).map(line).collect()
}

/// Formats a number with two decimals and a `,` between thousands.
fn with_separators(number: f64) -> String {
    let text = format!("{number:.2}");
    let (whole, decimals) = text.split_once('.').unwrap_or((&text, "00"));
    let mut out = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    format!("{out}.{decimals}")
}

/// Returns a report in Bencher Metric Format, as `bencher run --adapter json` reads it, with Bencher's
/// built-in measure in ns: <https://bencher.dev/docs/reference/bencher-metric-format/>.
pub(super) fn bencher_metric(report: &Report) -> serde_json::Result<String> {
    let metric = |measured: Measured<'_>| {
        let Summary { median, interval, .. } = measured.summary;
        let latency = json!({"value": median, "lower_value": interval.low, "upper_value": interval.high});
        (measured.id(), json!({"latency": latency}))
    };
    pretty(&measured(report).map(metric).collect::<Map<String, Value>>())
}

/// Returns the input of benchmark-action/github-action-benchmark for its tool `customSmallerIsBetter`: the
/// medians, half the widths of their 95 % confidence intervals, and texts for its charts.
pub(super) fn github_action_benchmark(report: &Report) -> serde_json::Result<String> {
    let entry = |measured: Measured<'_>| {
        let Summary { samples, median, interval, err, .. } = measured.summary;
        json!({
            "name": measured.id(),
            "unit": format!("ns/{}", measured.row.unit()),
            "value": median,
            "range": format!("± {:.3}", (interval.high - interval.low) / 2.0),
            "extra": format!("{samples} samples, err {}", percent(*err)),
        })
    };
    pretty(&measured(report).map(entry).collect::<Vec<Value>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        let texts = [0.5, 999.994, 1_000.0, 1_234_567.891].map(with_separators);
        assert_eq!(texts, ["0.50", "999.99", "1,000.00", "1,234,567.89"]);
    }
}
