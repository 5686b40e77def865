//! The flags that make a call fail because of its verdicts.

use super::duration::parse_percent_or_none;
use super::words::words;
use crate::experiment::{FailOn, GateOptions};
use clap::{Arg, Args};

/// The verdicts of `--fail-on`. The last one needs runs of both sides.
const VERDICTS: [(&str, FailOn, &str); 7] = [
    ("slower", FailOn::Slower, "It is slower than the baseline"),
    ("unsure", FailOn::Unsure, "It may be slower or faster"),
    ("removed|missing", FailOn::Removed, "The baseline has it, but it no longer exists"),
    ("failed", FailOn::Failed, "It has no result"),
    ("new", FailOn::New, "The baseline doesn't have it"),
    (
        "placement|moved",
        FailOn::Placement,
        "Its time changed but its code did not: the linker placed it elsewhere",
    ),
    ("more-instructions", FailOn::MoreInstructions, "A call executes more instructions than before"),
];

/// The largest growth that passes, as a share.
#[derive(Debug, Clone, Copy)]
enum Limit {
    Time(f64),
    Instructions(f64),
}

/// The gates: conditions that end a call with exit code 3.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Gates")]
pub(crate) struct GateArgs {
    /// Exit with code 3 on one of these verdicts.
    ///
    /// Separate several by commas, such as slower,removed.
    #[arg(long, value_name = "VERDICT", value_delimiter = ',', value_parser = words(&VERDICTS))]
    fail_on: Vec<FailOn>,
    /// Exit with code 3 if a benchmark is slower by more than PERCENT; or instructions=PERCENT.
    ///
    /// Together with --fail-on slower, smaller regressions pass. A change below the threshold is
    /// never `slower`. With `instructions=`, the limit is on the instructions of a call. Both sides
    /// are counted exactly, by valgrind's callgrind if it is installed, else step by step (on x86-64
    /// Linux), so this works on machines that can't time. May be repeated.
    #[arg(long, value_name = "PERCENT", value_parser = parse_limit, allow_hyphen_values = true)]
    fail_above: Vec<Limit>,
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
        let is_given = !self.fail_on.is_empty() || !self.fail_above.is_empty();
        let GateArgs { fail_on, fail_above } = if is_given { self } else { file };
        let mut options = GateOptions { fail_on: fail_on.clone(), ..GateOptions::default() };
        for limit in fail_above {
            match *limit {
                Limit::Time(share) => options.fail_above = Some(share),
                Limit::Instructions(share) => options.fail_above_instructions = Some(share),
            }
        }
        options
    }
}

/// Limits `--fail-on` to what stored figures can tell. Without a baseline, it would always pass.
pub(super) fn fail_on_of_saved(arg: Arg) -> Arg {
    let [verdicts @ .., _] = &VERDICTS;
    arg.value_parser(words(verdicts)).requires("baseline")
}

/// Limits `--fail-above` to times: saved runs have no exact counts.
pub(super) fn fail_above_of_saved(arg: Arg) -> Arg {
    let help = "Exit with code 3 if a benchmark is slower by more than PERCENT";
    let parse = |text: &str| parse_percent_or_none(text).map(Limit::Time);
    arg.value_parser(parse).help(help).long_help(help).requires("baseline")
}

/// Reads `5%` or `instructions=5%`.
fn parse_limit(text: &str) -> Result<Limit, String> {
    match text.strip_prefix("instructions=") {
        Some(percent) => parse_percent_or_none(percent).map(Limit::Instructions),
        None => parse_percent_or_none(text).map(Limit::Time),
    }
}
