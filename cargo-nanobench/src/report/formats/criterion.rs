//! Criterion's layout, in the version that Criterion 0.3 to 0.7 write and critcmp reads:
//! `<benchmark>/<baseline>/{benchmark,estimates,sample}.json`.

use super::json::pretty;
use super::trackers::{Measured, measured};
use crate::baseline::LAST_RUN;
use crate::report::{Ending, Report};
use nanobench::report::escape;
use nanobench::stats::Interval;
use nanobench::summary::{CONFIDENCE, Summary, times};
use serde_json::{Value, json};
use std::path::PathBuf;
use xxhash_rust::xxh3::xxh3_64;

/// The name of the folder of a run that has no name.
const UNNAMED: &str = "new";
/// The z-value of a 95 % confidence interval.
const Z_95: f64 = 1.96;
/// The longest name of a folder without its hash, in characters.
const MAX_NAME: usize = 64;

/// Returns the files with their paths.
pub(super) fn criterion(report: &Report) -> Result<Vec<(PathBuf, String)>, serde_json::Error> {
    let name = baseline(report);
    let mut files = Vec::new();
    for measured in measured(report) {
        let directory = file_name(&measured.id());
        let folder = PathBuf::from(&directory).join(&name);
        files.push((folder.join("benchmark.json"), pretty(&benchmark(&measured, &directory))?));
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

fn benchmark(measured: &Measured<'_>, directory_name: &str) -> Value {
    let id = &measured.row.benchmark.id;
    let separator = if id.row.modules.is_empty() { "" } else { "::" };
    let operations = measured.measurement.operations() as f64;
    let amount = measured.measurement.throughput.iter().flatten().next();
    let throughput = amount.and_then(|amount| {
        let of_operation = (amount.value / operations).round() as u64;
        let unit = if amount.name == "byte" { "Bytes" } else { "Elements" };
        (of_operation > 0).then(|| json!({unit: of_operation}))
    });
    json!({
        "group_id": format!("{}{separator}{}", id.target, id.row.modules),
        "function_id": id.row.function,
        "value_str": Some(id.row.case()).filter(|case| !case.is_empty()),
        "throughput": throughput,
        "full_id": escape(&id.to_string()),
        "directory_name": directory_name,
        "title": escape(&id.to_string()),
    })
}

/// Returns the estimates in ns per operation. Errors without an interval of their own are those of a
/// normal distribution.
fn estimates(summary: &Summary) -> Value {
    let samples = (summary.samples as f64).max(1.0);
    let of_normal = |point: f64, error: f64| {
        estimate(point, error, Interval { low: point - Z_95 * error, high: point + Z_95 * error })
    };
    let median_error = (summary.interval.high - summary.interval.low) / (2.0 * Z_95);
    let error_of_deviation = |deviation: f64| deviation / (2.0 * (samples - 1.0).max(1.0)).sqrt();
    json!({
        "mean": of_normal(summary.mean, summary.sd / samples.sqrt()),
        "median": estimate(summary.median, median_error, summary.interval),
        "median_abs_dev": of_normal(summary.mad, error_of_deviation(summary.mad)),
        // There is none, as the samples have the same number of iterations.
        "slope": null,
        "std_dev": of_normal(summary.sd, error_of_deviation(summary.sd)),
    })
}

fn estimate(point: f64, error: f64, Interval { low, high }: Interval) -> Value {
    let interval = json!({"confidence_level": CONFIDENCE, "lower_bound": low, "upper_bound": high});
    json!({"confidence_interval": interval, "point_estimate": point, "standard_error": error})
}

/// Returns the samples: their numbers of operations, and their times in ns.
fn samples(Measured { measurement, .. }: &Measured<'_>) -> Value {
    let samples = measurement.launches.iter().flat_map(|launch| &launch.samples);
    let operations = measurement.operations() as f64;
    let iters: Vec<f64> = samples.map(|sample| sample.iterations as f64 * operations).collect();
    let times: Vec<f64> = times(measurement).iter().zip(&iters).map(|(time, iters)| time * iters).collect();
    json!({"sampling_mode": "Flat", "iters": iters, "times": times})
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
