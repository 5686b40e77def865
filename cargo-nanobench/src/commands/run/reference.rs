//! The saved runs that a run is compared with.

use super::available::AvailableBenchmarks;
use super::options::BaselineNames;
use super::premises::SavedPair;
use crate::background;
use crate::baseline::{
    self, BaselineRef, LoadedBaseline, OtherSide, StagedRun, Store, StoredBenchmark, StoredCopy,
};
use crate::benchmark_id::BenchmarkId;
use crate::cargo::Project;
use crate::code;
use crate::commands::compatibility::{self, Incomparable};
use crate::environment::{ChangedFile, Environment};
use crate::experiment::{
    BaselineExecutable, Benchmark, ComparisonPolicy, Filter, KnownBenchmark, NamedBenchmark, Premise,
    Premises, Renames, Suite,
};
use crate::report::{ComparedWith, ComparisonMethod, LastRun, UnusableExecutables};
use crate::warnings::warn;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::thread::{self, JoinHandle};

/// A saved run to compare with.
#[derive(Debug)]
pub(super) struct Reference {
    baseline_ref: BaselineRef,
    /// It was named. Without a name, a run is compared with the last one.
    pub(super) is_requested: bool,
    saved: Rc<LoadedBaseline>,
    /// The executables that can run here, once they were checked.
    executables: HashMap<usize, PathBuf>,
    renames: Renames,
    /// What comparisons with these executables rest on.
    premises: HashMap<PremisesKey, Vec<Premise>>,
}

/// The executable of a stored benchmark, the one of this run that has it, and the run that it was
/// measured in, as in [`StoredBenchmark::earlier_run`].
type PremisesKey = (Option<usize>, usize, Option<usize>);

/// Returns the runs to compare with: the named ones; else the baseline that may be replaced on
/// pass, if it exists; else the last run, if there is one and `compares_with_last`.
pub(super) fn load(
    names: &BaselineNames,
    compares_with_last: bool,
    store: &Store,
) -> Result<Vec<Reference>, baseline::Error> {
    let baselines: Vec<BaselineRef> = match (&names.compare[..], &names.save_on_pass) {
        ([], None) if !compares_with_last => return Ok(Vec::new()),
        ([], None) => return Ok(load_last(store)?.into_iter().collect()),
        ([], Some(name)) => {
            let baseline = BaselineRef::Named(name.clone());
            Some(baseline).filter(|baseline| store.contains(baseline)).into_iter().collect()
        }
        (named, _) => named.to_vec(),
    };
    let reference = |name: BaselineRef| Ok(Reference::new(store.load(&name)?, name, true));
    baselines.into_iter().map(reference).collect()
}

/// Returns the last run. Warns if it is unreadable; the current run then replaces it.
fn load_last(store: &Store) -> Result<Option<Reference>, baseline::Error> {
    let saved = store.last().or_else(|error| {
        if !error.may_be_replaced() {
            return Err(error);
        }
        warn(format!("not compared with the last run: {error}"));
        Ok(None)
    })?;
    Ok(saved.map(|saved| Reference::new(saved, BaselineRef::Last, false)))
}

/// Returns the references that can be compared with. The last run is left out with a warning if it
/// can't be compared with; any other reference is an error then.
pub(super) fn comparable(
    references: Vec<Reference>,
    environment: &Environment,
    ignore_environment: bool,
) -> Result<Vec<Reference>, Incomparable> {
    if ignore_environment {
        return Ok(references);
    }
    let mut comparable = Vec::new();
    for reference in references {
        match reference.check(environment) {
            Ok(()) => comparable.push(reference),
            Err(error) if reference.is_requested => return Err(error),
            Err(error) => warn(format!("not compared with the last run: {}", error.differences())),
        }
    }
    Ok(comparable)
}

impl Reference {
    fn new(saved: LoadedBaseline, baseline_ref: BaselineRef, is_requested: bool) -> Reference {
        Reference {
            baseline_ref,
            is_requested,
            saved: Rc::new(saved),
            executables: HashMap::new(),
            renames: Renames::default(),
            premises: HashMap::new(),
        }
    }

    /// Starts to look for the executables that can run here: those with an intact copy.
    pub(super) fn find_intact(references: &[Reference]) -> JoinHandle<Vec<PathBuf>> {
        let copies = references.iter().flat_map(|Reference { saved, .. }| {
            saved.baseline.executables.iter().filter_map(|executable| saved.runnable_copy(executable))
        });
        let copies: Vec<StoredCopy> = copies.collect();
        thread::spawn(|| {
            background::enter();
            copies.into_iter().filter_map(StoredCopy::into_intact).collect()
        })
    }

    /// Notes the executables that can run here.
    pub(super) fn set_runnable(&mut self, intact: &[PathBuf]) {
        let copies =
            self.saved.baseline.executables.iter().map(|executable| self.saved.copy_path(executable));
        self.executables = copies.enumerate().filter(|(_, path)| intact.contains(path)).collect();
    }

    /// Finds what comparisons with it rest on. The build may write some of it, so it must have ended.
    pub(super) fn find_premises(
        &mut self,
        environment: &Environment,
        project: &Project,
        staged: &StagedRun<'_>,
        suite: &Suite,
    ) {
        let (workspace, built) = (project.root(), project.inputs());
        let mut changed_data: HashMap<Option<usize>, Option<Vec<ChangedFile>>> = HashMap::new();
        for benchmark in &suite.benchmarks {
            let Some(stored) = self.benchmark(benchmark) else { continue };
            let key = (stored.executable, benchmark.harness, stored.earlier_run);
            let Some(before) = self.saved.baseline.executable_of(stored) else { continue };
            if self.premises.contains_key(&key) {
                continue;
            }
            let copy = self.runnable(stored).map(PathBuf::as_path);
            let changed_data = changed_data.entry(stored.earlier_run).or_insert_with(|| {
                let before = self.saved.baseline.environment_of(stored).data_files.as_ref()?;
                Some(environment.data_files.as_ref()?.changed_since(before, workspace)?.into_iter().collect())
            });
            let now = &staged.executables[benchmark.harness];
            let is_same = before.hash == now.hash;
            let is_built = |it: &ChangedFile| built.shows(&workspace.join(&it.file), is_same);
            let changed_data = changed_data.as_ref().map(|changed| {
                changed.iter().filter(|changed| !is_built(changed)).cloned().collect::<Vec<ChangedFile>>()
            });
            let harness = &suite.harnesses[benchmark.harness].executable;
            let pair = SavedPair { before, now, copy, harness };
            let premises = pair.premises(workspace, changed_data.as_deref());
            self.premises.insert(key, premises);
        }
    }

    /// Finds the benchmarks that it has by other names. `suite`: all that were built.
    pub(super) fn find_renames(&mut self, suite: &Suite, available: &AvailableBenchmarks) {
        let before = self.benchmarks().iter().map(|stored| {
            let executable = self.runnable(stored).map(PathBuf::as_path);
            NamedBenchmark { id: stored.id(), spec: &stored.benchmark, executable }
        });
        let before: Vec<NamedBenchmark<'_>> = before.collect();
        self.renames = Renames::find(suite, &before, |id| available.has_lost(id));
    }

    /// Returns the names that its benchmarks have now.
    pub(super) fn renames(&self) -> &Renames {
        &self.renames
    }

    fn benchmarks(&self) -> &[StoredBenchmark] {
        &self.saved.baseline.benchmarks
    }

    /// Returns the executable of a benchmark, if it can run here.
    fn runnable(&self, stored: &StoredBenchmark) -> Option<&PathBuf> {
        self.executables.get(&stored.executable?)
    }

    fn benchmark(&self, benchmark: &Benchmark) -> Option<&StoredBenchmark> {
        self.saved.benchmark(self.renames.former(&benchmark.id)?)
    }

    /// Returns its benchmarks that the filter selects and that are gone.
    pub(super) fn missing(&self, filter: &Filter, available: &AvailableBenchmarks) -> Vec<BenchmarkId> {
        let missing = available.missing(filter, self.benchmarks());
        missing.into_iter().filter(|id| !self.renames.explain(id)).collect()
    }

    /// Returns whether it is the last run, whose place the present one takes.
    pub(super) fn is_last_run(&self) -> bool {
        self.baseline_ref == BaselineRef::Last
    }

    /// Returns the other side of a comparison with it.
    pub(super) fn other_side(&self) -> OtherSide {
        OtherSide::Baseline { name: self.baseline_ref.name(), created: self.saved.baseline.created }
    }

    /// Returns the other side of the comparison of each executable, for `why`. `None` where it is the
    /// last run with the same executable: an earlier comparison tells more then.
    pub(super) fn other_sides(&self, staged: &StagedRun<'_>, suite: &Suite) -> Vec<Option<OtherSide>> {
        let saved = &self.saved.baseline;
        let other_side = || self.other_side();
        let has_other_code = |(index, now): (usize, &baseline::Executable)| {
            let benchmarks = suite.benchmarks.iter().filter(|benchmark| benchmark.harness == index);
            let mut before = benchmarks.filter_map(|benchmark| self.benchmark(benchmark));
            before.any(|stored| saved.executable_of(stored).is_none_or(|before| !before.has_code_of(now)))
        };
        let is_last_run = self.is_last_run();
        let executables = staged.executables.iter().enumerate();
        executables.map(|now| (!is_last_run || has_other_code(now)).then(other_side)).collect()
    }

    /// Returns whether a benchmark that it lacks is new, rather than one that flags left out of the
    /// last run.
    pub(super) fn knows_new_benchmarks(&self) -> bool {
        self.is_requested || !self.saved.baseline.is_partial
    }

    pub(super) fn saved(&self) -> &LoadedBaseline {
        &self.saved
    }

    /// Returns the saved run if it is the last run.
    pub(super) fn last_run(&self) -> Option<Rc<LoadedBaseline>> {
        (self.baseline_ref == BaselineRef::Last).then(|| Rc::clone(&self.saved))
    }

    /// Returns an error if it has benchmarks whose executables can't run here, and their stored
    /// figures are from another machine.
    fn check(&self, environment: &Environment) -> Result<(), Incomparable> {
        if self.benchmarks().iter().all(|stored| self.runnable(stored).is_some()) {
            return Ok(());
        }
        let differences = self.saved.baseline.differences_of(environment);
        compatibility::check_stored_figures(&self.baseline_ref, &differences)
    }

    /// Describes the comparison for headings. `is_identical`: both sides have the same executables.
    pub(super) fn describe(
        &self,
        environment: &Environment,
        policy: &ComparisonPolicy,
        is_identical: bool,
    ) -> ComparedWith {
        let baseline = &self.saved.baseline;
        let differences = baseline.differences_of(environment);
        let unusable = match baseline.executables.len() - self.executables.len() {
            _ if !baseline.may_run() && baseline.from_other_machine => UnusableExecutables::OtherMachine,
            _ if !baseline.may_run() => UnusableExecutables::Imported,
            0 => UnusableExecutables::None,
            number => UnusableExecutables::Lost(number),
        };
        let method = match self.is_requested {
            true if self.executables.is_empty() => ComparisonMethod::StoredFigures,
            true if is_identical => ComparisonMethod::Identical,
            true => ComparisonMethod::SideBySide,
            false if is_identical => ComparisonMethod::LastRun(LastRun::Identical),
            false if self.executables.is_empty() => ComparisonMethod::LastRun(LastRun::StoredFigures),
            false => ComparisonMethod::LastRun(LastRun::SideBySide),
        };
        ComparedWith {
            name: self.baseline_ref.title(),
            description: baseline::summary(baseline),
            differences: differences.iter().map(ToString::to_string).collect(),
            unusable,
            method,
            only_counts: self.is_requested && policy.only_counts(),
            same_code: false,
        }
    }

    /// Returns whether it was named, or has one of these benchmarks.
    pub(super) fn is_useful(&self, benchmarks: &[Benchmark]) -> bool {
        let is_known = |benchmark: &Benchmark| self.benchmark(benchmark).is_some();
        self.is_requested || benchmarks.iter().any(is_known)
    }

    /// Returns the stored figures and the executable of a benchmark.
    pub(super) fn stored(&self, staged: &StagedRun<'_>, benchmark: &Benchmark) -> Option<KnownBenchmark<'_>> {
        let stored = self.benchmark(benchmark)?;
        let before = self.saved.baseline.executable_of(stored);
        let now = &staged.executables[benchmark.harness];
        let key = (stored.executable, benchmark.harness, stored.earlier_run);
        let premises = Premises::new(self.premises.get(&key).map_or(&[], Vec::as_slice));
        let identical = before.is_some_and(|before| before.has_code_of(now));
        // It would run today's code.
        let lacks_libraries = |path: &Path| {
            let names: Vec<&Path> = now.libraries.iter().map(|library| library.file.as_ref()).collect();
            before.is_none_or(|before| before.libraries.is_empty()) && code::loads_any_of(path, &names)
        };
        let path = self.runnable(stored).filter(|path| !lacks_libraries(path));
        let executable = path.map(|path| BaselineExecutable::Stored(path));
        let (spec, measurement) = (&stored.benchmark, Some(&*stored.measurement));
        Some(KnownBenchmark { spec, measurement, identical, executable, premises })
    }
}
