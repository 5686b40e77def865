//! Two builds side by side. Nothing is stored, and no stored figures are needed.

use super::baseline::{Baseline, OtherBuild};
use super::row::Row;
use super::rows::Observer;
use super::suite::{Benchmark, Suite};
use super::suite_runner::SuiteRunner;
use crate::benchmark_id::BenchmarkId;
use crate::cargo::Executable;
use crate::code::loads_own_libraries;
use std::collections::HashMap;
use std::fs;
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
    let mut identical = IdenticalExecutables::default();
    let others: HashMap<&BenchmarkId, &Benchmark> =
        other.benchmarks.iter().map(|benchmark| (&benchmark.id, benchmark)).collect();
    let mut baseline = |benchmark: &Benchmark| match others.get(&benchmark.id) {
        Some(before) => {
            let executable = &other.harnesses[before.harness].executable;
            let now = &suite.harnesses[benchmark.harness].executable;
            let identical = !runner.policy.runs_identical_paired()
                && identical.contains(benchmark.harness, executable, now);
            Baseline::Build(OtherBuild { benchmark: &before.spec, executable, identical })
        }
        // It may or may not be new.
        None => match other.unlisted_executable(benchmark) {
            Some(executable) => Baseline::Unlisted(Arc::clone(&executable.error)),
            None => Baseline::NewBenchmark,
        },
    };
    let baselines: HashMap<BenchmarkId, Baseline<'_>> =
        suite.benchmarks.iter().map(|benchmark| (benchmark.id.clone(), baseline(benchmark))).collect();
    let baseline =
        |benchmark: &Benchmark| baselines.get(&benchmark.id).cloned().unwrap_or(Baseline::NewBenchmark);
    runner.run(suite, baseline, observer)
}

/// The harnesses whose executables contain all of their code and are the same in both builds, byte
/// for byte. Each executable is read once.
#[derive(Default)]
struct IdenticalExecutables(HashMap<usize, bool>);

impl IdenticalExecutables {
    fn contains(&mut self, harness: usize, before: &Executable, now: &Executable) -> bool {
        *self.0.entry(harness).or_insert_with(|| {
            let bytes = |executable: &Executable| fs::read(&executable.path).ok();
            bytes(before).is_some_and(|before| Some(before) == bytes(now))
                && !loads_own_libraries(&before.path)
        })
    }
}
