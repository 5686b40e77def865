//! The data of the page.

use super::super::{ComparedRun, Report};
use crate::earlier_comparison::{EarlierComparison, Ratios};
use crate::experiment::{Comparison, Row};
use crate::report::cells::is_compared;
use crate::report::formats::json::{self, Document};
use crate::report::source::{Source, Sources};
use crate::report::verdict_text;
use jiff::Zoned;
use nanobench::model::{Launch, Measurement};
use nanobench::report::is_by_its_own_clock;
use nanobench::summary;
use serde::Serialize;
use std::path::Path;

/// Samples of each side that the page has at most. More would only make the file larger.
const MAX_SAMPLES: usize = 600;

/// The data of the page.
#[derive(Serialize)]
pub(super) struct Page<'a> {
    /// The time at which the page was written.
    written: String,
    /// The document that `--format json` prints. `None` without runs.
    document: Option<Document<'a>>,
    /// Further facts for each baseline: for the document itself, then for its `other_runs`.
    runs: Vec<Run<'a>>,
    sources: Vec<Source>,
}

#[derive(Serialize)]
struct Run<'a> {
    /// Age, commit and size of the baseline.
    baseline: Option<&'a str>,
    /// In the order of the document.
    benchmarks: Vec<Details<'a>>,
}

/// Facts about a benchmark that its plots need.
#[derive(Serialize)]
struct Details<'a> {
    /// The function with its case.
    name: String,
    /// Target and modules, or target and group.
    group: &'a str,
    function: String,
    labels: &'a [String],
    /// The size for the complexity fit, and the `case` of the fit.
    n: Option<f64>,
    series: Option<String>,
    /// The index of its source.
    source: Option<usize>,
    samples: Option<Samples>,
    baseline_samples: Option<Samples>,
    /// The median of the baseline, if it may stand beside that of this run and can be told from an
    /// empty benchmark.
    before: Option<f64>,
    /// The bound of the baseline's figure, if it can't be told from an empty benchmark.
    before_under: Option<f64>,
    ratios: Option<Ratios>,
    /// Its code is identical, and nothing was run side by side for that reason.
    is_identical: bool,
    /// The comparison in words.
    clauses: Vec<String>,
    /// The comparison of a saved run when it was measured.
    earlier: Option<&'a EarlierComparison>,
}

/// Times of an operation in ns.
#[derive(Serialize)]
struct Samples {
    /// The samples of each launch, in the order of time.
    launches: Vec<Vec<f64>>,
    /// One of this many samples is listed.
    every: usize,
}

/// Collects the data of the page.
pub(super) fn page<'a>(report: &'a Report, workspace: &Path) -> Page<'a> {
    let mut sources = Sources::new(workspace);
    let runs = report
        .runs
        .iter()
        .map(|ComparedRun { header, rows, .. }| Run {
            baseline: header.compared_with.as_ref().map(|with| with.description.as_str()),
            benchmarks: rows.iter().map(|row| details(row, &mut sources)).collect(),
        })
        .collect();
    Page {
        written: Zoned::now().strftime("%Y-%m-%d %H:%M").to_string(),
        document: json::document(report),
        runs,
        sources: sources.into_all(),
    }
}

fn details<'a>(row: &'a Row, sources: &mut Sources) -> Details<'a> {
    let benchmark = &row.benchmark;
    let spec = &benchmark.spec;
    // Plots show the sizes of one function.
    let size = spec.complexity.as_ref().and_then(|input| Some((input.n, input.label?)));
    let comparison = row.comparison.as_ref();
    let compared = comparison.filter(|with| row.is_not_run() || is_compared(with));
    Details {
        name: benchmark.name(),
        group: &benchmark.group,
        function: benchmark.id.function().to_string(),
        labels: &benchmark.id.row.labels,
        n: size.map(|(n, _)| n),
        series: size.map(|(_, label)| spec.id.without_label(label as usize).case()),
        source: sources.index(&spec.file, spec.line),
        samples: row.measured().map(|(measurement, _)| samples(measurement)),
        baseline_samples: compared.and_then(|with| with.baseline_samples.as_deref()).map(samples),
        before: compared.and_then(Comparison::resolved_baseline).map(|before| before.median),
        before_under: compared
            .and_then(|with| with.baseline.as_ref())
            .filter(|before| before.below_resolution && !is_by_its_own_clock(before))
            .map(|before| before.resolution),
        ratios: row.paired().map(|paired| paired.ratios.thinned()),
        is_identical: comparison.is_some_and(verdict_text::is_identical),
        clauses: comparison.map(verdict_text::clauses).unwrap_or_default(),
        earlier: row.earlier_comparison.as_ref(),
    }
}

fn samples(measurement: &Measurement) -> Samples {
    let number: usize = measurement.launches.iter().map(|launch| launch.samples.len()).sum();
    let every = number.div_ceil(MAX_SAMPLES).max(1);
    let mut times = summary::times(measurement).into_iter();
    let of_launch = |launch: &Launch| {
        let times = times.by_ref().take(launch.samples.len());
        times.step_by(every).map(rounded).collect()
    };
    Samples { launches: measurement.launches.iter().map(of_launch).collect(), every }
}

/// Returns a number with as many digits as a plot shows.
fn rounded(number: f64) -> f64 {
    format!("{number:.4e}").parse().unwrap_or(number)
}
