//! The flags of `cargo nanobench tune`.

use super::Format;
use super::cargo::TerminalArgs;
use super::words::words;
use crate::tune::Scheme;
use clap::Args;
use std::path::PathBuf;

/// `cargo nanobench tune`.
#[derive(Debug, Args)]
pub(crate) struct TuneArgs {
    /// Change the settings, until --restore or the next start of the system.
    ///
    /// Needs the rights of an administrator. The values from before are stored first.
    #[arg(long, conflicts_with = "restore")]
    pub(crate) apply: bool,
    /// Restore the settings from before.
    #[arg(long)]
    pub(crate) restore: bool,
    /// Change only the power scheme of the system, to this one.
    ///
    /// With --apply. It holds for other programs, too, until --restore.
    #[arg(long, value_name = "SCHEME", value_parser = words(&Scheme::ALL), conflicts_with = "restore")]
    pub(crate) scheme: Option<Scheme>,
    /// Use the system's files below DIR, such as those of a container's host.
    #[arg(long, value_name = "DIR", default_value = "/", hide_default_value = true)]
    pub(crate) root: PathBuf,
    /// Print text, or a single JSON document.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Table, help_heading = "Output",
        conflicts_with_all = ["apply", "restore"])]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) terminal: TerminalArgs,
}
