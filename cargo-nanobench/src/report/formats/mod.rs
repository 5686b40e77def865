//! The formats for programs. Each is one small file that renders a finished [`Report`].

mod criterion;
mod csv;
mod github_annotations;
pub(super) mod json;
mod junit;
mod markdown;
mod pyperf;
#[cfg(test)]
pub(in crate::report) mod tests;
mod trackers;

pub(crate) use github_annotations::github_annotations;
pub(crate) use json::{json, json_end, json_row, json_start};
pub(crate) use markdown::markdown;

use super::html::html;
use super::{ComparedRun, Report};
use crate::benchmark_id::BenchmarkId;
use crate::experiment::Failure;
use std::path::PathBuf;

/// A format for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileFormat {
    Json,
    JsonLines,
    Csv,
    Markdown,
    Html,
    Junit,
    Bencher,
    BencherMetric,
    GithubActionBenchmark,
    GithubAnnotations,
    Pyperf,
    /// The only one that is a folder.
    Criterion,
}

/// A rendered report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Rendered {
    Text(String),
    /// The files of a folder, with their paths in it.
    Folder(Vec<(PathBuf, String)>),
}

/// A report that can't be rendered, which no benchmark should be able to cause.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RenderError {
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Csv(#[from] ::csv::Error),
    #[error(transparent)]
    Xml(#[from] std::io::Error),
}

impl FileFormat {
    /// The formats, each with its word and a description.
    pub(crate) const ALL: [(&str, FileFormat, &str); 12] = [
        ("json", FileFormat::Json, "One JSON document"),
        ("json-lines", FileFormat::JsonLines, "A JSON object on each line, as results arrive"),
        ("csv", FileFormat::Csv, "A table for spreadsheets"),
        ("markdown", FileFormat::Markdown, "A comment for a pull request"),
        ("html", FileFormat::Html, "A page for browsers, in one file"),
        ("junit", FileFormat::Junit, "JUnit XML, with regressions as failures"),
        ("bencher", FileFormat::Bencher, "The lines that libtest prints"),
        ("bencher-metric", FileFormat::BencherMetric, "Bencher Metric Format (JSON)"),
        ("github-action-benchmark", FileFormat::GithubActionBenchmark, "Its `customSmallerIsBetter` (JSON)"),
        ("github-annotations", FileFormat::GithubAnnotations, "Annotations for GitHub Actions"),
        ("pyperf", FileFormat::Pyperf, "pyperf's JSON, with ten times of each process"),
        ("criterion", FileFormat::Criterion, "A folder with Criterion's layout, as critcmp reads it"),
    ];

    /// Returns whether the rendered report is a folder.
    pub(crate) fn is_folder(self) -> bool {
        self == FileFormat::Criterion
    }

    /// Renders the report.
    pub(crate) fn render(self, report: &Report) -> Result<Rendered, RenderError> {
        Ok(Rendered::Text(match self {
            FileFormat::Json => json(report)?,
            FileFormat::JsonLines => json::json_lines(report)?,
            FileFormat::Csv => csv::csv(report)?,
            FileFormat::Markdown => markdown(report),
            FileFormat::Html => html(report, &report.workspace)?,
            FileFormat::Junit => junit::junit(report)?,
            FileFormat::Bencher => trackers::bencher(report),
            FileFormat::BencherMetric => trackers::bencher_metric(report)?,
            FileFormat::GithubActionBenchmark => trackers::github_action_benchmark(report)?,
            FileFormat::GithubAnnotations => github_annotations(report, None),
            FileFormat::Pyperf => pyperf::pyperf(report)?,
            FileFormat::Criterion => return Ok(Rendered::Folder(criterion::criterion(report)?)),
        }))
    }
}

/// Returns the failure of a gate because of a benchmark.
fn rejected<'a>(run: &'a ComparedRun, id: &BenchmarkId) -> Option<&'a Failure> {
    run.outcome.gate.iter().flatten().find(|failure| failure.id == *id)
}
