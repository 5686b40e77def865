//! Saved runs as reports.

use super::compatibility;
use super::error::Error;
use crate::baseline::{self, BaselineRef, LoadedBaseline, RunRecord, Store, StoredBenchmark};
use crate::benchmark_id::BenchmarkId;
use crate::cargo::CommonOptions;
use crate::cli::ReportFormat;
use crate::experiment::{
    Benchmark, Comparison, Gate, NamedBenchmark, Outcome, Renames, Row, compare_with_stored, have_same_unit,
};
use crate::output;
use crate::report::{
    Charset, ComparedRun, ComparedWith, ComparisonMethod, Rendered, Report, RunHeader, RunOutcome,
    TableOptions, TableReport, UnusableExecutables, changes, closing, gate_lines, several,
};
use crate::warnings::warn;
use nanobench::model::Measurement;
use nanobench::summary::Summary;
use std::io;

/// A saved run and the name by which it was loaded.
pub(super) type Named = (BaselineRef, LoadedBaseline);

/// Loads a saved run.
pub(super) fn load(store: &Store, name: &str) -> Result<Named, baseline::Error> {
    let name: BaselineRef = name.parse()?;
    Ok((name.clone(), store.load(&name)?))
}

/// Returns a saved run by itself.
pub(super) fn alone((name, saved): &Named, gate: &Gate) -> ComparedRun {
    let baseline = &saved.baseline;
    let rows: Vec<Row> = baseline.benchmarks.iter().filter_map(|stored| row(stored, None)).collect();
    finished(header(name, baseline, None), rows, Vec::new(), gate)
}

/// Compares a saved run with another one by their stored figures.
pub(super) fn compared(
    (baseline_ref, before): &Named,
    (candidate_ref, candidate): &Named,
    ignore_environment: bool,
    gate: &Gate,
) -> Result<ComparedRun, Error> {
    let (then, now) = (&before.baseline, &candidate.baseline);
    let differences = if then.is_imported() || now.is_imported() {
        now.environment.differences_from_imported(&then.environment)
    } else {
        now.environment.differences_from(&then.environment)
    };
    if !ignore_environment {
        compatibility::check_stored_figures(baseline_ref, &differences)?;
    }
    let compared_with = ComparedWith {
        name: baseline_ref.title(),
        description: baseline::summary(then),
        differences: differences.iter().map(ToString::to_string).collect(),
        unusable: UnusableExecutables::None,
        method: ComparisonMethod::SavedRuns {
            candidate: candidate_ref.title(),
            description: format!("{} ({})", candidate_ref.title(), baseline::summary(now)),
        },
        only_counts: false,
        same_code: false,
    };
    let renames = Renames::declared(&named(then), &named(now));
    let compared = |stored: &StoredBenchmark| {
        let id = stored.id();
        comparison(renames.former(&id).and_then(|id| before.benchmark(id)), then, stored, now)
    };
    let rows = now.benchmarks.iter().filter_map(|stored| row(stored, Some(compared(stored))));
    let ids = then.benchmarks.iter().map(StoredBenchmark::id);
    let missing = ids.filter(|id| candidate.benchmark(id).is_none() && !renames.explain(id)).collect();
    Ok(finished(header(candidate_ref, now, Some(compared_with)), rows.collect(), missing, gate))
}

fn header(name: &BaselineRef, baseline: &RunRecord, with: Option<ComparedWith>) -> RunHeader {
    let measurements = baseline.benchmarks.iter().map(|stored| &*stored.measurement);
    RunHeader::from_saved(name.title(), baseline.environment.clone(), measurements, with)
}

fn finished(header: RunHeader, rows: Vec<Row>, missing: Vec<BenchmarkId>, gate: &Gate) -> ComparedRun {
    let gate = (!gate.is_open()).then(|| gate.failures(&rows, &missing));
    ComparedRun { header, rows, outcome: RunOutcome { gate, removed: missing, ..RunOutcome::default() } }
}

/// Returns the benchmarks of a saved run by their names.
fn named(run: &RunRecord) -> Vec<NamedBenchmark<'_>> {
    let stored = run.benchmarks.iter();
    stored.map(|it| NamedBenchmark { id: it.id(), spec: &it.benchmark, executable: None }).collect()
}

/// Compares a benchmark of one saved run with another run.
fn comparison(
    before: Option<&StoredBenchmark>,
    then: &RunRecord,
    stored: &StoredBenchmark,
    now: &RunRecord,
) -> Comparison {
    let Some(before) = before else { return Comparison::new_benchmark() };
    if !have_same_unit(&before.benchmark, &stored.benchmark) {
        return Comparison::with_other_unit();
    }
    let executables = then.executable_of(before).zip(now.executable_of(stored));
    let identical = executables.is_some_and(|(before, now)| {
        before.has_code_of(now) && before.outside_files == now.outside_files && before.has_inputs_of(now)
    });
    let threshold = stored.benchmark.threshold.unwrap_or(0.0);
    compare_with_stored(&before.measurement, &stored.measurement, identical, threshold)
}

/// Returns a stored benchmark as a row. `None` if it has no samples.
fn row(stored: &StoredBenchmark, comparison: Option<Comparison>) -> Option<Row> {
    let measurement = Measurement::clone(&stored.measurement);
    let summary = Summary::from_measurement(&measurement)?;
    let benchmark = Benchmark::new(&stored.target, 0, &stored.benchmark);
    let benchmark = Benchmark { timed_loop: stored.timed_loop, ..benchmark };
    let outcome = Outcome::Measured { measurement, summary };
    let earlier_comparison = stored.comparison.clone();
    let mut row = Row { benchmark, outcome, comparison, earlier_comparison, relation: None };
    row.withdraw_lost_work();
    Some(row)
}

/// Prints a report of saved runs in this format.
pub(super) fn print(report: &Report, format: ReportFormat, common: &CommonOptions) -> Result<(), Error> {
    report.runs.iter().flat_map(|run| &run.header.warnings).for_each(warn);
    let ReportFormat::File(format) = format else {
        return Ok(print_tables(report, common)?);
    };
    if let Rendered::Text(text) = format.render(report)? {
        output::print_document(&text)?;
    }
    gate_lines(&report.runs).for_each(|line| output::note(&line));
    Ok(())
}

/// Returns the options of tables of saved runs.
pub(crate) fn table_options(verbose: bool) -> TableOptions<'static> {
    TableOptions { verbose, width: output::width(), charset: Charset::of_stdout(), ..TableOptions::default() }
}

/// Prints each run with its changes and verdicts in a table, or several runs in one.
fn print_tables(report: &Report, common: &CommonOptions) -> io::Result<()> {
    let options = table_options(common.verbose > 0);
    if report.is_of_several() {
        let above = several::heading(report).into_iter().chain([String::new()]).collect();
        let changes = several::all_changes(report, options.width);
        return print_table(above, changes, &several::table(report, options), &several::closing(report));
    }
    report.runs.iter().try_for_each(|run| {
        let above = run.header.above_rows(common.quiet, options.verbose, options.width);
        let rows = TableReport::of_finished(run, options);
        print_table(above, changes(run, options.width), &rows, &closing(run, options.verbose))
    })
}

fn print_table(above: Vec<String>, changes: Vec<String>, rows: &str, below: &[String]) -> io::Result<()> {
    let blank = [String::new()];
    let after_changes = if changes.is_empty() { &[][..] } else { &blank };
    output::print_lines(above.iter().chain(&changes).chain(after_changes))?;
    output::print_rows(rows)?;
    output::print_lines(blank.iter().chain(below))
}
