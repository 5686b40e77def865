//! The result of the gates in a line.

use super::answer_text::on_average;
use super::cells::paint;
use super::{ComparedRun, Report};
use crate::experiment::{Failure, Verdict};
use nanobench::report::{change, escape};

/// The maximum number of benchmarks named for each verdict.
const MAX_NAMED: usize = 3;

/// Returns `gate passed`, or `gate failed: ` with the failures.
pub(super) fn line(failures: &[Failure]) -> String {
    match kinds(failures) {
        None => "gate passed".to_owned(),
        Some(kinds) => format!("{}: {kinds}", paint(Verdict::Slower, "gate failed")),
    }
}

/// Lists failures: `2 slower by more than 5 % (a::b::sort +12.3 %, a::b::join +6.1 %), 1 missing
/// (a::b::gone)`.
pub(super) fn kinds(failures: &[Failure]) -> Option<String> {
    let is_alike = |one: &Failure, other: &Failure| (one.on, one.limit) == (other.on, other.limit);
    let kinds: Vec<String> = failures.chunk_by(is_alike).map(of_one_kind).collect();
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
    let Failure { on, limit, .. } = &failures[0];
    let by = limit.map(|limit| format!(" by more than {}", as_given(limit))).unwrap_or_default();
    format!("{} {}{by} ({}{more})", failures.len(), on.word(), named.join(", "))
}

/// Formats a limit with as few decimals as a flag has: `5 %`.
fn as_given(limit: f64) -> String {
    format!("{} %", (limit * 1e6).round() / 1e4)
}

/// Returns a benchmark with its change: `a::b::sort +12.3 %`, or `a::b::sort +12.3 % on average`.
fn named(failure: &Failure) -> String {
    let text = if failure.is_on_average { on_average } else { change };
    let by = failure.change.map(|by| format!(" {}", text(by))).unwrap_or_default();
    escape(&failure.id.to_string()) + &by
}
