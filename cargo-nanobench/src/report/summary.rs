//! The lines below a table: totals, and the next step.

use super::cells::{CORRECTED, before};
use super::change_cell::{self, Finding};
use super::gate::{self, GateResult};
use super::verdict_text::{IDENTICAL, is_identical, rounded_up, share};
use super::{ComparedRun, Ending, RunOutcome};
use crate::baseline::BaselineRef;
use crate::experiment::{Comparison, Failure, NotPaired, Reason, Row};
use crate::style;
use nanobench::report::{TimeUnit, counted, escape, percent, time};
use std::time::Duration;
use verdicts::Verdict;

/// The verdicts that a comparison counts, in this order.
const VERDICTS: [Verdict; 6] =
    [Verdict::Slower, Verdict::Faster, Verdict::Same, Verdict::Placement, Verdict::Unsure, Verdict::New];

/// The terms of comparisons.
const LEGEND: &str = "typical: the time of an undisturbed call; average: of all calls; process: a fresh start of the \
                      executable; layout: the same code, linked in another order";

/// Returns the closing lines, without the changes and what was [`saved`]. `is_verbose`: the table
/// has all columns.
pub(crate) fn closing(run: &ComparedRun, is_verbose: bool) -> Vec<String> {
    let ComparedRun { header, rows, outcome } = run;
    let is_plain = header.compared_with.as_ref().is_some_and(|with| !with.has_own_table());
    let mut lines = Vec::new();
    let not_run = not_run(run);
    // If nothing was run, the line that says so counts all benchmarks.
    if not_run.is_none() || run.has_rows(false) {
        lines.push(totals(rows, outcome, is_plain));
    }
    lines.extend(not_run);
    let correction = correction(rows.iter().filter(|row| is_marked(row, is_plain, is_verbose)));
    lines.extend(correction.map(|correction| format!("{CORRECTED} {correction}")));
    lines.extend(rarity(rows).filter(|_| !is_plain));
    lines.extend(if is_plain { undecided(run) } else { unsure(rows) });
    lines.extend(collisions(run, is_plain));
    lines.extend(changed_elsewhere(rows));
    lines.extend(outcome.removed.iter().map(|id| format!("removed  {}", escape(&id.to_string()))));
    lines.extend(GateResult::of(run).map(|result| result.line()));
    lines.extend(not_saved(outcome));
    let has_terms = is_verbose && rows.iter().any(|row| row.paired().is_some());
    lines.extend(has_terms.then(|| style::paint(style::FAINT, LEGEND)));
    lines
}

/// Returns the line about a run that was not saved as it was requested.
fn not_saved(outcome: &RunOutcome) -> Option<String> {
    match &outcome.ending {
        Ending::NotSaved | Ending::SavedAsLastRun | Ending::SavedAs { .. } => None,
        Ending::HeldBack { name, exists, failures } => {
            let done = if *exists { "replaced" } else { "saved" };
            let reason = held_back_by(failures, outcome.gate.as_deref().unwrap_or_default());
            Some(format!("Baseline `{name}` was not {done} (--save-on-pass){reason}"))
        }
        Ending::Interrupted { not_reached } => {
            let when = match not_reached {
                0 => "before the end".to_owned(),
                number => format!("with {} not run", counted(*number, "benchmark")),
            };
            Some(format!("interrupted {when}; nothing was saved"))
        }
    }
}

/// Returns the failures that kept a run from being saved as a baseline, except those of the gate,
/// whose line is above: `: 1 slower (a::b::sort +12.3 %)`, or `; also 1 unsure (a::b::join +6.1 %)`.
fn held_back_by(failures: &[Failure], gate: &[Failure]) -> String {
    let own: Vec<Failure> = failures.iter().filter(|failure| !gate.contains(failure)).cloned().collect();
    let separator = if gate.is_empty() { ": " } else { "; also " };
    gate::kinds(&own).map(|kinds| separator.to_owned() + &kinds).unwrap_or_default()
}

/// Returns the last lines: where the run was saved, and the next step. Not among the results, so
/// `--quiet` omits them.
pub(crate) fn saved(run: &ComparedRun) -> Vec<String> {
    let ComparedRun { header, outcome, .. } = run;
    let command = outcome.command.words();
    match &outcome.ending {
        Ending::SavedAsLastRun | Ending::HeldBack { .. } if header.compared_with.is_none() => {
            let hint = format!(
                "Saved as the last run: the next run is compared with it. To keep it as a baseline: {command} \
                 --save-baseline main"
            );
            vec![style::paint(style::FAINT, &hint)]
        }
        Ending::SavedAs { name, replaced } => {
            let quote = if name.contains(' ') { "\"" } else { "" };
            let saved = format!(
                "Saved as baseline `{name}`. To compare with it: {command} --baseline {quote}{name}{quote}"
            );
            let replaced = replaced.iter().map(|previous| format!("The previous one is kept as {previous}"));
            [saved].into_iter().chain(replaced).collect()
        }
        Ending::NotSaved | Ending::SavedAsLastRun | Ending::HeldBack { .. } | Ending::Interrupted { .. } => {
            Vec::new()
        }
    }
}

/// Counts the benchmarks, except those that were not run: [`not_run`] does.
/// `is_plain`: the rows have changes only where something may have changed.
fn totals(rows: &[Row], outcome: &RunOutcome, is_plain: bool) -> String {
    let number = counted(rows.iter().filter(|row| !row.is_not_run()).count(), "benchmark");
    // Comparing saved runs takes no time.
    let ran = match outcome.elapsed.as_secs_f64() {
        0.0 => number,
        seconds if seconds < 0.1 => format!("{number} in {:.0} ms", (seconds * 1e3).max(1.0)),
        seconds => format!("{number} in {seconds:.1} s"),
    };
    let counts = joined(verdict_counts(rows, outcome, is_plain)).map(|counts| format!(": {counts}"));
    let (counts, removed) = (counts.unwrap_or_default(), outcome.removed.len());
    // They are no rows of the table.
    let removed = if removed == 0 { String::new() } else { format!("; {removed} removed") };
    format!("{ran}{counts}{removed}{}.", noise(rows))
}

/// Counts the verdicts, except for benchmarks that were not run: `1 slower, 2 same, 1 removed`.
/// `is_plain`: as in [`totals`].
pub(super) fn verdicts(rows: &[Row], outcome: &RunOutcome, is_plain: bool) -> Option<String> {
    let mut counts = verdict_counts(rows, outcome, is_plain);
    counts.push((outcome.removed.len(), "removed".to_owned()));
    joined(counts)
}

/// Counts the verdicts, and the benchmarks that were not run: `1 slower, 1 faster, 2 same, 4 not
/// run: identical code`. `is_plain`: as in [`totals`].
pub(super) fn counts(rows: &[Row], outcome: &RunOutcome, is_plain: bool) -> Option<String> {
    let not_run = rows.iter().filter(|row| row.is_not_run()).count();
    let mut counts = verdict_counts(rows, outcome, is_plain);
    counts.push((outcome.removed.len(), "removed".to_owned()));
    counts.push((not_run, format!("not run: {IDENTICAL}")));
    joined(counts)
}

/// Counts the verdicts of rows. A plain run has the words of its column: `1 slower, 2 under 1.3 %`.
fn verdict_counts(rows: &[Row], outcome: &RunOutcome, is_plain: bool) -> Vec<(usize, String)> {
    let has_verdict = |row: &&Row| !row.failed() && !row.is_not_run() && !row.has_lost_all_work();
    let counted = || rows.iter().filter(has_verdict);
    let verdicts = match is_plain {
        true => {
            let findings = counted().filter_map(|row| Finding::of(row.comparison.as_ref()?));
            change_cell::count(&findings.collect::<Vec<_>>())
        }
        false => {
            let words = || counted().filter_map(|row| Some(counted_word(row.comparison.as_ref()?)));
            let words_in_order = VERDICTS.map(Verdict::told).into_iter().chain([IDENTICAL]);
            let number = |word| (words().filter(|other| *other == word).count(), str::to_owned(word));
            words_in_order.map(number).collect()
        }
    };
    let failed = rows.iter().filter(|row| row.failed()).count() + outcome.unlisted_executables;
    let lost = rows.iter().filter(|row| row.has_lost_all_work()).count();
    let others = [(failed, "failed".to_owned()), (lost, "optimised away".to_owned())];
    others.into_iter().chain(verdicts).collect()
}

/// Joins numbers that aren't 0 with their words.
fn joined(counts: Vec<(usize, String)>) -> Option<String> {
    let counts = counts.into_iter().filter(|(number, _)| *number > 0);
    let counts: Vec<String> = counts.map(|(number, word)| format!("{number} {word}")).collect();
    (!counts.is_empty()).then(|| counts.join(", "))
}

/// Returns the word under which a comparison is counted.
fn counted_word(comparison: &Comparison) -> &'static str {
    if is_identical(comparison) { IDENTICAL } else { comparison.verdict.told() }
}

/// Returns a line about the benchmarks that were not run, if there are any: `997 of 1,000 benchmarks not
/// run: identical code`.
pub(super) fn not_run(run: &ComparedRun) -> Option<String> {
    let number = run.rows.iter().filter(|row| row.is_not_run()).count();
    let all = counted(run.rows.len(), "benchmark");
    (number > 0).then(|| format!("{number} of {all} not run: {IDENTICAL} (--include-unchanged runs them)"))
}

/// Explains times that are corrected for another clock rate of the core: `corrected for the core's
/// clock, which is now 2.1 % to 4.8 % slower`.
pub(super) fn correction<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Option<String> {
    let ratio = |row: &Row| {
        let comparison = row.comparison.as_ref()?;
        Some(comparison.baseline.as_ref()?.median / comparison.uncorrected_median?)
    };
    let ratios: Vec<f64> = rows.into_iter().filter_map(ratio).collect();
    let least = ratios.iter().copied().reduce(f64::min)? - 1.0;
    let most = ratios.iter().copied().reduce(f64::max)? - 1.0;
    let word = |by: f64| if by < 0.0 { "faster" } else { "slower" };
    let text = |by: f64| percent(by.abs());
    let by = match (text(least), text(most)) {
        (faster, slower) if word(least) != word(most) => {
            format!("up to {faster} faster for some benchmarks, and up to {slower} slower for others")
        }
        (one, other) if one == other => format!("{other} {}", word(most)),
        (one, other) if least < 0.0 => format!("{other} to {one} faster"),
        (one, other) => format!("{one} to {other} slower"),
    };
    Some(format!("corrected for the core's clock, which is now {by}"))
}

/// Returns whether a time of the row that is shown may have a mark: one in its table, or in the line
/// about its change. `is_plain`: as in [`totals`].
fn is_marked(row: &Row, is_plain: bool, is_verbose: bool) -> bool {
    let is_change = || matches!(row.verdict(), Some(Verdict::Slower | Verdict::Faster));
    let before = || before(row.comparison.as_ref()?, TimeUnit::default());
    let is_shown = row.resolved().is_some() && (!is_plain || is_verbose || is_change());
    is_shown && before().is_some_and(|before| before.ends_with(CORRECTED))
}

/// Returns a line about calls that are too rare to be seen in the longest launches. Some benchmarks
/// have much shorter ones than most, as with an expensive set-up.
fn rarity(rows: &[Row]) -> Option<String> {
    let longest = |row: &Row| Some(row.comparison.as_ref()?.average()?.longest_launch);
    let mut launches: Vec<(Duration, &Row)> =
        rows.iter().filter_map(|row| Some((longest(row).filter(|time| !time.is_zero())?, row))).collect();
    launches.sort_by_key(|(time, _)| *time);
    let usual = launches.get(launches.len() / 2)?.0;
    let (short, others) = launches.split_at(launches.partition_point(|(time, _)| *time * 2 < usual));
    let time = |(launch, _): &(Duration, &Row)| time(launch.as_secs_f64() * 1e9);
    let exception = match short {
        [] => String::new(),
        [one] => format!(" ({}: once in {})", escape(&one.1.benchmark.id.to_string()), time(one)),
        [first, ..] => format!(" ({} benchmarks: once in {})", short.len(), time(first)),
    };
    let rarity = time(others.first()?);
    Some(format!("calls that are expensive less often than once in {rarity} may not show{exception}"))
}

/// Returns a line about the benchmarks of a plain run that stay undecided for lack of time, or because of
/// Ctrl-C, with the command that settles them.
fn undecided(run: &ComparedRun) -> Option<String> {
    let findings = run.rows.iter().filter_map(|row| Finding::of(row.comparison.as_ref()?));
    let number = findings.filter(|finding| matches!(finding, Finding::Undecided(_))).count();
    let (command, last) = with_last(run);
    let why = if run.is_interrupted() { "the run was interrupted" } else { "the time was too short" };
    (number > 0).then(|| format!("{number} undecided, as {why}: {command} --baseline {last}"))
}

/// Returns the command for benchmarks whose processes can't live at the same time. `is_plain`: as in
/// [`totals`].
fn collisions(run: &ComparedRun, is_plain: bool) -> Option<String> {
    let collides = |row: &&Row| {
        let obstacle = row.comparison.as_ref().and_then(|comparison| comparison.not_paired.as_deref());
        matches!(obstacle, Some(NotPaired::Collision(_)))
    };
    let number = run.rows.iter().filter(collides).count();
    let (command, last) = with_last(run);
    let baseline = if is_plain { format!(" --baseline {last}") } else { String::new() };
    let benchmarks = counted(number, "benchmark");
    (number > 0).then(|| {
        format!("to compare {benchmarks} in one process at a time: {command}{baseline} --one-at-a-time")
    })
}

/// Returns the command of a run for more flags to follow, and the run that a plain one was compared with.
fn with_last(run: &ComparedRun) -> (&str, String) {
    let last = if run.outcome.ending.is_saved() { BaselineRef::BeforeLast } else { BaselineRef::Last };
    (run.outcome.typed.as_deref().unwrap_or("the same command with"), last.name().to_string())
}

/// Returns the command that goes on with benchmarks that are unsure, for the time that would decide them.
fn unsure(rows: &[Row]) -> Option<String> {
    let unsure = rows.iter().filter(|row| row.verdict() == Some(Verdict::Unsure)).filter_map(Row::paired);
    let times = unsure.filter(|paired| paired.kept.is_some()).filter_map(|paired| paired.time_to_decide);
    let time = times.reduce(Duration::saturating_add)?.max(Duration::from_secs(1));
    Some(format!("to decide what is unsure: cargo nanobench --more {}", rounded_up(time).replace(' ', "")))
}

/// Returns a line about benchmarks of the same code whose figures are further apart than the time
/// between the measurements explains.
fn changed_elsewhere(rows: &[Row]) -> Option<String> {
    let factor = |row: &Row| {
        let comparison = row.comparison.as_ref()?;
        let is_one = comparison.reason == Some(Reason::ChangedElsewhere);
        let ratio = row.resolved().filter(|_| is_one)?.1.median / comparison.baseline.as_ref()?.median;
        Some((ratio.max(1.0 / ratio), ratio > 1.0, escape(&row.benchmark.id.to_string())))
    };
    let factors: Vec<_> = rows.iter().filter_map(factor).collect();
    let (largest, is_longer, name) = factors.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let (others, have) = match factors.len() - 1 {
        0 => (String::new(), "takes"),
        others => (format!(" and {others} more"), "take up to"),
    };
    let of = if *is_longer { "times as long" } else { "times less" };
    Some(format!(
        "same code, but `{name}`{others} {have} {largest:.1} {of}: something that they read or start has \
         changed, or the machine"
    ))
}

/// Returns the launch noise of the benchmark with the most of it.
fn noise(rows: &[Row]) -> String {
    let paired_runs = rows.iter().filter_map(|row| row.comparison.as_ref()?.paired.as_ref());
    let max = paired_runs.filter_map(|paired| paired.launch_noise).reduce(f64::max);
    max.map_or_else(String::new, |max| format!("; noise between processes: at most {}", share(max)))
}
