//! The code of benchmarks, compared with that of their baselines.

use super::baseline::{Baseline, BaselineExecutable, ChangedSurroundings, KnownBenchmark};
use super::policy::InputFiles;
use super::suite::{Benchmark, Harness};
use crate::code::{
    Access, ChangedFunction, CodeComparer, CodeMatch, Exception, IS_MACHINE_CODE_COMPARED, KnownExecutables,
    loads_any_of, loads_own_libraries, loads_same_libraries,
};
use crate::warnings::warn;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// The code of a benchmark compared with that of its baseline.
#[derive(Debug)]
pub(super) struct ComparedCode {
    pub(super) code: CodeMatch,
    /// The functions that differ, the nearest first.
    pub(super) changed_functions: Vec<ChangedFunction>,
    /// Both executables are the same, byte for byte.
    pub(super) are_identical: bool,
}

impl Default for ComparedCode {
    fn default() -> ComparedCode {
        CodeMatch::Unknown.into()
    }
}

impl From<CodeMatch> for ComparedCode {
    fn from(code: CodeMatch) -> ComparedCode {
        ComparedCode { code, changed_functions: Vec::new(), are_identical: false }
    }
}

/// Compares the code of benchmarks with that of their baselines. It keeps what it has compared.
#[derive(Debug)]
pub(super) struct BaselineCode {
    input_files: InputFiles,
    comparer: CodeComparer,
    /// The results of functions, by both executables and the path of the function: all rows of a
    /// function have the same code.
    known: HashMap<([PathBuf; 2], String), CodeMatch>,
    /// True for pairs of executables that load libraries of their own, or different ones.
    has_other_libraries: HashMap<[PathBuf; 2], bool>,
}

impl BaselineCode {
    pub(super) fn new(input_files: InputFiles, executables: KnownExecutables) -> BaselineCode {
        BaselineCode {
            input_files,
            comparer: CodeComparer::new(executables),
            known: HashMap::new(),
            has_other_libraries: HashMap::new(),
        }
    }

    /// Compares the code of a benchmark in the executable of its baseline with that in the new one.
    pub(super) fn compare(
        &mut self,
        baseline: &Path,
        benchmark: &Benchmark,
        harnesses: &[Harness],
    ) -> CodeMatch {
        let candidate = &harnesses[benchmark.harness].executable.path;
        let key = ([baseline.to_owned(), candidate.clone()], benchmark.rust_path());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let code = self.compare_function([baseline, candidate], &key.1);
        self.known.insert(key, code.clone());
        code
    }

    /// Returns whether two executables are the same, byte for byte.
    pub(super) fn are_identical(&mut self, [baseline, candidate]: [&Path; 2]) -> bool {
        self.comparer.are_identical(baseline, candidate)
    }

    /// Returns the function that differs in a layout from its executable, of those that the benchmarks
    /// at these paths lead to.
    pub(super) fn difference_of_layout(
        &mut self,
        executable: &Path,
        layout: &Path,
        functions: &BTreeSet<String>,
    ) -> Option<String> {
        self.comparer.difference_of_layout(executable, layout, functions.iter().map(String::as_str))
    }

    /// Decides if what has changed outside of the baseline's executable matters to a benchmark. If
    /// it does, its code is not the same.
    pub(super) fn with_surroundings<'a>(
        &mut self,
        baseline: Baseline<'a>,
        benchmark: &Benchmark,
    ) -> Baseline<'a> {
        let Baseline::Known(known) = baseline else { return baseline };
        let ChangedSurroundings {
            files_to_run,
            packages,
            files_to_read,
            tracked_files,
            variables,
            variables_of_all,
        } = known.changed;
        if known.changed.is_empty() {
            return baseline;
        }
        let executable = known.executable.map(BaselineExecutable::path);
        let access =
            executable.map_or(Access::UNKNOWN, |path| self.comparer.access(path, &benchmark.rust_path()));
        let names: Vec<&Path> =
            files_to_run.iter().filter_map(|file| file.file_name()).map(Path::new).collect();
        let loads_files = executable.is_some_and(|path| loads_any_of(path, &names));
        let may_read_files = access.reads_files || access.runs_files;
        // Elsewhere, nobody knows if a benchmark reads any.
        let may_read_any = may_read_files && (IS_MACHINE_CODE_COMPARED || known.identical);
        let changed = ChangedSurroundings {
            files_to_run: if access.runs_files || loads_files { files_to_run } else { &[] },
            packages,
            files_to_read: if may_read_files { files_to_read } else { &[] },
            tracked_files: if may_read_any { tracked_files } else { &[] },
            variables: if access.reads_variables { variables } else { &[] },
            variables_of_all,
        };
        let identical = known.identical && changed.is_empty();
        Baseline::Known(KnownBenchmark { identical, changed, ..known })
    }

    /// Compares the code of a benchmark as [`BaselineCode::compare`] does, and finds the functions
    /// that differ.
    pub(super) fn explain(
        &mut self,
        baseline: &Path,
        benchmark: &Benchmark,
        harnesses: &[Harness],
    ) -> ComparedCode {
        let code = self.compare(baseline, benchmark, harnesses);
        if !IS_MACHINE_CODE_COMPARED {
            warn(
                "machine code is not compared on this system: a change may be due to the places of \
                functions, not to their code",
            );
        }
        let candidate = &harnesses[benchmark.harness].executable.path;
        let changed_functions = match code {
            CodeMatch::Differs(_) => self.comparer.explain(baseline, candidate, &benchmark.rust_path()),
            _ => None,
        };
        ComparedCode {
            code,
            changed_functions: changed_functions.unwrap_or_default(),
            are_identical: self.comparer.are_identical(baseline, candidate),
        }
    }

    fn compare_function(&mut self, executables: [&Path; 2], function: &str) -> CodeMatch {
        let exception = self.exception(executables, function);
        // The code of identical files is the same, also where its references can't be followed.
        if exception.is_none() && self.are_identical(executables) {
            return CodeMatch::Same;
        }
        let [baseline, candidate] = executables;
        match (self.comparer.compare(baseline, candidate, function), exception) {
            (CodeMatch::Same, Some(exception)) => CodeMatch::SameExcept(exception),
            (code, _) => code,
        }
    }

    /// Returns what may differ although the code in the executables is the same.
    fn exception(&mut self, executables: [&Path; 2], function: &str) -> Option<Exception> {
        let [_, candidate] = executables;
        // Code in libraries was not compared.
        if self.has_other_libraries(executables) {
            Some(Exception::Libraries)
        } else if self.input_files == InputFiles::MayDiffer && self.may_use_files(candidate, function) {
            Some(Exception::Files)
        } else {
            None
        }
    }

    fn may_use_files(&mut self, executable: &Path, function: &str) -> bool {
        let access = self.comparer.access(executable, function);
        access.reads_files || access.runs_files
    }

    fn has_other_libraries(&mut self, executables: [&Path; 2]) -> bool {
        let known = self.has_other_libraries.entry(executables.map(Path::to_owned));
        *known.or_insert_with(|| {
            executables.into_iter().any(loads_own_libraries) || !loads_same_libraries(executables)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_that_cannot_be_followed_is_the_same_in_identical_executables() {
        let bytes = include_bytes!("../../../tests/fuzz/corpus/code/benchmark").as_slice();
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        };
        let [base, copy] = ["base", "copy"].map(|name| file(name, bytes));
        let other = file("other", &[bytes, b"."].concat());
        let compare = |other: &Path, files: InputFiles, function: &str| {
            BaselineCode::new(files, KnownExecutables::default()).compare_function([&base, other], function)
        };
        assert_eq!(compare(&other, InputFiles::Same, "f"), CodeMatch::Same);
        assert_eq!(compare(&other, InputFiles::Same, "unknown"), CodeMatch::Unknown);
        assert_eq!(compare(&copy, InputFiles::Same, "unknown"), CodeMatch::Same);
        assert_eq!(compare(&copy, InputFiles::MayDiffer, "unknown"), CodeMatch::Unknown, "it may read any");
    }
}
