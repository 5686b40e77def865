//! `cargo nanobench baseline compare`: two saved runs beside each other, without running anything.

use crate::baseline::{self, Baseline, BaselineRef, Executable, LoadedBaseline, Store, StoredBenchmark};
use crate::benchmark_id::BenchmarkId;
use crate::cli::CompareArgs;
use crate::commands::compatibility::{self, Incomparable};
use crate::config;
use crate::exit::Exit;
use crate::experiment::{Benchmark, Comparison, Gate, Row, compare_with_stored, have_same_unit};
use crate::output;
use crate::report::{self, ComparedWith, Report, RunHeader, RunOutcome, TableOptions, TableReport};
use jiff::Zoned;
use nanobench::report::Bytes;
use std::io;
use std::path::Path;

/// Why there is nothing to say of two saved runs.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Baseline(#[from] baseline::Error),
    #[error(transparent)]
    Incomparable(#[from] Incomparable),
    #[error(transparent)]
    Config(#[from] config::Error),
    #[error("there is no last run to compare\nmeasure first: cargo nanobench, or name two baselines")]
    NoLastRun,
    #[error("cannot write to stdout: {0}")]
    Output(#[from] io::Error),
}

impl Error {
    /// How the call ends by it.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Error::Baseline(error) => error.exit(),
            Error::Incomparable(error) => error.exit(),
            Error::Config(_) => Exit::Usage,
            Error::NoLastRun => Exit::NothingToRun,
            Error::Output(_) => Exit::Surroundings,
        }
    }
}

/// Compares what was measured then with what was measured at another time. The gates are those of the command line, or of the
/// workspace's file.
pub(super) fn run(args: &CompareArgs, workspace: &Path, store: &Store) -> Result<Exit, Error> {
    let place = |name: &String| Ok::<BaselineRef, Error>(name.parse().map_err(baseline::Error::from)?);
    let file = config::load(workspace)?;
    let before = place(&args.name)?;
    let then = store.load(&before)?;
    let (after, now) = match &args.other {
        Some(name) => {
            let after = place(name)?;
            (after.clone(), store.load(&after)?)
        }
        None => (BaselineRef::Last, store.last()?.ok_or(Error::NoLastRun)?),
    };
    let differences = now.baseline.environment.differences_from(&then.baseline.environment);
    if !args.ignore_environment {
        compatibility::check_stored_figures(&before, &differences)?;
    }
    let describe = |place: &BaselineRef, saved: &LoadedBaseline| {
        format!("{} ({})", place.title(), baseline::summary(&saved.baseline, &Zoned::now()))
    };
    let with = ComparedWith {
        name: before.title(),
        description: baseline::summary(&then.baseline, &Zoned::now()),
        differences: differences.iter().map(ToString::to_string).collect(),
        foreign: false,
        gone: 0,
        side_by_side: false,
        unchanged: false,
        with_executables: false,
        beside: None,
        now: Some((after.title(), describe(&after, &now))),
    };
    let report =
        report(&then.baseline, after.title(), &now.baseline, with, &Gate::asked(&file.gate(&args.gate)));
    print(&report, args)?;
    Ok(if report.outcome.gate.is_some_and(|failures| !failures.is_empty()) {
        Exit::GateFailed
    } else {
        Exit::Done
    })
}

/// All that there is to say.
fn report(then: &Baseline, name: String, now: &Baseline, with: ComparedWith, gate: &Gate) -> Report {
    let hash = |baseline: &Baseline, stored: &StoredBenchmark| {
        let is_its = |executable: &&Executable| executable.file == stored.executable;
        baseline.executables.iter().find(is_its).map(|executable| executable.hash.clone())
    };
    let row = |stored: &StoredBenchmark| {
        let comparison = then.benchmark(&stored.id()).map_or_else(Comparison::new_benchmark, |before| {
            if !have_same_unit(&before.benchmark, &stored.benchmark) {
                return Comparison::of_other_unit();
            }
            let hashes = hash(then, before).zip(hash(now, stored));
            let identical = hashes.is_some_and(|(before, now)| before == now);
            let threshold = stored.benchmark.threshold.map_or(0.0, |percent| percent / 100.0);
            compare_with_stored(&before.measurement, &stored.measurement, identical, threshold)
        });
        super::saved::row(stored, Some(comparison))
    };
    let rows: Vec<Row> = now.benchmarks.iter().filter_map(row).collect();
    let gone = then.benchmarks.iter().filter(|before| now.benchmark(&before.id()).is_none());
    let missing: Vec<BenchmarkId> = gone.map(StoredBenchmark::id).collect();
    let outcome = RunOutcome {
        compared: true,
        gate: (!gate.is_open()).then(|| gate.failures(&rows, &missing)),
        missing,
        ..RunOutcome::default()
    };
    let measurements = now.benchmarks.iter().map(|stored| &stored.measurement);
    let header = RunHeader::of_saved(name, now.environment.clone(), measurements, Some(with));
    Report { header, rows, outcome }
}

fn print(report: &Report, args: &CompareArgs) -> io::Result<()> {
    for warning in &report.header.warnings {
        anstream::eprintln!("warning: {warning}");
    }
    if args.printed.is_json() {
        let reports = std::slice::from_ref(report);
        output::print_json(&report::json(reports, None).map_err(io::Error::from)?)?;
        report::gate_lines(reports).for_each(|line| anstream::eprintln!("{line}"));
        return Ok(());
    }
    let selected: Vec<Benchmark> = report.rows.iter().map(|row| row.benchmark.clone()).collect();
    let verbose = args.place.common.verbose > 0;
    let width = output::width().filter(|_| !verbose);
    let shown = TableOptions { verbose, bytes: Bytes::Decimal, scale_to: None, width };
    let mut table = TableReport::new(&report.header, &selected, shown);
    let mut rows: String = report.rows.iter().map(|row| table.row(row)).collect();
    rows += &(table.finish() + &table.more(&report.header, &report.rows));
    let heading = report.header.heading(shown.verbose).join("\n");
    let summary = report::summary(&report.rows, &report.outcome).join("\n");
    output::print(&format!("{heading}\n\n{rows}\n{summary}\n"))
}
