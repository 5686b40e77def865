//! `cargo nanobench [run]`: build, measure, compare, save, report.

mod against;
mod available;
mod build;
mod disturbance;
mod endless;
mod hints;
mod kept_listings;
mod list;
mod loaded;
mod measure;
mod measured;
mod measured_changes;
pub(super) mod more;
mod options;
mod planned;
mod premises;
mod print;
mod profiler;
mod reference;
mod row_warnings;
mod saving;
mod select;
mod source;
mod surroundings;
mod tuned;

use super::error::Error;
use super::outputs::Outputs;
use crate::cargo::Project;
use crate::cli::{self, RunArgs};
use crate::exit::Exit;
use crate::interrupt;
use crate::warnings;
pub(super) use build::{build, open_built_in};
pub(super) use endless::run as endless;
pub(super) use hints::elsewhere;
use loaded::Loaded;
use more::More;
use options::{BaselineOptions, List};
pub(super) use options::{IfAbsent, RunOptions, ScaleTo, SuiteOptions};
use planned::Planned;
pub(super) use profiler::Profiler;
use select::select_bench;
pub(super) use select::selected;
pub(super) use source::Source;
use tuned::tuned;

/// Runs the selected benchmarks.
pub(crate) fn run(flags: &RunArgs) -> Result<Exit, Error> {
    warnings::suppress_if(flags.output.no_warnings);
    interrupt::watch();
    BaselineOptions::parse(flags)?;
    let project = Project::load_to_build(&flags.cargo.options())?;
    let more = flags.more.map(|time| More::load(time, &project)).transpose()?;
    let flags = &more.as_ref().map_or_else(|| Ok(flags.clone()), |more| more.flags(flags))?;
    let file = cli::load_config(project.root())?;
    warnings::suppress_if(file.output.no_warnings);
    let mut options = RunOptions { more, ..RunOptions::resolve(flags, &file)? };
    let is_verbose = options.output.is_verbose;
    options.list = List::requested(flags, is_verbose)?;
    options.suite.filter.include_ignored |=
        options.list.is_some_and(List::has_ignored) && !flags.select.ignored;
    select_bench(&flags.select.bench, &mut options, &project)?;
    if flags.select.no_run {
        return select::build_only(&options, &project);
    }
    if let Some(list) = options.list.filter(|list| !list.is_of_changed) {
        return list.print_selected(&options, &project);
    }
    match &flags.against {
        Some(revision) => tuned(&options, || against::run(revision, &options, &project)),
        None => measure(&options, &Source::Workspace(Box::new(project))),
    }
}

/// Measures the benchmarks, compares them with saved runs and saves them.
pub(super) fn measure(options: &RunOptions, source: &Source) -> Result<Exit, Error> {
    tuned(options, || measure_and_save(options, source))
}

fn measure_and_save(options: &RunOptions, source: &Source) -> Result<Exit, Error> {
    let outputs = Outputs::prepare(&options.output.files, source.target_directory())?;
    let store = source.store();
    let lock = store.lock(&interrupt::requested)?;
    let loaded = Loaded::load(&options.baselines, &options.suite.cargo, source, &store)?;
    let (built, saving, references) = loaded.build(options, &lock)?;
    let RunOptions { policy, suite: SuiteOptions { filter, .. }, .. } = options;
    let is_only = references.len() == 1;
    let runs = references.iter().map(|it| it.run_to_compare(&built, &saving, policy, filter, is_only));
    let runs = runs.collect();
    let planned = Planned::new(built, Some(saving), runs, policy);
    planned.complete(options, source.project(), &store, &lock, outputs)
}
