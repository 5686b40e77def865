//! The JSON of Python's pyperf: `python3 -m pyperf compare_to BEFORE NOW`.

use super::figures::{Measured, measured};
use super::json::pretty;
use crate::environment::Environment;
use crate::report::Report;
use nanobench::stats::medians_of_parts;
use nanobench::summary::times;
use serde::Serialize;
use serde_json::{Map, Value};

#[derive(Serialize)]
struct Document {
    version: &'static str,
    metadata: Map<String, Value>,
    benchmarks: Vec<Benchmark>,
}

#[derive(Serialize)]
struct Benchmark {
    metadata: Map<String, Value>,
    runs: Vec<Run>,
}

/// The times of an operation in consecutive parts of the samples of one process, in seconds. pyperf
/// compares only benchmarks with the same number of values.
#[derive(Serialize)]
struct Run {
    metadata: RunMetadata,
    values: Vec<f64>,
}

#[derive(Serialize)]
struct RunMetadata {
    /// The number of operations in a part, on average.
    loops: u64,
}

/// Returns the document. pyperf reads no file without benchmarks.
pub(super) fn pyperf(report: &Report) -> Result<String, serde_json::Error> {
    let metadata = report.runs.first().map(|run| metadata(&run.header.environment)).unwrap_or_default();
    let benchmarks = measured(report).map(|measured| benchmark(&measured));
    let benchmarks = benchmarks.filter(|benchmark| !benchmark.runs.is_empty()).collect();
    pretty(&Document { version: "1.0", metadata, benchmarks })
}

/// Returns the facts about the machine that pyperf compares and prints.
fn metadata(environment: &Environment) -> Map<String, Value> {
    let mut facts = Map::new();
    let mut add = |key: &str, value: Value| {
        facts.insert(key.to_owned(), value);
    };
    add("unit", "second".into());
    if let Some(cpu) = &environment.cpu {
        add("cpu_model_name", on_a_line(cpu).into());
    }
    if let Some(cores) = environment.cores {
        add("cpu_count", cores.into());
    }
    for pair in &environment.context {
        // A prefix, as pyperf checks the types of the keys that it knows.
        add(&format!("context_{}", on_a_line(&pair.key)), on_a_line(&pair.value).into());
    }
    facts
}

fn benchmark(measured: &Measured<'_>) -> Benchmark {
    let mut metadata = Map::new();
    metadata.insert("name".to_owned(), on_a_line(&measured.benchmark.id.to_string()).into());
    let mut times = times(measured.measurement).into_iter();
    let runs = measured.measurement.launches.iter().map(|launch| {
        let times: Vec<f64> = times.by_ref().take(launch.samples.len()).collect();
        // pyperf takes positive values only.
        let in_seconds = |time: f64| (time * 1e-9).max(1e-15);
        let values: Vec<f64> = medians_of_parts(&times).into_iter().map(in_seconds).collect();
        let iterations: u64 = launch.samples.iter().map(|sample| sample.iterations).sum();
        let operations = iterations as f64 * measured.measurement.operations() as f64;
        let loops = (operations / values.len() as f64).max(1.0) as u64;
        Run { metadata: RunMetadata { loops }, values }
    });
    // Keep the iterator going over all launches before empty ones are left out.
    let runs: Vec<Run> = runs.collect();
    Benchmark { metadata, runs: runs.into_iter().filter(|run| !run.values.is_empty()).collect() }
}

/// pyperf prints texts as they are, and takes none with spaces around it.
fn on_a_line(text: &str) -> String {
    nanobench::report::escape(text).trim().to_owned()
}
