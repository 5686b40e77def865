//! Two builds side by side. Nothing is stored, and no stored figures are needed.

use super::baseline::{Baseline, BaselineExecutable, KnownBenchmark};
use super::premises::{Premise, Premises};
use super::renames::Renames;
use super::suite::{Benchmark, Suite};
use crate::benchmark_id::BenchmarkId;
use crate::fingerprint::Fingerprint;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

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
