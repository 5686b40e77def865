//! The baseline of a benchmark during a run.

use super::comparison::NotPaired;
use super::policy::ComparisonPolicy;
use super::premises::{Premise, Premises};
use super::renames::Renames;
use super::stored::have_same_unit;
use super::suite::{Benchmark, Suite};
use crate::benchmark_id::BenchmarkId;
use crate::cargo::Executable;
use crate::fingerprint::Fingerprint;
use crate::session::RequestError;
use nanobench::model::{BenchmarkSpec, Measurement};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

/// The baseline of a benchmark.
#[derive(Debug, Clone)]
pub enum Baseline<'a> {
    /// The run has no baseline.
    Absent,
    /// The baseline lacks the benchmark.
    NewBenchmark,
    /// The executable that should hold the benchmark failed before it listed its benchmarks.
    Unlisted(Arc<RequestError>),
    /// The benchmark in an earlier run or in another build.
    Known(KnownBenchmark<'a>),
}

/// A benchmark in an earlier run or in another build.
#[derive(Debug, Clone, Copy)]
pub struct KnownBenchmark<'a> {
    pub spec: &'a BenchmarkSpec,
    /// The stored figures; `None` for another build.
    pub measurement: Option<&'a Measurement>,
    /// Both executables have the same bytes, and the premises are equal.
    pub identical: bool,
    /// The executable to compare with this build's, if it still exists.
    pub executable: Option<BaselineExecutable<'a>>,
    pub premises: Premises<'a>,
}

/// The executable of a baseline.
#[derive(Debug, Clone, Copy)]
pub enum BaselineExecutable<'a> {
    /// The path of a stored copy.
    Stored(&'a Path),
    Build(&'a Executable),
}

impl<'a> Baseline<'a> {
    /// Returns the benchmark in the baseline, if it is known.
    pub(super) fn known(&self) -> Option<KnownBenchmark<'a>> {
        if let Baseline::Known(known) = self { Some(*known) } else { None }
    }
}

impl KnownBenchmark<'_> {
    /// Returns the reason why both sides can't run side by side although the benchmark may have
    /// changed, as far as it is known before.
    pub(super) fn obstacle(&self) -> Option<NotPaired> {
        if let Some(packages) = self.premises.shared_packages() {
            return Some(NotPaired::SharedPackages(packages));
        }
        let shared = self.premises.shared();
        if !shared.is_empty() {
            return Some(match self.executable {
                Some(BaselineExecutable::Build(_)) => NotPaired::OfWorkingTree(shared),
                _ => NotPaired::Changed(shared),
            });
        }
        if self.executable.is_none() && !self.identical {
            return Some(NotPaired::ExecutableGone);
        }
        self.premises.unknown_inputs().map(NotPaired::UnknownInputs)
    }

    /// Returns whether it has an executable that is worth running beside that of `now`.
    pub(super) fn can_run_paired(&self, now: &BenchmarkSpec, policy: &ComparisonPolicy) -> bool {
        have_same_unit(self.spec, now)
            && self.executable.is_some()
            && self.premises.shared().is_empty()
            && self.premises.unknown_inputs().is_none()
            && (!self.identical || policy.pairs_identical)
    }
}

impl<'a> BaselineExecutable<'a> {
    /// Returns it as an executable that can run in place of `candidate`, if it can.
    pub(super) fn executable(self, candidate: &Executable) -> Option<Executable> {
        match self {
            BaselineExecutable::Stored(path) => candidate.stored_at(path.to_owned()).ok()?,
            BaselineExecutable::Build(executable) => Some(executable.clone()),
        }
    }

    /// Returns the path of the file.
    pub(super) fn path(self) -> &'a Path {
        match self {
            BaselineExecutable::Stored(path) => path,
            BaselineExecutable::Build(executable) => &executable.path,
        }
    }
}

/// The executables of a benchmark in two suites, by their places.
pub type HarnessPair = [usize; 2];

/// Returns the executables of the benchmarks of `suite` that `other` has, too.
pub fn harness_pairs(other: &Suite, suite: &Suite, renames: &Renames) -> BTreeSet<HarnessPair> {
    let others: HashMap<&BenchmarkId, usize> =
        other.benchmarks.iter().map(|benchmark| (&benchmark.id, benchmark.harness)).collect();
    let pair =
        |benchmark: &Benchmark| Some([*others.get(renames.former(&benchmark.id)?)?, benchmark.harness]);
    suite.benchmarks.iter().filter_map(pair).collect()
}

/// Returns the baselines of the benchmarks of `suite`, which are in `other`.
pub fn baselines_in<'a>(
    other: &'a Suite,
    suite: &Suite,
    renames: &Renames,
    premises: &'a HashMap<HarnessPair, Vec<Premise>>,
) -> Vec<Baseline<'a>> {
    // Each pair of executables is read once.
    let mut identical: HashMap<HarnessPair, bool> = HashMap::new();
    let others: HashMap<&BenchmarkId, &Benchmark> =
        other.benchmarks.iter().map(|benchmark| (&benchmark.id, benchmark)).collect();
    let baseline = |benchmark: &Benchmark| match renames.former(&benchmark.id).and_then(|id| others.get(id)) {
        Some(before) => {
            let executable = &other.harnesses[before.harness].executable;
            let now = &suite.harnesses[benchmark.harness].executable;
            let pair = [before.harness, benchmark.harness];
            let are_identical = || are_identical(&executable.path, &now.path);
            let identical = *identical.entry(pair).or_insert_with(are_identical);
            let premises = Premises::new(premises.get(&pair).map_or(&[], Vec::as_slice));
            let (spec, executable) = (&before.spec, Some(BaselineExecutable::Build(executable)));
            Baseline::Known(KnownBenchmark { spec, measurement: None, identical, executable, premises })
        }
        // It may or may not be new.
        None => match other.unlisted_executable(benchmark) {
            Some(executable) => Baseline::Unlisted(Arc::clone(&executable.error)),
            None => Baseline::NewBenchmark,
        },
    };
    suite.benchmarks.iter().map(baseline).collect()
}

/// Returns whether two executables have the same bytes.
fn are_identical(one: &Path, other: &Path) -> bool {
    let size = |path: &Path| path.metadata().map(|metadata| metadata.len()).ok();
    let hash = |path| Fingerprint::from_file(path).ok();
    size(one) == size(other) && hash(one).is_some_and(|of_one| Some(of_one) == hash(other))
}
