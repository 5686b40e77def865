//! Exit codes. `--help` lists them for users.

use crate::interrupt;
use std::process::ExitCode;

/// The outcome of a call of `cargo nanobench`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Success,
    /// A benchmark panicked, died or was stopped.
    BenchmarkFailed,
    /// An invalid flag, filter or name.
    Usage,
    /// A gate rejected a comparison.
    GateFailed,
    /// No benchmark exists, or none is selected.
    NothingToRun,
    /// Files, versions or ids keep the benchmarks from running.
    Environment,
    /// Cargo failed with this code.
    Cargo(u8),
    /// Ended by Ctrl-C.
    Interrupted,
}

impl Exit {
    /// Returns the exit code.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::BenchmarkFailed => 1,
            Self::Usage => 2,
            Self::GateFailed => 3,
            Self::NothingToRun => 4,
            Self::Environment => 5,
            Self::Cargo(code) => code,
            Self::Interrupted => interrupt::EXIT_CODE,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        exit.code().into()
    }
}
