//! The baseline of a benchmark during a run.

use super::comparison::NotPaired;
use super::policy::ComparisonPolicy;
use super::premises::Premises;
use super::stored::have_same_unit;
use crate::cargo::Executable;
use crate::session::RequestError;
use nanobench::model::{BenchmarkSpec, Measurement};
use std::path::Path;
use std::sync::Arc;

/// The baseline of a benchmark.
#[derive(Debug, Clone)]
pub enum Baseline<'a> {
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
pub struct KnownBenchmark<'a> {
    pub spec: &'a BenchmarkSpec,
    /// The stored figures; `None` for another build.
    pub measurement: Option<&'a Measurement>,
    /// Both executables have the same bytes, and the premises are equal.
    pub identical: bool,
    /// The executable to compare with this build's, if it still exists.
    pub executable: Option<BaselineExecutable<'a>>,
    pub premises: Premises<'a>,
}

/// The executable of a baseline.
#[derive(Debug, Clone, Copy)]
pub enum BaselineExecutable<'a> {
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
        if let Some(packages) = self.premises.shared_packages() {
            return Some(NotPaired::SharedPackages(packages));
        }
        let shared = self.premises.shared();
        if !shared.is_empty() {
            return Some(match self.executable {
                Some(BaselineExecutable::Build(_)) => NotPaired::OfWorkingTree(shared),
                _ => NotPaired::Changed(shared),
            });
        }
        if self.executable.is_none() && !self.identical {
            return Some(NotPaired::ExecutableGone);
        }
        self.premises.unknown_inputs().map(NotPaired::UnknownInputs)
    }

    /// Returns whether it has an executable that is worth running beside that of `now`.
    pub(super) fn can_run_paired(&self, now: &BenchmarkSpec, policy: &ComparisonPolicy) -> bool {
        have_same_unit(self.spec, now)
            && self.executable.is_some()
            && self.premises.shared().is_empty()
            && self.premises.unknown_inputs().is_none()
            && (!self.identical || policy.pairs_identical)
    }
}

impl<'a> BaselineExecutable<'a> {
    /// Returns it as an executable that can run in place of `candidate`, if it can.
    pub(super) fn executable(self, candidate: &Executable) -> Option<Executable> {
        match self {
            BaselineExecutable::Stored(path) => candidate.stored_at(path.to_owned()).ok()?,
            BaselineExecutable::Build(executable) => Some(executable.clone()),
        }
    }

    /// Returns the path of the file.
    pub(super) fn path(self) -> &'a Path {
        match self {
            BaselineExecutable::Stored(path) => path,
            BaselineExecutable::Build(executable) => &executable.path,
        }
    }
}
