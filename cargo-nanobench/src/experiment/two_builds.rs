//! Two builds side by side. Nothing is stored, and no stored figures are needed.

use super::baseline::{Baseline, BaselineExecutable, KnownBenchmark};
use super::row::Row;
use super::rows::Observer;
use super::suite::{Benchmark, Suite};
use super::suite_runner::SuiteRunner;
use crate::benchmark_id::BenchmarkId;
use crate::code::loads_own_libraries;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Measures the benchmarks of `suite` side by side with the benchmarks of the same ids in `other`.
/// Returns fewer rows than benchmarks after Ctrl-C.
pub(crate) fn run_two_builds(
    runner: &SuiteRunner,
    suite: &mut Suite,
    other: &mut Suite,
    observer: &mut dyn Observer,
) -> Vec<Row> {
    other.end_sessions();
    // Each pair of executables is read once.
    let mut identical: HashMap<usize, bool> = HashMap::new();
    let others: HashMap<&BenchmarkId, &Benchmark> =
        other.benchmarks.iter().map(|benchmark| (&benchmark.id, benchmark)).collect();
    let baseline = |benchmark: &Benchmark| match others.get(&benchmark.id) {
        Some(before) => {
            let executable = &other.harnesses[before.harness].executable;
            let now = &suite.harnesses[benchmark.harness].executable;
            let identical = !runner.policy.runs_identical_paired()
                && *identical
                    .entry(benchmark.harness)
                    .or_insert_with(|| are_identical(&executable.path, &now.path));
            let (spec, executable) = (&before.spec, Some(BaselineExecutable::Build(executable)));
            Baseline::Known(KnownBenchmark { spec, measurement: None, identical, executable })
        }
        // It may or may not be new.
        None => match other.unlisted_executable(benchmark) {
            Some(executable) => Baseline::Unlisted(Arc::clone(&executable.error)),
            None => Baseline::NewBenchmark,
        },
    };
    let baselines = suite.benchmarks.iter().map(baseline).collect();
    runner.run(suite, baselines, observer)
}

/// Returns whether two executables have the same bytes and contain all of their code.
fn are_identical(one: &Path, other: &Path) -> bool {
    let bytes = |path| fs::read(path).ok();
    bytes(one).is_some_and(|bytes_of_one| Some(bytes_of_one) == bytes(other)) && !loads_own_libraries(one)
}
