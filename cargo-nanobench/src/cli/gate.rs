//! The flags that make a call fail because of its verdicts.

use super::duration::parse_percent_or_none;
use crate::experiment::{FailOn, GateOptions};
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

/// The gates: conditions that end a call with exit code 3.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Gates")]
pub(crate) struct GateArgs {
    /// Exit with code 3 if a benchmark has one of these verdicts: --fail-on slower,missing.
    #[arg(long, value_enum, value_name = "VERDICT", value_delimiter = ',')]
    fail_on: Vec<FailOn>,
    /// Exit with code 3 if a benchmark is slower by more than PERCENT.
    ///
    /// Together with --fail-on slower, smaller regressions pass. A change below the threshold is
    /// never `slower`.
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent_or_none, allow_negative_numbers = true)]
    fail_above: Option<f64>,
}

impl GateArgs {
    /// Returns the gates of these flags, or those of the file if there are no such flags. The two
    /// are never mixed: `--fail-on slower` would let through what the file's `fail-above` allows.
    pub(crate) fn or(&self, file: &GateArgs) -> GateOptions {
        let is_given = !self.fail_on.is_empty() || self.fail_above.is_some();
        let GateArgs { fail_on, fail_above } = if is_given { self } else { file };
        GateOptions { fail_on: fail_on.clone(), fail_above: *fail_above }
    }
}

impl ValueEnum for FailOn {
    fn value_variants<'a>() -> &'a [Self] {
        &FailOn::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            FailOn::Slower => "It is slower than the baseline",
            FailOn::Unsure => "It may be slower or faster",
            FailOn::Missing => "The baseline has it, but it no longer exists",
            FailOn::Failed => "It has no result",
            FailOn::New => "The baseline doesn't have it",
            FailOn::Moved => "Its time changed but its code did not: the linker placed it elsewhere",
        };
        Some(PossibleValue::new(self.word()).help(help))
    }
}
