//! Saved runs as what a run reports, and as JSON.

use crate::baseline::{Baseline, ListedBaseline, StoredBenchmark};
use crate::environment::Environment;
use crate::experiment::{Benchmark, Comparison, Outcome, Row};
use crate::report::{self, Report, RunHeader, RunOutcome};
use jiff::Timestamp;
use nanobench::summary::Summary;
use serde::Serialize;
use std::io;

/// Version of the list. Fields are added without a new one; a field that changes or goes makes one.
const FORMAT: u64 = 1;

/// All baselines of a target directory.
#[derive(Debug, Serialize)]
struct List<'a> {
    format: u64,
    cargo_nanobench: &'static str,
    baselines: Vec<Entry<'a>>,
}

/// A line of the list. What is only known of what can be read is `null` otherwise.
#[derive(Debug, Serialize)]
struct Entry<'a> {
    name: &'a str,
    /// Why it can't be read.
    error: Option<String>,
    /// Of all its files, in bytes.
    size: u64,
    created: Option<Timestamp>,
    environment: Option<&'a Environment>,
    /// It comes from another machine, and its executables aren't run here.
    foreign: Option<bool>,
    benchmarks: Option<usize>,
    executables: Option<usize>,
}

/// The list as one JSON document, with a newline at its end.
pub(super) fn list(listed: &[ListedBaseline]) -> io::Result<String> {
    let baselines = listed.iter().map(entry).collect();
    let list = List { format: FORMAT, cargo_nanobench: env!("CARGO_PKG_VERSION"), baselines };
    Ok(serde_json::to_string_pretty(&list)? + "\n")
}

fn entry(listed: &ListedBaseline) -> Entry<'_> {
    let baseline = listed.baseline.as_ref().ok();
    Entry {
        name: &listed.name,
        error: listed.baseline.as_ref().err().map(ToString::to_string),
        size: listed.size,
        created: baseline.map(|baseline| baseline.created),
        environment: baseline.map(|baseline| &baseline.environment),
        foreign: baseline.map(|baseline| baseline.from_other_machine),
        benchmarks: baseline.map(|baseline| baseline.benchmarks.len()),
        executables: baseline.map(|baseline| baseline.executables.len()),
    }
}

/// The document that the run itself would have printed, but for what was compared and warned of then.
pub(super) fn show(name: String, baseline: &Baseline) -> io::Result<String> {
    let measurements = baseline.benchmarks.iter().map(|stored| &stored.measurement);
    let header = RunHeader::from_saved(name, baseline.environment.clone(), measurements, None);
    let rows = baseline.benchmarks.iter().filter_map(|stored| row(stored, None)).collect();
    Ok(report::json(&[Report { header, rows, outcome: RunOutcome::default() }], None)?)
}

/// A stored benchmark as if it had just been measured. None where it has no samples.
pub(super) fn row(stored: &StoredBenchmark, comparison: Option<Comparison>) -> Option<Row> {
    let measurement = stored.measurement.clone();
    let summary = Summary::from_measurement(&measurement)?;
    let benchmark = Benchmark::new(&stored.target, 0, &stored.benchmark);
    let outcome = Outcome::Measured { measurement, summary };
    Some(Row { benchmark, outcome, comparison, relation: None })
}
