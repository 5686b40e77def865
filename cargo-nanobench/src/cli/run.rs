//! What `cargo nanobench run` takes: which benchmarks, compared with what, shown how.

use std::time::Duration;

use clap::{Args, ValueEnum};

use nanobench::model::KeyValue;
use nanobench::report::Bytes;

use super::GateArgs;
use super::cargo::CargoArgs;
use super::conditions::Conditions;
use super::duration::{parse_duration, parse_percent, parse_percent_or_none, parse_resolution};

/// `cargo nanobench [run]`.
#[derive(Debug, Clone, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) select: Select,
    #[command(flatten)]
    pub(crate) compare: Compare,
    #[command(flatten)]
    pub(crate) gate: GateArgs,
    #[command(flatten)]
    pub(crate) sampling: SamplingArgs,
    #[command(flatten)]
    pub(crate) conditions: Conditions,
    #[command(flatten)]
    pub(crate) process: Process,
    #[command(flatten)]
    pub(crate) output: Output,
    #[command(flatten)]
    pub(crate) cargo: CargoArgs,
}

/// Which of the benchmarks that were found.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Selecting benchmarks")]
pub(crate) struct Select {
    /// Only benchmarks whose id contains one of these. What follows `--` is a FILTER too.
    ///
    /// An id is the package, the target and the path in it: `my-crate::first::concat`. `--list` shows them.
    #[arg(value_name = "FILTER", help_heading = None)]
    pub(crate) filters: Vec<String>,
    /// Only benchmarks of the bench target NAME, or whose id contains NAME. May be repeated.
    #[arg(long, value_name = "NAME")]
    pub(crate) bench: Vec<String>,
    /// A FILTER, and a --skip PATTERN, is a whole id, not a part of one. That of a function stands for all of its rows.
    #[arg(long)]
    pub(crate) exact: bool,
    /// Leave out benchmarks whose id contains PATTERN. May be repeated.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) skip: Vec<String>,
    /// Only benchmarks with the tag TAG. May be repeated; one of them is enough.
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Vec<String>,
    /// Leave out benchmarks with the tag TAG. May be repeated.
    #[arg(long, value_name = "TAG")]
    pub(crate) skip_tag: Vec<String>,
    /// Only benchmarks marked `#[ignore]`.
    #[arg(long, conflicts_with = "include_ignored")]
    pub(crate) ignored: bool,
    /// Benchmarks marked `#[ignore]` too. By itself, one runs where a FILTER is its id, path or name, or a module of it.
    #[arg(long)]
    pub(crate) include_ignored: bool,
    /// Print the id of each selected benchmark, one a line, and run none.
    #[arg(long, conflicts_with_all = ["save_baseline", "save_on_pass", "baseline", "against", "format"])]
    pub(crate) list: bool,
}

/// What to compare with, and what to keep.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Comparing")]
pub(crate) struct Compare {
    /// Compare with the baseline NAME: its executables and the new ones run side by side. `NAME~1` is what was saved as NAME
    /// before, `last` the last run. Without it, the run is compared with the last one's figures, and only what looks changed is
    /// looked at again. Several: a table for each.
    #[arg(long, value_name = "NAME")]
    pub(crate) baseline: Vec<String>,
    /// Keep the run as baseline NAME: samples, surroundings and executables. With --baseline, after comparing.
    #[arg(long, value_name = "NAME")]
    pub(crate) save_baseline: Option<String>,
    /// The same, only if nothing got slower, or may well have, and no gate failed. Without --baseline, compare with NAME, if it is there.
    #[arg(long, value_name = "NAME", conflicts_with = "save_baseline")]
    pub(crate) save_on_pass: Option<String>,
    /// Compare even with stored figures of another machine.
    #[arg(long)]
    pub(crate) ignore_environment: bool,
    /// Run another revision beside what is here: a branch, tag, commit, HEAD~1, or `merge-base`, where this branch left
    /// the default one. It is built in a git worktree of its own; uncommitted work is compared with it.
    #[arg(long, value_name = "REV", conflicts_with_all = ["baseline", "save_baseline", "save_on_pass"])]
    pub(crate) against: Option<String>,
    /// Smaller changes than this are not called faster or slower [default: 0.5]. With 0, whatever is told from noise is.
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent_or_none, allow_negative_numbers = true)]
    pub(crate) threshold: Option<f64>,
    /// What is known to have changed by less than this is the same [default: 2]. Smaller is told more slowly. It is at least
    /// the threshold.
    #[arg(long, value_name = "PERCENT", value_parser = parse_resolution, allow_negative_numbers = true)]
    pub(crate) resolution: Option<f64>,
}

/// How long and how often benchmarks are measured. A flag wins over what a benchmark's attribute asks for.
#[derive(Debug, Clone, Copy, Default, Args)]
#[command(next_help_heading = "Measuring")]
pub(crate) struct SamplingArgs {
    /// Measure until the median is known to this many percent, within the times below. Half the width of its 95 %
    /// interval counts.
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent, allow_negative_numbers = true)]
    pub(crate) precision: Option<f64>,
    /// Least time for the samples of a benchmark, like 10ms.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub(crate) min_time: Option<Duration>,
    /// Most time for the samples of a benchmark. A few are taken whatever they cost.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub(crate) max_time: Option<Duration>,
    /// Time for all selected benchmarks together, spent where precision is worst.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub(crate) budget: Option<Duration>,
    /// Exactly so many samples of each benchmark, whatever a precision, a time or a budget would make of it.
    #[arg(
        long,
        value_name = "N",
        value_parser = parse_number,
        conflicts_with_all = ["precision", "min_time", "max_time", "budget"]
    )]
    pub(crate) samples: Option<u64>,
    /// Length of a sample, like 250us.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub(crate) sample_time: Option<Duration>,
    /// Exactly so many calls in each sample.
    #[arg(long, value_name = "N", value_parser = parse_number, conflicts_with = "sample_time")]
    pub(crate) iterations: Option<u64>,
    /// Calls of a benchmark before the first one that is looked at. With 0 the first call may be a sample.
    #[arg(long, value_name = "N", value_parser = parse_number_or_none)]
    pub(crate) warmup: Option<u64>,
}

/// How the benchmarks' processes are treated.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct Process {
    /// Stop a benchmark that takes longer: 90, 2s, 500ms, 1m. A number alone is seconds [default: 60s].
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub(crate) timeout: Option<Duration>,
    /// Clock to measure with. Without it the processor's counter where that is reliable, else the system's clock.
    #[arg(long, value_enum, value_name = "CLOCK")]
    pub(crate) timer: Option<Timer>,
    /// Wait until nothing else keeps the machine busy, for at most this long; then measure all the same.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub(crate) wait_quiet: Option<Duration>,
    /// Let what the benchmarks print through, to stderr.
    #[arg(long)]
    pub(crate) nocapture: bool,
}

/// What is printed.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Output {
    /// What to print on stdout: a table as results arrive, or one JSON document and nothing else [default: table].
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// A column of all figures as multiples of one benchmark's: NAME is its id, path or name. It runs, too.
    #[arg(long, value_name = "NAME")]
    pub(crate) scale_to: Option<String>,
    /// Multiples of a byte: by 1,000 (kB, MB, GB), or by 1,024 (KiB, MiB, GiB) [default: decimal].
    #[arg(long, value_enum, value_name = "BASE")]
    pub(crate) bytes_format: Option<BytesFormat>,
    /// Keep KEY=VALUE with the results, like --context machine=idle. May be repeated; of one key the last counts.
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_pair)]
    pub(crate) context: Vec<KeyValue>,
    /// No warnings about the machine, the build or doubtful figures. NANOBENCH_SUPPRESS_WARNINGS=1 does the same.
    #[arg(long)]
    pub(crate) no_warnings: bool,
}

impl Process {
    /// `--timeout`, or what it is without.
    pub(crate) fn timeout(&self) -> Duration {
        self.timeout.unwrap_or(Duration::from_secs(60))
    }
}

impl Output {
    /// Whether the report is the table.
    pub(crate) fn is_table(&self) -> bool {
        self.format.unwrap_or(Format::Table) == Format::Table
    }

    /// How bytes are shown.
    pub(crate) fn bytes(&self) -> Bytes {
        match self.bytes_format {
            Some(BytesFormat::Binary) => Bytes::Binary,
            Some(BytesFormat::Decimal) | None => Bytes::Decimal,
        }
    }

    /// Whether warnings are wanted.
    pub(crate) fn warns(&self) -> bool {
        let suppressed = std::env::var_os("NANOBENCH_SUPPRESS_WARNINGS");
        !self.no_warnings && suppressed.is_none_or(|value| value.is_empty() || value == "0")
    }
}

/// A clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Timer {
    /// The operating system's monotonic clock.
    Os,
    /// The processor's counter: the time stamp counter, or what its architecture has instead.
    Tsc,
}

impl Timer {
    /// As the harness knows it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Timer::Os => "os",
            Timer::Tsc => "tsc",
        }
    }
}

/// Form of the report on stdout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Table,
    /// For programs.
    Json,
}

/// What the multiples of a byte are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BytesFormat {
    /// kB, MB, GB.
    Decimal,
    /// KiB, MiB, GiB.
    Binary,
}

/// Reads a number of what there has to be one of at least.
fn parse_number(text: &str) -> Result<u64, String> {
    text.parse().ok().filter(|&number| number > 0).ok_or_else(|| "a whole number from 1".to_owned())
}

/// Reads a number of what there may be none of.
fn parse_number_or_none(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "a whole number, 0 or more".to_owned())
}

/// Reads `key=value`.
fn parse_pair(text: &str) -> Result<KeyValue, String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => {
            Ok(KeyValue { key: key.trim().to_owned(), value: value.to_owned() })
        }
        _ => Err("a key, `=` and a value, like machine=idle".to_owned()),
    }
}
