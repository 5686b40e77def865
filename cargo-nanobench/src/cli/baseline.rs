//! The flags of `cargo nanobench baseline`.

use super::duration::{parse_age, parse_count};
use super::{Format, StoreArgs};
use clap::{ArgGroup, Args, Subcommand};
use jiff::Span;
use std::path::PathBuf;

/// `cargo nanobench baseline`.
#[derive(Debug, Args)]
pub(crate) struct BaselineArgs {
    #[command(subcommand)]
    pub(crate) action: BaselineAction,
}

/// The actions on baselines. `NAME~1` is the previous version of NAME, `last` is the last run,
/// and `last~1` the last run of other code.
#[derive(Debug, Subcommand)]
pub(crate) enum BaselineAction {
    /// List the baselines of this target directory.
    List {
        #[command(flatten)]
        format: FormatArgs,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Show the environment and the figures of a baseline.
    Show {
        #[command(flatten)]
        named: Named,
        /// Show all figures as a table, with mean, sd, min, max, the median's interval, and more.
        #[arg(long, conflicts_with = "format", help_heading = "Output")]
        stats: bool,
        #[command(flatten)]
        format: FormatArgs,
    },
    /// Rename a baseline, together with its previous version.
    Rename {
        /// Current name.
        #[arg(value_name = "OLD")]
        old: String,
        /// New name, which must be free.
        #[arg(value_name = "NEW")]
        new: String,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Remove a baseline and its executables.
    Remove {
        /// Name of the baseline; `NAME~1` is its previous version.
        #[arg(value_name = "NAME")]
        name: String,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Remove old baselines, and builds of revisions.
    Prune(PruneArgs),
    /// Write a baseline and its executables to a compressed file.
    Export {
        #[command(flatten)]
        named: Named,
        /// File to write: a gzipped tar archive.
        #[arg(value_name = "FILE", help_heading = None)]
        file: PathBuf,
    },
    /// Read a baseline from an exported file, or from one that `Bench::save` wrote. An existing
    /// baseline of that name is kept as `NAME~1`. Comparisons use its stored figures, and run the
    /// programs in it only with `--use-executables`.
    Import {
        /// File to read.
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Name for the baseline [default: the one it was exported with, or the program of the
        /// `Bench`].
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
        /// Let comparisons run its executables, which are programs of whoever made the file, and
        /// run as you.
        #[arg(long)]
        use_executables: bool,
        /// Import even executables of more than 2 GiB.
        #[arg(long)]
        large: bool,
        #[command(flatten)]
        store: StoreArgs,
    },
}

impl BaselineAction {
    /// Returns the flags that locate the baselines.
    pub(crate) fn store(&self) -> &StoreArgs {
        match self {
            Self::List { store, .. }
            | Self::Rename { store, .. }
            | Self::Remove { store, .. }
            | Self::Import { store, .. } => store,
            Self::Show { named, .. } | Self::Export { named, .. } => &named.store,
            Self::Prune(args) => &args.store,
        }
    }
}

/// A baseline, by its name.
#[derive(Debug, Args)]
pub(crate) struct Named {
    /// Name of the baseline; `NAME~1` is its previous version, and `last` is the last run.
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// The form of the output.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct FormatArgs {
    /// Print text, or a single JSON document.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Table)]
    format: Format,
}

impl FormatArgs {
    /// Returns whether the output is for programs.
    pub(crate) fn is_json(self) -> bool {
        self.format == Format::Json
    }
}

/// `cargo nanobench baseline prune`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("rule").args(["keep", "older_than", "revisions"]).required(true).multiple(true))]
pub(crate) struct PruneArgs {
    /// Keep the N newest baselines, and the N most recently used builds of revisions.
    #[arg(long, value_name = "N", value_parser = parse_count, allow_hyphen_values = true)]
    pub(crate) keep: Option<usize>,
    /// Remove only baselines and unused builds older than AGE: 30d, 2w, 12h, 3mo.
    #[arg(long, value_name = "AGE", value_parser = parse_age, allow_hyphen_values = true)]
    pub(crate) older_than: Option<Span>,
    /// Remove no baselines, but builds of revisions: all that the other flags don't keep.
    #[arg(long)]
    pub(crate) revisions: bool,
    /// Print what would be removed, and remove nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}
