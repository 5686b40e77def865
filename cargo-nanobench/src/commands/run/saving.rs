//! Saving a run: as the last run, and as a baseline.

use super::available::AvailableBenchmarks;
use super::options::RunOptions;
use super::reference::Reference;
use super::source::Source;
use super::surroundings::FoundSurroundings;
use crate::baseline::{
    self, BaselineName, BaselineRef, BuiltExecutable, LoadedBaseline, LockedStore, OutsideFile, RunOrder,
    RunToSave, StagedRun, Store, StoredBenchmark,
};
use crate::benchmark_id::{BenchmarkId, TargetId};
use crate::cargo::Project;
use crate::code;
use crate::environment::{Difference, Environment};
use crate::experiment::{Benchmark, Failure, Gate, Harness, Outcome, Row, RunPlan, Suite};
use crate::report::{self, ComparedRun, ComparedWith, Ending};
use nanobench::report::counted;
use std::collections::HashSet;
use std::path::PathBuf;
use std::rc::Rc;
use verdicts::Verdict;

/// Returns the order in which results are saved. `suite`: all benchmarks that were built.
pub(super) fn order(source: &Source, suite: &Suite) -> RunOrder {
    let packages = source.project().into_iter().flat_map(Project::member_names);
    RunOrder::new(packages.map(str::to_owned).collect(), suite.benchmarks.iter().map(|it| &it.id))
}

/// Prepares saving a run, with its executables, the libraries that they load, and what their
/// benchmarks may read. `intact`: copies of executables that need not be read again.
pub(super) fn stage<'a>(
    lock: &'a LockedStore<'_>,
    options: &RunOptions,
    source: &Source,
    suite: &Suite,
    surroundings: &FoundSurroundings,
    order: RunOrder,
    intact: &[PathBuf],
) -> Result<StagedRun<'a>, baseline::Error> {
    let built = |harness: &Harness| {
        let executable = &harness.executable;
        let roots = source.own_folders(executable);
        BuiltExecutable {
            path: executable.path.clone(),
            hash: surroundings.hash(executable).filter(|_| executable.is_unchanged()).cloned(),
            libraries: code::own_libraries(&executable.path, &executable.library_folders(), &roots),
            inputs: surroundings.inputs(executable).cloned(),
        }
    };
    let mut names = options.baselines.to_save();
    if options.beside.is_some() {
        // The next run without a load could not be compared with it.
        names.retain(|name| *name != BaselineRef::Last);
    }
    let executables = suite.harnesses.iter().map(built).collect();
    let (benchmarks, is_partial) = (suite.benchmarks.len(), options.is_partial);
    lock.stage(RunToSave { names, executables, benchmarks, is_partial, order }, intact)
}

/// Notes the files outside of each executable whose code its benchmarks run.
pub(super) fn note_outside_files(
    staged: &mut StagedRun<'_>,
    surroundings: &FoundSurroundings,
    suite: &mut Suite,
) {
    for (stored, harness) in staged.executables.iter_mut().zip(&mut suite.harnesses) {
        let others = surroundings.files_to_run(&harness.executable);
        stored.outside_files = OutsideFile::all(harness.opened_libraries().iter().chain(others));
    }
}

/// Keeps the last run's results of benchmarks that don't run this time, because a filter skips
/// them, their target wasn't built, or they fail. A last run that was built or measured differently
/// is not kept: its figures could not be distinguished later. `last` is the last run, if it was
/// read before.
pub(super) fn merge_previous(
    staged: &mut StagedRun<'_>,
    last: Option<Rc<LoadedBaseline>>,
    store: &Store,
    environment: &Environment,
    available: &AvailableBenchmarks,
    project: Option<&Project>,
) -> Result<(), baseline::Error> {
    // A warning about an unreadable last run was printed already.
    let read = || Some(Rc::new(store.last().ok()??));
    let Some(previous) = last.or_else(read) else { return Ok(()) };
    staged.replaced = Some(Rc::clone(&previous));
    let differences = environment.differences_from(&previous.baseline.environment);
    if differences.iter().any(Difference::rules_out_merging) {
        return Ok(());
    }
    staged.carry_over(&previous.baseline, |stored| {
        let id = stored.id();
        let TargetId { package, kind, name } = &id.target;
        !available.has_lost(&id) && project.is_none_or(|project| project.has_target(package, *kind, name))
    })
}

/// Keeps the baseline's figures, with the executable that they come from, for benchmarks that don't
/// run because their code is the same. As above, figures that were measured differently are not
/// kept, and neither are those of a stranger.
pub(super) fn keep_baseline_figures(
    staged: &mut StagedRun<'_>,
    reference: Option<&Reference>,
    plan: &RunPlan<'_>,
    suite: &Suite,
    environment: &Environment,
) -> Result<(), baseline::Error> {
    let Some(saved) = reference.map(Reference::saved) else { return Ok(()) };
    let differences = environment.differences_from(&saved.baseline.environment);
    if saved.baseline.is_imported() || differences.iter().any(Difference::rules_out_merging) {
        return Ok(());
    }
    let benchmarks = suite.benchmarks.iter().enumerate();
    let not_run: HashSet<BenchmarkId> =
        benchmarks.filter(|(i, _)| plan.omits(*i)).map(|(_, benchmark)| benchmark.id.clone()).collect();
    staged.keep(&saved.baseline, |stored| not_run.contains(&stored.id()))
}

/// Saves runs.
pub(super) struct Saver<'a> {
    pub(super) options: &'a RunOptions,
    pub(super) store: &'a Store,
    pub(super) available: &'a AvailableBenchmarks,
}

impl Saver<'_> {
    /// Saves a run that was measured to its end, and notes that in the last of `runs`. The figures are
    /// those of the first one; the verdicts of all decide if a baseline may be replaced.
    pub(super) fn save(
        &self,
        staged: StagedRun<'_>,
        runs: &mut [ComparedRun],
    ) -> Result<(), baseline::Error> {
        let Some(first) = runs.first() else { return Ok(()) };
        let with = first.header.compared_with.as_ref();
        let stored: Vec<StoredBenchmark> =
            first.rows.iter().filter_map(|row| stored_row(row, with)).collect();
        if runs.iter().any(ComparedRun::is_interrupted) || stored.is_empty() {
            return Ok(());
        }
        let ids: HashSet<BenchmarkId> = stored.iter().map(StoredBenchmark::id).collect();
        let save_on_pass = self.options.baselines.save_on_pass.as_ref();
        let held_back = save_on_pass.and_then(|name| self.held_back(name, runs));
        let on_pass = save_on_pass.filter(|_| held_back.is_none());
        let excluded = save_on_pass.filter(|_| held_back.is_some()).cloned().map(BaselineRef::Named);
        let saved_as = self.options.baselines.save.as_ref().or(on_pass);
        let is_replaced = saved_as.is_some_and(|name| self.store.contains(&BaselineRef::Named(name.clone())));
        let is_last = staged.includes(&BaselineRef::Last);
        staged.commit(first.header.environment.clone(), stored, excluded.as_ref())?;

        let previous = saved_as.filter(|_| is_replaced).cloned().map(BaselineRef::Earlier);
        // An unreadable baseline was not kept.
        let previous = previous.and_then(|name| Some((self.store.load(&name).ok()?, name)));
        let lacking = previous.as_ref().and_then(|(saved, name)| self.lacking(saved, name, &ids));
        let unsure = on_pass.and_then(|name| unsure(name, runs));
        let ending = match (held_back, saved_as) {
            (Some(held_back), _) => held_back,
            (None, Some(name)) => {
                let replaced = previous.map(|(saved, name)| describe(&saved, &name));
                Ending::SavedAs { name: name.to_string(), replaced }
            }
            (None, None) if is_last => Ending::SavedAsLastRun,
            (None, None) => Ending::NotSaved,
        };
        if let Some(last) = runs.last_mut() {
            last.outcome.warnings.extend(lacking.into_iter().chain(unsure));
            last.outcome.ending = ending;
        }
        Ok(())
    }

    /// Warns about existing benchmarks that the replaced baseline had and the new one lacks,
    /// because a filter skipped them, or they failed.
    fn lacking(
        &self,
        previous: &LoadedBaseline,
        name: &BaselineRef,
        saved_ids: &HashSet<BenchmarkId>,
    ) -> Option<String> {
        let is_lacking = |stored: &&StoredBenchmark| {
            !saved_ids.contains(&stored.id()) && !self.available.has_lost(&stored.id())
        };
        let number = previous.baseline.benchmarks.iter().filter(is_lacking).count();
        (number > 0).then(|| {
            format!(
                "the saved baseline lacks {} of its previous version that this run skipped; comparisons will report \
                 them as new. `{}` has them until the name is saved again",
                counted(number, "benchmark"),
                name.name()
            )
        })
    }

    /// Returns the ending for a baseline that must not be saved. `None` if it may be.
    fn held_back(&self, name: &BaselineName, runs: &[ComparedRun]) -> Option<Ending> {
        let gate = Gate::for_replacing(&self.options.gates, self.options.policy.rules.average_resolution);
        let mut failures: Vec<Failure> =
            runs.iter().flat_map(|run| gate.failures(&run.rows, &run.outcome.missing)).collect();
        failures.sort_by_key(|failure| (failure.on, failure.limit.is_none()));
        let is_incomplete = runs.iter().any(|run| run.outcome.unlisted_executables > 0);
        let exists = self.store.contains(&BaselineRef::Named(name.clone()));
        let is_held_back = is_incomplete || !failures.is_empty();
        is_held_back.then(|| Ending::HeldBack { name: name.to_string(), exists, failures })
    }
}

/// Warns about unsure benchmarks in a baseline that was replaced.
fn unsure(name: &BaselineName, runs: &[ComparedRun]) -> Option<String> {
    let is_unsure = |row: &&Row| row.verdict() == Some(Verdict::Unsure);
    let rows = runs.iter().flat_map(|run| run.rows.iter().filter(is_unsure));
    let ids: HashSet<&BenchmarkId> = rows.map(|row| &row.benchmark.id).collect();
    (!ids.is_empty()).then(|| {
        format!(
            "baseline `{name}` was replaced although {} may be slower; to prevent that, use --fail-on unsure",
            counted(ids.len(), "benchmark")
        )
    })
}

/// Returns the name and summary of a saved run.
fn describe(saved: &LoadedBaseline, name: &BaselineRef) -> String {
    format!("`{}` ({})", name.name(), baseline::summary(&saved.baseline))
}

fn stored_row(row: &Row, with: Option<&ComparedWith>) -> Option<StoredBenchmark> {
    let Outcome::Measured { measurement, .. } = &row.outcome else { return None };
    let Benchmark { id, harness, spec, .. } = &row.benchmark;
    Some(StoredBenchmark {
        target: id.target.clone(),
        executable: Some(*harness),
        earlier_run: None,
        benchmark: spec.clone(),
        comparison: report::earlier_comparison(row, with),
        measurement: measurement.clone().into(),
    })
}
