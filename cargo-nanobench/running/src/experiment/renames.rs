//! Benchmarks that have another name in their baseline.

use super::suite::{Benchmark, Suite};
use crate::benchmark_id::BenchmarkId;
use crate::code::{BenchmarkCode, CodeComparer, CodeMatch};
use nanobench::model::{BenchmarkSpec, RowId};
use nanobench::report::escape;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

/// The names that benchmarks have in their baseline, as far as these are others.
#[derive(Debug, Default)]
pub struct Renames {
    /// The ids in the baseline by the present ones.
    former: HashMap<BenchmarkId, BenchmarkId>,
    /// The present ids of those that only their code tells.
    by_code: HashSet<BenchmarkId>,
}

/// A benchmark on one side, with its executable if its code can be compared.
#[derive(Debug, Clone)]
pub struct NamedBenchmark<'a> {
    pub id: BenchmarkId,
    pub spec: &'a BenchmarkSpec,
    pub executable: Option<&'a Path>,
}

impl Renames {
    /// Finds the benchmarks of `suite` that have another name among those of the baseline: the one that
    /// `was = ".."` names, or else the only one with the same code that `is_gone`.
    pub fn find(
        suite: &Suite,
        before: &[NamedBenchmark<'_>],
        is_gone: impl Fn(&BenchmarkId) -> bool,
    ) -> Renames {
        let now = named(suite);
        let mut renames = Renames::declared(before, &now);
        let known: HashSet<&BenchmarkId> = before.iter().map(|before| &before.id).collect();
        let is_new = |id: &BenchmarkId| !known.contains(id) && !renames.former.contains_key(id);
        let gone = before.iter().filter(|before| is_gone(&before.id) && !renames.explain(&before.id));
        let gone: Vec<&NamedBenchmark<'_>> = gone.collect();
        let mut codes = CodeComparer::new(suite.machine_code.clone());
        let new = now.iter().filter(|now| is_new(&now.id));
        let pairs = new.flat_map(|now| gone.iter().map(move |before| [*before, now]));
        let pairs: Vec<_> =
            pairs.filter(|[before, now]| before.may_be(now) && before.has_code_of(now, &mut codes)).collect();
        for [before, now] in &pairs {
            let shares_side =
                |pair: &&[&NamedBenchmark<'_>; 2]| pair[0].id == before.id || pair[1].id == now.id;
            if pairs.iter().filter(shares_side).count() == 1 {
                renames.former.insert(now.id.clone(), before.id.clone());
                renames.by_code.insert(now.id.clone());
            }
        }
        renames
    }

    /// Finds the benchmarks that the baseline has by the name in their `was = ".."`.
    pub fn declared(before: &[NamedBenchmark<'_>], now: &[NamedBenchmark<'_>]) -> Renames {
        let known: HashSet<&BenchmarkId> = before.iter().map(|before| &before.id).collect();
        let new = now.iter().filter(|now| !known.contains(&now.id));
        let former = new.filter_map(|now| {
            let former = now.id.with_function(now.spec.was.as_ref()?);
            known.contains(&former).then(|| (now.id.clone(), former))
        });
        Renames { former: former.collect(), by_code: HashSet::new() }
    }

    /// Returns the id of a benchmark in the baseline. `None` if it is new: another one had its name.
    pub fn former<'a>(&'a self, id: &'a BenchmarkId) -> Option<&'a BenchmarkId> {
        self.former.get(id).or_else(|| (!self.explain(id)).then_some(id))
    }

    /// Returns whether a benchmark of the baseline has another name now.
    pub fn explain(&self, id: &BenchmarkId) -> bool {
        self.former.values().any(|former| former == id)
    }

    /// Returns a line for each function of the suite whose former name only its code tells.
    pub fn offers(&self, suite: &Suite) -> BTreeSet<String> {
        let ids = suite.benchmarks.iter().map(|benchmark| &benchmark.id);
        let offer = |id: &BenchmarkId| {
            let [now, before] = [id, &self.former[id]].map(|id| escape(&id.row.function));
            format!(
                "`{now}` was `{before}`? Their machine code is equal, so they are compared. To keep that when the \
                 code changes: #[nanobench(was = \"{before}\")]"
            )
        };
        ids.filter(|id| self.by_code.contains(id)).map(offer).collect()
    }
}

impl NamedBenchmark<'_> {
    /// Returns whether a benchmark could be this one with another name: the same case in the same module. Ids
    /// of benchmarks that the program passes may have cases in them.
    fn may_be(&self, other: &NamedBenchmark<'_>) -> bool {
        let ([one, other_row], [target, other_target]) =
            ([&self.id.row, &other.id.row], [&self.id.target, &other.id.target]);
        let is_passed = self.spec.code.is_some() || other.spec.code.is_some();
        !is_passed
            && target == other_target
            && one.modules == other_row.modules
            && one.is_same_case(other_row)
    }

    fn has_code_of(&self, other: &NamedBenchmark<'_>, codes: &mut CodeComparer) -> bool {
        let Some((before, now)) = self.executable.zip(other.executable) else { return false };
        codes.compare(before, now, [self.spec, other.spec].map(code_of)) == CodeMatch::Same
    }
}

/// Returns the benchmarks of a suite.
pub fn named(suite: &Suite) -> Vec<NamedBenchmark<'_>> {
    let named = suite.benchmarks.iter().map(|Benchmark { id, harness, spec, .. }| {
        let executable = Some(&*suite.harnesses[*harness].executable.path);
        NamedBenchmark { id: id.clone(), spec, executable }
    });
    named.collect()
}

/// Returns the code of a benchmark.
pub(crate) fn code_of(spec: &BenchmarkSpec) -> BenchmarkCode {
    spec.code.map_or_else(|| BenchmarkCode::Function(rust_path(spec)), BenchmarkCode::Passed)
}

/// Returns the path of the Rust function below the crate's root, whatever name is shown instead.
pub(crate) fn rust_path(spec: &BenchmarkSpec) -> String {
    let function = spec.rust_name.as_ref().unwrap_or(&spec.id.function).clone();
    RowId { modules: spec.id.modules.clone(), function, ..RowId::default() }.to_string()
}
