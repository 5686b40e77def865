//! The saved runs that a run is compared with: what each phase knows of them.

use super::available::AvailableBenchmarks;
use super::build::Built;
use super::planned::RunToCompare;
use super::premises::SavedPair;
use super::saving::Saving;
use crate::baseline::{self, BaselineRef, LoadedBaseline, OtherSide, RunRecord, StoredBenchmark};
use crate::benchmark_id::BenchmarkId;
use crate::cargo::Project;
use crate::code;
use crate::commands::compatibility::{self, Incomparable};
use crate::environment::{ChangedFile, Difference, Environment};
use crate::experiment::{
    Baseline, BaselineExecutable, Benchmark, ComparisonPolicy, Filter, KnownBenchmark, NamedBenchmark,
    PairedRuns, Premise, Premises, Renames, Suite,
};
use crate::report::{ComparedWith, ComparisonMethod, LastRun, UnusableExecutables};
use crate::warnings::warn;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A saved run to compare with.
#[derive(Debug)]
pub(super) struct SavedRun {
    pub(super) name: BaselineRef,
    /// It was named. Without a name, a run is compared with the last one.
    pub(super) is_requested: bool,
    pub(super) saved: Rc<LoadedBaseline>,
}

/// A saved run that can be compared with, and what of it is still there.
pub(super) struct MatchedRun {
    run: SavedRun,
    /// The executables that can run here.
    executables: HashMap<usize, PathBuf>,
    /// The names that its benchmarks have now.
    renames: Renames,
}

/// A saved run, with everything that comparisons with it rest on.
pub(super) struct Reference {
    matched: MatchedRun,
    premises: HashMap<PremisesKey, Vec<Premise>>,
}

/// The executable of a stored benchmark, the one of this run that has it, and the run that it was
/// measured in, as in [`StoredBenchmark::earlier_run`].
type PremisesKey = (Option<usize>, usize, Option<usize>);

impl SavedRun {
    /// Returns whether it is the last run, whose place the present one takes.
    pub(super) fn is_last_run(&self) -> bool {
        self.name == BaselineRef::Last
    }
}

impl MatchedRun {
    /// Matches a saved run with all benchmarks that were built. `intact`: copies of executables that can run.
    ///
    /// If a benchmark has no executable, its stored figures must be `comparable_with` that environment, if
    /// there is one. If they aren't, the last run is left out with a warning, and any other run is an error.
    pub(super) fn new(
        run: SavedRun,
        intact: &[PathBuf],
        comparable_with: Option<&Environment>,
        suite: &Suite,
        available: &AvailableBenchmarks,
    ) -> Result<Option<MatchedRun>, Incomparable> {
        let saved = &run.saved.baseline;
        let copies = saved.executables.iter().map(|executable| run.saved.copy_path(executable));
        let executables: HashMap<usize, PathBuf> =
            copies.enumerate().filter(|(_, path)| intact.contains(path)).collect();
        let executable_of = |stored: &StoredBenchmark| executables.get(&stored.executable?);
        let needs_figures = saved.benchmarks.iter().any(|stored| executable_of(stored).is_none());
        if let Some(environment) = comparable_with.filter(|_| needs_figures) {
            match compatibility::check_stored_figures(&run.name, &saved.differences_of(environment)) {
                Err(error) if !run.is_requested => {
                    warn(format!("not compared with the last run: {}", error.differences()));
                    return Ok(None);
                }
                checked => checked?,
            }
        }
        let before = saved.benchmarks.iter().map(|stored| {
            let executable = executable_of(stored).map(PathBuf::as_path);
            NamedBenchmark { id: stored.id(), spec: &stored.benchmark, executable }
        });
        let before: Vec<NamedBenchmark<'_>> = before.collect();
        let renames = Renames::find(suite, &before, |id| available.has_lost(id));
        Ok(Some(MatchedRun { run, executables, renames }))
    }

    fn record(&self) -> &RunRecord {
        &self.run.saved.baseline
    }

    /// Returns the executable of a benchmark, if it can run here.
    fn executable_of(&self, stored: &StoredBenchmark) -> Option<&Path> {
        self.executables.get(&stored.executable?).map(PathBuf::as_path)
    }

    fn benchmark(&self, benchmark: &Benchmark) -> Option<&StoredBenchmark> {
        self.run.saved.benchmark(self.renames.former(&benchmark.id)?)
    }

    /// Returns its benchmarks that the filter selects and that are gone.
    pub(super) fn missing(&self, filter: &Filter, available: &AvailableBenchmarks) -> Vec<BenchmarkId> {
        let missing = available.missing(filter, &self.record().benchmarks);
        missing.into_iter().filter(|id| !self.renames.explain(id)).collect()
    }

    /// Returns whether it was named, or has one of these benchmarks.
    pub(super) fn is_useful(&self, benchmarks: &[Benchmark]) -> bool {
        let is_known = |benchmark: &Benchmark| self.benchmark(benchmark).is_some();
        self.run.is_requested || benchmarks.iter().any(is_known)
    }

    /// Finds what comparisons with it rest on. The build may write some of it, so it must have ended.
    pub(super) fn with_premises(self, built: &Built, saving: &Saving<'_>) -> Reference {
        let project = saving.source.project();
        let premises = project.map_or_else(HashMap::new, |project| self.premises(built, saving, project));
        Reference { matched: self, premises }
    }

    fn premises(
        &self,
        built: &Built,
        saving: &Saving<'_>,
        project: &Project,
    ) -> HashMap<PremisesKey, Vec<Premise>> {
        let (workspace, inputs) = (project.root(), project.inputs());
        let saved = self.record();
        let mut premises = HashMap::new();
        let mut changed_data: HashMap<Option<usize>, Option<Vec<ChangedFile>>> = HashMap::new();
        for benchmark in &built.suite.benchmarks {
            let Some(stored) = self.benchmark(benchmark) else { continue };
            let key = (stored.executable, benchmark.harness, stored.earlier_run);
            let Some(before) = saved.executable_of(stored) else { continue };
            if premises.contains_key(&key) {
                continue;
            }
            let copy = self.executable_of(stored);
            let changed_data = changed_data.entry(stored.earlier_run).or_insert_with(|| {
                let before = saved.environment_of(stored).data_files.as_ref()?;
                let now = built.environment.data_files.as_ref()?;
                Some(now.changed_since(before, workspace)?.into_iter().collect())
            });
            let now = &saving.staged.executables[benchmark.harness];
            let is_same = before.hash == now.hash;
            let is_built = |it: &ChangedFile| inputs.shows(&workspace.join(&it.file), is_same);
            let changed_data = changed_data.as_ref().map(|changed| {
                changed.iter().filter(|changed| !is_built(changed)).cloned().collect::<Vec<ChangedFile>>()
            });
            let harness = &built.suite.harnesses[benchmark.harness].executable;
            let pair = SavedPair { before, now, copy, harness };
            premises.insert(key, pair.premises(workspace, changed_data.as_deref()));
        }
        premises
    }
}

impl Reference {
    /// Returns the run of the suite that is compared with it. `is_only`: no other reference is compared with.
    pub(super) fn run_to_compare(
        &self,
        built: &Built,
        saving: &Saving<'_>,
        policy: &ComparisonPolicy,
        filter: &Filter,
        is_only: bool,
    ) -> RunToCompare<'_> {
        let executables = &saving.staged.executables;
        let SavedRun { name, is_requested, .. } = &self.matched.run;
        let saved = self.matched.record();
        let benchmarks = &built.suite.benchmarks;
        let is_last_run = self.matched.run.is_last_run();
        // Nobody requested the time of a comparison with the last run.
        let paired_runs = if *is_requested { policy.paired_runs } else { PairedRuns::Changed };
        // Another command can't go on with a comparison with the last run, whose place this run takes.
        let keeps_evidence = is_only && *is_requested && !is_last_run;
        let policy = ComparisonPolicy { paired_runs, keeps_evidence, ..*policy };
        let differences = saved.differences_of(&built.environment);
        let may_be_merged = !saved.is_imported() && !differences.iter().any(Difference::rules_out_merging);
        let has_code = |index: usize| {
            !benchmarks.iter().any(|it| it.harness == index && self.has_other_code(it, &executables[index]))
        };
        RunToCompare {
            baselines: benchmarks.iter().map(|it| self.baseline(it, &executables[it.harness])).collect(),
            compared_with: Some(self.describe(&differences, &policy)),
            policy,
            warnings: self.matched.renames.offers(&built.suite).into_iter().collect(),
            missing: self.matched.missing(filter, &built.available),
            figures_to_keep: may_be_merged.then_some(saved),
            other_side: Some(OtherSide::Baseline { name: name.name(), created: saved.created }),
            // An earlier comparison tells more then.
            unexplained: (0..executables.len()).filter(|&index| is_last_run && has_code(index)).collect(),
        }
    }

    fn has_other_code(&self, benchmark: &Benchmark, now: &baseline::Executable) -> bool {
        let before = self.matched.benchmark(benchmark);
        let before = before.map(|stored| self.matched.record().executable_of(stored));
        before.is_some_and(|before| before.is_none_or(|before| !before.has_code_of(now)))
    }

    /// Describes the comparison for headings.
    fn describe(&self, differences: &[Difference], policy: &ComparisonPolicy) -> ComparedWith {
        let MatchedRun { run, executables, .. } = &self.matched;
        let baseline = self.matched.record();
        let unusable = match baseline.executables.len() - executables.len() {
            _ if !baseline.may_run() && baseline.from_other_machine => UnusableExecutables::OtherMachine,
            _ if !baseline.may_run() => UnusableExecutables::Imported,
            0 => UnusableExecutables::None,
            number => UnusableExecutables::Lost(number),
        };
        let method = match (run.is_requested, executables.is_empty()) {
            (true, true) => ComparisonMethod::StoredFigures,
            (true, false) => ComparisonMethod::SideBySide,
            (false, true) => ComparisonMethod::LastRun(LastRun::StoredFigures),
            (false, false) => ComparisonMethod::LastRun(LastRun::SideBySide),
        };
        ComparedWith {
            name: run.name.title(),
            description: baseline::summary(baseline),
            differences: differences.iter().map(ToString::to_string).collect(),
            unusable,
            method,
            only_counts: run.is_requested && policy.only_counts(),
            same_code: false,
        }
    }

    /// Returns the baseline of a benchmark, whose executable is `now`.
    fn baseline(&self, benchmark: &Benchmark, now: &baseline::Executable) -> Baseline<'_> {
        let saved = self.matched.record();
        let Some(stored) = self.matched.benchmark(benchmark) else {
            // Flags may have left it out of the last run.
            let is_new = self.matched.run.is_requested || !saved.is_partial;
            return if is_new { Baseline::NewBenchmark } else { Baseline::Absent };
        };
        let before = saved.executable_of(stored);
        let key = (stored.executable, benchmark.harness, stored.earlier_run);
        let premises = Premises::new(self.premises.get(&key).map_or(&[], Vec::as_slice));
        let identical = before.is_some_and(|before| before.has_code_of(now));
        // It would run today's code.
        let lacks_libraries = |path: &Path| {
            let names: Vec<&Path> = now.libraries.iter().map(|library| library.file.as_ref()).collect();
            before.is_none_or(|before| before.libraries.is_empty()) && code::loads_any_of(path, &names)
        };
        let path = self.matched.executable_of(stored).filter(|path| !lacks_libraries(path));
        let executable = path.map(BaselineExecutable::Stored);
        let (spec, measurement) = (&stored.benchmark, Some(&*stored.measurement));
        Baseline::Known(KnownBenchmark { spec, measurement, identical, executable, premises })
    }
}
