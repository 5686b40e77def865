//! The results that a last run keeps from the previous one, for benchmarks that were not run.
//! Otherwise, a filter would make all other benchmarks new in the next run. Each keeps its
//! executable and its date.

use super::format::{FileName, RunInfo};
use super::outside_files::OutsideFile;
use super::{Baseline, Executable, LoadedBaseline, StoredBenchmark, layout, libraries, link_inputs};
use crate::benchmark_id::BenchmarkId;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// The limit for the number of executables that a last run carries. The newest are kept; benchmarks
/// of the other executables keep their figures. Without a limit, each build that was tried with a
/// filter could stay until all its benchmarks run again.
pub(super) const MAX_CARRIED_EXECUTABLES: usize = 8;

/// Results of the previous run, kept unless they are measured again.
#[derive(Debug)]
pub(super) struct CarriedResults {
    /// The limit for the number of executables.
    max_executables: usize,
    runs: Vec<RunInfo>,
    /// The kept results. They refer to the executables and runs in this value.
    benchmarks: Vec<StoredBenchmark>,
    executables: Vec<Executable>,
    /// The outside files of the executables that were identical with another one, whose name is kept.
    outside_files: Vec<(FileName, Vec<OutsideFile>)>,
    /// The names of all executables, including those that are not kept.
    names: HashSet<FileName>,
    /// The previous run had all benchmarks.
    pub(super) is_complete: bool,
}

impl CarriedResults {
    /// Returns no results. They may keep this number of executables.
    pub(super) fn new(max_executables: usize) -> Self {
        CarriedResults {
            max_executables,
            runs: Vec::new(),
            benchmarks: Vec::new(),
            executables: Vec::new(),
            outside_files: Vec::new(),
            names: HashSet::new(),
            is_complete: false,
        }
    }

    /// Adds the benchmarks of `previous` that pass the filter and are not kept already, and stores
    /// their executables in `folder`, together with the `new` ones. An executable that can't be
    /// stored is no reason not to run.
    pub(super) fn add(
        &mut self,
        previous: &LoadedBaseline,
        filter: impl Fn(&StoredBenchmark) -> bool,
        new: &[Executable],
        folder: &Path,
    ) {
        self.names.extend(new.iter().map(|executable| executable.file.clone()));
        let known: HashSet<BenchmarkId> = self.benchmarks.iter().map(StoredBenchmark::id).collect();
        let benchmarks = previous.baseline.benchmarks.iter();
        let benchmarks: Vec<&StoredBenchmark> =
            benchmarks.filter(|benchmark| filter(benchmark) && !known.contains(&benchmark.id())).collect();
        let mut newest_first = benchmarks.clone();
        newest_first.sort_by_key(|benchmark| Reverse(previous.baseline.measured_at(benchmark)));
        let mut names = HashMap::new();
        for StoredBenchmark { executable, .. } in newest_first {
            names.entry(executable).or_insert_with(|| self.add_executable(previous, executable, new, folder));
        }
        for benchmark in benchmarks {
            let executable = names[&benchmark.executable].clone();
            let earlier_run = Some(self.add_run(previous.baseline.run_info(benchmark)));
            self.benchmarks.push(StoredBenchmark { executable, earlier_run, ..benchmark.clone() });
        }
    }

    pub(super) fn len(&self) -> usize {
        self.benchmarks.len()
    }

    /// Adds to a run the benchmarks that it has not measured, in the order in which they were kept,
    /// and their executables.
    pub(super) fn merge_into(self, mut run: Baseline) -> Baseline {
        let measured: HashSet<BenchmarkId> = run.benchmarks.iter().map(StoredBenchmark::id).collect();
        let carried = self.benchmarks.into_iter().filter(|benchmark| !measured.contains(&benchmark.id()));
        run.benchmarks.extend(carried);
        let is_used = |executable: &Executable| {
            run.benchmarks.iter().any(|benchmark| benchmark.executable == executable.file)
        };
        run.executables.extend(self.executables.into_iter().filter(is_used));
        for (name, files) in self.outside_files {
            let executable = run.executables.iter_mut().find(|executable| executable.file == name);
            executable.into_iter().for_each(|executable| executable.add_outside_files(&files));
        }
        run.earlier_runs = self.runs;
        run.is_partial &= !self.is_complete;
        run
    }

    /// Returns the index of a run, which is added if it is new.
    fn add_run(&mut self, run: RunInfo) -> usize {
        self.runs.iter().position(|known| *known == run).unwrap_or_else(|| {
            self.runs.push(run);
            self.runs.len() - 1
        })
    }

    /// Stores an executable of `previous` and returns its new name. That is the name of an
    /// identical new executable, or else an unused one. An executable that is not stored has such a
    /// name, too. One that differs only in its inputs shares the file, and is not counted.
    fn add_executable(
        &mut self,
        previous: &LoadedBaseline,
        file: &FileName,
        new: &[Executable],
        folder: &Path,
    ) -> FileName {
        let mut executables = previous.baseline.executables.iter();
        let Some(executable) = executables.find(|executable| executable.file == *file) else {
            return self.unused_name(file);
        };
        let has_changed = executable.outside_files.iter().any(|file| file.changed().is_some());
        let is_identical = |known: &&Executable| {
            known.has_code_of(executable) && known.has_inputs_of(executable) && !has_changed
        };
        let identical = new.iter().chain(&self.executables).find(is_identical);
        if let Some(identical) = identical {
            self.outside_files.push((identical.file.clone(), executable.outside_files.clone()));
            return identical.file.clone();
        }
        let has_code = |known: &&Executable| known.has_code_of(executable);
        let same_code =
            new.iter().chain(&self.executables).find(has_code).map(|known| folder.join(&known.file));
        let has_room = || self.carried_codes() < self.max_executables;
        let stored = same_code.or_else(|| previous.stored_executable(executable).filter(|_| has_room()));
        let name = self.unused_name(file);
        let copy = folder.join(&name);
        let is_copied = |path: PathBuf| {
            layout::link_or_copy(&path, &copy).is_ok()
                && libraries::share(&executable.libraries, &path, &copy).is_ok()
        };
        if stored.clone().is_some_and(is_copied) {
            stored.iter().for_each(|path| link_inputs::share(path, &copy));
            self.executables.push(Executable { file: name.clone(), ..executable.clone() });
        }
        name
    }

    /// Returns the number of executables of different code. Others share their files.
    fn carried_codes(&self) -> usize {
        let is_first = |(index, executable): &(usize, &Executable)| {
            !self.executables[..*index].iter().any(|known| known.has_code_of(executable))
        };
        self.executables.iter().enumerate().filter(is_first).count()
    }

    /// Returns the file's name, with a number before it if another executable has the name: cargo
    /// names executables by their origin, not by their content.
    fn unused_name(&mut self, file: &FileName) -> FileName {
        let numbered = (1..).filter_map(|number: u64| FileName::try_from(format!("{number}-{file}")).ok());
        let mut names = std::iter::once(file.clone()).chain(numbered);
        let name = names.find(|name| !self.names.contains(name)).unwrap_or_else(|| file.clone());
        self.names.insert(name.clone());
        name
    }
}
