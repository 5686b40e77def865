//! Several saved runs side by side: the columns of one table, each compared with the first run.

mod table;
#[cfg(test)]
mod tests;

use super::cells::CORRECTED;
use super::gate::GateResult;
use super::verdict_text::{IDENTICAL, is_identical};
use super::{ComparedRun, ComparedWith, Report, changes, summary};
use crate::benchmark_id::BenchmarkId;
use crate::experiment::{Benchmark, Row};
use nanobench::report::escape;
use nanobench::stats::Change;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use textwrap::core::display_width;
use verdicts::Verdict;

pub(crate) use table::table;

/// A line of the table.
pub(super) enum Line<'a> {
    /// A benchmark with its cell of each run that has it, in the order of the runs.
    Benchmark(&'a Benchmark, Vec<Option<Cell>>),
    Mean(Mean<'a>),
}

/// The result of a benchmark in one run.
pub(super) struct Cell {
    /// The median time of an operation, in ns.
    pub(super) time: Option<f64>,
    pub(super) change: Option<Change>,
    pub(super) verdict: Option<Verdict>,
    /// The verdict, if it stands beside the change or in its place.
    pub(super) word: Option<&'static str>,
}

/// The geometric means of the benchmarks of a group that all runs have figures of.
#[derive(Debug, Serialize)]
pub(super) struct Mean<'a> {
    /// `None` for the mean of all benchmarks.
    pub(super) package: Option<&'a str>,
    pub(super) group: Option<&'a str>,
    /// The number of these benchmarks.
    pub(super) benchmarks: usize,
    /// The mean time of an operation in each run, in ns.
    pub(super) times: Vec<f64>,
    /// The changes compared with the first run, which has none, in percent.
    pub(super) changes: Vec<Option<f64>>,
}

/// Returns the lines of all runs: the benchmarks of each group, those of the first run first, then the
/// mean of the group. The mean of all is last. A single group has none of its own.
pub(super) fn lines(report: &Report) -> Vec<Line<'_>> {
    let rows = report.runs.iter().map(|run| run.rows.iter().map(|row| (&row.benchmark.id, row)).collect());
    let rows: Vec<HashMap<&BenchmarkId, &Row>> = rows.collect();
    let mut seen = HashSet::new();
    let mut groups: Vec<((&str, &str), Vec<Line<'_>>)> = Vec::new();
    for Row { benchmark, .. } in report.runs.iter().flat_map(|run| &run.rows) {
        if !seen.insert(&benchmark.id) {
            continue;
        }
        let cells = rows.iter().map(|rows| rows.get(&benchmark.id).map(|row| Cell::of(row)));
        let line = Line::Benchmark(benchmark, cells.collect());
        let group = (benchmark.package(), &*benchmark.group);
        match groups.iter_mut().find(|(other, _)| *other == group) {
            Some((_, lines)) => lines.push(line),
            None => groups.push((group, vec![line])),
        }
    }
    let overall = Mean::of(None, groups.iter().flat_map(|(_, lines)| lines));
    let has_means = groups.len() > 1;
    let mut all = Vec::new();
    for (group, lines) in groups {
        let mean = Mean::of(Some(group), &lines).filter(|_| has_means);
        all.extend(lines.into_iter().chain(mean.map(Line::Mean)));
    }
    all.extend(overall.map(Line::Mean));
    all
}

/// Returns the means of the groups and of all benchmarks. None unless the report is one of several runs.
pub(super) fn means(report: &Report) -> Vec<Mean<'_>> {
    let lines = if report.is_of_several() { lines(report) } else { Vec::new() };
    let mean = |line| if let Line::Mean(mean) = line { Some(mean) } else { None };
    lines.into_iter().filter_map(mean).collect()
}

impl Cell {
    fn of(row: &Row) -> Cell {
        let comparison = row.comparison.as_ref();
        let verdict = row.verdict();
        let is_identical = comparison.is_some_and(is_identical);
        let is_worth_a_word =
            |verdict: &Verdict| matches!(verdict, Verdict::New | Verdict::Failed) || verdict.is_change();
        let word = verdict.filter(is_worth_a_word).map(Verdict::told);
        Cell {
            time: row.resolved().map(|(_, summary)| summary.median),
            change: comparison.and_then(|comparison| comparison.change),
            verdict,
            word: if is_identical { Some(IDENTICAL) } else { word },
        }
    }

    /// Returns the time, unless it can't be compared with that of another run.
    fn comparable_time(&self) -> Option<f64> {
        self.time.filter(|time| *time > 0.0 && self.verdict != Some(Verdict::New))
    }
}

impl<'a> Mean<'a> {
    /// Returns the mean of at least two benchmarks that all runs have.
    fn of<'l>(
        group: Option<(&'a str, &'a str)>,
        lines: impl IntoIterator<Item = &'l Line<'a>>,
    ) -> Option<Mean<'a>>
    where
        'a: 'l,
    {
        let times = |line: &Line<'_>| match line {
            Line::Benchmark(_, cells) => {
                cells.iter().map(|cell| cell.as_ref()?.comparable_time()).collect::<Option<Vec<f64>>>()
            }
            Line::Mean(_) => None,
        };
        let all: Vec<Vec<f64>> = lines.into_iter().filter_map(times).collect();
        let benchmarks = all.len();
        let mean = |run: usize| {
            let logarithms: f64 = all.iter().map(|times| times[run].ln()).sum();
            (logarithms / benchmarks as f64).exp()
        };
        let times: Vec<f64> = (0..all.first()?.len()).map(mean).collect();
        let change = |(run, time): (usize, &f64)| (run > 0).then(|| (time / times[0] - 1.0) * 100.0);
        let changes = times.iter().enumerate().map(change).collect();
        let (package, group) = group.unzip();
        (benchmarks > 1).then_some(Mean { package, group, benchmarks, times, changes })
    }

    /// Returns its name in tables.
    pub(super) fn name(&self) -> String {
        let all = if self.group.is_none() { "all " } else { "" };
        format!("geomean of {all}{}", self.benchmarks)
    }
}

/// Returns the lines above the table: the runs, and the differences between their environments.
pub(crate) fn heading(report: &Report) -> Vec<String> {
    let with = || report.runs.iter().filter_map(|run| run.header.compared_with.as_ref());
    let base = with().next().map(|with| format!("{} ({})", escape(&with.name), escape(&with.description)));
    let candidates = with().filter_map(ComparedWith::candidate_description);
    let differences = with().filter_map(ComparedWith::difference_from_base);
    let note = format!("Nothing was run. {}", ComparedWith::stored_figures_note());
    base.into_iter().chain(candidates).chain(differences).chain([note]).collect()
}

/// Returns a line for each change, with the run that has it. Lines that are wider than `width` break
/// between their parts.
pub(crate) fn all_changes(report: &Report, width: Option<usize>) -> Vec<String> {
    let of_run = |run| {
        let prefix = format!("{}: ", name(run));
        let width = width.map(|width| width.saturating_sub(display_width(&prefix)));
        changes(run, width).into_iter().map(move |line| prefix.clone() + &line).collect::<Vec<_>>()
    };
    report.runs.iter().flat_map(of_run).collect()
}

/// Returns the lines below the table: the verdicts, the correction and the gate of each run.
pub(crate) fn closing(report: &Report) -> Vec<String> {
    let of_run = |run: &ComparedRun| {
        let counts = summary::counts(&run.rows, &run.outcome, false);
        let correction = summary::correction(&run.rows);
        let correction = correction.map(|text| format!("changes, and times with {CORRECTED}, are {text}"));
        let gate = GateResult::of(run).map(|result| result.line());
        let lines = [counts, correction, gate].into_iter().flatten();
        lines.map(|line| format!("{}: {line}", name(run))).collect::<Vec<_>>()
    };
    report.runs.iter().skip(1).flat_map(of_run).collect()
}

/// Returns the name of a saved run.
pub(super) fn name(run: &ComparedRun) -> String {
    escape(run.header.saved.as_deref().unwrap_or_default())
}
