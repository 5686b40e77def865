//! The lines below a table: totals, changes, and the next step.

use super::gate;
use super::table::paint;
use super::verdict_text::{OTHER_CODE, share};
use super::{Ending, Report, RunOutcome};
use crate::experiment::{Outcome, Row, Verdict};
use crate::style;
use nanobench::report::{change, counted, escape, time};

/// The difference, as a share, between a change and the ratio of the two times that needs an
/// explanation.
const NOTICEABLE: f64 = 0.01;

/// Returns the closing lines.
pub(crate) fn summary(report: &Report) -> Vec<String> {
    let Report { header, rows, outcome } = report;
    let mut lines = vec![totals(rows, outcome)];
    lines.extend(rows.iter().filter_map(changed));
    lines.extend(outcome.missing.iter().map(|id| format!("missing {}", escape(&id.to_string()))));
    lines.extend(outcome.gate.as_deref().map(gate::line));
    lines.extend(ending(&outcome.ending, header.compared_with.is_some()));
    lines
}

fn ending(ending: &Ending, is_compared: bool) -> Vec<String> {
    let hint = "Saved as the last run: the next run is compared with it. To keep it as a baseline: \
                cargo nanobench --save-baseline main";
    let hint = (!is_compared).then(|| style::paint(style::FAINT, hint));
    match ending {
        Ending::NotSaved => Vec::new(),
        Ending::SavedAsLastRun => hint.into_iter().collect(),
        Ending::SavedAs { name, replaced } => {
            let quote = if name.contains(' ') { "\"" } else { "" };
            let saved = format!(
                "Saved as baseline `{name}`. To compare with it: cargo nanobench --baseline {quote}{name}{quote}"
            );
            let replaced = replaced.iter().map(|previous| format!("The previous one is kept as {previous}"));
            [saved].into_iter().chain(replaced).collect()
        }
        Ending::HeldBack { name, failures } => {
            let failures = gate::kinds(failures).map(|kinds| format!(": {kinds}")).unwrap_or_default();
            let held_back = format!("Baseline `{name}` was not replaced (--save-on-pass){failures}");
            [held_back].into_iter().chain(hint).collect()
        }
        Ending::Interrupted { not_reached } => {
            let when = match not_reached {
                0 => "before the end".to_owned(),
                number => format!("with {} not run", counted(*number, "benchmark")),
            };
            vec![format!("interrupted {when}; nothing was saved")]
        }
    }
}

fn totals(rows: &[Row], outcome: &RunOutcome) -> String {
    let seconds = outcome.elapsed.as_secs_f64();
    let number = counted(rows.len(), "benchmark");
    // Comparing saved runs takes no time.
    let ran = if outcome.elapsed.is_zero() { number } else { format!("{number} in {seconds:.1} s") };
    let has = |row: &&Row, verdict| !row.failed() && row.verdict() == Some(verdict);
    let number = |verdict| rows.iter().filter(|row| has(row, verdict)).count();
    let failed = rows.iter().filter(|row| row.failed()).count() + outcome.unlisted_executables;
    let verdicts =
        [Verdict::Slower, Verdict::Faster, Verdict::Same, Verdict::Moved, Verdict::Unsure, Verdict::New]
            .into_iter()
            .map(|verdict| (number(verdict), verdict.word()));
    let counts: Vec<String> = [(failed, "failed")]
        .into_iter()
        .chain(verdicts)
        .chain([(outcome.missing.len(), "missing")])
        .filter(|(number, _)| *number > 0)
        .map(|(number, word)| format!("{number} {word}"))
        .collect();
    let counts = if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) };
    format!("{ran}{counts}{}{}.", noise(rows), changes_in_cycles(rows))
}

/// Explains changes that the times seem to contradict, since they were computed from cycles.
fn changes_in_cycles(rows: &[Row]) -> String {
    match rows.iter().filter_map(cycles_discrepancy).filter(|share| share.abs() > NOTICEABLE).count() {
        0 => String::new(),
        1 => "; 1 change is in cycles, because the core's speed differed".to_owned(),
        number => format!("; {number} changes are in cycles, because the core's speed differed"),
    }
}

/// Returns the difference between the ratio of the times and a change in cycles, as a share.
fn cycles_discrepancy(row: &Row) -> Option<f64> {
    let comparison = row.comparison.as_ref().filter(|comparison| comparison.in_cycles)?;
    let Outcome::Measured { summary, .. } = &row.outcome else { return None };
    let before = comparison.baseline.as_ref()?.median;
    Some(summary.median / before - 1.0 - comparison.change?.estimate)
}

/// Returns the largest noise floor, which a change has to exceed.
fn noise(rows: &[Row]) -> String {
    let paired_runs = rows.iter().filter_map(|row| row.comparison.as_ref()?.paired.as_ref());
    let max = paired_runs.filter_map(|paired| paired.noise_floor).reduce(f64::max);
    max.map_or_else(String::new, |max| format!("; noise floor at most {}", share(max)))
}

/// Returns a line for a row that is faster or slower.
fn changed(row: &Row) -> Option<String> {
    let verdict = row.verdict().filter(|verdict| matches!(verdict, Verdict::Faster | Verdict::Slower))?;
    let comparison = row.comparison.as_ref()?;
    let Outcome::Measured { summary, .. } = &row.outcome else { return None };
    let (before, by) = (comparison.baseline.as_ref()?.median, comparison.change.as_ref()?.estimate);
    let word = paint(verdict, verdict.word());
    let (before, now, by) = (time(before), time(summary.median), change(by));
    let function = comparison.paired.as_ref().and_then(|paired| paired.differs_in.as_deref());
    let code = function.map(|function| format!("   {OTHER_CODE} {}", escape(function))).unwrap_or_default();
    Some(format!("{word}  {}   {before} -> {now}   {by}{code}", escape(&row.benchmark.id.to_string())))
}
