//! Records that have results of several runs: the last run keeps those of benchmarks that were not
//! measured again, and the previous run has the latest ones of other code. Each result keeps its
//! executable and its date.

use super::{Executable, RunRecord, StoredBenchmark};
use crate::benchmark_id::BenchmarkId;
use crate::environment::Difference;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// The limit for the number of executables that a record carries, whose code it doesn't have itself.
/// The newest are kept; benchmarks of the other executables keep their figures. Without a limit,
/// each build that was tried with a filter could stay until all its benchmarks run again.
pub(super) const MAX_CARRIED: usize = 8;

impl RunRecord {
    /// Adds the results of `other` for benchmarks that this record lacks, with their executables, of
    /// which it may have codes up to this number in all.
    pub(super) fn carry(&mut self, other: &RunRecord, max_codes: usize) {
        let known: HashSet<BenchmarkId> = self.benchmarks.iter().map(StoredBenchmark::id).collect();
        let is_new = |stored: &&StoredBenchmark| !known.contains(&stored.id());
        let carried: Vec<&StoredBenchmark> = other.benchmarks.iter().filter(is_new).collect();
        let mut newest_first = carried.clone();
        newest_first.sort_by_key(|stored| Reverse(other.measured_at(stored)));
        let mut executables: HashMap<usize, Option<usize>> = HashMap::new();
        for index in newest_first.iter().filter_map(|stored| stored.executable) {
            let carried = || self.carry_executable(&other.executables[index], max_codes);
            executables.entry(index).or_insert_with(carried);
        }
        for stored in carried {
            let run = other.run_info(stored);
            let place = self.earlier_runs.iter().position(|known| *known == run);
            let earlier_run = Some(place.unwrap_or_else(|| {
                self.earlier_runs.push(run);
                self.earlier_runs.len() - 1
            }));
            let executable = stored.executable.and_then(|index| executables[&index]);
            self.benchmarks.push(StoredBenchmark { executable, earlier_run, ..stored.clone() });
        }
    }

    /// Adds an executable, and returns its index here: that of an identical one, if there is one. One
    /// that differs only in its inputs shares the file, and is not counted.
    fn carry_executable(&mut self, carried: &Executable, max_codes: usize) -> Option<usize> {
        let has_changed = carried.outside_files.iter().any(|file| file.changed().is_some());
        let is_identical =
            |known: &Executable| known.has_code_of(carried) && known.has_inputs_of(carried) && !has_changed;
        if let Some(index) = self.executables.iter().position(is_identical) {
            self.executables[index].add_outside_files(&carried.outside_files);
            return Some(index);
        }
        let is_known = self.executables.iter().any(|known| known.has_code_of(carried));
        (is_known || self.number_of_codes() < max_codes).then(|| {
            self.executables.push(carried.clone());
            self.executables.len() - 1
        })
    }

    /// Returns the number of executables of different code.
    pub(super) fn number_of_codes(&self) -> usize {
        let is_first = |(index, executable): &(usize, &Executable)| {
            !self.executables[..*index].iter().any(|known| known.has_code_of(executable))
        };
        self.executables.iter().enumerate().filter(is_first).count()
    }

    /// Returns the previous run once `next` replaces this record as the last run: for each benchmark,
    /// its results of the latest code that differs from that of `next`, or else the present ones.
    /// `earlier` reads the previous run so far, which stays if `None` is returned: the code is the same.
    pub(super) fn before(
        &self,
        next: &RunRecord,
        earlier: impl FnOnce() -> Option<RunRecord>,
    ) -> Option<RunRecord> {
        let new_code: HashMap<BenchmarkId, &Executable> = next
            .benchmarks
            .iter()
            .filter_map(|stored| Some((stored.id(), next.executable_of(stored)?)))
            .collect();
        let has_other_code = |stored: &StoredBenchmark| {
            let now = new_code.get(&stored.id()).copied();
            now.zip(self.executable_of(stored)).is_none_or(|(now, before)| !now.has_code_of(before))
        };
        let changed = self.with_benchmarks(has_other_code);
        if changed.benchmarks.is_empty() {
            return None;
        }
        let max_codes = self.executables.len() + MAX_CARRIED;
        let (executables, earlier_runs) = (Vec::new(), Vec::new());
        let mut previous = RunRecord { executables, earlier_runs, ..self.with_benchmarks(|_| false) };
        previous.carry(&changed, max_codes);
        let places: HashMap<BenchmarkId, usize> =
            self.benchmarks.iter().map(StoredBenchmark::id).zip(0..).collect();
        // Results of both runs may be in one only if they were built and measured alike.
        let is_alike = |earlier: &RunRecord| {
            !self.environment.differences_from(&earlier.environment).iter().any(Difference::rules_out_merging)
        };
        if let Some(earlier) = earlier().filter(is_alike) {
            let exists = |stored: &StoredBenchmark| places.contains_key(&stored.id());
            previous.carry(&earlier.with_benchmarks(exists), max_codes);
        }
        previous.carry(self, max_codes);
        previous.benchmarks.sort_by_cached_key(|stored| places.get(&stored.id()).copied());
        Some(previous)
    }
}
