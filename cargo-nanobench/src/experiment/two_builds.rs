//! Two builds side by side. Nothing is stored, and no stored figures are needed.

use super::baseline::{Baseline, BaselineExecutable, ChangedSurroundings, KnownBenchmark};
use super::policy::ComparisonPolicy;
use super::suite::{Benchmark, Suite};
use crate::benchmark_id::BenchmarkId;
use crate::cargo::Executable;
use crate::code::loads_own_libraries;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Returns the baselines of the benchmarks of `suite`: those of the same ids in `other`.
/// `changed`: what both use outside of an executable of `other`, although it differs.
pub(crate) fn baselines_in<'a>(
    other: &'a Suite,
    suite: &Suite,
    policy: &ComparisonPolicy,
    changed: &dyn Fn(&Executable) -> ChangedSurroundings<'a>,
) -> Vec<Baseline<'a>> {
    // Each pair of executables is read once.
    let mut identical: HashMap<usize, bool> = HashMap::new();
    let others: HashMap<&BenchmarkId, &Benchmark> =
        other.benchmarks.iter().map(|benchmark| (&benchmark.id, benchmark)).collect();
    let baseline = |benchmark: &Benchmark| match others.get(&benchmark.id) {
        Some(before) => {
            let executable = &other.harnesses[before.harness].executable;
            let now = &suite.harnesses[benchmark.harness].executable;
            let identical = !policy.runs_identical_paired()
                && *identical
                    .entry(benchmark.harness)
                    .or_insert_with(|| are_identical(&executable.path, &now.path));
            let changed = changed(executable);
            let (spec, executable) = (&before.spec, Some(BaselineExecutable::Build(executable)));
            Baseline::Known(KnownBenchmark { spec, measurement: None, identical, executable, changed })
        }
        // It may or may not be new.
        None => match other.unlisted_executable(benchmark) {
            Some(executable) => Baseline::Unlisted(Arc::clone(&executable.error)),
            None => Baseline::NewBenchmark,
        },
    };
    suite.benchmarks.iter().map(baseline).collect()
}

/// Returns whether two executables have the same bytes and contain all of their code.
fn are_identical(one: &Path, other: &Path) -> bool {
    let bytes = |path| fs::read(path).ok();
    bytes(one).is_some_and(|bytes_of_one| Some(bytes_of_one) == bytes(other)) && !loads_own_libraries(one)
}
