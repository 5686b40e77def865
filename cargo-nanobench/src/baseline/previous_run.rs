//! The previous run, `last~1`: the results that the last run replaced, for each benchmark the
//! latest ones of other code. So it stays what it is while runs of the same code follow, and `why`
//! can explain the changes that a plain run has found.

use super::merge_previous::{CarriedResults, MAX_CARRIED_EXECUTABLES};
use super::{Baseline, BaselineRef, Error, Executable, LoadedBaseline, LockedStore, StoredBenchmark};
use crate::benchmark_id::BenchmarkId;
use crate::environment::Difference;
use std::collections::HashMap;

impl LockedStore<'_> {
    /// Keeps the results of the last run whose code differs from that of `next`, the run that is
    /// about to replace it. The other benchmarks keep their present results in the previous run.
    /// `last` is the last run, if it was read before.
    pub(super) fn keep_previous_run(
        &self,
        last: Option<&LoadedBaseline>,
        next: &Baseline,
    ) -> Result<(), Error> {
        let read = if last.is_none() { self.store.last()? } else { None };
        let Some(last) = last.or(read.as_ref()) else { return Ok(()) };
        let executables = executables(next);
        let has_other_code = |stored: &StoredBenchmark| {
            let [now, before] = [executables.get(&stored.id()).copied(), last.baseline.executable_of(stored)];
            now.zip(before).is_none_or(|(now, before)| !now.has_code_of(before))
        };
        if !last.baseline.benchmarks.iter().any(has_other_code) {
            return Ok(());
        }
        let folder = self.staging_folder(&BaselineRef::BeforeLast)?;
        let mut results = CarriedResults::new(last.baseline.executables.len() + MAX_CARRIED_EXECUTABLES);
        results.add(last, has_other_code, &[], &folder.executables());
        let earlier = self.store.load(&BaselineRef::BeforeLast).ok();
        if let Some(earlier) = earlier.filter(|earlier| may_be_mixed(last, earlier)) {
            let exists = |stored: &StoredBenchmark| last.benchmark(&stored.id()).is_some();
            results.add(&earlier, exists, &[], &folder.executables());
        }
        results.add(last, |_| true, &[], &folder.executables());
        let mut run = last.baseline.without_benchmarks();
        run.executables.clear();
        let mut previous = results.merge_into(run);
        let ids = last.baseline.benchmarks.iter().map(StoredBenchmark::id);
        let places: HashMap<BenchmarkId, usize> = ids.zip(0..).collect();
        previous.benchmarks.sort_by_cached_key(|stored| places.get(&stored.id()).copied());
        Ok(folder.save(&previous, self, None)?)
    }
}

/// Returns whether results of both runs may be in one, as they were built and measured alike.
fn may_be_mixed(last: &LoadedBaseline, earlier: &LoadedBaseline) -> bool {
    let differences = last.baseline.environment.differences_from(&earlier.baseline.environment);
    !differences.iter().any(Difference::rules_out_merging)
}

/// Returns the executables of a run's benchmarks.
fn executables(run: &Baseline) -> HashMap<BenchmarkId, &Executable> {
    let executable = |stored: &StoredBenchmark| Some((stored.id(), run.executable_of(stored)?));
    run.benchmarks.iter().filter_map(executable).collect()
}
