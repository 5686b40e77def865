//! The flags of `cargo nanobench report`.

use super::output::{FileArgs, ReportFormat, report_format};
use super::{GateArgs, StoreArgs, gate};
use clap::Args;

/// `cargo nanobench report`.
#[derive(Debug, Args)]
#[command(mut_arg("fail_on", gate::fail_on_of_saved), mut_arg("fail_above", gate::fail_above_of_saved))]
pub(crate) struct ReportArgs {
    /// The baselines to report [default: the last run]; `NAME~1` is the previous version of NAME.
    ///
    /// Two or more are shown side by side with the one of --baseline, with geometric means.
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// Compare with the stored figures of the baseline NAME.
    #[arg(long, alias = "against", value_name = "NAME")]
    pub(crate) baseline: Option<String>,
    /// Compare even figures of different machines.
    #[arg(long, requires = "baseline")]
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
