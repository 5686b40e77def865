//! The code of benchmarks, compared with that of their baselines.

use super::baseline::{Baseline, BaselineExecutable, KnownBenchmark};
use super::renames::code_of;
use super::suite::{Benchmark, Harness};
use crate::code::{
    Access, BenchmarkCode, ChangedFunction, CodeComparer, CodeMatch, Exception, IS_MACHINE_CODE_COMPARED,
    KnownExecutables,
};
use crate::warnings::warn;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The code of a benchmark compared with that of its baseline.
#[derive(Debug, Default)]
pub(super) struct ComparedCode {
    pub(super) code: CodeMatch,
    /// The functions that differ, the nearest first.
    pub(super) changed_functions: Vec<ChangedFunction>,
    /// Both executables are the same, byte for byte.
    pub(super) are_identical: bool,
}

/// Compares the code of benchmarks with that of their baselines. It keeps what it has compared.
#[derive(Debug)]
pub(super) struct BaselineCode {
    pub(super) comparer: CodeComparer,
    /// The results: all rows of a function have the same code.
    known: HashMap<CodePair, CodeMatch>,
    /// What differs although the code may be the same.
    exceptions: HashMap<CodePair, Exception>,
}

/// Both executables, and the code of a benchmark in them.
type CodePair = ([PathBuf; 2], [BenchmarkCode; 2]);

impl BaselineCode {
    pub(super) fn new(executables: KnownExecutables) -> BaselineCode {
        BaselineCode {
            comparer: CodeComparer::new(executables),
            known: HashMap::new(),
            exceptions: HashMap::new(),
        }
    }

    /// Compares the code of a benchmark in the executable of its baseline with that in the new one.
    pub(super) fn compare(
        &mut self,
        known: &KnownBenchmark<'_>,
        benchmark: &Benchmark,
        harnesses: &[Harness],
    ) -> CodeMatch {
        let Some(key) = code_pair(known, benchmark, harnesses) else { return CodeMatch::Unknown };
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let code = self.compare_pair(&key);
        self.known.insert(key, code.clone());
        code
    }

    /// Leaves those premises that matter to a benchmark, by what its code can get at. `is_requested`: the
    /// benchmark may be spared its run, so what is unknown matters, too.
    pub(super) fn with_premises<'a>(
        &mut self,
        baseline: Baseline<'a>,
        benchmark: &Benchmark,
        harnesses: &[Harness],
        is_requested: bool,
    ) -> Baseline<'a> {
        let Baseline::Known(known) = baseline else { return baseline };
        if !known.premises.may_differ(is_requested) {
            return baseline;
        }
        let path = known.executable.map(BaselineExecutable::path);
        let access = path.map_or(Access::UNKNOWN, |path| self.comparer.access(path, code_of(known.spec)));
        let premises = known.premises.of(access);
        let pair = code_pair(&known, benchmark, harnesses);
        self.exceptions.extend(pair.zip(premises.exception()));
        let identical = known.identical && premises.are_equal();
        Baseline::Known(KnownBenchmark { identical, premises, ..known })
    }

    /// Compares the code of a benchmark as [`BaselineCode::compare`] does, and finds the functions
    /// that differ.
    pub(super) fn explain(
        &mut self,
        known: &KnownBenchmark<'_>,
        benchmark: &Benchmark,
        harnesses: &[Harness],
    ) -> ComparedCode {
        let code = self.compare(known, benchmark, harnesses);
        if !IS_MACHINE_CODE_COMPARED {
            warn(
                "machine code is not compared on this system: a change may be due to the places of \
                functions, not to their code",
            );
        }
        let Some(([baseline, candidate], codes)) = code_pair(known, benchmark, harnesses) else {
            return ComparedCode { code, ..ComparedCode::default() };
        };
        let changed_functions = match code {
            CodeMatch::Differs(_) => self.comparer.explain(&baseline, &candidate, codes.each_ref()),
            _ => None,
        };
        ComparedCode {
            code,
            changed_functions: changed_functions.unwrap_or_default(),
            are_identical: self.comparer.are_identical(&baseline, &candidate),
        }
    }

    fn compare_pair(&mut self, pair: &CodePair) -> CodeMatch {
        let exception = self.exceptions.get(pair).copied();
        let ([baseline, candidate], codes) = pair;
        // The code of identical files is the same, also where its references can't be followed.
        let code = match self.comparer.are_identical(baseline, candidate) {
            true => CodeMatch::Same,
            false => self.comparer.compare(baseline, candidate, codes.each_ref()),
        };
        match (code, exception) {
            (CodeMatch::Same, Some(exception)) => CodeMatch::SameExcept(exception),
            (code, _) => code,
        }
    }
}

/// Returns the code of a benchmark on both sides, if the baseline has an executable.
fn code_pair(known: &KnownBenchmark<'_>, benchmark: &Benchmark, harnesses: &[Harness]) -> Option<CodePair> {
    let candidate = &harnesses[benchmark.harness].executable.path;
    let executables = [known.executable?.path(), candidate].map(Path::to_owned);
    Some((executables, [known.spec, &benchmark.spec].map(code_of)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_that_cannot_be_followed_is_the_same_in_identical_executables() {
        let bytes = include_bytes!("../../../../tests/fuzz/corpus/code/benchmark").as_slice();
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        };
        let [base, copy] = ["base", "copy"].map(|name| file(name, bytes));
        let mut of_other_loader = bytes.to_vec();
        of_other_loader[memchr::memmem::find(bytes, b"ld-linux").unwrap()] = b'L';
        let other = file("other", &of_other_loader);
        let mut codes = BaselineCode::new(KnownExecutables::default());
        let pair = |other: &Path, function: &str| {
            ([base.clone(), other.to_owned()], [function, function].map(BenchmarkCode::from))
        };
        assert_eq!(codes.compare_pair(&pair(&other, "f")), CodeMatch::Same);
        assert_eq!(codes.compare_pair(&pair(&other, "unknown")), CodeMatch::Unknown);
        assert_eq!(codes.compare_pair(&pair(&copy, "unknown")), CodeMatch::Same);
        let with_notes = file("with_notes", &[bytes, b"."].concat());
        assert_eq!(codes.compare_pair(&pair(&with_notes, "unknown")), CodeMatch::Same, "nothing loads it");
        codes.exceptions.insert(pair(&copy, "unknown"), Exception::Files);
        let except = CodeMatch::SameExcept(Exception::Files);
        assert_eq!(codes.compare_pair(&pair(&copy, "unknown")), except, "it may read any");
    }
}
