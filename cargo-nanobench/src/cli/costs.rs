//! The flags of `cargo nanobench costs`.

use super::cargo::{CargoArgs, CommonArgs};
use super::conditions::ConditionArgs;
use super::run::{OutputArgs, ProcessArgs, SamplingArgs};
use super::{ComparisonArgs, GateArgs, RunArgs, SelectArgs};
use clap::Args;
use std::path::PathBuf;

/// `cargo nanobench costs`.
#[derive(Debug, Clone, Args)]
pub(crate) struct CostsArgs {
    /// Run only the area AREA, or the benchmarks whose id contains AREA [default: all areas].
    ///
    /// --list prints the areas.
    #[arg(value_name = "AREA")]
    pub(crate) areas: Vec<String>,
    /// Print the areas and what their benchmarks measure.
    ///
    /// No benchmark runs.
    #[arg(long, conflicts_with_all = ["save_baseline", "save_on_pass", "baseline", "format"])]
    pub(crate) list: bool,
    #[command(flatten)]
    pub(crate) compare: ComparisonArgs,
    #[command(flatten)]
    pub(crate) gate: GateArgs,
    #[command(flatten)]
    pub(crate) sampling: SamplingArgs,
    #[command(flatten)]
    pub(crate) conditions: ConditionArgs,
    #[command(flatten)]
    pub(crate) process: ProcessArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Use this directory for baselines, instead of one in the user's data directory.
    #[arg(long, value_name = "DIR", help_heading = "Running")]
    pub(crate) target_dir: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Cargo")]
    pub(crate) common: CommonArgs,
}

impl CostsArgs {
    /// Returns the flags in the form of those of a run.
    pub(crate) fn run_args(&self) -> RunArgs {
        let CostsArgs { compare, gate, sampling, conditions, process, output, common, .. } = self.clone();
        RunArgs {
            select: SelectArgs { list: self.list, ..SelectArgs::default() },
            compare,
            gate,
            sampling,
            conditions,
            process,
            output,
            cargo: CargoArgs::of_common(common),
        }
    }
}
