//! The lines below a table: how it all came out, and what to do next.

use super::gate;
use super::table::paint;
use super::verdict_text::{OTHER_CODE, share};
use crate::benchmark_id::BenchmarkId;
use crate::experiment::{Failure, Outcome, Row, Verdict};
use nanobench::report::{change, counted, escape, time};
use std::time::Duration;

/// So far, as a share, a change may be from what the two times say before anyone wonders.
const NOTICED: f64 = 0.01;

/// How the run ended.
#[derive(Debug, Default)]
pub(crate) struct RunOutcome {
    pub(crate) elapsed: Duration,
    /// Executables that did not say what they hold.
    pub(crate) broken: usize,
    /// What may be wrong with the figures, known at the end: what disturbed the run while it went on.
    pub(crate) disturbed: Vec<String>,
    /// Ids that the baseline has and the selection does not find any more.
    pub(crate) missing: Vec<BenchmarkId>,
    /// Ctrl-C came before the end: this many of the selected benchmarks were not reached.
    pub(crate) not_reached: Option<usize>,
    /// The name of the baseline that the run was saved as.
    pub(crate) saved_as: Option<String>,
    /// What had that name before, and as what it is kept.
    pub(crate) replaced: Option<String>,
    /// The run was saved as the last one.
    pub(crate) saved: bool,
    /// There was something to compare with.
    pub(crate) compared: bool,
    /// The name of a baseline that the run would have been saved as, had it passed.
    pub(crate) held_back: Option<String>,
    /// What it was held back for, beside any of the baselines.
    pub(crate) held_back_by: Vec<Failure>,
    /// What the gates didn't let through; `None` where there were none.
    pub(crate) gate: Option<Vec<Failure>>,
}

/// The closing lines.
pub(crate) fn summary(rows: &[Row], outcome: &RunOutcome) -> Vec<String> {
    let mut lines = vec![totals(rows, outcome)];
    lines.extend(rows.iter().filter_map(called));
    lines.extend(outcome.missing.iter().map(|id| format!("missing {}", escape(&id.to_string()))));
    lines.extend(outcome.gate.as_deref().map(gate::line));
    lines.extend(outcome.held_back.iter().map(|name| {
        let by = gate::kinds(&outcome.held_back_by).map(|kinds| format!(", not {kinds}")).unwrap_or_default();
        format!(
            "Not saved as baseline `{name}`, which stays as it is: --save-on-pass takes only what passes{by}"
        )
    }));
    if let Some(left) = outcome.not_reached {
        let what = match left {
            0 => "before the end".to_owned(),
            left => format!("with {} not run", counted(left, "benchmark")),
        };
        lines.push(format!("interrupted {what}, nothing saved"));
    } else if let Some(name) = &outcome.saved_as {
        let quote = if name.contains(' ') { "\"" } else { "" };
        lines.push(format!(
            "Saved as baseline `{name}`: compare with it by cargo nanobench --baseline {quote}{name}{quote}"
        ));
        lines.extend(outcome.replaced.iter().map(|before| format!("What had that name is kept as {before}")));
    } else if outcome.saved && !outcome.compared {
        lines.push(
            "Saved as the last run: the next one is compared with it. Keep it as a baseline: \
             cargo nanobench --save-baseline main"
                .to_owned(),
        );
    }
    lines
}

fn totals(rows: &[Row], outcome: &RunOutcome) -> String {
    let seconds = outcome.elapsed.as_secs_f64();
    let number = counted(rows.len(), "benchmark");
    // Saved runs are compared in no time.
    let ran = if outcome.elapsed.is_zero() { number } else { format!("{number} in {seconds:.1} s") };
    let has = |row: &&Row, verdict| !row.failed() && row.verdict() == Some(verdict);
    let number = |verdict| rows.iter().filter(|row| has(row, verdict)).count();
    let failed = rows.iter().filter(|row| row.failed()).count() + outcome.broken;
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
    format!("{ran}{counts}{}{}.", noise(rows), in_cycles(rows))
}

/// What the times of a row may seem to contradict.
fn in_cycles(rows: &[Row]) -> String {
    match rows.iter().filter_map(off_its_times).filter(|off| off.abs() > NOTICED).count() {
        0 => String::new(),
        1 => "; 1 change is that of the cycles, as the core's clock was another then".to_owned(),
        number => format!("; {number} changes are those of the cycles, as the core's clock was another then"),
    }
}

/// How far a change that is that of the cycles is from what the two times say, as a share.
fn off_its_times(row: &Row) -> Option<f64> {
    let comparison = row.comparison.as_ref().filter(|comparison| comparison.in_cycles)?;
    let Outcome::Measured { summary, .. } = &row.outcome else { return None };
    let before = comparison.baseline.as_ref()?.median;
    Some(summary.median / before - 1.0 - comparison.change?.estimate)
}

/// What those that ran side by side show beside themselves, and so what a change has to be larger than.
fn noise(rows: &[Row]) -> String {
    let paired_runs = rows.iter().filter_map(|row| row.comparison.as_ref()?.paired.as_ref());
    let most = paired_runs.filter_map(|paired| paired.noise_floor).reduce(f64::max);
    most.map_or_else(String::new, |most| format!("; beside itself, each moved by at most {}", share(most)))
}

/// A line for a row that got faster or slower.
fn called(row: &Row) -> Option<String> {
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
