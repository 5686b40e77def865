//! The text output of `cargo nanobench baseline`.
//!
//! All text from stored files is escaped: anyone may have written it.

use crate::baseline::{
    BaselineRef, Error, Exported, Imported, ListedBaseline, LoadedBaseline, Origin, RunRecord, Store,
    StoredBenchmark, age, describe, short_commit,
};
use crate::commands::saved;
use crate::environment::{Checkout, Environment};
use crate::report::{ComparedRun, RequestedColumns, TableOptions, TableReport, share};
use crate::revision::{self, RevisionFolder};
use indicatif::HumanBytes;
use jiff::{Timestamp, Zoned};
use nanobench::report::{self, counted, escape};
use nanobench::summary::Summary;
use std::fmt::Write as _;
use std::path::Path;
use std::slice;

const GAP: &str = "  ";

/// The places of columns of a list that narrow terminals may do without.
const COMMIT: usize = 1;
const MACHINE: usize = 2;
const RUSTC: usize = 3;

/// The maximum length of a processor's name in a list.
const MAX_MACHINE: usize = 24;

/// Returns a line for each baseline, with ages as of `now`. `room`: the width of the terminal, if
/// it is one. Narrow ones do without some columns.
pub(crate) fn list(listed: &[ListedBaseline], now: &Zoned, room: Option<usize>) -> String {
    if listed.is_empty() {
        return "No baseline exists yet. To save one: cargo nanobench --save-baseline NAME\n".to_owned();
    }
    let titles = ["saved", "commit", "machine", "rustc", "benchmarks", "size"].map(str::to_owned);
    let heading = ("name".to_owned(), Ok(titles));
    let lines: Vec<Line> =
        [heading].into_iter().chain(listed.iter().map(|listed| line(listed, now))).collect();
    let name_width = width(lines.iter().map(|(name, _)| name));
    let widths: [usize; 6] =
        std::array::from_fn(|i| width(lines.iter().filter_map(|(_, cells)| Some(&cells.as_ref().ok()?[i]))));
    let has_imports = listed.iter().any(|listed| matches!(&listed.baseline, Ok(it) if it.is_imported()));
    let columns = columns(name_width, &widths, has_imports, room);
    let text = |(name, cells): &Line| {
        let rest = match cells {
            Ok(cells) => aligned(cells, &widths, &columns),
            Err(reason) => reason.clone(),
        };
        format!("{name:<name_width$}{GAP}{rest}").trim_end().to_owned() + "\n"
    };
    lines.iter().map(text).collect()
}

/// Returns the size of all baselines, and of the builds of revisions. Empty without any.
pub(super) fn total(listed: &[ListedBaseline], revisions: &[RevisionFolder]) -> String {
    let mut text = String::new();
    if !listed.is_empty() {
        text += &format!("\nTotal: {}.\n", HumanBytes(listed.iter().map(|listed| listed.size).sum()));
    }
    if !revisions.is_empty() {
        let (number, size) = (counted(revisions.len(), "build"), HumanBytes(revision::size(revisions)));
        text += &format!(
            "{number} of --against: {size}. To remove them: cargo nanobench baseline prune --revisions\n"
        );
    }
    text
}

/// Returns the places of the columns that fit beside the names: all but those that matter least.
/// `has_imports`: the machine's cell marks imports, so it matters more than the commit.
fn columns(name: usize, widths: &[usize; 6], has_imports: bool, room: Option<usize>) -> Vec<usize> {
    let dispensable = if has_imports { [RUSTC, COMMIT, MACHINE] } else { [RUSTC, MACHINE, COMMIT] };
    let mut columns: Vec<usize> = (0..widths.len()).collect();
    for place in dispensable {
        let needed = name + columns.iter().map(|&i| GAP.len() + widths[i]).sum::<usize>();
        if room.is_some_and(|room| needed > room) {
            columns.retain(|&kept| kept != place);
        }
    }
    columns
}

/// The name of a baseline, and its other cells or the reason why it can't be read.
type Line = (String, Result<[String; 6], String>);

fn line(listed: &ListedBaseline, now: &Zoned) -> Line {
    let cells = listed.baseline.as_ref().map(|baseline| {
        let Environment { commit, cpu, rustc, .. } = &baseline.environment;
        let saved = baseline.created.to_zoned(now.time_zone().clone()).strftime("%F %R").to_string();
        let commit = commit.as_ref().map(short_commit).unwrap_or_default();
        let rustc = rustc.as_ref().and_then(|rustc| rustc.version.split_whitespace().nth(1));
        let mut machine = shortened(cpu.as_deref().unwrap_or_default());
        if let Some(mark) = import_mark(baseline) {
            machine = format!("{machine} ({mark})").trim_start().to_owned();
        }
        let (number, size) = (baseline.benchmarks.len().to_string(), HumanBytes(listed.size).to_string());
        [saved, commit, machine, escape(rustc.unwrap_or_default()), number, size]
    });
    let reason =
        |error: &Error| error.to_string().lines().next().unwrap_or_default().trim_end_matches(':').to_owned();
    (escape(&listed.name), cells.map_err(reason))
}

/// Returns the remark of a list about an imported baseline.
fn import_mark(baseline: &RunRecord) -> Option<String> {
    let from = if baseline.from_other_machine { ", elsewhere" } else { "" };
    let runs = if baseline.may_run() { ", may run" } else { "" };
    baseline.is_imported().then(|| format!("imported{from}{runs}"))
}

/// Aligns the cells of these columns of a list: texts to the left, numbers to the right.
fn aligned(cells: &[String; 6], widths: &[usize; 6], columns: &[usize]) -> String {
    const TEXTS: usize = 4;
    let cell = |&i: &usize| {
        let (cell, width) = (&cells[i], widths[i]);
        if i < TEXTS { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
    };
    columns.iter().map(cell).collect::<Vec<_>>().join(GAP)
}

fn shortened(text: &str) -> String {
    let text = escape(text);
    if text.chars().count() <= MAX_MACHINE {
        return text;
    }
    text.chars().take(MAX_MACHINE - 2).chain("..".chars()).collect()
}

/// Returns everything that is known about a baseline but its benchmarks, with ages as of `now`.
pub(crate) fn show(name: &str, saved: &LoadedBaseline, now: &Zoned) -> String {
    let baseline = &saved.baseline;
    let created = baseline.created.to_zoned(now.time_zone().clone()).strftime("%F %R");
    let tool = escape(&baseline.tool);
    let mut text = format!(
        "{}: saved {} ({created}) by cargo-nanobench {tool}\n\n",
        escape(name),
        age(baseline.created, now)
    );
    for (label, value) in environment(&baseline.environment) {
        let _ = writeln!(text, "{GAP}{label:<12}{GAP}{}", escape(&value));
    }
    let _ = writeln!(text, "{GAP}{:<12}{GAP}{}\n", "executables", executables(saved));
    text
}

/// Describes a removed baseline.
pub(super) fn removed(removed: &ListedBaseline, now: &Zoned) -> String {
    format!("Removed {}.\n", described(removed, now))
}

fn described(listed: &ListedBaseline, now: &Zoned) -> String {
    let summary = match &listed.baseline {
        Ok(baseline) => describe(baseline, now),
        Err(_) => "unreadable".to_owned(),
    };
    format!("baseline `{}` ({summary}, {})", escape(&listed.name), HumanBytes(listed.size))
}

/// Names the previous version of a removed baseline, if it exists.
pub(super) fn remaining_version(removed: &BaselineRef, store: &Store) -> String {
    let BaselineRef::Named(name) = removed else { return String::new() };
    let earlier = BaselineRef::Earlier(name.clone());
    if !store.contains(&earlier) {
        return String::new();
    }
    let (name, argument) = (earlier.name(), earlier.argument());
    format!(
        "Its previous version is kept as `{name}`. To remove it: cargo nanobench baseline remove {argument}\n"
    )
}

/// Describes renamed baselines.
pub(super) fn renamed(moves: &[(BaselineRef, BaselineRef)]) -> String {
    let line = |(from, to): &(BaselineRef, BaselineRef)| {
        format!("Renamed baseline `{}` to `{}`.\n", from.name(), to.name())
    };
    moves.iter().map(line).collect()
}

/// Describes what would be removed without `--dry-run`.
pub(super) fn would_prune(chosen: &[&ListedBaseline], revisions: &[RevisionFolder], now: &Zoned) -> String {
    if chosen.is_empty() && revisions.is_empty() {
        return "There is nothing to remove.\n".to_owned();
    }
    let baselines = chosen.iter().map(|listed| described(listed, now));
    let all = baselines.chain(revisions.iter().map(|revision| described_revision(revision, now)));
    all.map(|described| format!("Would remove {described}.\n")).collect()
}

/// Describes the removed build of a revision, before it is removed.
pub(super) fn removed_revision(revision: &RevisionFolder, now: &Zoned) -> String {
    format!("Removed {}.\n", described_revision(revision, now))
}

fn described_revision(revision: &RevisionFolder, now: &Zoned) -> String {
    let used = Timestamp::try_from(revision.last_used()).unwrap_or_default();
    let size = HumanBytes(revision::size(slice::from_ref(revision)));
    format!("the build of revision {} (used {}, {size})", revision.commit(), age(used, now))
}

/// Describes an exported baseline.
pub(super) fn exported(exported: &Exported, file: &Path) -> String {
    let Exported { baseline, executables, missing, size } = exported;
    let missing = if *missing > 0 { format!(" ({missing} more are gone or changed)") } else { String::new() };
    let (executables, size) = (counted(*executables, "executable"), HumanBytes(*size));
    let file = escape(&file.to_string_lossy());
    format!("Exported {baseline} to `{file}`: {executables}{missing}, {size}.\n")
}

/// Describes an imported baseline.
pub(super) fn imported(imported: &Imported, now: &Zoned) -> String {
    let Imported { name, baseline, executables, earlier } = imported;
    let description = describe(baseline, now);
    if baseline.origin == Origin::Run {
        return format!("Baseline `{name}` ({description}) stays as it is: the file holds the same run.\n");
    }
    let mut text = format!("Imported baseline `{name}` ({description}).\n");
    if let Some(earlier) = earlier {
        text += &format!("The previous one is kept as `{}`.\n", earlier.name());
    }
    if baseline.is_imported() && baseline.from_other_machine {
        text += "It comes from another machine, or doesn't say from which.\n";
    }
    text + &programs(baseline, *executables)
}

/// Returns the number of programs in an imported baseline, and the meaning of running them.
fn programs(baseline: &RunRecord, number: usize) -> String {
    let executables = counted(number, "executable");
    match baseline.origin {
        Origin::Run => String::new(),
        _ if number == 0 => "It has no executables: comparisons use its stored figures.\n".to_owned(),
        Origin::TrustedImport => {
            format!("Comparisons will run its {executables}, as you, with your files and your environment.\n")
        }
        Origin::Import => format!(
            "It holds {executables}, which comparisons don't run: they use its stored figures. A program from a file \
             runs as you,\nwith your files and your environment. If you trust its author like that of code that you \
             build: import it with\n--use-executables.\n"
        ),
    }
}

/// Returns the labels and values of an environment.
fn environment(environment: &Environment) -> Vec<(&'static str, String)> {
    let Environment { cpu, cores, os, arch, rustc, target, profile, features, rustflags, commit, .. } =
        environment;
    let context: Vec<String> =
        environment.context.iter().map(|pair| format!("{}={}", pair.key, pair.value)).collect();
    let joined = |words: &[String]| (!words.is_empty()).then(|| words.join(" "));
    let lines = [
        ("cpu", cpu.clone()),
        ("cores", cores.map(|cores| cores.to_string())),
        ("system", os.clone()),
        ("arch", arch.clone()),
        ("rustc", rustc.as_ref().map(|rustc| rustc.version.clone())),
        ("target", target.clone()),
        ("profile", profile.clone()),
        ("settings", environment.profile_settings.as_deref().and_then(joined)),
        ("features", joined(features)),
        ("rustflags", joined(rustflags)),
        ("commit", commit.as_ref().map(describe_commit)),
        ("nanobench", environment.nanobench_core.clone()),
        ("context", joined(&context)),
    ];
    lines.into_iter().filter_map(|(label, value)| Some((label, value?))).collect()
}

fn describe_commit(commit: &Checkout) -> String {
    let Checkout { hash, branch, dirty, .. } = commit;
    let branch = branch.as_ref().map(|branch| format!("on {branch}"));
    let dirty = dirty.then(|| "with uncommitted changes".to_owned());
    [Some(hash.clone()), branch, dirty].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn executables(saved: &LoadedBaseline) -> String {
    let executables = &saved.baseline.executables;
    let missing: Vec<String> = executables
        .iter()
        .filter(|executable| saved.stored_executable(executable).is_none())
        .map(|executable| escape(&executable.name))
        .collect();
    let kept = format!("{} kept", executables.len() - missing.len());
    let imported = import_note(&saved.baseline);
    let missing = (!missing.is_empty()).then(|| format!("missing or changed: {}", missing.join(", ")));
    [Some(kept), imported, missing].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Returns a note about the executables of an imported baseline.
fn import_note(baseline: &RunRecord) -> Option<String> {
    let from = if baseline.from_other_machine { " from another machine" } else { "" };
    let run = if baseline.may_run() { "run here" } else { "don't run here" };
    baseline.is_imported().then(|| format!("imported{from}, {run}"))
}

/// Returns a line for each benchmark.
pub(super) fn benchmarks(baseline: &RunRecord) -> String {
    let benchmarks = baseline.benchmarks.iter();
    let lines: Vec<(String, String)> =
        benchmarks.map(|stored| (escape(&stored.id().to_string()), figures(stored))).collect();
    let id_width = width(lines.iter().map(|(id, _)| id));
    let text: String =
        lines.iter().map(|(id, figures)| format!("{GAP}{id:<id_width$}{GAP}{figures}\n")).collect();
    text + &format!("\n{}.\n", counted(lines.len(), "benchmark"))
}

/// Returns the table of a saved run with statistics.
pub(super) fn statistics(run: &ComparedRun, verbose: bool) -> String {
    let measurements = || run.rows.iter().filter_map(|row| Some(row.resolved()?.0));
    let launches = measurements().any(|measurement| measurement.launches.len() > 1);
    let first_call = measurements().any(|measurement| measurement.first_calls.is_some());
    let columns = RequestedColumns { statistics: true, launches, first_call, ..RequestedColumns::default() };
    let table = TableReport::of_finished(run, TableOptions { columns, ..saved::table_options(verbose) });
    format!("{table}\n{}.\n", counted(run.rows.len(), "benchmark"))
}

fn figures(benchmark: &StoredBenchmark) -> String {
    match Summary::from_measurement(&benchmark.measurement) {
        None => "no samples".to_owned(),
        Some(summary) if summary.below_resolution => report::no_longer_than_empty(&summary),
        Some(summary) => {
            let samples = counted(usize::try_from(summary.samples).unwrap_or(usize::MAX), "sample");
            let noise = benchmark.comparison.as_ref().and_then(|comparison| comparison.launch_noise);
            let noise = noise.map(|noise| format!(", noise between processes {}", share(noise)));
            format!(
                "{:>10} per {}, err {:>6}, {samples}{}",
                report::time(summary.median),
                escape(benchmark.benchmark.unit.as_deref().unwrap_or("operation")),
                report::percent(summary.err),
                noise.unwrap_or_default()
            )
        }
    }
}

fn width<'a>(texts: impl Iterator<Item = &'a String>) -> usize {
    texts.map(|text| text.chars().count()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests;
