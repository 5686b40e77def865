//! The flags of `cargo nanobench report`.

use super::output::{FileArgs, ReportFormat, report_format};
use super::{GateArgs, StoreArgs};
use clap::Args;

/// `cargo nanobench report`.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// The baseline to report [default: the last run]; `NAME~1` is the previous version of NAME.
    #[arg(value_name = "BASELINE")]
    pub(crate) name: Option<String>,
    /// Compare it with the stored figures of this baseline.
    #[arg(long, value_name = "BASELINE")]
    pub(crate) against: Option<String>,
    /// Compare even figures of different machines.
    #[arg(long, requires = "against")]
    pub(crate) ignore_environment: bool,
    #[command(flatten)]
    pub(crate) gate: GateArgs,
    /// Print a table or another format [default: table].
    #[arg(long, value_name = "FORMAT", value_parser = report_format(), help_heading = "Output")]
    pub(crate) format: Option<ReportFormat>,
    #[command(flatten, next_help_heading = "Output")]
    pub(crate) files: FileArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}
