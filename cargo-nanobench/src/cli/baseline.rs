//! What `cargo nanobench baseline` takes.

use super::duration::parse_age;
use super::{Format, GateArgs, StoreArgs};
use clap::{ArgGroup, Args, Subcommand};
use jiff::Span;
use std::path::PathBuf;

/// `cargo nanobench baseline`.
#[derive(Debug, Args)]
pub(crate) struct BaselineArgs {
    #[command(subcommand)]
    pub(crate) action: BaselineAction,
}

/// What to do with baselines. In each, `NAME~1` is what was saved as NAME before, and `last` the last run.
#[derive(Debug, Subcommand)]
pub(crate) enum BaselineAction {
    /// List the baselines of this target directory.
    List(ListArgs),
    /// Show what a baseline was measured with, and its figures.
    Show(ShowArgs),
    /// Compare two baselines, or one with the last run, without running anything.
    Compare(Box<CompareArgs>),
    /// Give a baseline another name. What had its name before goes with it.
    Rename(RenameArgs),
    /// Remove a baseline and its executables.
    Remove(Named),
    /// Remove the old ones.
    Prune(PruneArgs),
    /// Write a baseline with its executables to one compressed file.
    Export(ExportArgs),
    /// Read a baseline from a file that was exported. What has its name is kept as `NAME~1`.
    Import(ImportArgs),
}

impl BaselineAction {
    /// Where the baselines are.
    pub(crate) fn place(&self) -> &StoreArgs {
        match self {
            Self::List(args) => &args.place,
            Self::Show(args) => &args.named.place,
            Self::Remove(named) => &named.place,
            Self::Compare(args) => &args.place,
            Self::Rename(args) => &args.place,
            Self::Prune(args) => &args.place,
            Self::Export(args) => &args.named.place,
            Self::Import(args) => &args.place,
        }
    }
}

/// A baseline, by its name.
#[derive(Debug, Args)]
pub(crate) struct Named {
    /// Name of the baseline; `NAME~1` is the one before, `last` the last run.
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) place: StoreArgs,
}

/// What is printed of saved runs.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Printed {
    /// What to print on stdout: a table, or one JSON document.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Table)]
    format: Format,
}

impl Printed {
    /// Whether it is for programs.
    pub(crate) fn is_json(self) -> bool {
        self.format == Format::Json
    }
}

/// `cargo nanobench baseline list`.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) printed: Printed,
    #[command(flatten)]
    pub(crate) place: StoreArgs,
}

/// `cargo nanobench baseline show`.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    pub(crate) named: Named,
    #[command(flatten)]
    pub(crate) printed: Printed,
}

/// `cargo nanobench baseline compare`.
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The baseline to compare with.
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// The baseline that is compared with it. The last run, unless given.
    #[arg(value_name = "OTHER")]
    pub(crate) other: Option<String>,
    /// Compare even figures of different machines.
    #[arg(long)]
    pub(crate) ignore_environment: bool,
    #[command(flatten)]
    pub(crate) gate: GateArgs,
    #[command(flatten)]
    pub(crate) printed: Printed,
    #[command(flatten)]
    pub(crate) place: StoreArgs,
}

/// `cargo nanobench baseline rename`.
#[derive(Debug, Args)]
pub(crate) struct RenameArgs {
    /// The name that it has.
    #[arg(value_name = "OLD")]
    pub(crate) old: String,
    /// The name that it gets. Nothing may have it.
    #[arg(value_name = "NEW")]
    pub(crate) new: String,
    #[command(flatten)]
    pub(crate) place: StoreArgs,
}

/// `cargo nanobench baseline prune`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("rule").args(["keep", "older_than"]).required(true).multiple(true))]
pub(crate) struct PruneArgs {
    /// Keep the N newest.
    #[arg(long, value_name = "N")]
    pub(crate) keep: Option<usize>,
    /// Remove only what is older: 30d, 2w, 12h, 3mo.
    #[arg(long, value_name = "AGE", value_parser = parse_age)]
    pub(crate) older_than: Option<Span>,
    /// Say what would be removed, and remove nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) place: StoreArgs,
}

/// `cargo nanobench baseline export`.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) named: Named,
    /// The file to write: a gzipped tar archive.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

/// `cargo nanobench baseline import`.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// The file to read.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Name of the baseline. The one that it had, unless given.
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Run its executables in comparisons, though they come from another machine.
    #[arg(long)]
    pub(crate) use_executables: bool,
    #[command(flatten)]
    pub(crate) place: StoreArgs,
}
