//! The baseline of a benchmark during a run.

use super::comparison::NotPaired;
use super::policy::ComparisonPolicy;
use super::stored::have_same_unit;
use crate::baseline::InputName;
use crate::cargo::Executable;
use crate::session::RequestError;
use nanobench::model::{BenchmarkSpec, Measurement};
use std::path::{Path, PathBuf};
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
    /// The benchmark in an earlier run or in another build.
    Known(KnownBenchmark<'a>),
}

/// A benchmark in an earlier run or in another build.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KnownBenchmark<'a> {
    pub(crate) spec: &'a BenchmarkSpec,
    /// The stored figures; `None` for another build.
    pub(crate) measurement: Option<&'a Measurement>,
    /// Both executables have the same bytes. Those of two builds load no libraries of the
    /// workspace, either.
    pub(crate) identical: bool,
    /// The executable to compare with this build's, if it still exists.
    pub(crate) executable: Option<BaselineExecutable<'a>>,
    /// Changes since then outside of the baseline's executable, as far as the benchmark may use it.
    pub(crate) changed: ChangedSurroundings<'a>,
}

/// Changes outside of an executable. Both sides of a comparison would use it as it is now.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ChangedSurroundings<'a> {
    /// The files that benchmarks may run: libraries that they open, and programs that they start. For
    /// another build, also those that may have changed.
    pub(crate) files_to_run: &'a [PathBuf],
    /// For another build, the folders of packages outside of the repository that it is built from.
    pub(crate) packages: &'a [PathBuf],
    /// The files of the project that they may read, by the names in the executable.
    pub(crate) files_to_read: &'a [InputName],
    /// The files of the project that git tracks, whose names they may put together.
    pub(crate) tracked_files: &'a [InputName],
    /// The variables of the environment that they may read.
    pub(crate) variables: &'a [InputName],
    /// The variables that all programs read.
    pub(crate) variables_of_all: &'a [InputName],
}

impl ChangedSurroundings<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        self.files_to_run.is_empty() && self.packages.is_empty() && self.inputs().is_empty()
    }

    /// Returns everything that they may read, each once.
    fn inputs(&self) -> Vec<InputName> {
        let mut tracked = self.tracked_files.to_vec();
        tracked.retain(|file| !self.files_to_read.contains(file));
        [self.files_to_read, &tracked, self.variables, self.variables_of_all].concat()
    }
}

/// The executable of a baseline.
#[derive(Debug, Clone, Copy)]
pub(crate) enum BaselineExecutable<'a> {
    /// The path of a stored copy.
    Stored(&'a Path),
    Build(&'a Executable),
}

impl<'a> Baseline<'a> {
    /// Returns the benchmark in the baseline, if it is known.
    pub(super) fn known(&self) -> Option<KnownBenchmark<'a>> {
        if let Baseline::Known(known) = self { Some(*known) } else { None }
    }
}

impl KnownBenchmark<'_> {
    /// Returns the reason why both sides can't run side by side although the benchmark may have
    /// changed, as far as it is known before.
    pub(super) fn obstacle(&self) -> Option<NotPaired> {
        if !self.changed.is_empty() {
            let files = self.changed.files_to_run.to_vec();
            return Some(match self.executable {
                Some(BaselineExecutable::Build(_)) if !self.changed.packages.is_empty() => {
                    NotPaired::SharedPackages(self.changed.packages.to_vec())
                }
                Some(BaselineExecutable::Build(_)) => NotPaired::SharedFiles(files),
                _ => NotPaired::Changed { run: files, read: self.changed.inputs() },
            });
        }
        (self.executable.is_none() && !self.identical).then_some(NotPaired::ExecutableGone)
    }

    /// Returns whether it has an executable that is worth running beside that of `now`.
    pub(super) fn can_run_paired(&self, now: &BenchmarkSpec, policy: &ComparisonPolicy) -> bool {
        have_same_unit(self.spec, now)
            && self.executable.is_some()
            && self.changed.is_empty()
            && (!self.identical || policy.runs_identical_paired())
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
