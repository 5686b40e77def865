//! The result of the gates in a line.

use super::answer_text::on_average;
use super::cells::paint;
use super::{ComparedRun, Report};
use crate::experiment::{Failure, Verdict};
use nanobench::report::{change, escape};

/// The maximum number of benchmarks named for each verdict.
const MAX_NAMED: usize = 3;

/// Returns `gate passed`, or `gate failed: 2 slower (a::b::sort +12.3 %, a::b::join +6.1 %), 1
/// missing (a::b::gone)`
pub(super) fn line(failures: &[Failure]) -> String {
    match kinds(failures) {
        None => "gate passed".to_owned(),
        Some(kinds) => format!("{}: {kinds}", paint(Verdict::Slower, "gate failed")),
    }
}

/// Lists failures: `2 slower (a::b::sort +12.3 %, a::b::join +6.1 %), 1 missing (a::b::gone)`.
pub(super) fn kinds(failures: &[Failure]) -> Option<String> {
    let kinds: Vec<String> = failures.chunk_by(|one, other| one.on == other.on).map(of_one_kind).collect();
    (!kinds.is_empty()).then(|| kinds.join(", "))
}

/// Returns a line for each run with a failed gate.
pub(crate) fn lines(report: &Report) -> impl Iterator<Item = String> {
    lines_of(&report.runs)
}

/// Returns a line for each of these runs with a failed gate.
pub(crate) fn lines_of(runs: &[ComparedRun]) -> impl Iterator<Item = String> {
    let failures = runs.iter().filter_map(|run| run.outcome.gate.as_deref());
    failures.filter(|failures| !failures.is_empty()).map(line)
}

fn of_one_kind(failures: &[Failure]) -> String {
    let named: Vec<String> = failures.iter().take(MAX_NAMED).map(named).collect();
    let more = match failures.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{} {} ({}{more})", failures.len(), failures[0].on.word(), named.join(", "))
}

/// Returns a benchmark with its change: `a::b::sort +12.3 %`, or `a::b::sort +12.3 % on average`.
fn named(failure: &Failure) -> String {
    let text = if failure.is_on_average { on_average } else { change };
    let by = failure.change.map(|by| format!(" {}", text(by))).unwrap_or_default();
    escape(&failure.id.to_string()) + &by
}
