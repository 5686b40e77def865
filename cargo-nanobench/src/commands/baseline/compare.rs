//! `cargo nanobench baseline compare`: saved runs, compared by their stored figures.

use crate::baseline::{BaselineRef, Store};
use crate::cli::{self, CompareArgs};
use crate::commands::error::Error;
use crate::commands::saved;
use crate::exit::Exit;
use crate::experiment::Gate;
use crate::report::{ComparedRun, Report};
use crate::warnings::{self, warn};
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
    let base = (runs.len() > 1).then(|| saved::alone(&base, &Gate::default()));
    let runs = base.into_iter().chain(runs).collect();
    let report = Report { runs, scale_to: None, workspace: workspace.to_owned() };
    saved::print(&report, args.format, &args.store.common.options())?;
    Ok(if fails_gate { Exit::GateFailed } else { Exit::Success })
}
