//! The functions that read untrusted input, for the fuzz targets.

use crate::baseline::{ListedBaseline, LoadedBaseline};
use crate::cli::{self, RunArgs};
use crate::commands::baseline::{list, view};
use clap::{Args as _, Command, FromArgMatches as _};
use jiff::Zoned;
use std::path::Path;
use std::time::Duration;
use std::{cell, io};

pub use crate::cli::duration::{parse_age, parse_duration, parse_percent, parse_percent_or_none};

thread_local! {
    static RUN: cell::RefCell<Command> = cell::RefCell::new(RunArgs::augment_args(Command::new("run")));
}

/// The values of flags of `run` for which something must hold.
#[expect(missing_docs, reason = "the names say it all")]
#[derive(Debug)]
pub struct Flags {
    pub durations: Vec<Duration>,
    pub precision: Option<f64>,
    pub threads: Vec<u64>,
}

/// Parses a flag of `run`, such as `--threads=2`. `None` if it is refused.
pub fn parse_flag(flag: &str) -> Option<Flags> {
    let matches = RUN.with_borrow_mut(|run| run.try_get_matches_from_mut(["run", flag])).ok()?;
    let args = RunArgs::from_arg_matches(&matches).expect("arguments");
    let durations = [args.process.timeout, args.process.wait_quiet].into_iter().flatten().collect();
    let precision = args.sampling.options().options.precision;
    Some(Flags { durations, precision, threads: args.conditions.threads })
}

/// Reads the configuration file of the workspace in this folder, or returns the message that refuses it.
pub fn load_config(workspace: &Path) -> Result<(), String> {
    cli::load_config(workspace).map(drop).map_err(|error| error.to_string())
}

/// Returns the list of baselines, as text and as JSON.
pub fn list(baselines: &[ListedBaseline], now: &Zoned) -> io::Result<[String; 2]> {
    Ok([view::list(baselines, now, None), list::json(baselines, &[])?])
}

/// Returns the text about a baseline.
pub fn show(name: &str, baseline: &LoadedBaseline, now: &Zoned) -> String {
    view::show(name, baseline, now)
}
