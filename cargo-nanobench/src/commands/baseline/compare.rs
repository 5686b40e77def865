//! `cargo nanobench baseline compare`: two saved runs, compared by their stored figures.

use super::saved;
use crate::baseline::{self, Baseline, BaselineRef, Executable, LoadedBaseline, Store, StoredBenchmark};
use crate::benchmark_id::BenchmarkId;
use crate::cli::{self, CompareArgs};
use crate::commands::compatibility;
use crate::commands::error::Error;
use crate::exit::Exit;
use crate::experiment::{Benchmark, Comparison, Gate, Row, compare_with_stored, have_same_unit};
use crate::output;
use crate::report::{
    self, ComparedRun, ComparedWith, ComparisonMethod, Report, RunHeader, RunOutcome, TableOptions,
    TableReport, UnusableExecutables,
};
use crate::warnings::{self, warn};
use jiff::Zoned;
use nanobench::report::Bytes;
use std::io;
use std::path::Path;

/// Compares two saved runs. The gates come from the command line, or from the workspace's file.
pub(super) fn run(args: &CompareArgs, workspace: &Path, store: &Store) -> Result<Exit, Error> {
    let parse = |name: &String| name.parse::<BaselineRef>().map_err(baseline::Error::from);
    let file = cli::load_config(workspace)?;
    warnings::suppress_if(file.output.no_warnings);
    let baseline_ref = parse(&args.name)?;
    let baseline = store.load(&baseline_ref)?;
    let (candidate_ref, candidate) = match &args.other {
        Some(name) => {
            let candidate_ref = parse(name)?;
            (candidate_ref.clone(), store.load(&candidate_ref)?)
        }
        None => (BaselineRef::Last, store.last()?.ok_or(Error::NoLastRun)?),
    };
    let (before, now) = (&baseline.baseline, &candidate.baseline);
    let differences = if before.is_imported() || now.is_imported() {
        now.environment.differences_from_imported(&before.environment)
    } else {
        now.environment.differences_from(&before.environment)
    };
    if !args.ignore_environment {
        compatibility::check_stored_figures(&baseline_ref, &differences)?;
    }
    let summary = |saved: &LoadedBaseline| baseline::summary(&saved.baseline, &Zoned::now());
    let compared_with = ComparedWith {
        name: baseline_ref.title(),
        description: summary(&baseline),
        differences: differences.iter().map(ToString::to_string).collect(),
        unusable: UnusableExecutables::None,
        method: ComparisonMethod::SavedRuns {
            candidate: candidate_ref.title(),
            description: format!("{} ({})", candidate_ref.title(), summary(&candidate)),
        },
    };
    let gate = Gate::new(&args.gate.or(&file.gate));
    let run = compare(&baseline.baseline, candidate_ref.title(), &candidate.baseline, compared_with, &gate);
    let fails_gate = run.fails_gate();
    print(&Report { runs: vec![run], scale_to: None }, args)?;
    Ok(if fails_gate { Exit::GateFailed } else { Exit::Success })
}

fn compare(
    then: &Baseline,
    name: String,
    now: &Baseline,
    compared_with: ComparedWith,
    gate: &Gate,
) -> ComparedRun {
    let executable = |baseline: &Baseline, stored: &StoredBenchmark| {
        let is_its = |executable: &&Executable| executable.file == stored.executable;
        baseline.executables.iter().find(is_its).cloned()
    };
    let row = |stored: &StoredBenchmark| {
        let comparison = then.benchmark(&stored.id()).map_or_else(Comparison::new_benchmark, |before| {
            if !have_same_unit(&before.benchmark, &stored.benchmark) {
                return Comparison::with_other_unit();
            }
            let executables = executable(then, before).zip(executable(now, stored));
            let identical = executables.is_some_and(|(before, now)| before.has_code_of(&now));
            let threshold = stored.benchmark.threshold.map_or(0.0, |percent| percent / 100.0);
            compare_with_stored(&before.measurement, &stored.measurement, identical, threshold)
        });
        saved::row(stored, Some(comparison))
    };
    let rows: Vec<Row> = now.benchmarks.iter().filter_map(row).collect();
    let gone = then.benchmarks.iter().filter(|before| now.benchmark(&before.id()).is_none());
    let missing: Vec<BenchmarkId> = gone.map(StoredBenchmark::id).collect();
    let outcome = RunOutcome {
        gate: (!gate.is_open()).then(|| gate.failures(&rows, &missing)),
        missing,
        ..RunOutcome::default()
    };
    let measurements = now.benchmarks.iter().map(|stored| &stored.measurement);
    let header = RunHeader::from_saved(name, now.environment.clone(), measurements, Some(compared_with));
    ComparedRun { header, rows, outcome }
}

fn print(report: &Report, args: &CompareArgs) -> io::Result<()> {
    let run = &report.runs[0];
    run.header.warnings.iter().for_each(warn);
    if args.format.is_json() {
        output::print_json(&report::json(report).map_err(io::Error::from)?)?;
        report::gate_lines(report).for_each(|line| output::note(&line));
        return Ok(());
    }
    let selected: Vec<Benchmark> = run.rows.iter().map(|row| row.benchmark.clone()).collect();
    let verbose = args.store.common.options().verbose > 0;
    let width = output::width().filter(|_| !verbose);
    let options = TableOptions { verbose, bytes: Bytes::Decimal, scale_to: None, width };
    let mut table = TableReport::new(&run.header, &selected, options);
    let mut rows: String = run.rows.iter().map(|row| table.row(row)).collect();
    rows += &(table.finish() + &table.extra_columns(&run.rows));
    let blank = [String::new()];
    output::print_lines(run.header.heading(verbose).iter().chain(&blank))?;
    output::print_rows(&rows)?;
    output::print_lines(blank.iter().chain(&report::summary(run)))
}
