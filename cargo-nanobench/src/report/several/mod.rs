//! Several saved runs side by side, each compared with the first one.

mod documents;
mod table;
#[cfg(test)]
mod tests;

use super::cells::CORRECTED;
use super::gate::GateResult;
use super::{ComparedRun, ComparedWith, changes, summary};
use crate::benchmark_id::BenchmarkId;
use crate::experiment::{Benchmark, Reason, Row};
use nanobench::report::escape;
use std::collections::{HashMap, HashSet};
use textwrap::core::display_width;
use verdicts::Verdict;

pub(crate) use documents::{csv, json, markdown};
pub(crate) use table::table;

/// Saved runs, each compared with the first one.
#[derive(Debug)]
pub(crate) struct SeveralRuns {
    pub(crate) base: ComparedRun,
    /// At least one.
    pub(crate) others: Vec<ComparedRun>,
}

/// The benchmarks of a group in all runs.
#[derive(Debug)]
struct Group<'a> {
    package: &'a str,
    name: &'a str,
    lines: Vec<Line<'a>>,
}

/// A benchmark in all runs.
#[derive(Debug)]
struct Line<'a> {
    benchmark: &'a Benchmark,
    /// Its row in each run that has it, in the order of the runs.
    rows: Vec<Option<&'a Row>>,
}

/// The geometric means of the benchmarks that all runs have figures of.
#[derive(Debug, Clone, PartialEq)]
struct Mean {
    /// The number of these benchmarks.
    benchmarks: usize,
    /// The mean time of an operation in each run, in ns.
    times: Vec<f64>,
}

impl SeveralRuns {
    /// Returns the lines above the table: the runs, and the differences between their environments.
    pub(crate) fn heading(&self) -> Vec<String> {
        let with = || self.others.iter().filter_map(|run| run.header.compared_with.as_ref());
        let base =
            with().next().map(|with| format!("{} ({})", escape(&with.name), escape(&with.description)));
        let mut lines: Vec<String> =
            base.into_iter().chain(with().filter_map(ComparedWith::candidate_description)).collect();
        lines.extend(with().filter_map(ComparedWith::difference_from_base));
        lines.push(format!("Nothing was run. {}", ComparedWith::stored_figures_note()));
        lines
    }

    /// Returns a line for each change, with the run that has it. Lines that are wider than `width`
    /// break between their parts.
    pub(crate) fn changes(&self, width: Option<usize>) -> Vec<String> {
        let of_run = |run| {
            let prefix = format!("{}: ", name(run));
            let width = width.map(|width| width.saturating_sub(display_width(&prefix)));
            changes(run, width).into_iter().map(move |line| prefix.clone() + &line).collect::<Vec<_>>()
        };
        self.others.iter().flat_map(of_run).collect()
    }

    /// Returns the lines below the table: the verdicts, the correction and the gate of each run.
    pub(crate) fn closing(&self) -> Vec<String> {
        let of_run = |run: &ComparedRun| {
            let counts = summary::counts(&run.rows, &run.outcome, false);
            let correction = summary::correction(&run.rows);
            let correction =
                correction.map(|text| format!("changes, and times with {CORRECTED}, are {text}"));
            let gate = GateResult::of(run).map(|result| result.line());
            let lines = [counts, correction, gate].into_iter().flatten();
            lines.map(|line| format!("{}: {line}", name(run))).collect::<Vec<_>>()
        };
        self.others.iter().flat_map(of_run).collect()
    }

    /// Returns the warnings about each run.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = &String> {
        self.others.iter().flat_map(|run| &run.header.warnings)
    }

    /// Returns all runs, the base first.
    fn runs(&self) -> impl Iterator<Item = &ComparedRun> {
        [&self.base].into_iter().chain(&self.others)
    }

    /// Returns the names of all runs.
    fn names(&self) -> Vec<String> {
        self.runs().map(name).collect()
    }

    /// Returns the benchmarks of all runs, those of the base first within each group.
    fn groups(&self) -> Vec<Group<'_>> {
        let rows: Vec<HashMap<&BenchmarkId, &Row>> =
            self.runs().map(|run| run.rows.iter().map(|row| (&row.benchmark.id, row)).collect()).collect();
        let mut seen = HashSet::new();
        let mut groups: Vec<Group<'_>> = Vec::new();
        for Row { benchmark, .. } in self.runs().flat_map(|run| &run.rows) {
            if !seen.insert(&benchmark.id) {
                continue;
            }
            let rows = rows.iter().map(|rows| rows.get(&benchmark.id).copied()).collect();
            let (line, package, name) = (Line { benchmark, rows }, benchmark.package(), &*benchmark.group);
            match groups.iter_mut().find(|group| (group.package, group.name) == (package, name)) {
                Some(group) => group.lines.push(line),
                None => groups.push(Group { package, name, lines: vec![line] }),
            }
        }
        groups
    }
}

impl Group<'_> {
    fn mean(&self) -> Option<Mean> {
        Mean::of(&self.lines)
    }
}

impl Line<'_> {
    /// Returns the time in each run. `None` unless all runs have one, of the same unit.
    fn times(&self) -> Option<Vec<f64>> {
        let time = |row: &Option<&Row>| {
            let row = row.filter(|row| row.verdict() != Some(Verdict::New))?;
            Some(row.resolved()?.1.median).filter(|time| *time > 0.0)
        };
        self.rows.iter().map(time).collect()
    }
}

impl Mean {
    /// Returns the mean of at least two benchmarks that all runs have.
    fn of<'a>(lines: impl IntoIterator<Item = &'a Line<'a>>) -> Option<Mean> {
        let times: Vec<Vec<f64>> = lines.into_iter().filter_map(Line::times).collect();
        let benchmarks = times.len();
        let mean = |run: usize| {
            let logarithms: f64 = times.iter().map(|times| times[run].ln()).sum();
            (logarithms / benchmarks as f64).exp()
        };
        (benchmarks > 1).then(|| Mean { benchmarks, times: (0..times[0].len()).map(mean).collect() })
    }

    /// Returns the change of each run compared with the first one, which has none.
    fn changes(&self) -> impl Iterator<Item = Option<f64>> {
        self.times.iter().enumerate().map(|(run, time)| (run > 0).then(|| time / self.times[0] - 1.0))
    }
}

/// Returns the verdict that tables have beside the change of a row, or in its place.
fn word(row: &Row) -> Option<Verdict> {
    let comparison = row.comparison.as_ref()?;
    let is_worth_a_word = match comparison.verdict {
        Verdict::New | Verdict::Failed => true,
        Verdict::Same => comparison.reason == Some(Reason::SameExecutable),
        verdict => verdict.is_change(),
    };
    is_worth_a_word.then_some(comparison.verdict)
}

/// Returns the name of a saved run.
fn name(run: &ComparedRun) -> String {
    escape(run.header.saved.as_deref().unwrap_or_default())
}
