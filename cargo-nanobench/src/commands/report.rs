//! `cargo nanobench report`: a saved run in any format.

use super::error::Error;
use super::outputs::Outputs;
use super::saved;
use crate::baseline::{BaselineRef, Store};
use crate::cargo::Project;
use crate::cli::{self, ReportArgs};
use crate::exit::Exit;
use crate::experiment::Gate;
use crate::report::Report;
use crate::warnings::{self, warn};

/// Reports a saved run, by itself or compared with another one.
pub(super) fn run(args: &ReportArgs) -> Result<Exit, Error> {
    let project = Project::load(&args.store.common.options(), args.store.target_dir.as_deref())?;
    let file = cli::load_config(project.root())?;
    warnings::suppress_if(file.output.no_warnings);
    let store = Store::open(project.target_directory(), project.root());
    let candidate = match &args.name {
        Some(name) => saved::load(&store, name)?,
        None => (BaselineRef::Last, store.load(&BaselineRef::Last)?),
    };
    let gate = Gate::new(&args.gate.or(&file.gate));
    gate.warning_for_saved().into_iter().for_each(warn);
    let run = match &args.against {
        Some(name) => {
            saved::compared(&saved::load(&store, name)?, &candidate, args.ignore_environment, &gate)?
        }
        None => saved::alone(&candidate, &gate),
    };
    let exit = if run.fails_gate() { Exit::GateFailed } else { Exit::Success };
    let report = Report { runs: vec![run], scale_to: None, workspace: project.root().to_owned() };
    let outputs = Outputs::prepare(&args.files, project.target_directory())?;
    saved::print(&report, args.format.unwrap_or_default(), &args.store.common.options())?;
    outputs.write(&report)?;
    Ok(exit)
}
