//! The benchmarks of the built executables, and those of saved runs that are missing among them.

use crate::baseline::StoredBenchmark;
use crate::benchmark_id::{BenchmarkId, FunctionId, TargetId};
use crate::experiment::{Benchmark, Filter, Suite};
use std::collections::{HashMap, HashSet};

/// All benchmarks of the built executables, selected or not.
pub(super) struct AvailableBenchmarks {
    ids: HashSet<BenchmarkId>,
    /// The functions, and whether `--cache` or `--threads` made rows of them.
    functions: HashMap<FunctionId, bool>,
    targets: HashSet<TargetId>,
}

impl AvailableBenchmarks {
    pub(super) fn new(suite: &Suite) -> AvailableBenchmarks {
        let mut functions = HashMap::new();
        for Benchmark { id, .. } in &suite.benchmarks {
            *functions.entry(id.function()).or_default() |= !id.row.conditions.is_default();
        }
        AvailableBenchmarks {
            ids: suite.benchmarks.iter().map(|benchmark| benchmark.id.clone()).collect(),
            functions,
            targets: suite.harnesses.iter().map(|harness| TargetId::from(&harness.executable)).collect(),
        }
    }

    /// Returns whether a benchmark is still there, or would be with the same `--cache` and
    /// `--threads`: other rows of its function take its place.
    pub(super) fn contains(&self, id: &BenchmarkId) -> bool {
        let has_conditions = self.functions.get(&id.function());
        self.ids.contains(id)
            || has_conditions.is_some_and(|&others| others || !id.row.conditions.is_default())
    }

    /// Returns whether a benchmark is gone, though its target was built.
    pub(super) fn has_lost(&self, id: &BenchmarkId) -> bool {
        self.targets.contains(&id.target) && !self.contains(id)
    }

    /// Returns the benchmarks of a saved run that the filter selects and that are gone.
    pub(super) fn missing(&self, filter: &Filter, saved: &[StoredBenchmark]) -> Vec<BenchmarkId> {
        saved
            .iter()
            .map(|stored| (stored.id(), &stored.benchmark))
            .filter(|(id, benchmark)| !benchmark.ignored && self.has_lost(id) && filter.names(id, benchmark))
            .map(|(id, _)| id)
            .collect()
    }
}
