//! The JSON of Python's pyperf: `python3 -m pyperf compare_to BEFORE NOW`.

use super::json::pretty;
use super::trackers::{Measured, measured};
use crate::environment::Environment;
use crate::report::Report;
use nanobench::report::escape;
use nanobench::stats::medians_of_parts;
use nanobench::summary::times;
use serde_json::{Map, Value, json};

/// Returns the document. pyperf reads no file without benchmarks.
pub(super) fn pyperf(report: &Report) -> serde_json::Result<String> {
    let metadata = report.runs.first().map(|run| metadata(&run.header.environment)).unwrap_or_default();
    let benchmarks = measured(report).filter_map(|measured| {
        let runs = runs(&measured);
        let metadata = json!({"name": on_a_line(&measured.id())});
        (!runs.is_empty()).then(|| json!({"metadata": metadata, "runs": runs}))
    });
    pretty(&json!({"version": "1.0", "metadata": metadata, "benchmarks": benchmarks.collect::<Vec<Value>>()}))
}

/// Returns the facts about the machine that pyperf compares and prints.
fn metadata(Environment { cpu, cores, context, .. }: &Environment) -> Map<String, Value> {
    let mut facts = Map::from_iter([("unit".to_owned(), "second".into())]);
    facts.extend(cpu.iter().map(|cpu| ("cpu_model_name".to_owned(), on_a_line(cpu).into())));
    facts.extend(cores.map(|cores| ("cpu_count".to_owned(), cores.into())));
    // A prefix, as pyperf checks the types of the keys that it knows.
    let own = context.iter();
    facts.extend(own.map(|own| (format!("context_{}", on_a_line(&own.key)), on_a_line(&own.value).into())));
    facts
}

/// Returns the times of an operation in consecutive parts of the samples of each process, in seconds.
/// pyperf compares only benchmarks with the same number of values.
fn runs(Measured { measurement, .. }: &Measured<'_>) -> Vec<Value> {
    let mut times = times(measurement).into_iter();
    let mut runs = Vec::new();
    for launch in &measurement.launches {
        let times: Vec<f64> = times.by_ref().take(launch.samples.len()).collect();
        // pyperf takes positive values only.
        let in_seconds = |time: f64| (time * 1e-9).max(1e-15);
        let values: Vec<f64> = medians_of_parts(&times).into_iter().map(in_seconds).collect();
        if values.is_empty() {
            continue;
        }
        let iterations: u64 = launch.samples.iter().map(|sample| sample.iterations).sum();
        let operations = iterations as f64 * measurement.operations() as f64;
        // The number of operations in a part, on average.
        let loops = (operations / values.len() as f64).max(1.0) as u64;
        runs.push(json!({"metadata": {"loops": loops}, "values": values}));
    }
    runs
}

/// pyperf prints texts as they are, and takes none with spaces around it.
fn on_a_line(text: &str) -> String {
    escape(text).trim().to_owned()
}
