//! The flags of `cargo nanobench costs`.

use super::cargo::{CargoArgs, CommonArgs, TerminalArgs};
use super::conditions::ConditionArgs;
use super::run::{OutputArgs, ProcessArgs, SamplingArgs};
use super::{ComparisonArgs, GateArgs, RunArgs, SelectArgs};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// `cargo nanobench costs`.
#[derive(Debug, Clone, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct CostsArgs {
    #[command(subcommand)]
    pub(crate) action: Option<CostsAction>,
    /// Run only the area AREA, or the benchmarks whose id contains AREA [default: all areas].
    ///
    /// Upper and lower case are the same. --list prints the areas.
    #[arg(value_name = "AREA")]
    pub(crate) areas: Vec<String>,
    /// Print the areas and what their benchmarks measure.
    ///
    /// No benchmark runs.
    #[arg(long, conflicts_with_all = ["save_baseline", "save_on_pass", "baseline", "format", "output", "template"])]
    pub(crate) list: bool,
    /// Print the source of the benchmarks, with all that it needs to compile alone.
    ///
    /// No benchmark runs.
    #[arg(long, conflicts_with_all = ["list", "save_baseline", "save_on_pass", "baseline", "format", "output", "template"])]
    pub(crate) source: bool,
    /// Print the machine code of the benchmarks.
    ///
    /// With --source, each function comes before its machine code. No benchmark runs.
    #[arg(long, conflicts_with_all = ["list", "save_baseline", "save_on_pass", "baseline", "format", "output", "template"])]
    pub(crate) asm: bool,
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

/// The subcommands of `cargo nanobench costs`.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum CostsAction {
    /// Print the sizes of values: boxes, vectors, maps and more
    ///
    /// In bytes: of the value itself, and on the heap.
    Sizes(SizesArgs),
}

/// `cargo nanobench costs sizes`.
#[derive(Debug, Clone, Args)]
pub(crate) struct SizesArgs {
    /// Print a table or another format.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = SizesFormat::Table, help_heading = "Output")]
    pub(crate) format: SizesFormat,
    #[command(flatten)]
    pub(crate) terminal: TerminalArgs,
}

/// The form of the sizes on stdout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SizesFormat {
    /// For people.
    Table,
    /// A single JSON document.
    Json,
    /// Comma-separated values, with a heading.
    Csv,
    /// A table in Markdown.
    Markdown,
}

impl CostsArgs {
    /// Returns the flags about what is printed.
    pub(crate) fn terminal(&self) -> &TerminalArgs {
        match &self.action {
            Some(CostsAction::Sizes(args)) => &args.terminal,
            None => &self.common.terminal,
        }
    }

    /// Returns the flags in the form of those of a run.
    pub(crate) fn run_args(&self) -> RunArgs {
        let CostsArgs { compare, gate, sampling, conditions, process, output, common, .. } = self.clone();
        RunArgs {
            select: SelectArgs { list: self.list, ..SelectArgs::default() },
            compare,
            against: None,
            more: None,
            gate,
            sampling,
            conditions,
            process,
            output,
            cargo: CargoArgs::of_common(common),
        }
    }
}
