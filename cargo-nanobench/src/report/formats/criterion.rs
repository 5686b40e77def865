//! Criterion's layout, in the version that Criterion 0.3 to 0.7 write and critcmp reads:
//! `<benchmark>/<baseline>/{benchmark,estimates,sample}.json`.

use super::figures::{Measured, Z_95, measured};
use super::json::pretty;
use crate::baseline::LAST_RUN;
use crate::report::{Ending, Report};
use nanobench::stats::Interval;
use nanobench::summary::{CONFIDENCE, Summary, times};
use serde::Serialize;
use std::path::PathBuf;
use xxhash_rust::xxh3::xxh3_64;

/// The name of the folder of a run that has no name.
const UNNAMED: &str = "new";
/// The longest name of a folder without its hash, in characters.
const MAX_NAME: usize = 64;

#[derive(Serialize)]
struct BenchmarkId {
    group_id: String,
    function_id: String,
    value_str: Option<String>,
    throughput: Option<Throughput>,
    full_id: String,
    directory_name: String,
    title: String,
}

#[derive(Serialize)]
enum Throughput {
    Bytes(u64),
    Elements(u64),
}

/// Estimates in ns per operation.
#[derive(Serialize)]
struct Estimates {
    mean: Estimate,
    median: Estimate,
    median_abs_dev: Estimate,
    /// There is none, as the samples have the same number of iterations.
    slope: Option<Estimate>,
    std_dev: Estimate,
}

#[derive(Serialize)]
struct Estimate {
    confidence_interval: ConfidenceInterval,
    point_estimate: f64,
    standard_error: f64,
}

#[derive(Serialize)]
struct ConfidenceInterval {
    confidence_level: f64,
    lower_bound: f64,
    upper_bound: f64,
}

/// The samples: their numbers of operations, and their times in ns.
#[derive(Serialize)]
struct Samples {
    sampling_mode: &'static str,
    iters: Vec<f64>,
    times: Vec<f64>,
}

/// Returns the files with their paths.
pub(super) fn criterion(report: &Report) -> Result<Vec<(PathBuf, String)>, serde_json::Error> {
    let name = baseline(report);
    let mut files = Vec::new();
    for measured in measured(report) {
        let directory = file_name(&measured.benchmark.id.to_string());
        let folder = PathBuf::from(&directory).join(&name);
        files.push((folder.join("benchmark.json"), pretty(&benchmark(&measured, directory))?));
        files.push((folder.join("estimates.json"), pretty(&estimates(measured.summary))?));
        files.push((folder.join("sample.json"), pretty(&samples(&measured))?));
    }
    Ok(files)
}

/// Returns the folder for a saved run: its name.
fn baseline(report: &Report) -> String {
    let saved = report.runs.first().and_then(|run| run.header.saved.as_deref());
    let saved = saved.filter(|name| *name != LAST_RUN);
    let saved_as = report.runs.last().and_then(|run| match &run.outcome.ending {
        Ending::SavedAs { name, .. } => Some(name.as_str()),
        _ => None,
    });
    saved.or(saved_as).map_or_else(|| UNNAMED.to_owned(), |name| in_file_names(name).collect())
}

fn benchmark(measured: &Measured<'_>, directory_name: String) -> BenchmarkId {
    let id = &measured.benchmark.id;
    let row = &id.row;
    let separator = if row.modules.is_empty() { "" } else { "::" };
    let operations = measured.measurement.operations() as f64;
    let amount = measured.measurement.throughput.iter().flatten().next();
    BenchmarkId {
        group_id: format!("{}{separator}{}", id.target, row.modules),
        function_id: row.function.clone(),
        value_str: Some(row.case()).filter(|case| !case.is_empty()),
        throughput: amount.and_then(|amount| {
            let of_operation = (amount.value / operations).round() as u64;
            match amount.name.as_str() {
                _ if of_operation == 0 => None,
                "byte" => Some(Throughput::Bytes(of_operation)),
                _ => Some(Throughput::Elements(of_operation)),
            }
        }),
        full_id: nanobench::report::escape(&id.to_string()),
        title: nanobench::report::escape(&id.to_string()),
        directory_name,
    }
}

/// Returns the estimates. Errors without an interval of their own are those of a normal
/// distribution.
fn estimates(summary: &Summary) -> Estimates {
    let samples = (summary.samples as f64).max(1.0);
    let of_normal = |point: f64, error: f64| {
        estimate(point, error, Interval { low: point - Z_95 * error, high: point + Z_95 * error })
    };
    let median_error = (summary.interval.high - summary.interval.low) / (2.0 * Z_95);
    Estimates {
        mean: of_normal(summary.mean, summary.sd / samples.sqrt()),
        median: estimate(summary.median, median_error, summary.interval),
        median_abs_dev: of_normal(summary.mad, summary.mad / (2.0 * (samples - 1.0).max(1.0)).sqrt()),
        slope: None,
        std_dev: of_normal(summary.sd, summary.sd / (2.0 * (samples - 1.0).max(1.0)).sqrt()),
    }
}

fn estimate(point_estimate: f64, standard_error: f64, interval: Interval) -> Estimate {
    let Interval { low: lower_bound, high: upper_bound } = interval;
    let confidence_interval = ConfidenceInterval { confidence_level: CONFIDENCE, lower_bound, upper_bound };
    Estimate { confidence_interval, point_estimate, standard_error }
}

fn samples(Measured { measurement, .. }: &Measured<'_>) -> Samples {
    let samples = measurement.launches.iter().flat_map(|launch| &launch.samples);
    let operations = measurement.operations() as f64;
    let iters: Vec<f64> = samples.map(|sample| sample.iterations as f64 * operations).collect();
    let times = times(measurement).iter().zip(&iters).map(|(time, iters)| time * iters).collect();
    Samples { sampling_mode: "Flat", iters, times }
}

/// Returns the name of a benchmark's folder on every system: safe characters, and a hash because
/// several ids may differ in the other ones only.
fn file_name(id: &str) -> String {
    let safe: String = in_file_names(id).take(MAX_NAME).collect();
    format!("{safe}-{:08x}", xxh3_64(id.as_bytes()) as u32)
}

fn in_file_names(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '_' })
}
