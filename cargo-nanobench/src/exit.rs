//! How a call of `cargo nanobench` ends, as an exit code. `--help` has the same table for users.

use std::process::ExitCode;

/// The kinds of ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All that was asked for was done.
    Done,
    /// A benchmark panicked, died or was stopped.
    BenchmarkFailed,
    /// A flag, filter or name that can't be.
    Usage,
    /// A gate didn't let a comparison through.
    GateFailed,
    /// There is no benchmark, or none that matches.
    NothingToRun,
    /// Something around the benchmarks is not as it must be: files, versions, ids.
    Surroundings,
    /// Cargo failed, with this code.
    Cargo(u8),
    /// Stopped with Ctrl-C.
    Interrupted,
}

impl Exit {
    /// The exit code.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::BenchmarkFailed => 1,
            Self::Usage => 2,
            Self::GateFailed => 3,
            Self::NothingToRun => 4,
            Self::Surroundings => 5,
            Self::Cargo(code) => code,
            Self::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        exit.code().into()
    }
}
