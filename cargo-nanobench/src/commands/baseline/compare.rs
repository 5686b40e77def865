//! `cargo nanobench baseline compare`: saved runs, compared by their stored figures.

use crate::baseline::{BaselineRef, Store};
use crate::cli::{self, CompareArgs, ReportFormat};
use crate::commands::error::Error;
use crate::commands::saved;
use crate::exit::Exit;
use crate::experiment::Gate;
use crate::output;
use crate::report::{ComparedRun, Report, several};
use crate::warnings::{self, warn};
use std::io;
use std::path::Path;

/// Compares saved runs with the first one. The gates come from the command line, or from the
/// workspace's file.
pub(super) fn run(args: &CompareArgs, workspace: &Path, store: &Store) -> Result<Exit, Error> {
    let file = cli::load_config(workspace)?;
    warnings::suppress_if(file.output.no_warnings);
    let base = saved::load(store, &args.name)?;
    let others = match &args.others[..] {
        [] => vec![(BaselineRef::Last, store.last()?.ok_or(Error::NoLastRun)?)],
        names => names.iter().map(|name| saved::load(store, name)).collect::<Result<_, _>>()?,
    };
    let gate = Gate::new(&args.gate.or(&file.gate));
    gate.warning_for_saved().into_iter().for_each(warn);
    let compared = |other| saved::compared(&base, other, args.ignore_environment, &gate);
    let runs: Vec<ComparedRun> = others.iter().map(compared).collect::<Result<_, Error>>()?;
    let fails_gate = runs.iter().any(ComparedRun::fails_gate);
    let is_several = runs.len() > 1;
    let base = is_several.then(|| saved::alone(&base, &Gate::default()));
    let runs = base.into_iter().chain(runs).collect();
    let report = Report { runs, scale_to: None, workspace: workspace.to_owned() };
    let options = args.store.common.options();
    if is_several && args.format == ReportFormat::Table {
        report.runs.iter().flat_map(|run| &run.header.warnings).for_each(warn);
        print_several(&report, options.verbose > 0)?;
    } else {
        saved::print(&report, args.format, &options)?;
    }
    Ok(if fails_gate { Exit::GateFailed } else { Exit::Success })
}

/// Prints the runs, their changes, the table, and their verdicts.
fn print_several(report: &Report, verbose: bool) -> io::Result<()> {
    let blank = [String::new()];
    output::print_lines(several::heading(report).iter().chain(&blank))?;
    let changes = several::all_changes(report, output::width());
    if !changes.is_empty() {
        output::print_lines(changes.iter().chain(&blank))?;
    }
    output::print_rows(&several::table(report, saved::table_options(verbose)))?;
    output::print_lines(blank.iter().chain(&several::closing(report)))
}
