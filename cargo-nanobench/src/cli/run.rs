//! The flags of `cargo nanobench run`.

use std::str::FromStr as _;
use std::time::Duration;

use clap::{Args, ValueEnum};

use nanobench::model::{KeyValue, SamplingOptions};
use nanobench::protocol::Timer;
use nanobench::report::{Bytes, TimeUnit};

use super::GateArgs;
use super::cargo::CargoArgs;
use super::conditions::ConditionArgs;
use super::duration::{parse_duration, parse_percent, parse_percent_or_none};
use super::output::{FileArgs, ReportFormat, report_format};
use super::words::words;
use crate::experiment::{Pattern, SamplingLevel};
use crate::report::SortKey;

/// `cargo nanobench [run]`.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) select: SelectArgs,
    #[command(flatten)]
    pub(crate) compare: ComparisonArgs,
    /// Compare with another revision, side by side.
    ///
    /// REV is a branch, tag or commit, HEAD~1 or `merge-base`. The revision is built in a separate
    /// git worktree, and both run side by side. `merge-base` is the commit at which this branch
    /// left the default branch. Uncommitted changes belong to the working tree.
    #[arg(long, value_name = "REV", help_heading = "Comparing", conflicts_with_all = [
        "baseline", "no_compare", "save_baseline", "save_on_pass", "launches"
    ])]
    pub(crate) against: Option<String>,
    /// Go on with the last comparison for DURATION, like 10s.
    ///
    /// The benchmarks that it left unsure run further beside the same baseline or revision, or those that
    /// FILTERs name. All evidence counts, also after another command or on another day. It doesn't count
    /// any more once the code of either side is another.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, help_heading = "Comparing",
        conflicts_with_all = [
            "baseline", "against", "no_compare", "save_baseline", "save_on_pass", "launches", "list", "changed",
            "threshold", "same_within", "load", "timer", "iterations",
        ])]
    pub(crate) more: Option<Duration>,
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
    #[command(flatten)]
    pub(crate) cargo: CargoArgs,
}

/// Selection of benchmarks.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Selecting benchmarks")]
pub(crate) struct SelectArgs {
    /// Run only benchmarks whose id contains FILTER.
    ///
    /// One of several filters is enough. An id is the package, the target and the path in it, like
    /// `my-crate::first::concat`; --list prints them. `/re/` is a regular expression, `glob:*::sort*` a
    /// pattern for whole ids, and `tag:slow` a tag, which has to match besides. All arguments after
    /// `--` are filters.
    #[arg(value_name = "FILTER", help_heading = None, value_parser = Pattern::from_str)]
    pub(crate) filters: Vec<Pattern>,
    /// Build and run only the bench target NAME.
    ///
    /// May be repeated and contain wildcards. If there is no such target, NAME is a part of the ids
    /// of benchmarks to run.
    #[arg(long, value_name = "NAME")]
    pub(crate) bench: Vec<String>,
    /// Match FILTER and --skip PATTERN against whole ids.
    ///
    /// The id of a function selects all of its rows.
    #[arg(long, hide = true)]
    pub(crate) exact: bool,
    /// Skip benchmarks that PATTERN matches, like FILTER: sort, /re/, glob:*, tag:slow.
    ///
    /// May be repeated.
    #[arg(long, value_name = "PATTERN", value_parser = Pattern::from_str)]
    pub(crate) skip: Vec<Pattern>,
    /// Run only benchmarks marked `#[ignore]`.
    #[arg(long, conflicts_with = "include_ignored")]
    pub(crate) ignored: bool,
    /// Run benchmarks marked `#[ignore]` as well.
    ///
    /// Without this flag, such a benchmark runs only if a FILTER is its id, path or name, its group,
    /// or a module that contains it.
    #[arg(long)]
    pub(crate) include_ignored: bool,
    /// Print the ids of the selected benchmarks.
    ///
    /// One on each line. No benchmark runs. With -v, also their groups and tags, and the first
    /// paragraph of their doc comments; with --format json, a JSON document.
    #[arg(long, conflicts_with_all = ["save_baseline", "save_on_pass", "output"])]
    pub(crate) list: bool,
    /// Build the benchmarks, and run none.
    ///
    /// A FILTER that matches none of them is an error, if they can be listed on this machine.
    #[arg(long, conflicts_with_all = [
        "list", "changed", "baseline", "against", "save_baseline", "save_on_pass", "output", "format", "fail_on",
        "fail_above", "more",
    ])]
    pub(crate) no_run: bool,
    /// Run, or list, only benchmarks whose code may have changed.
    ///
    /// They are those whose machine code or data differ from the last run's, or can't be known to be
    /// the same; with --baseline or --against, from that side's.
    #[arg(long, conflicts_with_all = ["no_compare", "save_baseline", "save_on_pass", "load"])]
    pub(crate) changed: bool,
}

impl SelectArgs {
    /// Returns what is wrong with the patterns, if `--exact` would be ignored.
    pub(super) fn contradiction(&self) -> Option<&'static str> {
        let has_regex = self.filters.iter().chain(&self.skip).any(Pattern::is_regex);
        (self.exact && has_regex).then_some(
            "`--exact` can't be combined with a regular expression: omit it, and write `/^..$/` for a whole id",
        )
    }

    /// Returns whether some benchmarks may be left out that would run without these flags.
    pub(crate) fn is_partial(&self) -> bool {
        let SelectArgs { filters, bench, skip, ignored, .. } = self;
        *ignored || !filters.is_empty() || !bench.is_empty() || !skip.is_empty()
    }
}

/// Baselines to compare with and to save.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Comparing")]
pub(crate) struct ComparisonArgs {
    /// Compare with the baseline NAME, side by side.
    ///
    /// Its executables run in turn with the new ones. `NAME~1` is the previous version of NAME, and
    /// `last` is the last run. May be repeated; each baseline gets its own table. Without this
    /// flag, the column `change` shows the changes since the last run.
    #[arg(long, value_name = "NAME")]
    pub(crate) baseline: Vec<String>,
    /// Don't compare with the last run.
    ///
    /// Without this flag, benchmarks whose machine code or time differs from the last run's run
    /// side by side with it. That takes about as long as the run itself, or up to about 1 s after a
    /// shorter run, and up to 2 s on a busy machine.
    #[arg(long, conflicts_with_all = ["baseline", "save_on_pass"])]
    pub(crate) no_compare: bool,
    /// Save the run as baseline NAME.
    ///
    /// That is its samples, environment and executables. Together with --baseline, the run is
    /// compared first. A baseline of that name is kept as `NAME~1`.
    #[arg(long, value_name = "NAME")]
    pub(crate) save_baseline: Option<String>,
    /// Like --save-baseline, but only if no benchmark is, or may be, slower and all gates pass.
    ///
    /// Without --baseline, the run is compared with NAME if that exists.
    #[arg(long, value_name = "NAME", conflicts_with = "save_baseline")]
    pub(crate) save_on_pass: Option<String>,
    /// Compare even with stored figures of another machine.
    #[arg(long, hide = true)]
    pub(crate) ignore_environment: bool,
    /// Compare processes that live one at a time, for benchmarks that hold a fixed port, file or lock.
    ///
    /// Without this flag, four processes take turns. Noise of the machine then affects both sides alike,
    /// which it doesn't with this flag, so verdicts take longer.
    #[arg(long, conflicts_with = "no_compare", hide = true)]
    pub(crate) one_at_a_time: bool,
    /// Run even benchmarks whose code is the same as the baseline's: all, or a random PERCENT.
    ///
    /// Without this flag, comparisons with a named baseline or revision run only those whose code or
    /// data differ, or can't be known to be the same, and as a check of the comparison of code, a
    /// random 2 % of the others, but at most one for twenty that differ. 0 runs none of these.
    #[arg(
        long, value_name = "PERCENT", num_args = 0..=1, require_equals = true,
        default_missing_value = "100", value_parser = parse_percent_or_none,
    )]
    pub(crate) include_unchanged: Option<f64>,
    /// Report only changes of at least PERCENT as faster or slower [default: 0.5].
    ///
    /// If it is set, a change has to be known to be larger. With 0, report every change that can be told
    /// from noise.
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent_or_none, allow_hyphen_values = true)]
    pub(crate) threshold: Option<f64>,
    /// Report `same` once a change is known to be below PERCENT [default: 2].
    ///
    /// The average, which includes rare expensive calls and slow launches, may have grown by five
    /// times as much. Smaller values take longer. Values below the threshold are raised to it.
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent, allow_hyphen_values = true, hide = true)]
    pub(crate) same_within: Option<f64>,
}

/// The number and length of samples. Flags win over the attributes of benchmarks.
#[derive(Debug, Clone, Copy, Default, Args)]
#[command(next_help_heading = "Measuring")]
pub(crate) struct SamplingArgs {
    /// Measure until the median is known to within PERCENT [default: 0.5].
    ///
    /// The precision is half the width of the median's 95 % confidence interval. The time limits end
    /// the search for it.
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent, allow_hyphen_values = true)]
    precision: Option<f64>,
    /// Sample each benchmark for at least DURATION [default: 3ms].
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, allow_hyphen_values = true, hide = true)]
    min_time: Option<Duration>,
    /// Sample each for at most DURATION [default: 8ms].
    ///
    /// A few samples are taken in any case.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, allow_hyphen_values = true)]
    max_time: Option<Duration>,
    /// Spend DURATION on all selected benchmarks together, most of it where precision is worst.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, allow_hyphen_values = true)]
    budget: Option<Duration>,
    /// Take exactly N samples of each benchmark.
    #[arg(
        long,
        value_name = "N",
        value_parser = parse_positive,
        allow_hyphen_values = true,
        conflicts_with_all = ["precision", "min_time", "max_time", "budget"]
    )]
    samples: Option<u64>,
    /// Make a sample take about DURATION [default: 250us].
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, allow_hyphen_values = true, hide = true)]
    sample_time: Option<Duration>,
    /// Make exactly N calls in each sample.
    #[arg(long, value_name = "N", value_parser = parse_positive, allow_hyphen_values = true, conflicts_with = "sample_time",
        hide = true)]
    iterations: Option<u64>,
    /// Sample each benchmark in N fresh processes, with columns for how these differ [default: 1].
    #[arg(long, value_name = "N", value_parser = parse_positive, allow_hyphen_values = true, hide = true,
        conflicts_with_all = ["baseline", "save_on_pass"])]
    pub(crate) launches: Option<u64>,
    /// Also time the very first call of each benchmark, in 10 fresh processes or those of --launches.
    #[arg(long, hide = true)]
    pub(crate) first_call: bool,
    /// Call each benchmark N times before the first call that counts [default: 1].
    ///
    /// With 0, the first call may be part of a sample.
    #[arg(long, value_name = "N", value_parser = parse_number, allow_hyphen_values = true, hide = true)]
    warmup: Option<u64>,
}

impl SamplingArgs {
    /// Returns what is wrong with the time limits, if they contradict each other.
    pub(super) fn contradiction(&self) -> Option<&'static str> {
        let is_shorter = self.max_time? < self.min_time?;
        is_shorter.then_some("`max-time` is shorter than `min-time`: swap them, or remove one")
    }

    /// Returns the flags as plain values.
    pub(crate) fn options(&self) -> SamplingLevel {
        let SamplingArgs { precision, samples, iterations, warmup, budget, .. } = *self;
        let [min_time, max_time, sample_time] =
            [self.min_time, self.max_time, self.sample_time].map(|time| Some(time?.as_nanos() as u64));
        let options =
            SamplingOptions { samples, precision, min_time, max_time, sample_time, iterations, warmup };
        SamplingLevel { options, budget }
    }
}

/// The benchmarks' processes.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct ProcessArgs {
    /// Stop a benchmark after DURATION: 90, 2s, 500ms, 1m [default: 60s].
    ///
    /// A number alone is seconds.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, allow_hyphen_values = true)]
    pub(crate) timeout: Option<Duration>,
    /// Measure with this clock.
    ///
    /// The default is the processor's counter if that is reliable, and the system's clock
    /// otherwise.
    #[arg(long, value_name = "CLOCK", hide = true, value_parser = words(&[
        ("os", Timer::Os, "The operating system's monotonic clock"),
        ("tsc", Timer::Tsc, "The processor's counter: the time stamp counter or its counterpart"),
    ]))]
    pub(crate) timer: Option<Timer>,
    /// Wait up to DURATION for a quiet machine.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, allow_hyphen_values = true)]
    pub(crate) wait_quiet: Option<Duration>,
    /// Tune the machine for the time of the run, as `cargo nanobench tune` shows.
    ///
    /// Needs the rights of an administrator, and warns without them. The settings from before are
    /// restored at the end, or by the next call if the run is killed.
    #[arg(long, hide = true)]
    pub(crate) tuned: bool,
    /// Pass the output of benchmarks through to stderr.
    #[arg(long, alias = "nocapture")]
    pub(crate) no_capture: bool,
}

/// The report.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Print a table or another format [default: table].
    ///
    /// `table` and `json-lines` are printed as results arrive.
    #[arg(long, value_name = "FORMAT", value_parser = report_format())]
    pub(crate) format: Option<ReportFormat>,
    /// Render the results by a template instead of printing the table.
    ///
    /// FILE is a template in the language of ankerl::nanobench, or one of csv, json and html,
    /// which is a page with a box plot.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["format", "list"], hide = true)]
    pub(crate) template: Option<String>,
    #[command(flatten, next_help_heading = "Output")]
    pub(crate) files: FileArgs,
    /// Add the raw samples and their plan to the JSON document.
    #[arg(long, hide = true)]
    pub(crate) samples_in_json: bool,
    /// Add a column with all figures as multiples of the benchmark NAME.
    ///
    /// NAME is its id, path or name. It runs even if it isn't selected.
    #[arg(long, value_name = "NAME", hide = true)]
    pub(crate) multiples_of: Option<String>,
    /// Sort the functions of a group, and the rows of a function, by time; or functions by name.
    ///
    /// The table is printed at the end.
    #[arg(long, value_name = "KEY", value_parser = words(&[
        ("name", SortKey::Name, "Functions by their names"),
        ("time", SortKey::Time, "The fastest first"),
    ]))]
    pub(crate) sort: Option<SortKey>,
    /// Add columns: mean, sd, min, max, the median's interval, operations, elapsed, count, scale.
    ///
    /// Times are per operation. In a narrow terminal, they are in tables of their own.
    #[arg(long)]
    pub(crate) stats: bool,
    /// Add a column with times less those of an empty loop over the `count`.
    #[arg(long, hide = true)]
    pub(crate) subtract_loop: bool,
    /// Print all times in one unit, and bytes in powers of 1,024: us,binary.
    ///
    /// Without it, each time has a suitable unit, and bytes are in powers of 1,000.
    #[arg(long, value_name = "UNITS", value_delimiter = ',', hide = true, value_parser = words(&[
        ("ns", Unit::Time(TimeUnit::Ns), "Nanoseconds"),
        ("us", Unit::Time(TimeUnit::Us), "Microseconds"),
        ("ms", Unit::Time(TimeUnit::Ms), "Milliseconds"),
        ("s", Unit::Time(TimeUnit::S), "Seconds"),
        ("decimal", Unit::Bytes(Bytes::Decimal), "kB, MB, GB"),
        ("binary", Unit::Bytes(Bytes::Binary), "KiB, MiB, GiB"),
    ]))]
    pub(crate) units: Vec<Unit>,
    /// Store KEY=VALUE with the results, like --context machine=idle; may be repeated.
    ///
    /// A later value of a key replaces an earlier one.
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_pair, hide = true)]
    pub(crate) context: Vec<KeyValue>,
    /// Print no warnings.
    ///
    /// NANOBENCH_SUPPRESS_WARNINGS=1 does the same.
    #[arg(long, hide = true)]
    pub(crate) no_warnings: bool,
}

/// A unit of the table.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Unit {
    Time(TimeUnit),
    Bytes(Bytes),
}

/// The form of a document about something other than a run, on stdout.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    #[default]
    Table,
    /// For programs.
    Json,
}

fn parse_positive(text: &str) -> Result<u64, String> {
    text.parse()
        .ok()
        .filter(|&number| number > 0)
        .ok_or_else(|| "expected a whole number, 1 or more".to_owned())
}

fn parse_number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "expected a whole number, 0 or more".to_owned())
}

fn parse_pair(text: &str) -> Result<KeyValue, String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => {
            Ok(KeyValue { key: key.trim().to_owned(), value: value.to_owned() })
        }
        _ => Err("expected KEY=VALUE, like machine=idle".to_owned()),
    }
}
