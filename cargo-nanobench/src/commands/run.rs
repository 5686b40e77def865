//! `cargo nanobench [run]`: build, measure, compare, save, report.

mod against;
mod available;
mod build;
mod disturbance;
mod endless;
mod hints;
mod inputs;
mod list;
mod measure;
mod measured_changes;
mod more;
mod options;
mod premises;
mod print;
mod profiler;
mod reference;
mod saving;
mod select;
mod source;
mod surroundings;
mod tuned;
mod unstable_ids;

use super::error::Error;
use super::outputs::Outputs;
use crate::benchmark_id::BenchmarkId;
use crate::cargo::Project;
use crate::cli::{self, RunArgs};
use crate::environment::Environment;
use crate::exit::Exit;
use crate::experiment::{Filter, Row, RunPlan, Suite};
use crate::interrupt;
use crate::report::{Command, ComparedRun, ComparedWith, Report, RunHeader};
use crate::warnings;
use available::AvailableBenchmarks;
pub(super) use build::{build, open_built_in};
use disturbance::wait_quiet;
pub(super) use endless::run as endless;
pub(super) use hints::elsewhere;
use list::List;
use measure::Measurer;
use more::More;
pub(super) use more::MoreError;
pub(super) use options::{BaselineNames, IfAbsent, RunOptions, ScaleTo};
pub(super) use profiler::Profiler;
use reference::Reference;
use saving::{Saver, keep_baseline_figures, merge_previous};
pub(super) use select::selected;
use select::{narrow, select_bench};
pub(super) use source::Source;
use std::path::PathBuf;
use surroundings::FoundSurroundings;
use tuned::tuned;

/// Runs the selected benchmarks.
pub(crate) fn run(flags: &RunArgs) -> Result<Exit, Error> {
    warnings::suppress_if(flags.output.no_warnings);
    interrupt::watch();
    BaselineNames::parse(&flags.compare)?;
    let project = Project::load_to_build(&flags.cargo.options())?;
    let more = flags.more.map(|time| More::load(time, &project)).transpose()?;
    let flags = &more.as_ref().map_or_else(|| Ok(flags.clone()), |more| more.flags(flags))?;
    let names = BaselineNames::parse(&flags.compare)?;
    let file = cli::load_config(project.root())?;
    warnings::suppress_if(file.output.no_warnings);
    let mut options = RunOptions { more, ..RunOptions::resolve(flags, &file, names)? };
    let is_verbose = options.output.is_verbose;
    options.list = List::requested(flags, is_verbose)?;
    options.filter.include_ignored |= options.list.is_some_and(List::has_ignored) && !flags.select.ignored;
    select_bench(&flags.select.bench, &mut options, &project)?;
    if let Some(name) = &flags.process.endless {
        return endless::run(name, &options, &project, &Profiler::None);
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
    let mut references = reference::load(&options.baselines, options.compares_with_last, &store)?;
    let mut surroundings = FoundSurroundings::start(source, options);
    let intact = Reference::find_intact(&references);
    let mut find_surroundings = |executable: &_| surroundings.find(source, executable);
    let (environment, mut suite) = source.open(options, &mut find_surroundings)?;
    let environment = Environment { data_files: surroundings.take_data_files(source), ..environment };
    // A panic was printed already. Without copies, stored figures are compared.
    let intact = intact.join().unwrap_or_default();
    references.iter_mut().for_each(|reference| reference.set_runnable(&intact));
    let last = references.iter().find_map(Reference::last_run);
    let mut references = reference::comparable(references, &environment, options.ignore_environment)?;
    let available = AvailableBenchmarks::new(&suite);
    references.iter_mut().for_each(|reference| reference.find_renames(&suite, &available));
    let order = saving::order(source, &suite);
    let has_missing = |filter: &Filter| {
        references.iter().any(|reference| !reference.missing(filter, &available).is_empty())
    };
    let scale_to = narrow(options, source.project(), &mut suite, has_missing)?;
    references.retain(|reference| reference.is_useful(&suite.benchmarks));
    let mut staged = saving::stage(&lock, options, source, &suite, &surroundings, order, &intact)?;
    for (reference, project) in references.iter_mut().zip(source.project().into_iter().cycle()) {
        reference.find_premises(&environment, project, &staged, &suite);
    }
    let more = options.more.as_ref();
    let measurer = Measurer { options, scale_to: scale_to.as_ref(), comparisons: references.len() };
    let first = measurer.plan(references.first(), &staged, &suite);
    if let Some(list) = options.list {
        return list.print(&first.changed(&suite.benchmarks), &suite);
    }
    let keeps_evidence = references.first().is_some_and(|reference| measurer.keeps_evidence(reference));
    let evidence = keeps_evidence.then(|| more::Evidence::start(more, &first, &suite)).transpose()?;
    keep_baseline_figures(&mut staged, references.first(), &first, &suite, &environment)?;
    merge_previous(&mut staged, last, &store, &environment, &available, source.project())?;
    wait_quiet(options.wait_quiet, options.output.is_quiet);
    let mut first = Some(first);
    let mut runs: Vec<ComparedRun> = Vec::new();
    // Once for each reference, or once without any.
    let without = references.is_empty().then_some(None);
    for reference in references.iter().map(Some).chain(without) {
        let missing = reference.map(|reference| reference.missing(&options.filter, &available));
        let missing = missing.unwrap_or_default();
        let plan = first.take().unwrap_or_else(|| measurer.plan(reference, &staged, &suite));
        let is_complete = missing.is_empty() && suite.unlisted.is_empty();
        let header = header(options, &environment, &suite, reference, &plan, is_complete);
        print::announce(&options.output, &header, runs.last())?;
        runs.push(measurer.compare_with(reference, plan, &mut suite, header, missing));
    }
    check_not_replaced(&suite)?;
    saving::note_outside_files(&mut staged, &surroundings, &mut suite);
    let other_sides: Vec<_> =
        references.iter().map(|reference| reference.other_sides(&staged, &suite)).collect();
    Saver { options, store: &store, available: &available }.save(staged, &mut runs)?;
    measured_changes::keep(&store, &lock, &suite, &other_sides, &runs);
    more::keep(&lock, evidence, references.first(), &runs[0])?;
    let report = report(runs, scale_to, source);
    print::finish(options, &report, outputs)?;
    if let Some(project) = source.project().filter(|_| references.is_empty() && !report.is_interrupted()) {
        // Once: later runs are compared with this one.
        hints::tell_of_other_targets(options, project);
    }
    Ok(exit(&report))
}

/// Returns an error if a file that processes, copies or layouts were made of is no longer the one that was
/// built for this run.
fn check_not_replaced(suite: &Suite) -> Result<(), Error> {
    let mut executables = suite.harnesses.iter().map(|harness| &harness.executable);
    match executables.find(|executable| executable.is_replaced()) {
        Some(replaced) => Err(Error::Replaced(replaced.path.clone())),
        None => Ok(()),
    }
}

/// Returns the header of a run that is compared with a saved run or with none. `is_complete`: no
/// benchmark is missing.
fn header(
    options: &RunOptions,
    environment: &Environment,
    suite: &Suite,
    reference: Option<&Reference>,
    plan: &RunPlan<'_>,
    is_complete: bool,
) -> RunHeader {
    let compared_with = reference.map(|reference| {
        let is_identical = is_complete && !options.policy.pairs_identical && plan.is_identical();
        let described = reference.describe(environment, &options.policy, is_identical);
        ComparedWith { same_code: plan.compares_nothing(), ..described }
    });
    let samples_planned_by = options.output.has_raw_samples.then_some(options.sampling);
    let header = RunHeader::new(environment.clone(), suite, compared_with);
    let offers = reference.into_iter().flat_map(|reference| reference.renames().offers(suite));
    let warnings = header.warnings.iter().cloned().chain(offers).collect();
    RunHeader { samples_planned_by, warnings, ..header }
}

/// Returns the report of the runs. `scale_to`: the benchmark that figures are shown as multiples of.
fn report(mut runs: Vec<ComparedRun>, scale_to: Option<BenchmarkId>, source: &Source) -> Report {
    // The next step is another run by the same command.
    if let (Source::BuiltIn(_), Some(last)) = (source, runs.last_mut()) {
        last.outcome.command = Command::Costs;
    }
    let workspace = source.project().map_or_else(PathBuf::new, |project| project.root().to_owned());
    Report { runs, scale_to, workspace }
}

/// Returns the exit code for the most severe result among the runs.
fn exit(report: &Report) -> Exit {
    let any = |property: fn(&ComparedRun) -> bool| report.runs.iter().any(property);
    if report.is_interrupted() {
        Exit::Interrupted
    } else if any(|run| run.outcome.unlisted_executables > 0 || run.rows.iter().any(Row::failed)) {
        Exit::BenchmarkFailed
    } else if any(ComparedRun::fails_gate) {
        Exit::GateFailed
    } else {
        Exit::Success
    }
}
