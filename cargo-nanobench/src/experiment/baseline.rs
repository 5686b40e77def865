//! The baseline of a benchmark during a run.

use super::stored::Stored;
use crate::cargo::Executable;
use crate::session::RequestError;
use nanobench::model::BenchmarkSpec;
use std::path::Path;
use std::sync::Arc;

/// The baseline of a benchmark.
#[derive(Debug, Clone)]
pub(crate) enum Baseline<'a> {
    /// The run has no baseline.
    Absent,
    /// The baseline lacks the benchmark.
    NewBenchmark,
    /// The executable that should hold the benchmark failed before it listed its benchmarks.
    Unlisted(Arc<RequestError>),
    /// The benchmark in an earlier run.
    Stored(Stored<'a>),
    /// The benchmark in another build, which has no figures yet.
    Build(OtherBuild<'a>),
}

/// A benchmark in another build.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OtherBuild<'a> {
    pub(crate) benchmark: &'a BenchmarkSpec,
    pub(crate) executable: &'a Executable,
    /// Both executables have the same bytes and load no libraries of the workspace.
    pub(crate) identical: bool,
}

/// The executable of a baseline.
#[derive(Debug, Clone, Copy)]
pub(super) enum BaselineExecutable<'a> {
    /// The path of a stored copy.
    Stored(&'a Path),
    Build(&'a Executable),
}

impl<'a> Baseline<'a> {
    /// Returns the benchmark's properties in the baseline.
    pub(super) fn benchmark(&self) -> Option<&'a BenchmarkSpec> {
        match self {
            Baseline::Absent | Baseline::NewBenchmark | Baseline::Unlisted(_) => None,
            Baseline::Stored(stored) => Some(stored.benchmark),
            Baseline::Build(build) => Some(build.benchmark),
        }
    }

    /// Returns the stored figures.
    pub(super) fn stored(&self) -> Option<Stored<'a>> {
        if let Baseline::Stored(stored) = self { Some(*stored) } else { None }
    }

    /// Returns the executable to compare with this build's, if it still exists.
    pub(super) fn executable(&self) -> Option<BaselineExecutable<'a>> {
        match self {
            Baseline::Absent | Baseline::NewBenchmark | Baseline::Unlisted(_) => None,
            Baseline::Stored(stored) => stored.executable.map(BaselineExecutable::Stored),
            Baseline::Build(build) => Some(BaselineExecutable::Build(build.executable)),
        }
    }

    /// Returns whether both executables have the same bytes.
    pub(super) fn is_identical(&self) -> bool {
        match self {
            Baseline::Absent | Baseline::NewBenchmark | Baseline::Unlisted(_) => false,
            Baseline::Stored(stored) => stored.identical,
            Baseline::Build(build) => build.identical,
        }
    }
}

impl<'a> BaselineExecutable<'a> {
    /// Returns the path of the file.
    pub(super) fn path(self) -> &'a Path {
        match self {
            BaselineExecutable::Stored(path) => path,
            BaselineExecutable::Build(executable) => &executable.path,
        }
    }
}
