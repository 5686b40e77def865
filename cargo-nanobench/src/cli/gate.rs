//! When a comparison makes the call fail.

use super::duration::parse_percent_or_none;
use clap::{Args, ValueEnum};

/// What ends with exit code 3.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Gates")]
pub(crate) struct GateArgs {
    /// End with exit code 3 where a benchmark is one of these. Several: --fail-on slower,missing
    #[arg(long, value_enum, value_name = "VERDICT", value_delimiter = ',')]
    pub(crate) fail_on: Vec<FailOn>,
    /// End with exit code 3 where a benchmark is `slower` by more than PERCENT. With --fail-on slower, smaller changes pass.
    /// What is below the threshold is not `slower`.
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent_or_none, allow_negative_numbers = true)]
    pub(crate) fail_above: Option<f64>,
}

impl GateArgs {
    /// Whether any of them is given.
    pub(crate) fn is_given(&self) -> bool {
        !self.fail_on.is_empty() || self.fail_above.is_some()
    }
}

/// A verdict that a gate doesn't let through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum FailOn {
    /// It got slower.
    Slower,
    /// It can't be told whether it did.
    Unsure,
    /// The baseline has it, and it is not there any more.
    Missing,
    /// It came to no figure.
    Failed,
    /// The baseline doesn't have it.
    New,
    /// Its time changed although its code did not: the linker placed it elsewhere.
    Moved,
}

impl FailOn {
    /// As it is typed.
    pub(crate) fn word(self) -> &'static str {
        match self {
            FailOn::Slower => "slower",
            FailOn::Unsure => "unsure",
            FailOn::Missing => "missing",
            FailOn::Failed => "failed",
            FailOn::New => "new",
            FailOn::Moved => "moved",
        }
    }
}
