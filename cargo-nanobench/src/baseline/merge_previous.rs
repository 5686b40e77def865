//! What a last run keeps of the one before: the figures of benchmarks that weren't run, so that a filter doesn't make
//! the others new. Each keeps the executable that it was measured with, and the time at which it was.

use super::format::{FileName, RunInfo};
use super::stage::share;
use super::{Baseline, Executable, LoadedBaseline, StoredBenchmark};
use crate::benchmark_id::BenchmarkId;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// At most this many executables are carried, the newest. A benchmark that loses its own keeps its figures. Without a limit,
/// each build that was tried with a filter could stay for as long as one benchmark isn't run again.
const MAX_CARRIED_EXECUTABLES: usize = 8;

/// What is carried if nothing takes its place.
#[derive(Debug, Default)]
pub(super) struct Carried {
    sittings: Vec<RunInfo>,
    /// They name the executables and sittings as these are here.
    benchmarks: Vec<StoredBenchmark>,
    executables: Vec<Executable>,
    /// All names of executables that are in use, also of those that aren't kept.
    names: HashSet<FileName>,
}

impl Carried {
    /// Of the benchmarks of `before` those that are `wanted`, with their executables put into `folder` beside those of the
    /// new run. An executable that can't be kept is no reason not to run.
    pub(super) fn ready(
        before: &LoadedBaseline,
        wanted: impl Fn(&StoredBenchmark) -> bool,
        new: &[Executable],
        folder: &Path,
    ) -> Carried {
        let names = new.iter().map(|executable| executable.file.clone()).collect();
        let mut carried = Carried { names, ..Carried::default() };
        let mut wanted: Vec<&StoredBenchmark> =
            before.baseline.benchmarks.iter().filter(|benchmark| wanted(benchmark)).collect();
        wanted.sort_by_key(|benchmark| Reverse(before.baseline.measured_at(benchmark)));
        let mut names = HashMap::new();
        for benchmark in wanted {
            let executable = names
                .entry(&benchmark.executable)
                .or_insert_with(|| carried.executable(before, &benchmark.executable, new, folder))
                .clone();
            let sitting = Some(carried.sitting(before, benchmark));
            carried.benchmarks.push(StoredBenchmark { executable, sitting, ..benchmark.clone() });
        }
        carried
    }

    pub(super) fn is_empty(&self) -> bool {
        self.benchmarks.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.benchmarks.len()
    }

    /// The run with what is carried, as far as it doesn't have that itself.
    pub(super) fn add_to(self, run: Baseline) -> Baseline {
        let mut whole = run;
        let measured: HashSet<BenchmarkId> = whole.benchmarks.iter().map(StoredBenchmark::id).collect();
        whole
            .benchmarks
            .extend(self.benchmarks.into_iter().filter(|carried| !measured.contains(&carried.id())));
        let used = |executable: &Executable| {
            whole.benchmarks.iter().any(|benchmark| benchmark.executable == executable.file)
        };
        whole.executables.extend(self.executables.into_iter().filter(used));
        whole.sittings = self.sittings;
        whole
    }

    /// The index of the run that a benchmark was measured in.
    fn sitting(&mut self, before: &LoadedBaseline, benchmark: &StoredBenchmark) -> usize {
        let sitting = before.baseline.run_info(benchmark);
        self.sittings.iter().position(|known| *known == sitting).unwrap_or_else(|| {
            self.sittings.push(sitting);
            self.sittings.len() - 1
        })
    }

    /// What an executable of `before` is called now: as that of the new run if it is the same, else by a name that nothing else
    /// has. One that is not kept has such a name, too, and no file.
    fn executable(
        &mut self,
        before: &LoadedBaseline,
        file: &FileName,
        new: &[Executable],
        folder: &Path,
    ) -> FileName {
        let Some(executable) = before.baseline.executables.iter().find(|executable| executable.file == *file)
        else {
            return self.free_name(file);
        };
        let same = new.iter().chain(&self.executables).find(|known| known.hash == executable.hash);
        if let Some(same) = same {
            return same.file.clone();
        }
        let name = self.free_name(file);
        let kept =
            before.stored_executable(executable).filter(|_| self.executables.len() < MAX_CARRIED_EXECUTABLES);
        if kept.is_some_and(|path| share(&path, &folder.join(&name)).is_ok()) {
            self.executables.push(Executable { file: name.clone(), ..executable.clone() });
        }
        name
    }

    /// The same name, with a number before it where another executable has it: cargo calls what it builds by what it is
    /// built from, and not by what is in it.
    fn free_name(&mut self, file: &FileName) -> FileName {
        let numbered = (1..).filter_map(|number: u64| FileName::try_from(format!("{number}-{file}")).ok());
        let mut names = std::iter::once(file.clone()).chain(numbered);
        let name = names.find(|name| !self.names.contains(name)).unwrap_or_else(|| file.clone());
        self.names.insert(name.clone());
        name
    }
}
