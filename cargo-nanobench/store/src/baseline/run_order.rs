//! The order of stored results: that of a run of all targets, whatever this run measured, and
//! however its table is sorted.

use super::StoredBenchmark;
use crate::benchmark_id::{BenchmarkId, FunctionId, TargetId};
use crate::cargo::Kind;
use std::collections::HashMap;

/// The places of benchmarks in a run of all targets.
#[derive(Debug, Default)]
pub struct RunOrder {
    /// The packages, in the order in which they run.
    packages: Vec<String>,
    /// The places of the benchmarks of the executables that were built.
    benchmarks: HashMap<BenchmarkId, usize>,
    /// The place of the last row of each case.
    cases: HashMap<BenchmarkId, usize>,
    /// The place of the last row of each function.
    functions: HashMap<FunctionId, usize>,
}

/// The place of a result. The fields are in the order in which they matter.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    package: usize,
    kind: Kind,
    target: String,
    row: usize,
    /// It isn't that row, but one of the same case or function.
    is_behind: bool,
}

impl RunOrder {
    /// Returns the order of a workspace's packages, and of all benchmarks of the executables that
    /// were built.
    pub fn new<'b>(packages: Vec<String>, benchmarks: impl IntoIterator<Item = &'b BenchmarkId>) -> RunOrder {
        let mut order = RunOrder { packages, ..RunOrder::default() };
        for (place, id) in benchmarks.into_iter().enumerate() {
            order.benchmarks.insert(id.clone(), place);
            order.cases.insert(id.without_conditions(), place);
            order.functions.insert(id.function(), place);
        }
        order
    }

    /// Sorts results. Those of an executable that wasn't built keep their order.
    pub(super) fn sort(&self, results: &mut [StoredBenchmark]) {
        results.sort_by_cached_key(|stored| self.place(&stored.id()));
    }

    fn place(&self, id: &BenchmarkId) -> Place {
        let TargetId { package, kind, name } = &id.target;
        let package = self.packages.iter().position(|known| known == package);
        let own = self.benchmarks.get(id);
        // Other runs may have rows under other conditions.
        let of_case = || self.cases.get(&id.without_conditions());
        let of_function = || self.functions.get(&id.function());
        Place {
            package: package.unwrap_or(usize::MAX),
            kind: *kind,
            target: name.clone(),
            row: own.or_else(of_case).or_else(of_function).copied().unwrap_or(usize::MAX),
            is_behind: own.is_none(),
        }
    }
}
