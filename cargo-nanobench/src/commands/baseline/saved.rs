//! Saved runs as reports and as JSON.

use crate::baseline::{Baseline, ListedBaseline, Origin, StoredBenchmark};
use crate::environment::Environment;
use crate::experiment::{Benchmark, Comparison, Outcome, Row};
use crate::report::{self, ComparedRun, Report, RunHeader, RunOutcome};
use jiff::Timestamp;
use nanobench::summary::Summary;
use serde::Serialize;
use std::io;

/// The version of the list. New fields keep it; changed and removed fields raise it.
const FORMAT: u64 = 2;

/// All baselines of a target directory.
#[derive(Debug, Serialize)]
struct List<'a> {
    format: u64,
    cargo_nanobench: &'static str,
    baselines: Vec<Entry<'a>>,
}

/// A baseline in the list. Most fields are `null` if it can't be read.
#[derive(Debug, Serialize)]
struct Entry<'a> {
    name: &'a str,
    /// The reason why it can't be read.
    error: Option<String>,
    /// The size of all its files, in bytes.
    size: u64,
    created: Option<Timestamp>,
    environment: Option<&'a Environment>,
    origin: Option<Origin>,
    from_other_machine: Option<bool>,
    benchmarks: Option<usize>,
    executables: Option<usize>,
}

/// Returns the list as a JSON document, with a newline at its end.
pub(super) fn list(listed: &[ListedBaseline]) -> io::Result<String> {
    let baselines = listed.iter().map(entry).collect();
    let list = List { format: FORMAT, cargo_nanobench: env!("CARGO_PKG_VERSION"), baselines };
    Ok(serde_json::to_string_pretty(&list)? + "\n")
}

fn entry(listed: &ListedBaseline) -> Entry<'_> {
    let overview = listed.baseline.as_ref().ok();
    let baseline = overview.map(|overview| &overview.run);
    Entry {
        name: &listed.name,
        error: listed.baseline.as_ref().err().map(ToString::to_string),
        size: listed.size,
        created: baseline.map(|baseline| baseline.created),
        environment: baseline.map(|baseline| &baseline.environment),
        origin: baseline.map(|baseline| baseline.origin),
        from_other_machine: baseline.map(|baseline| baseline.from_other_machine),
        benchmarks: overview.map(|overview| overview.benchmarks),
        executables: baseline.map(|baseline| baseline.executables.len()),
    }
}

/// Returns the document that the run would have printed, without comparisons and warnings.
pub(super) fn show(name: String, baseline: &Baseline) -> io::Result<String> {
    let measurements = baseline.benchmarks.iter().map(|stored| &stored.measurement);
    let header = RunHeader::from_saved(name, baseline.environment.clone(), measurements, None);
    let rows = baseline.benchmarks.iter().filter_map(|stored| row(stored, None)).collect();
    let run = ComparedRun { header, rows, outcome: RunOutcome::default() };
    Ok(report::json(&Report { runs: vec![run], scale_to: None })?)
}

/// Returns a stored benchmark as a row. `None` if it has no samples.
pub(super) fn row(stored: &StoredBenchmark, comparison: Option<Comparison>) -> Option<Row> {
    let measurement = stored.measurement.clone();
    let summary = Summary::from_measurement(&measurement)?;
    let benchmark = Benchmark::new(&stored.target, 0, &stored.benchmark);
    let outcome = Outcome::Measured { measurement, summary };
    Some(Row { benchmark, outcome, comparison, relation: None })
}
