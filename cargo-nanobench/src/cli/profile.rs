//! The flags of `cargo nanobench profile`.

use super::cargo::CargoArgs;
use super::run::RunArgs;
use clap::Args;
use std::ffi::OsString;

/// `cargo nanobench profile`.
#[derive(Debug, Args)]
pub(crate) struct ProfileArgs {
    /// The benchmark: its id, path or name.
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// The profiler, such as perf record -g; without one, the benchmark runs until Ctrl-C.
    ///
    /// `perf` and `samply record` attach to the benchmark's process after its set-up, and so does
    /// every command with the argument {pid}, which is replaced. Other programs run the process.
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
    #[command(flatten)]
    pub(crate) cargo: CargoArgs,
}

impl ProfileArgs {
    /// Returns the flags in the form of those of a run.
    pub(crate) fn run_args(&self) -> RunArgs {
        RunArgs { cargo: self.cargo.clone(), ..RunArgs::default() }
    }
}
