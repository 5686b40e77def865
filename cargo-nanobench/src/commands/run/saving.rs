//! Saving a run: as the last run, and as a baseline.

use super::available::AvailableBenchmarks;
use super::build::Built;
use super::kept_listings::KeptListings;
use super::options::BaselineOptions;
use super::source::Source;
use super::surroundings::FoundSurroundings;
use crate::baseline::{
    self, BaselineName, BaselineRef, BuiltExecutable, LoadedBaseline, OutsideFile, RunOrder, RunRecord,
    StagedRun, Store, StoredBenchmark,
};
use crate::benchmark_id::{BenchmarkId, TargetId};
use crate::cargo::Project;
use crate::code;
use crate::environment::Difference;
use crate::experiment::{Benchmark, Failure, Gate, Harness, Outcome, Row, RunPlan, Suite};
use crate::report::{self, ComparedRun, ComparedWith, Ending};
use nanobench::report::counted;
use std::collections::HashSet;
use std::rc::Rc;
use verdicts::Verdict;

/// A run that will be saved: its executables are stored, and there is space for its record.
pub(super) struct Saving<'a> {
    pub(super) names: &'a BaselineOptions,
    /// Decides if a baseline may be replaced.
    pub(super) gate: Gate,
    pub(super) source: &'a Source,
    pub(super) store: &'a Store,
    pub(super) staged: StagedRun<'a>,
    pub(super) surroundings: FoundSurroundings,
    /// The last run, if it was read before.
    pub(super) last: Option<Rc<LoadedBaseline>>,
}

/// Returns the order in which results are saved. `suite`: all benchmarks that were built.
pub(super) fn order(source: &Source, suite: &Suite) -> RunOrder {
    let packages = source.project().into_iter().flat_map(Project::member_names);
    RunOrder::new(packages.map(str::to_owned).collect(), suite.benchmarks.iter().map(|it| &it.id))
}

/// Returns the executables to be saved, with the libraries that they load, and what their benchmarks
/// may read.
pub(super) fn executables(
    source: &Source,
    suite: &Suite,
    surroundings: &FoundSurroundings,
) -> Vec<BuiltExecutable> {
    let built = |harness: &Harness| {
        let executable = &harness.executable;
        let (roots, found) = (source.own_folders(executable), surroundings.of(executable));
        BuiltExecutable {
            path: executable.path.clone(),
            hash: found.and_then(|found| found.hash.clone()).filter(|_| executable.is_unchanged()),
            libraries: code::own_libraries(&executable.path, &executable.library_folders(), &roots),
            inputs: found.map(|found| found.inputs.clone()),
        }
    };
    suite.harnesses.iter().map(built).collect()
}

impl Saving<'_> {
    /// Makes the last run keep results of benchmarks that don't run this time. Benchmarks whose code is the
    /// same get the baseline's `figures`, with the executable that they come from. Benchmarks that a filter
    /// skips, whose target wasn't built, or that fail, get the results of the last run. A last run that was
    /// built or measured differently is not kept: its figures could not be distinguished later.
    pub(super) fn keep_unmeasured(
        &mut self,
        figures: Option<&RunRecord>,
        plan: &RunPlan<'_>,
        built: &Built,
    ) -> Result<(), baseline::Error> {
        if let Some(figures) = figures {
            let benchmarks = built.suite.benchmarks.iter().enumerate();
            let not_run: HashSet<BenchmarkId> = benchmarks
                .filter(|(i, _)| plan.omits(*i))
                .map(|(_, benchmark)| benchmark.id.clone())
                .collect();
            self.staged.keep(figures, |stored| not_run.contains(&stored.id()))?;
        }
        // A warning about an unreadable last run was printed already.
        let read = || Some(Rc::new(self.store.last().ok()??));
        let Some(last) = self.last.take().or_else(read) else { return Ok(()) };
        self.staged.replaced = Some(Rc::clone(&last));
        let differences = built.environment.differences_from(&last.baseline.environment);
        if differences.iter().any(Difference::rules_out_merging) {
            return Ok(());
        }
        let project = self.source.project();
        self.staged.carry_over(&last.baseline, |stored| {
            let id = stored.id();
            let TargetId { package, kind, name } = &id.target;
            let has_target = || project.is_none_or(|project| project.has_target(package, *kind, name));
            !built.available.has_lost(&id) && has_target()
        })
    }

    /// Saves a run that was measured to its end, and notes that in the last of `runs`. The figures are
    /// those of the first one; the verdicts of all decide if a baseline may be replaced.
    pub(super) fn save(self, built: &mut Built, runs: &mut [ComparedRun]) -> Result<(), baseline::Error> {
        let Saving { names, gate, source, store, mut staged, surroundings, .. } = self;
        for (stored, harness) in staged.executables.iter_mut().zip(&mut built.suite.harnesses) {
            let others = surroundings.of(&harness.executable).map_or(&[][..], |found| &found.files_to_run);
            stored.outside_files = OutsideFile::all(harness.opened_libraries().iter().chain(others));
        }
        let Some(first) = runs.first() else { return Ok(()) };
        if built.suite.has_doubtful_listing() || first.rows.iter().any(Row::failed) {
            KeptListings::below(source.target_directory()).forget();
        }
        let with = first.header.compared_with.as_ref();
        let stored: Vec<StoredBenchmark> =
            first.rows.iter().filter_map(|row| stored_row(row, with)).collect();
        if runs.iter().any(ComparedRun::is_interrupted) || stored.is_empty() {
            return Ok(());
        }
        let ids: HashSet<BenchmarkId> = stored.iter().map(StoredBenchmark::id).collect();
        let save_on_pass = names.save_on_pass.as_ref();
        let held_back = save_on_pass.and_then(|name| held_back(name, &gate, store, runs));
        let on_pass = save_on_pass.filter(|_| held_back.is_none());
        let excluded = save_on_pass.filter(|_| held_back.is_some()).cloned().map(BaselineRef::Named);
        let saved_as = names.save.as_ref().or(on_pass);
        let is_replaced = saved_as.is_some_and(|name| store.contains(&BaselineRef::Named(name.clone())));
        let is_last = staged.includes(&BaselineRef::Last);
        staged.commit(first.header.environment.clone(), stored, excluded.as_ref())?;

        let previous = saved_as.filter(|_| is_replaced).cloned().map(BaselineRef::Earlier);
        // An unreadable baseline was not kept.
        let previous = previous.and_then(|name| Some((store.load(&name).ok()?, name)));
        let lacking =
            previous.as_ref().and_then(|(saved, name)| lacking(saved, name, &ids, &built.available));
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
}

/// Warns about existing benchmarks that the replaced baseline had and the new one lacks,
/// because a filter skipped them, or they failed.
fn lacking(
    previous: &LoadedBaseline,
    name: &BaselineRef,
    saved_ids: &HashSet<BenchmarkId>,
    available: &AvailableBenchmarks,
) -> Option<String> {
    let is_lacking =
        |stored: &&StoredBenchmark| !saved_ids.contains(&stored.id()) && !available.has_lost(&stored.id());
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
fn held_back(name: &BaselineName, gate: &Gate, store: &Store, runs: &[ComparedRun]) -> Option<Ending> {
    let mut failures: Vec<Failure> =
        runs.iter().flat_map(|run| gate.failures(&run.rows, &run.outcome.removed)).collect();
    failures.sort_by_key(|failure| (failure.on, failure.limit.is_none()));
    let is_incomplete = runs.iter().any(|run| run.outcome.unlisted_executables > 0);
    let exists = store.contains(&BaselineRef::Named(name.clone()));
    let is_held_back = is_incomplete || !failures.is_empty();
    is_held_back.then(|| Ending::HeldBack { name: name.to_string(), exists, failures })
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
    let Benchmark { id, harness, spec, timed_loop, .. } = &row.benchmark;
    Some(StoredBenchmark {
        target: id.target.clone(),
        executable: Some(*harness),
        earlier_run: None,
        benchmark: spec.clone(),
        timed_loop: *timed_loop,
        comparison: report::earlier_comparison(row, with),
        measurement: measurement.clone().into(),
    })
}
