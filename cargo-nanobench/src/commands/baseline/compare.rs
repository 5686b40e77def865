//! `cargo nanobench baseline compare`: saved runs, compared by their stored figures.

use crate::baseline::{BaselineRef, Store};
use crate::cli::{self, CompareArgs, ReportFormat};
use crate::commands::error::Error;
use crate::commands::saved;
use crate::exit::Exit;
use crate::experiment::Gate;
use crate::output;
use crate::report::{self, ComparedRun, FileFormat, RenderError, Report, SeveralRuns, several};
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
    if runs.len() > 1 {
        print_several(&SeveralRuns { base: saved::alone(&base, &Gate::default()), others: runs }, args)?;
    } else {
        let report = Report { runs, scale_to: None, workspace: workspace.to_owned() };
        saved::print(&report, args.format, &args.store.common.options())?;
    }
    Ok(if fails_gate { Exit::GateFailed } else { Exit::Success })
}

fn print_several(runs: &SeveralRuns, args: &CompareArgs) -> Result<(), Error> {
    runs.warnings().for_each(warn);
    let document = match args.format {
        ReportFormat::Table => return Ok(print_table(runs, args.store.common.options().verbose > 0)?),
        ReportFormat::File(FileFormat::Csv) => several::csv(runs).map_err(RenderError::from)?,
        ReportFormat::File(FileFormat::Markdown) => several::markdown(runs),
        ReportFormat::File(_) => output::escape_invisible(&several::json(runs).map_err(RenderError::from)?),
    };
    output::print_document(&document)?;
    report::gate_lines(&runs.others).for_each(|line| output::note(&line));
    Ok(())
}

/// Prints the runs, their changes, the table, and their verdicts.
fn print_table(runs: &SeveralRuns, verbose: bool) -> io::Result<()> {
    let blank = [String::new()];
    output::print_lines(runs.heading().iter().chain(&blank))?;
    let changes = runs.changes(output::width());
    if !changes.is_empty() {
        output::print_lines(changes.iter().chain(&blank))?;
    }
    output::print_rows(&several::table(runs, saved::table_options(verbose)))?;
    output::print_lines(blank.iter().chain(&runs.closing()))
}
