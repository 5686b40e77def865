//! The errors that end a subcommand.

use super::compatibility::Incomparable;
use super::init;
use super::outputs::{OutputError, saved_line};
use super::run::more::MoreError;
use crate::baseline::{self, ArchiveError};
use crate::cargo::{self, SkipReason, SkippedTarget};
use crate::cli::ConfigError;
use crate::code::NoAssembly;
use crate::experiment::{AmbiguousName, NoMatch, SuiteError, UnlistedExecutable};
use crate::report::{RenderError, TemplateError};
use crate::revision;
use crate::session::RequestError;
use crate::tune;
use nanobench::report::escape;
use std::io;
use std::path::PathBuf;

/// An error that leaves nothing to report.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Cargo(#[from] cargo::Error),
    #[error(transparent)]
    Baseline(#[from] baseline::Error),
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    #[error("the age is out of range: {0}")]
    Age(#[from] jiff::Error),
    #[error("--list has no such format\nleave out --format, or write --format json")]
    ListFormat,
    #[error("--list compares nothing\nto list the benchmarks that the comparison would run, add --changed")]
    ListComparison,
    #[error("there is no last run to report\nrun `cargo nanobench` first, or name a baseline")]
    NoLastRun,
    #[error("several baselines are reported side by side with another one\nname it: --baseline NAME")]
    SeveralReports,
    #[error(transparent)]
    Incomparable(#[from] Incomparable),
    #[error(transparent)]
    More(#[from] MoreError),
    #[error(transparent)]
    Template(#[from] TemplateError),
    #[error(transparent)]
    Suite(#[from] SuiteError),
    #[error(
        "another command built {} during the run, so figures may be those of other code: nothing is saved\nrun again",
        escape(&.0.to_string_lossy())
    )]
    Replaced(PathBuf),
    #[error("{id} {error}")]
    Endless { id: String, error: RequestError },
    #[error("{0}")]
    Profiler(String),
    #[error("{id} is gone: its process no longer has a row with this name")]
    EndlessRowGone { id: String },
    #[error(transparent)]
    Revision(#[from] revision::Error),
    #[error("cannot run {} ({short})\n{source}", escape(.name))]
    RevisionSuite { name: String, short: String, source: Box<SuiteError> },
    #[error("{baseline} has no executable of {id}: it is gone or changed\nsave the baseline again")]
    ExecutableGone { id: String, baseline: String },
    #[error(transparent)]
    NoAssembly(#[from] NoAssembly),
    #[error(
        "{0}\nthe benchmarks of `costs` are part of the tool itself: install one with its symbols, which `cargo install` keeps"
    )]
    OwnMachineCode(NoAssembly),
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// `unknown_benches`: the lines about values of `--bench` that name no target.
    #[error("{}{source}{}", unknown_benches.iter().map(|text| format!("{text}\n")).collect::<String>(), hint_lines(.hints))]
    NoMatch { unknown_benches: Vec<String>, source: NoMatch, hints: Vec<String> },
    #[error("no benchmark of `costs` matches {filters}{}\nrun `cargo nanobench costs --list` to see all of them", hint_lines(.hints))]
    NoCosts { filters: String, hints: Vec<String> },
    #[error(transparent)]
    AmbiguousName(#[from] AmbiguousName),
    #[error("no executable could list its benchmarks{}", unlisted_lines(.0))]
    NoneListed(Vec<UnlistedExecutable>),
    #[error("the selected packages have no benchmarks{}\n{}", skipped_lines(.skipped), first_benchmark(.skipped))]
    NoBenchmark { skipped: Vec<SkippedTarget> },
    /// There are benchmarks elsewhere, so nobody needs to write the first one.
    #[error("the selected targets have no benchmarks{}{}\nto write one here, mark a function with #[nanobench] (`cargo nanobench init` adds the dev-dependency)", skipped_lines(.skipped), hint_lines(.hints))]
    NoBenchmarkHere { skipped: Vec<SkippedTarget>, hints: Vec<String> },
    #[error("{revision} has nothing to compare with: {reason}")]
    NoBenchmarkInRevision { revision: String, reason: String },
    #[error("cannot write to stdout: {source}{}", saved_line(*.saved))]
    Output { source: io::Error, saved: bool },
    #[error("cannot find the executable of cargo-nanobench: {0}")]
    OwnExecutable(io::Error),
    #[error("this system has no directory for a user's data\nname one for baselines: --target-dir DIR")]
    NoDataDirectory,
    #[error("cannot use {}: {source}", escape(&.path.to_string_lossy()))]
    Folder { path: PathBuf, source: io::Error },
    #[error(transparent)]
    File(#[from] OutputError),
    #[error("cannot render the report: {0}")]
    Render(#[from] RenderError),
    #[error(transparent)]
    Init(#[from] init::Error),
    #[error(transparent)]
    Tune(#[from] tune::Error),
}

/// Returns advice on the first benchmark. Where a target mentions nanobench, the package has the
/// dev-dependency, and `init` has nothing to add.
fn first_benchmark(skipped: &[SkippedTarget]) -> String {
    let is_prepared = skipped.iter().any(|skipped| skipped.reason != SkipReason::NoMention);
    format!("{FIRST_BENCHMARK}{}", if is_prepared { "" } else { INIT })
}

const FIRST_BENCHMARK: &str = "\
write the first one, for example in benches/first.rs:

    #[nanobench::nanobench]
    fn concat() -> String {
        std::hint::black_box([\"left\", \"right\"]).concat()
    }";

const INIT: &str = "\n\nor run `cargo nanobench init`, which also adds the dev-dependency";

/// Returns a line for each target that mentions nanobench but has no benchmark, or that a flag
/// names.
fn skipped_lines(skipped: &[SkippedTarget]) -> String {
    let told = skipped.iter().filter(|skipped| skipped.is_named || skipped.reason != SkipReason::NoMention);
    told.map(|skipped| format!("\n{skipped}")).collect()
}

fn hint_lines(hints: &[String]) -> String {
    hints.iter().map(|hint| format!("\n{hint}")).collect()
}

fn unlisted_lines(executables: &[UnlistedExecutable]) -> String {
    executables.iter().map(|executable| format!("\n{}", unlisted(executable))).collect()
}

/// Returns the target of an executable, and why it didn't list its benchmarks.
pub(super) fn unlisted(executable: &UnlistedExecutable) -> String {
    format!("{} {}", escape(&executable.target.to_string()), escape(&executable.error.to_string()))
}

impl From<io::Error> for Error {
    /// Wraps an error of writing to stdout before anything was saved.
    fn from(source: io::Error) -> Error {
        Error::Output { source, saved: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_error_says_if_the_run_was_saved() {
        let text = |saved| Error::Output { source: io::ErrorKind::StorageFull.into(), saved }.to_string();
        assert!(text(true).ends_with("\nthe run itself was saved"));
        assert!(!text(false).contains("saved"));
    }
}
