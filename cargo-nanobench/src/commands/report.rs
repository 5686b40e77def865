//! `cargo nanobench report`: saved runs in any format, by themselves or compared.

use super::error::Error;
use super::outputs::Outputs;
use super::saved;
use crate::baseline::{BaselineRef, Store};
use crate::cargo::Project;
use crate::cli::{self, ReportArgs};
use crate::exit::Exit;
use crate::experiment::Gate;
use crate::report::{ComparedRun, Report};
use crate::warnings::{self, warn};

/// Reports saved runs. The gates come from the command line, or from the workspace's file.
pub(super) fn run(args: &ReportArgs) -> Result<Exit, Error> {
    let project = Project::load(&args.store.common.options(), args.store.target_dir.as_deref())?;
    let file = cli::load_config(project.root())?;
    warnings::suppress_if(file.output.no_warnings);
    let store = Store::open(project.target_directory(), project.root());
    let load = |name: &String| saved::load(&store, name);
    let base = args.baseline.as_ref().map(load).transpose()?;
    let candidates = match &args.names[..] {
        [] => vec![(BaselineRef::Last, store.last()?.ok_or(Error::NoLastRun)?)],
        [_, _, ..] if args.baseline.is_none() => return Err(Error::SeveralReports),
        names => names.iter().map(load).collect::<Result<_, _>>()?,
    };
    let gate = Gate::new(&args.gate.or(&file.gate));
    gate.warning_for_saved().into_iter().for_each(warn);
    let runs = candidates.iter().map(|candidate| match &base {
        Some(base) => saved::compared(base, candidate, args.ignore_environment, &gate),
        None => Ok(saved::alone(candidate, &gate)),
    });
    let runs: Vec<ComparedRun> = runs.collect::<Result<_, Error>>()?;
    let exit = if runs.iter().any(ComparedRun::fails_gate) { Exit::GateFailed } else { Exit::Success };
    let base = base.filter(|_| runs.len() > 1).map(|base| saved::alone(&base, &Gate::default()));
    let runs = base.into_iter().chain(runs).collect();
    let report = Report { runs, scale_to: None, workspace: project.root().to_owned() };
    let outputs = Outputs::prepare(&args.files, project.target_directory())?;
    saved::print(&report, args.format.unwrap_or_default(), &args.store.common.options())?;
    outputs.write(&report)?;
    Ok(exit)
}
