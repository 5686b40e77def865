//! The result of the gates in words.

use super::ComparedRun;
use super::answer_text::on_average;
use super::cells::paint;
use crate::experiment::{FailOn, Failure, Row};
use nanobench::report::{change, counted, escape};
use verdicts::Verdict;

/// The maximum number of benchmarks named for each verdict.
const MAX_NAMED: usize = 3;

/// The result of the gates of a run.
pub(super) enum GateResult {
    Passed,
    /// No gate failed, but that is no approval, for this reason.
    NotFailed(String),
    /// The failures in words.
    Failed(String),
}

impl GateResult {
    /// Returns the result for a run. `None` without gates.
    pub(super) fn of(run: &ComparedRun) -> Option<GateResult> {
        Some(match (kinds(run.outcome.gate.as_deref()?), caveat(run)) {
            (Some(kinds), _) => GateResult::Failed(kinds),
            (None, Some(caveat)) => GateResult::NotFailed(caveat),
            (None, None) => GateResult::Passed,
        })
    }

    /// Returns it as a line: `gate passed`, or `gate failed: 2 slower (..)`.
    pub(super) fn line(&self) -> String {
        match self {
            GateResult::Passed => "gate passed".to_owned(),
            GateResult::NotFailed(caveat) => format!("no gate failed, {caveat}"),
            GateResult::Failed(kinds) => format!("{}: {kinds}", paint(Verdict::Slower, "gate failed")),
        }
    }
}

/// Returns the reason why a run without a failed gate has not passed, either: `but 2 benchmarks did`,
/// `as there was nothing to compare with`, or `but 1 benchmark was not compared (a::b::serve)`.
fn caveat(run: &ComparedRun) -> Option<String> {
    let benchmarks = run.rows.iter().filter(|row| row.failed()).count();
    let failed = [(benchmarks, "benchmark"), (run.outcome.unlisted_executables, "executable")];
    let failed = failed.into_iter().filter(|(number, _)| *number > 0);
    let failed: Vec<String> = failed.map(|(number, noun)| counted(number, noun)).collect();
    if !failed.is_empty() {
        return Some(format!("but {} did", failed.join(" and ")));
    }
    let is_new = |row: &Row| row.verdict() == Some(Verdict::New);
    let has_nothing =
        run.header.compared_with.is_none() || (!run.rows.is_empty() && run.rows.iter().all(is_new));
    if has_nothing {
        return Some("as there was nothing to compare with".to_owned());
    }
    let is_open = |row: &&Row| {
        let comparison = row.comparison.as_ref();
        comparison.is_some_and(|it| it.verdict == Verdict::Unsure && it.could_not_run())
    };
    let open: Vec<String> =
        run.rows.iter().filter(is_open).map(|row| escape(&row.benchmark.id.to_string())).collect();
    let were = if open.len() == 1 { "was" } else { "were" };
    let number = counted(open.len(), "benchmark");
    (!open.is_empty()).then(|| format!("but {number} {were} not compared ({})", some(open)))
}

/// Lists failures: `2 slower by more than 5 % (a::b::sort +12.3 %, a::b::join +6.1 %), 1 missing
/// (a::b::gone)`.
pub(super) fn kinds(failures: &[Failure]) -> Option<String> {
    let is_alike = |one: &Failure, other: &Failure| (one.on, one.limit) == (other.on, other.limit);
    let kinds: Vec<String> = failures.chunk_by(is_alike).map(of_one_kind).collect();
    (!kinds.is_empty()).then(|| kinds.join(", "))
}

/// Returns a line for each of these runs with a failed gate.
pub(crate) fn lines(runs: &[ComparedRun]) -> impl Iterator<Item = String> {
    let results = runs.iter().filter_map(GateResult::of);
    results.filter(|result| matches!(result, GateResult::Failed(_))).map(|result| result.line())
}

fn of_one_kind(failures: &[Failure]) -> String {
    let named = failures.iter().map(named).collect();
    let Failure { on, limit, .. } = &failures[0];
    let above = match on {
        FailOn::MoreInstructions => "above",
        _ => "by more than",
    };
    let by = limit.map(|limit| format!(" {above} {}", as_given(limit))).unwrap_or_default();
    format!("{} {}{by} ({})", failures.len(), on.word(), some(named))
}

/// Returns the first of some names, and the number of the others.
fn some(mut names: Vec<String>) -> String {
    let more = names.len().saturating_sub(MAX_NAMED);
    names.truncate(MAX_NAMED);
    names.join(", ") + &if more == 0 { String::new() } else { format!(" and {more} more") }
}

/// Formats a limit with as few decimals as a flag has: `5 %`.
fn as_given(limit: f64) -> String {
    format!("{} %", (limit * 1e6).round() / 1e4)
}

/// Returns a benchmark with its change: `a::b::sort +12.3 %`, or `a::b::sort +12.3 % on average`, or with
/// the reason why it has none.
fn named(failure: &Failure) -> String {
    let text = if failure.is_on_average { on_average } else { change };
    let by = failure.change.map(|by| format!(" {}", text(by))).unwrap_or_default();
    let lost = if failure.has_lost_all_work { " optimised away" } else { "" };
    escape(&failure.id.to_string()) + &by + lost
}
