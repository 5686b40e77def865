//! The command line: the only place that declares and documents flags.

mod baseline;
mod cargo;
mod code;
mod conditions;
mod config;
mod config_keys;
mod costs;
pub(crate) mod duration;
mod foreign;
mod gate;
mod help;
mod output;
#[cfg(test)]
mod reference_page;
mod report;
mod run;
mod tune;
mod words;

use crate::experiment::Pattern;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use clap_complete::Shell;

pub(crate) use baseline::{BaselineAction, BaselineArgs, PruneArgs};
pub(crate) use cargo::{CommonArgs, TerminalArgs};
pub(crate) use code::{AsmArgs, ProfileArgs, WhyArgs};
pub(crate) use conditions::{ConditionArgs, WipeSize};
pub(crate) use config::{Error as ConfigError, load as load_config};
pub(crate) use costs::{CostsAction, CostsArgs, SizesArgs, SizesFormat};
pub(crate) use foreign::{is_other_command, subcommand_like};
pub(crate) use gate::GateArgs;
pub(crate) use output::{FileArgs, Output, OutputFile, ReportFormat};
pub(crate) use report::ReportArgs;
pub(crate) use run::{ComparisonArgs, Format, RunArgs, SamplingArgs, SelectArgs, Unit};
pub(crate) use tune::TuneArgs;

/// Find, run and compare the benchmarks that `#[nanobench]` marks.
#[derive(Debug, Parser)]
#[command(
    name = "cargo-nanobench",
    bin_name = "cargo nanobench",
    version,
    styles = clap_cargo::style::CLAP_STYLING,
    override_usage = help::SHORT_USAGE,
    after_long_help = help::long(),
    args_conflicts_with_subcommands = true,
    max_term_width = 110
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    run: RunArgs,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Build and run benchmarks (the default).
    #[command(max_term_width = 110)]
    Run(Box<RunArgs>),
    /// List, show, compare, move and remove baselines.
    Baseline(BaselineArgs),
    /// Measure what primitives cost on this machine: calls, locks, ..
    #[command(max_term_width = 110)]
    Costs(Box<CostsArgs>),
    /// Report saved runs in any format, or compare them.
    ///
    /// Nothing is built or run. A comparison is one of stored figures.
    Report(Box<ReportArgs>),
    /// Explain a change by the machine code of both sides.
    ///
    /// Nothing is timed.
    #[command(max_term_width = 110)]
    Why(Box<WhyArgs>),
    /// Print the machine code of a benchmark.
    #[command(max_term_width = 110)]
    Asm(Box<AsmArgs>),
    /// Run a benchmark under a profiler, such as perf.
    Profile(Box<ProfileArgs>),
    /// Find what disturbs measurements on this machine.
    ///
    /// Says what to do about it, and changes nothing.
    Doctor(DoctorArgs),
    /// Show or change settings that make figures steadier.
    ///
    /// Changes nothing without --apply.
    Tune(TuneArgs),
    /// Add the dev-dependency and a first benchmark to a package.
    Init(InitArgs),
    /// Print a script that completes commands in a shell.
    ///
    /// Such as, for bash: source <(cargo nanobench completions bash)
    Completions(CompletionsArgs),
    /// Write the manual pages of all subcommands to a folder.
    #[command(hide = true)]
    Man(ManArgs),
}

/// The location of the baselines.
#[derive(Debug, Args)]
#[command(next_help_heading = "Cargo")]
pub(crate) struct StoreArgs {
    /// Target directory that holds the baselines.
    #[arg(long, value_name = "DIR")]
    pub(crate) target_dir: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Cargo")]
    pub(crate) common: CommonArgs,
}

/// `cargo nanobench doctor`.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Print text, or a single JSON document.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Table, help_heading = "Output")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) terminal: TerminalArgs,
}

/// `cargo nanobench completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell that reads the script.
    #[arg(value_name = "SHELL")]
    pub(crate) shell: Shell,
    #[command(flatten)]
    pub(crate) terminal: TerminalArgs,
}

/// `cargo nanobench man`.
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The folder for the pages.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    #[command(flatten)]
    pub(crate) terminal: TerminalArgs,
}

/// `cargo nanobench init`.
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Depend on the nanobench-core in this folder instead of the published one.
    ///
    /// DIR is the folder of nanobench-core, or of the repository that contains it.
    #[arg(long, value_name = "DIR")]
    pub(crate) path: Option<PathBuf>,
    /// Package to add the benchmark to, if the workspace has several.
    #[arg(short, long, value_name = "SPEC")]
    pub(crate) package: Option<String>,
    #[command(flatten, next_help_heading = "Cargo")]
    pub(crate) common: CommonArgs,
}

/// Returns the whole command line, as completions and manual pages describe it.
pub(crate) fn described() -> clap::Command {
    help::full(Cli::command())
}

/// Reads the command line. Ends the process for `--help`, `--version` and usage errors (exit code
/// 2).
pub(crate) fn parse() -> Command {
    // It has hundreds of flags, and is made once: that takes half a millisecond.
    let command = Cli::command();
    let args = with_subcommand_first(without_subcommand_name(std::env::args_os()), &command);
    let subcommands: Vec<String> = command.get_subcommands().map(|one| one.get_name().to_owned()).collect();
    let command = help::with_help(command, &args);
    let matches = command.try_get_matches_from(args).map_err(foreign::with_advice);
    let cli =
        matches.and_then(|matches| Cli::from_arg_matches(&matches)).unwrap_or_else(|error| error.exit());
    if let Some(name) = cli.late_subcommand(&subcommands) {
        let message = format!(
            "the subcommand `{name}` must come first, before all flags\n\
             to run benchmarks whose id contains `{name}`: cargo nanobench run {name}"
        );
        Cli::command().error(ErrorKind::ArgumentConflict, message).exit();
    }
    let filters: Vec<&str> = cli.run.select.filters.iter().map(Pattern::text).collect();
    if let Some(message) = foreign::misplaced_flag(&filters) {
        Cli::command().error(ErrorKind::UnknownArgument, message).exit();
    }
    let command = cli.command.unwrap_or_else(|| Command::Run(Box::new(cli.run)));
    if let Some(problem) = command.contradiction() {
        Cli::command().error(ErrorKind::ArgumentConflict, problem).exit();
    }
    command
}

impl Cli {
    /// Returns the first filter if it is the name of a subcommand, as in `cargo nanobench -p a
    /// baseline list`.
    fn late_subcommand(&self, subcommands: &[String]) -> Option<&str> {
        let first = self.run.select.filters.first()?.text();
        subcommands.iter().any(|name| name == first).then_some(first)
    }
}

impl Command {
    /// Returns what is wrong with flags that contradict each other by their values.
    fn contradiction(&self) -> Option<&'static str> {
        match self {
            Self::Run(args) => args.sampling.contradiction().or(args.select.contradiction()),
            Self::Costs(args) => args.sampling.contradiction(),
            _ => None,
        }
    }

    /// Returns the flags of every subcommand.
    pub(crate) fn terminal(&self) -> &TerminalArgs {
        match self {
            Self::Run(args) => &args.cargo.common.terminal,
            Self::Baseline(args) => &args.action.store().common.terminal,
            Self::Costs(args) => args.terminal(),
            Self::Report(args) => &args.store.common.terminal,
            Self::Why(args) => &args.build.cargo.common.terminal,
            Self::Asm(args) => &args.build.cargo.common.terminal,
            Self::Profile(args) => &args.build.cargo.common.terminal,
            Self::Doctor(args) => &args.terminal,
            Self::Tune(args) => &args.terminal,
            Self::Init(args) => &args.common.terminal,
            Self::Completions(args) => &args.terminal,
            Self::Man(args) => &args.terminal,
        }
    }
}

/// Removes the subcommand's name, which cargo passes as the first argument: `cargo-nanobench
/// nanobench ARGS`.
fn without_subcommand_name(args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut args: Vec<OsString> = args.into_iter().collect();
    if args.get(1).is_some_and(|first| first == "nanobench") {
        args.remove(1);
    }
    args
}

/// Flags without a value that every subcommand has.
const SWITCHES: [&str; 8] = ["-q", "--quiet", "-v", "-vv", "--verbose", "--locked", "--offline", "--frozen"];

/// Moves the name of a subcommand, and of its action, before the flags: `cargo nanobench -q why ID`,
/// as with cargo.
fn with_subcommand_first(mut args: Vec<OsString>, cli: &clap::Command) -> Vec<OsString> {
    let is_switch = |arg: &OsString| arg.to_str().is_some_and(|arg| SWITCHES.contains(&arg));
    let switches = args.iter().skip(1).take_while(|arg| is_switch(arg)).count();
    let mut command = cli;
    let mut enter = |name: &OsString| {
        command = command.find_subcommand(name)?;
        Some(())
    };
    let names = args.iter().skip(1 + switches).map_while(&mut enter).count();
    args[1..][..switches + names].rotate_left(switches);
    args
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn parse(args: &[&str]) -> Result<Command, ErrorKind> {
        let args = ["cargo-nanobench"].iter().chain(args).map(OsString::from);
        let cli = Cli::try_parse_from(without_subcommand_name(args)).map_err(|error| error.kind())?;
        Ok(cli.command.unwrap_or_else(|| Command::Run(Box::new(cli.run))))
    }

    fn filters(args: &[&str]) -> Vec<String> {
        match parse(args).unwrap() {
            Command::Run(args) => args.select.filters.iter().map(|it| it.text().to_owned()).collect(),
            other => panic!("not a run: {other:?}"),
        }
    }

    #[test]
    fn declaration_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn only_the_first_argument_is_cargos() {
        assert_eq!(filters(&["nanobench", "sort"]), ["sort"]);
        assert_eq!(filters(&["sort", "nanobench"]), ["sort", "nanobench"]);
        assert_eq!(filters(&["nanobench", "nanobench"]), ["nanobench"]);
        assert!(filters(&[]).is_empty());
    }

    #[test]
    fn switches_may_come_before_a_subcommand() {
        let command = Cli::command();
        let first =
            |args: &[&str]| with_subcommand_first(args.iter().map(OsString::from).collect(), &command);
        assert_eq!(first(&["x", "-q", "--locked", "why", "a"]), ["x", "why", "-q", "--locked", "a"]);
        assert_eq!(
            first(&["x", "-q", "baseline", "remove", "list"]),
            ["x", "baseline", "remove", "-q", "list"]
        );
        for words in
            [&["baseline", "list"][..], &["baseline", "show", "main"], &["costs", "sizes"], &["doctor"]]
        {
            let args = ["x", "-q"].iter().chain(words).map(OsString::from).collect();
            let cli = Cli::try_parse_from(with_subcommand_first(args, &command)).unwrap();
            let found = cli.command.expect("it is a subcommand");
            assert!(found.terminal().quiet, "{found:?}");
        }
        for same in [&["x", "why", "-q"][..], &["x", "-q", "sort"], &["x", "-q"], &["x", "-p", "why"]] {
            assert_eq!(first(same), same);
        }
    }

    #[test]
    fn run_is_the_default() {
        assert_eq!(filters(&["run", "sort"]), filters(&["sort"]));
        assert_eq!(filters(&["-p", "a", "sort", "--exact"]), ["sort"]);
        assert_eq!(filters(&["--", "--save-baseline", "x"]), ["--save-baseline", "x"]);
    }

    #[test]
    fn a_filter_may_be_named_like_a_subcommand() {
        assert_eq!(filters(&["run", "baseline"]), ["baseline"]);
        assert_eq!(filters(&["sort", "init"]), ["sort", "init"]);
        assert!(matches!(parse(&["baseline", "list"]), Ok(Command::Baseline(_))));
    }

    #[test]
    fn contradictions_are_usage_errors() {
        for args in [
            &["--list", "--save-baseline", "x"][..],
            &["-q", "-v"],
            &["--iterations", "5", "--sample-time", "1ms"],
            &["--samples", "5", "--precision", "1"],
            &["--samples", "5", "--min-time", "1ms"],
            &["--samples", "5", "--max-time", "1ms"],
            &["--samples", "5", "--budget", "1s"],
            &["--ignored", "--include-ignored"],
            &["run", "-v", "--quiet"],
            &["--no-run", "--fail-on", "slower"],
            &["--no-run", "--fail-above", "5"],
        ] {
            assert_eq!(parse(args).unwrap_err(), ErrorKind::ArgumentConflict, "{args:?}");
        }
        assert!(parse(&["--save-baseline", "x", "--baseline", "x"]).is_ok());
        assert!(parse(&["--list", "--format", "json"]).is_ok());
    }

    #[test]
    fn values_may_contradict_each_other() {
        let contradiction = |args: &[&str]| parse(args).unwrap().contradiction();
        for args in [&[][..], &["costs"]] {
            let with = |limits: &[&'static str]| contradiction(&[args, limits].concat());
            assert!(with(&["--min-time", "2s", "--max-time", "10ms"]).is_some());
            assert_eq!(with(&["--min-time", "2s", "--max-time", "2s"]), None);
            assert_eq!(with(&["--max-time", "10ms"]), None);
        }
        for (pattern, is_problem) in [("/sort/", true), ("glob:sort*", false), ("tag:slow", false)] {
            assert_eq!(contradiction(&["--exact", pattern]).is_some(), is_problem, "{pattern}");
            assert_eq!(
                contradiction(&["--exact", "a", "--skip", pattern]).is_some(),
                is_problem,
                "{pattern}"
            );
            assert_eq!(contradiction(&[pattern]), None);
        }
    }

    #[test]
    fn negative_percentages_are_invalid_values() {
        for flag in ["--fail-above", "--threshold", "--same-within", "--precision"] {
            assert_eq!(parse(&[flag, "-5"]).unwrap_err(), ErrorKind::ValueValidation, "{flag}");
        }
        let Ok(Command::Run(args)) = parse(&["--fail-above", "0"]) else { panic!("not a run") };
        assert_eq!(args.gate.or(&GateArgs::default()).fail_above, Some(0.0));
    }

    #[test]
    fn values_reach_their_fields() {
        let Ok(Command::Run(args)) = parse(&[
            "--bench",
            "one",
            "--bench=two",
            "--timeout",
            "500ms",
            "--color",
            "never",
            "-vv",
            "-j",
            "-1",
        ]) else {
            panic!("not a run");
        };
        assert_eq!(args.select.bench, ["one", "two"]);
        assert_eq!(args.process.timeout, Some(Duration::from_millis(500)));
        let cargo = args.cargo.options();
        assert_eq!((cargo.common.verbose, cargo.common.color.as_deref()), (2, Some("never")));
        assert_eq!((cargo.jobs.as_deref(), cargo.profile()), (Some("-1"), "bench"));
    }
}
