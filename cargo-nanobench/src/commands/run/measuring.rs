//! A run from its first sample to its last line.

use super::Error;
use super::reference::Reference;
use super::renamed::renamed;
use super::watch::Watch;
use crate::baseline::StagedRun;
use crate::benchmark_id::BenchmarkId;
use crate::cli::{InFile, RunArgs};
use crate::experiment::{
    Benchmark, ComparisonPolicy, Gate, Observer, Outcome, Row, Rules, Sampling, Suite, SuiteRunner,
};
use crate::report::{self, Progress, Report, RunHeader, RunOutcome, TableOptions, TableReport};
use crate::session::SessionOptions;
use crate::{interrupt, output};
use nanobench::report::escape;
use std::io;
use std::time::Instant;

/// Set by who wants to know what is said of identical executables that are measured all the same.
const COMPARE_IDENTICAL: &str = "NANOBENCH_COMPARE_IDENTICAL";

/// What is asked for and what is known of it.
pub(super) struct Measuring<'a> {
    pub(super) args: &'a RunArgs,
    pub(super) file: &'a InFile,
    pub(super) session_options: &'a SessionOptions,
    /// Id of the benchmark that the others are shown as multiples of.
    pub(super) scale_to: Option<&'a BenchmarkId>,
}

impl<'a> Measuring<'a> {
    pub(super) fn verbose(&self) -> bool {
        self.args.cargo.common.verbose > 0
    }

    /// What the samples are to be like.
    pub(super) fn sampling(&self) -> Sampling<'a> {
        Sampling { flags: &self.args.sampling, file: self.file.sampling() }
    }

    /// How changes are told. What is asked for is measured side by side, `all` of it; beside a last run only what looks
    /// changed, as nobody asked for the time that takes.
    pub(super) fn judging(&self, all: bool) -> ComparisonPolicy {
        let (compare, usual) = (&self.args.compare, Rules::default());
        let rules = Rules {
            threshold: self.file.threshold().unwrap_or(usual.threshold),
            resolution: compare.resolution.unwrap_or(usual.resolution),
        };
        let identical = std::env::var_os(COMPARE_IDENTICAL).is_some_and(|value| !value.is_empty());
        ComparisonPolicy { threshold: compare.threshold, rules, all, identical, same_files: true }
    }

    /// Says what stands above a table, and what may be wrong with it.
    pub(super) fn announce(&self, heading: &[String], warnings: &[String]) {
        if self.args.output.is_table() {
            // What can't be printed is found out at the end of the run, with the rest.
            let _ = output::print(&(heading.join("\n") + "\n\n"));
        }
        for warning in warnings.iter().filter(|_| self.args.output.warns()) {
            anstream::eprintln!("warning: {warning}");
        }
    }

    /// Measures all that is selected, beside one saved run or none.
    pub(super) fn beside(
        &self,
        reference: Option<&Reference>,
        staged: &StagedRun<'_>,
        suite: &mut Suite,
        header: RunHeader,
        missing: Vec<BenchmarkId>,
    ) -> Report {
        let solo = SuiteRunner {
            sampling: self.sampling(),
            session_options: self.session_options,
            comparing: reference.is_some(),
            judging: self.judging(reference.is_some_and(Reference::is_asked_for)),
        };
        let stored = |found: &Benchmark| reference.and_then(|reference| reference.stored(staged, found));
        self.report(suite, header, missing, |suite, observer| solo.run(suite, stored, observer))
    }

    /// What comes of an experiment with all that is selected, its gates and what disturbed it.
    pub(super) fn report(
        &self,
        suite: &mut Suite,
        header: RunHeader,
        missing: Vec<BenchmarkId>,
        experiment: impl FnOnce(&mut Suite, &mut dyn Observer) -> Vec<Row>,
    ) -> Report {
        let gate = Gate::asked(&self.args.gate);
        let compared = header.compared_with.is_some();
        if !gate.is_open() && !compared {
            anstream::eprintln!(
                "warning: there is nothing to compare with: the gates judge failures at most"
            );
        }
        let (started, watch) = (Instant::now(), Watch::begin());
        let rows = self.show(suite, &header, experiment);
        let not_reached = interrupt::requested().then(|| suite.benchmarks.len() - rows.len());
        let failures = gate.failures(&rows, &missing);
        // Nothing has passed that was not seen to its end.
        let is_judged = !gate.is_open() && (not_reached.is_none() || !failures.is_empty());
        let elapsed = started.elapsed();
        let mut disturbed = watch.end(suite, &rows);
        disturbed.extend(self.unscaled(&rows).into_iter().chain(unpaired(&rows)));
        if not_reached.is_none() {
            disturbed.extend(renamed(suite, &rows, &missing, self.session_options));
        }
        let outcome = RunOutcome {
            elapsed,
            broken: suite.unlisted.len(),
            disturbed,
            compared,
            gate: is_judged.then_some(failures),
            missing,
            not_reached,
            ..RunOutcome::default()
        };
        Report { header, rows, outcome }
    }

    /// Why nothing is shown as a multiple of what it was to be one of.
    fn unscaled(&self, rows: &[Row]) -> Option<String> {
        let row = rows.iter().find(|row| Some(&row.benchmark.id) == self.scale_to)?;
        let why = match &row.outcome {
            _ if row.resolved().is_some() => return None,
            Outcome::Failed(_) => "it failed",
            Outcome::Measured { .. } => "it is below resolution",
        };
        Some(format!(
            "there are no multiples of {} (--scale-to): {why}",
            escape(&row.benchmark.id.to_string())
        ))
    }

    /// Shows each row of an experiment as it comes. Fewer rows where Ctrl-C came.
    fn show(
        &self,
        suite: &mut Suite,
        header: &RunHeader,
        experiment: impl FnOnce(&mut Suite, &mut dyn Observer) -> Vec<Row>,
    ) -> Vec<Row> {
        let selected = suite.benchmarks.clone();
        let shown = TableOptions {
            verbose: self.verbose(),
            bytes: self.args.output.bytes(),
            scale_to: self.scale_to,
            width: output::width().filter(|_| !self.verbose()),
        };
        let mut table = self.args.output.is_table().then(|| TableReport::new(header, &selected, shown));
        let progress = Progress::new(selected.len(), self.args.cargo.common.quiet);
        // Multiples can be shown when there is what they are multiples of.
        let as_they_come = if self.scale_to.is_none() { table.as_mut() } else { None };
        let rows = experiment(suite, &mut Screen { table: as_they_come, progress: &progress });
        if let Some(table) = &mut table {
            progress.print(&self.rest(table, header, &rows, suite));
        }
        rows
    }

    /// What the table has to say when all rows are there.
    fn rest(&self, table: &mut TableReport<'a>, header: &RunHeader, rows: &[Row], suite: &Suite) -> String {
        let mut lines = String::new();
        if let Some(id) = self.scale_to {
            if let Some(row) = rows.iter().find(|row| row.benchmark.id == *id) {
                table.scale_to(row);
            }
            lines.extend(rows.iter().map(|row| table.row(row)));
        }
        lines += &table.finish();
        lines.extend(suite.unlisted.iter().map(|executable| table.unlisted(executable)));
        lines + &table.more(header, rows)
    }
}

/// Which rows have no row of their baseline in the run beside them, and why the first of them has none.
fn unpaired(rows: &[Row]) -> Option<String> {
    let mut unpaired = rows.iter().filter_map(|row| Some((row, row.benchmark.benchmark.unpaired.as_ref()?)));
    let (row, why) = unpaired.next()?;
    let more = match unpaired.count() {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    Some(format!("{} is compared with nothing: {}{more}", escape(&row.benchmark.id.to_string()), escape(why)))
}

/// Prints what stands below the last of the tables.
pub(super) fn conclude(args: &RunArgs, reports: &[Report]) -> io::Result<()> {
    let Some(Report { rows, outcome, header }) = reports.last().filter(|_| args.output.is_table()) else {
        return Ok(());
    };
    output::print(&format!("\n{}\n", report::summary(rows, outcome).join("\n")))?;
    let doubts = report::doubts(rows, header.environment.cores);
    for doubt in outcome.disturbed.iter().chain(&doubts).filter(|_| args.output.warns()) {
        anstream::eprintln!("warning: {doubt}");
    }
    Ok(())
}

/// Prints the JSON document, where that is asked for. What a gate held back is said on stderr, too: the document often goes
/// to a file, which may be full.
fn document(args: &RunArgs, reports: &[Report], scale_to: Option<&BenchmarkId>) -> io::Result<()> {
    if args.output.is_table() {
        return Ok(());
    }
    let text = report::json(reports, scale_to).map_err(io::Error::from)?;
    let printed = output::print_json(&text);
    report::gate_lines(reports).for_each(|line| anstream::eprintln!("{line}"));
    printed
}

/// Prints all that is left to say at the end of a run.
pub(super) fn finish(
    args: &RunArgs,
    reports: &[Report],
    scale_to: Option<&BenchmarkId>,
) -> Result<(), Error> {
    let saved = reports.iter().any(|report| report.outcome.saved);
    let printed = conclude(args, reports).and_then(|()| document(args, reports, scale_to));
    printed.map_err(|source| Error::Output { source, saved })
}

/// The progress line, and the table above it where there is one.
struct Screen<'a, 'b> {
    table: Option<&'a mut TableReport<'b>>,
    progress: &'a Progress,
}

impl Observer for Screen<'_, '_> {
    fn running(&mut self, found: &Benchmark) {
        self.progress.running(&found.id.to_string());
    }

    fn done(&mut self, row: &Row) {
        if let Some(table) = &mut self.table {
            self.progress.print(&table.row(row));
        }
        self.progress.one_more();
    }
}
