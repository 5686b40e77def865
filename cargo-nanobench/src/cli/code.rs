//! The flags of the commands about one benchmark's code: `cargo nanobench asm`, `why` and `profile`.

use super::cargo::CargoArgs;
use super::run::{RunArgs, SelectArgs};
use clap::Args;
use std::ffi::OsString;

/// `cargo nanobench asm`.
#[derive(Debug, Args)]
pub(crate) struct AsmArgs {
    /// The benchmark: its id, path or name, with or without a row.
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// Print the machine code in the executable of the baseline NAME.
    ///
    /// Nothing is built. `last` is the last run.
    #[arg(long, value_name = "NAME", conflicts_with = "bench")]
    pub(crate) baseline: Option<String>,
    /// Print the source between the instructions.
    ///
    /// For that, build with debug information: CARGO_PROFILE_BENCH_DEBUG=line-tables-only. Without
    /// it, the source of the benchmark is printed.
    #[arg(long)]
    pub(crate) source: bool,
    /// Print functions that are up to N calls away from the benchmark, and the names of others.
    ///
    /// Functions of the standard library are only named.
    #[arg(long, value_name = "N", default_value_t = AsmArgs::DEPTH)]
    pub(crate) depth: usize,
    #[command(flatten)]
    pub(crate) build: BenchmarkBuildArgs,
}

impl AsmArgs {
    /// The default of `depth`.
    pub(crate) const DEPTH: usize = 2;
}

/// `cargo nanobench why`.
#[derive(Debug, Args)]
pub(crate) struct WhyArgs {
    /// The benchmark: its id, path or name, with or without a row.
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// Compare with the executable of the baseline NAME.
    ///
    /// Without it and --against, the other side is that of the last comparison of this
    /// executable: a baseline, a revision, or the run before the edit, `last~1`.
    #[arg(long, value_name = "NAME")]
    pub(crate) baseline: Option<String>,
    /// Compare with another revision: a branch, tag or commit, HEAD~1 or `merge-base`.
    #[arg(long, value_name = "REV", conflicts_with = "baseline")]
    pub(crate) against: Option<String>,
    /// Print the machine code of both sides, around what differs.
    #[arg(long)]
    pub(crate) asm: bool,
    /// Don't count the instructions of a call.
    ///
    /// Counting takes a call up to a thousand times as long as usual.
    #[arg(long)]
    pub(crate) no_counts: bool,
    #[command(flatten)]
    pub(crate) build: BenchmarkBuildArgs,
}

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
    pub(crate) build: BenchmarkBuildArgs,
}

/// The build of the benchmark.
#[derive(Debug, Args)]
pub(crate) struct BenchmarkBuildArgs {
    /// Build the bench target NAME, and no other unless a flag names it; may be repeated.
    #[arg(long, value_name = "NAME", help_heading = "Cargo: packages and targets")]
    bench: Vec<String>,
    #[command(flatten)]
    pub(crate) cargo: CargoArgs,
}

impl BenchmarkBuildArgs {
    /// Returns the flags in the form of those of a run.
    pub(crate) fn run_args(&self) -> RunArgs {
        let select = SelectArgs { bench: self.bench.clone(), ..SelectArgs::default() };
        RunArgs { cargo: self.cargo.clone(), select, ..RunArgs::default() }
    }
}
