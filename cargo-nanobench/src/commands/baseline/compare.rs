//! `cargo nanobench baseline compare`: two saved runs, compared by their stored figures.

use crate::baseline::{self, BaselineRef, Store};
use crate::cli::{self, CompareArgs};
use crate::commands::error::Error;
use crate::commands::saved;
use crate::exit::Exit;
use crate::experiment::Gate;
use crate::output;
use crate::report::{self, Report};
use crate::warnings::{self, warn};
use std::io;
use std::path::Path;

/// Compares two saved runs. The gates come from the command line, or from the workspace's file.
pub(super) fn run(args: &CompareArgs, workspace: &Path, store: &Store) -> Result<Exit, Error> {
    let parse = |name: &String| name.parse::<BaselineRef>().map_err(baseline::Error::from);
    let file = cli::load_config(workspace)?;
    warnings::suppress_if(file.output.no_warnings);
    let baseline_ref = parse(&args.name)?;
    let baseline = (baseline_ref.clone(), store.load(&baseline_ref)?);
    let candidate = match &args.other {
        Some(name) => {
            let candidate_ref = parse(name)?;
            (candidate_ref.clone(), store.load(&candidate_ref)?)
        }
        None => (BaselineRef::Last, store.last()?.ok_or(Error::NoLastRun)?),
    };
    let gate = Gate::new(&args.gate.or(&file.gate));
    let run = saved::compared(&baseline, &candidate, args.ignore_environment, &gate)?;
    let fails_gate = run.fails_gate();
    print(&Report { runs: vec![run], scale_to: None, workspace: workspace.to_owned() }, args)?;
    Ok(if fails_gate { Exit::GateFailed } else { Exit::Success })
}

fn print(report: &Report, args: &CompareArgs) -> io::Result<()> {
    report.runs.iter().flat_map(|run| &run.header.warnings).for_each(warn);
    if args.format.is_json() {
        output::print_document(&report::json(report)?)?;
        report::gate_lines(report).for_each(|line| output::note(&line));
        return Ok(());
    }
    saved::print_tables(report, args.store.common.options().verbose > 0)
}
