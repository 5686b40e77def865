//! Annotations of GitHub Actions at the benchmarks' files and lines:
//! `::warning file=benches/first.rs,line=7,title=slower::...`. They are commands to the runner, which
//! reads them from the output of a step.

use super::rejected;
use crate::baseline::in_sentence;
use crate::experiment::{Benchmark, Failure, Outcome, Row};
use crate::report::{ComparedRun, Report, answer_text, verdict_text};
use nanobench::report::escape;
use std::path::Path;
use verdicts::Verdict;

/// Returns a line for each benchmark that needs attention: an error if a gate rejects it, and a
/// warning if it failed or is slower. GitHub finds files by their paths in `repository`; without it,
/// they are those in the workspace.
pub(crate) fn github_annotations(report: &Report, repository: Option<&Path>) -> String {
    let workspace = repository.and_then(|repository| report.workspace.strip_prefix(repository).ok());
    let workspace = workspace.unwrap_or(Path::new(""));
    report.runs.iter().flat_map(|run| of_run(run, workspace)).collect()
}

fn of_run(run: &ComparedRun, workspace: &Path) -> Vec<String> {
    let with = run.header.compared_with.as_ref();
    let than = with.map(|with| format!(" than {}", in_sentence(&with.name))).unwrap_or_default();
    let rows = run.rows.iter().filter_map(|row| {
        let failure = rejected(run, &row.benchmark.id);
        let title = title(row, failure, &than)?;
        let text = match (&row.outcome, &row.comparison) {
            (Outcome::Failed(error), _) => error.to_string(),
            (_, Some(comparison)) => verdict_text::sentence(comparison),
            (_, None) => String::new(),
        };
        let id = row.benchmark.id.to_string();
        Some(annotation(
            failure.is_some(),
            &place(&row.benchmark, workspace),
            &title,
            &format!("{id}: {text}"),
        ))
    });
    let removed = run.outcome.removed.iter().map(|id| {
        let text = format!("{id}: the baseline has it, but it no longer exists");
        annotation(rejected(run, id).is_some(), "", "removed", &text)
    });
    rows.chain(removed).collect()
}

/// Returns the title for a row that needs attention.
fn title(row: &Row, failure: Option<&Failure>, than: &str) -> Option<String> {
    if row.failed() {
        return Some("failed".to_owned());
    }
    let by = row.comparison.as_ref().and_then(answer_text::short);
    let by = by.map(|by| format!(" by {by}")).unwrap_or_default();
    match row.verdict() {
        // `slower` tells the sign.
        Some(Verdict::Slower) => Some(format!("slower{than}{}", by.replacen('+', "", 1))),
        _ => failure.map(|failure| failure.on.word().to_owned()),
    }
}

/// Returns the place of a benchmark. The runner takes paths with `/` on every system.
fn place(benchmark: &Benchmark, workspace: &Path) -> String {
    let file = workspace.join(&benchmark.spec.file).to_string_lossy().replace('\\', "/");
    format!("file={},line={},", property(&file), benchmark.spec.line)
}

fn annotation(is_error: bool, place: &str, title: &str, text: &str) -> String {
    let kind = if is_error { "error" } else { "warning" };
    format!("::{kind} {place}title={}::{}\n", property(&format!("nanobench: {title}")), data(text))
}

/// Escapes a text behind the second `::`.
fn data(text: &str) -> String {
    escape(text).replace('%', "%25")
}

/// Escapes a value before the second `::`.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
