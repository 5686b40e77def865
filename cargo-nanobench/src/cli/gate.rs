//! The flags that make a call fail because of its verdicts.

use super::duration::parse_percent_or_none;
use super::words::words;
use crate::experiment::{FailOn, GateOptions};
use clap::Args;

/// The gates: conditions that end a call with exit code 3.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Gates")]
pub(crate) struct GateArgs {
    /// Exit with code 3 on a verdict: slower,removed.
    ///
    /// One benchmark with one of these verdicts is enough.
    #[arg(long, value_name = "VERDICT", value_delimiter = ',', value_parser = words(&[
        ("slower", FailOn::Slower, "It is slower than the baseline"),
        ("unsure", FailOn::Unsure, "It may be slower or faster"),
        ("removed|missing", FailOn::Removed, "The baseline has it, but it no longer exists"),
        ("failed", FailOn::Failed, "It has no result"),
        ("new", FailOn::New, "The baseline doesn't have it"),
        ("placement|moved", FailOn::Placement, "Its time changed but its code did not: the linker placed it elsewhere"),
        ("more-instructions", FailOn::MoreInstructions, "A call executes more instructions than before"),
    ]))]
    fail_on: Vec<FailOn>,
    /// Exit with code 3 if a benchmark is slower by more than PERCENT.
    ///
    /// Together with --fail-on slower, smaller regressions pass. A change below the threshold is
    /// never `slower`.
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent_or_none, allow_hyphen_values = true)]
    fail_above: Option<f64>,
    /// Exit with code 3 if a call executes more instructions by more than PERCENT.
    ///
    /// Both sides are counted exactly, by valgrind's callgrind if it is installed, else step by step
    /// (on x86-64 Linux), so this works on machines that can't time.
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent_or_none, allow_hyphen_values = true)]
    fail_above_instructions: Option<f64>,
}

impl GateArgs {
    /// Returns whether the flags of the command line name this.
    pub(crate) fn fails_on(&self, what: FailOn) -> bool {
        self.fail_on.contains(&what)
    }

    /// Returns the gates of these flags, or those of the file if there are no such flags. The two
    /// are never mixed: `--fail-on slower` would let changes pass that the file's `fail-above`
    /// allows.
    pub(crate) fn or(&self, file: &GateArgs) -> GateOptions {
        let is_given =
            !self.fail_on.is_empty() || self.fail_above.is_some() || self.fail_above_instructions.is_some();
        let GateArgs { fail_on, fail_above, fail_above_instructions } = if is_given { self } else { file };
        GateOptions {
            fail_on: fail_on.clone(),
            fail_above: *fail_above,
            fail_above_instructions: *fail_above_instructions,
        }
    }
}
