//! The code of benchmarks, compared with that of their baselines.

use super::baseline::{Baseline, BaselineExecutable, ChangedSurroundings, KnownBenchmark};
use super::policy::InputFiles;
use super::suite::{Benchmark, Harness};
use crate::code::{
    Access, ChangedFunction, CodeComparer, CodeMatch, Exception, IS_MACHINE_CODE_COMPARED, loads_any_of,
    loads_own_libraries, loads_same_libraries,
};
use crate::warnings::warn;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The code of a benchmark compared with that of its baseline.
#[derive(Debug)]
pub(super) struct ComparedCode {
    pub(super) code: CodeMatch,
    /// The functions that differ, the nearest first.
    pub(super) changed_functions: Vec<ChangedFunction>,
}

impl Default for ComparedCode {
    fn default() -> ComparedCode {
        CodeMatch::Unknown.into()
    }
}

impl From<CodeMatch> for ComparedCode {
    fn from(code: CodeMatch) -> ComparedCode {
        ComparedCode { code, changed_functions: Vec::new() }
    }
}

/// Compares the code of benchmarks with that of their baselines. It keeps what it has read.
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
    pub(super) fn new(input_files: InputFiles) -> BaselineCode {
        BaselineCode {
            input_files,
            comparer: CodeComparer::default(),
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

    /// Decides if what has changed outside of the baseline's executable matters to a benchmark. If
    /// it does, its code is not the same.
    pub(super) fn with_surroundings<'a>(
        &mut self,
        baseline: Baseline<'a>,
        benchmark: &Benchmark,
    ) -> Baseline<'a> {
        let Baseline::Known(known) = baseline else { return baseline };
        let ChangedSurroundings { files_to_run, files_to_read, tracked_files, variables, variables_of_all } =
            known.changed;
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
        if !matches!(code, CodeMatch::Differs(_)) {
            return code.into();
        }
        let candidate = &harnesses[benchmark.harness].executable.path;
        let changed = self.comparer.explain(baseline, candidate, &benchmark.rust_path());
        ComparedCode { code, changed_functions: changed.unwrap_or_default() }
    }

    fn compare_function(&mut self, [baseline, candidate]: [&Path; 2], function: &str) -> CodeMatch {
        match self.comparer.compare(baseline, candidate, function) {
            // Code in libraries was not compared.
            CodeMatch::Same if self.has_other_libraries([baseline, candidate]) => {
                CodeMatch::SameExcept(Exception::Libraries)
            }
            CodeMatch::Same
                if self.input_files == InputFiles::MayDiffer && self.may_use_files(candidate, function) =>
            {
                CodeMatch::SameExcept(Exception::Files)
            }
            code => code,
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
