//! A report as a single JSON document, and as a JSON object on each line, as results arrive: `start`, a
//! `benchmark` for each row, and `end`. With several baselines, these repeat for each of them.
//! Users read the fields: changing or removing one raises [`FORMAT`].

use crate::benchmark_id::BenchmarkId;
use crate::disturbance::Disturbance;
use crate::experiment::{Failure, Row, complexity};
use crate::output::escape_invisible;
use crate::report::record::{Record, map};
use crate::report::several::{self, Mean};
use crate::report::{ComparedRun, ComparedWith, Report, RunHeader, RunOutcome};
use nanobench::complexity::{Scope, SeriesComplexity};
use serde::Serialize;
use std::collections::BTreeMap;

/// The version of the document. New fields keep it; changed and removed fields raise it.
const FORMAT: u64 = 5;

/// The document.
#[derive(Debug, Serialize)]
pub(in crate::report) struct Document<'a> {
    #[serde(flatten)]
    description: Description<'a>,
    /// Id of the benchmark that `scaled` refers to.
    scale_to: Option<&'a BenchmarkId>,
    #[serde(flatten)]
    first: Run<'a>,
    complexity: Vec<Complexity>,
    interrupted: bool,
    /// The runs for further baselines, or further saved runs.
    other_runs: Vec<Run<'a>>,
    /// For several saved runs: the geometric means of several groups, and of all benchmarks at last.
    geomeans: Vec<Mean<'a>>,
}

/// The facts that are known before the first row.
#[derive(Debug, Serialize)]
struct Description<'a> {
    format: u64,
    cargo_nanobench: &'static str,
    #[serde(flatten)]
    header: &'a RunHeader,
    /// The commit of the other revision.
    against: Option<&'a str>,
    context: BTreeMap<&'a str, &'a str>,
}

/// A run, compared with one baseline or none.
#[derive(Debug, Serialize)]
struct Run<'a> {
    /// The name of the saved run that the benchmarks come from. `None` for a run that was measured
    /// now.
    saved: Option<&'a str>,
    /// The name of the baseline.
    baseline: Option<&'a str>,
    /// The differences between the builds or machines of both sides.
    differences: &'a [String],
    warnings: Vec<String>,
    benchmarks: Vec<Record<'a>>,
    removed: &'a [BenchmarkId],
    gate: Option<Gate<'a>>,
}

/// The complexities that fit the rows of a function, or the functions of a group.
#[derive(Debug, Serialize)]
struct Complexity {
    function: String,
    /// `function` or `group`.
    scope: &'static str,
    #[serde(flatten)]
    series: SeriesComplexity,
}

#[derive(Debug, Serialize)]
struct Gate<'a> {
    passed: bool,
    failures: &'a [Failure],
}

/// A line of a run that is printed as results arrive.
#[derive(Debug, Serialize)]
struct Event<'a, T> {
    /// `start`, `benchmark` or `end`.
    event: &'static str,
    /// The name of the baseline.
    baseline: Option<&'a str>,
    #[serde(flatten)]
    fields: T,
}

/// The line before the first row.
#[derive(Debug, Serialize)]
struct Start<'a> {
    #[serde(flatten)]
    description: Description<'a>,
    saved: Option<&'a str>,
    differences: &'a [String],
    warnings: &'a [String],
}

/// The line after the last row.
#[derive(Debug, Serialize)]
struct End<'a> {
    /// All warnings, with those of the line before the first row.
    warnings: Vec<String>,
    complexity: Vec<Complexity>,
    removed: &'a [BenchmarkId],
    interrupted: bool,
    gate: Option<Gate<'a>>,
}

/// Returns the document of a report, with a newline at its end.
pub(crate) fn json(report: &Report) -> serde_json::Result<String> {
    document(report).map_or_else(|| Ok(String::new()), |document| pretty(&document))
}

/// Returns the document as a value. `None` for a report without runs.
pub(in crate::report) fn document(report: &Report) -> Option<Document<'_>> {
    let (first, others) = report.runs.split_first()?;
    Some(Document {
        description: description(&first.header),
        scale_to: report.scale_to.as_ref(),
        first: run(report, first),
        complexity: complexities(&first.rows),
        interrupted: report.is_interrupted(),
        other_runs: others.iter().map(|other| run(report, other)).collect(),
        geomeans: several::means(report),
    })
}

/// Returns the lines of a finished report.
pub(super) fn json_lines(report: &Report) -> serde_json::Result<String> {
    let mut text = String::new();
    for run in &report.runs {
        text += &json_start(&run.header)?;
        let scale = report.scale(run);
        for row in &run.rows {
            text += &json_row(&run.header, row, scale)?;
        }
        text += &json_end(run)?;
    }
    Ok(text)
}

/// Returns the line before the first row.
pub(crate) fn json_start(header: &RunHeader) -> serde_json::Result<String> {
    let (description, saved, differences) =
        (description(header), header.saved.as_deref(), differences(header));
    event("start", header, Start { description, saved, differences, warnings: &header.warnings })
}

/// Returns the line of a row. `scale`: the row that figures are multiples of.
pub(crate) fn json_row(header: &RunHeader, row: &Row, scale: Option<&Row>) -> serde_json::Result<String> {
    event("benchmark", header, Record::new(row, header, scale))
}

/// Returns the line after the last row.
pub(crate) fn json_end(run: &ComparedRun) -> serde_json::Result<String> {
    let ComparedRun { header, rows, outcome } = run;
    let end = End {
        warnings: warnings(header, outcome),
        complexity: complexities(rows),
        removed: &outcome.removed,
        interrupted: run.is_interrupted(),
        gate: gate(outcome),
    };
    event("end", header, end)
}

fn event(event: &'static str, header: &RunHeader, fields: impl Serialize) -> serde_json::Result<String> {
    let event = Event { event, baseline: header.baseline(), fields };
    Ok(escape_invisible(&serde_json::to_string(&event)?) + "\n")
}

/// Returns a value as a document, with a newline at its end. Invisible characters are escaped.
pub(super) fn pretty(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(escape_invisible(&serde_json::to_string_pretty(value)?) + "\n")
}

fn description(header: &RunHeader) -> Description<'_> {
    Description {
        format: FORMAT,
        cargo_nanobench: env!("CARGO_PKG_VERSION"),
        header,
        against: header.compared_with.as_ref().and_then(ComparedWith::commit),
        context: map(&header.environment.context),
    }
}

fn run<'a>(report: &'a Report, run: &'a ComparedRun) -> Run<'a> {
    let ComparedRun { header, rows, outcome } = run;
    let scale = report.scale(run);
    Run {
        saved: header.saved.as_deref(),
        baseline: header.baseline(),
        differences: differences(header),
        warnings: warnings(header, outcome),
        benchmarks: rows.iter().map(|row| Record::new(row, header, scale)).collect(),
        removed: &outcome.removed,
        gate: gate(outcome),
    }
}

fn differences(header: &RunHeader) -> &[String] {
    header.compared_with.as_ref().map_or(&[], |with| &with.differences)
}

/// Returns all warnings about a run: those from before it, all symptoms of a disturbance, and
/// others.
fn warnings(header: &RunHeader, outcome: &RunOutcome) -> Vec<String> {
    let symptoms = outcome.disturbance.iter().flat_map(Disturbance::sentences);
    header.warnings.iter().cloned().chain(symptoms).chain(outcome.warnings.iter().cloned()).collect()
}

fn complexities(rows: &[Row]) -> Vec<Complexity> {
    let fitted = complexity(rows).into_iter().map(|fitted| Complexity {
        function: fitted.path(),
        scope: if matches!(fitted.series.scope, Scope::Function { .. }) { "function" } else { "group" },
        series: fitted.series,
    });
    fitted.collect()
}

fn gate(outcome: &RunOutcome) -> Option<Gate<'_>> {
    outcome.gate.as_ref().map(|failures| Gate { passed: failures.is_empty(), failures })
}
