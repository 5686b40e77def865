//! A whole report: the runs, each with its header, rows and outcome.

use super::RunHeader;
use crate::benchmark_id::BenchmarkId;
use crate::disturbance::Disturbance;
use crate::experiment::{Failure, Row};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Everything that is reported of a finished run: the value that all formats render.
#[derive(Debug)]
pub(crate) struct Report {
    /// One run for each baseline, or a single one without baselines. Of several saved runs, the first
    /// one is by itself, and the others are compared with it.
    pub(crate) runs: Vec<ComparedRun>,
    /// Id of the benchmark of which figures are shown as multiples.
    pub(crate) scale_to: Option<BenchmarkId>,
    /// Root folder of the workspace, to which the files of its benchmarks are relative.
    pub(crate) workspace: PathBuf,
}

/// A run, compared with one baseline or none.
#[derive(Debug)]
pub(crate) struct ComparedRun {
    pub(crate) header: RunHeader,
    pub(crate) rows: Vec<Row>,
    pub(crate) outcome: RunOutcome,
}

impl ComparedRun {
    /// Returns whether a table of the run has any rows. Only verbose ones have those that were not run.
    pub(crate) fn has_rows(&self, verbose: bool) -> bool {
        verbose && !self.rows.is_empty()
            || self.outcome.unlisted_executables > 0
            || self.rows.iter().any(|row| !row.is_not_run())
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        matches!(self.outcome.ending, Ending::Interrupted { .. })
    }

    pub(crate) fn fails_gate(&self) -> bool {
        self.outcome.gate.as_ref().is_some_and(|failures| !failures.is_empty())
    }
}

/// Everything that is known at the end of a run, besides its rows.
#[derive(Debug, Default)]
pub(crate) struct RunOutcome {
    pub(crate) elapsed: Duration,
    /// The number of executables that failed to list their benchmarks.
    pub(crate) unlisted_executables: usize,
    pub(crate) disturbance: Option<Disturbance>,
    /// Other reasons to distrust the figures that came up during the run.
    pub(crate) warnings: Vec<String>,
    /// Ids of selected benchmarks that the baseline has and that no longer exist.
    pub(crate) removed: Vec<BenchmarkId>,
    /// The failures of the gates. `None` without gates.
    pub(crate) gate: Option<Vec<Failure>>,
    pub(crate) ending: Ending,
    pub(crate) command: Command,
    /// The command with its flags, if it can be typed again as it is.
    pub(crate) typed: Option<String>,
}

/// The command that measured a run.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) enum Command {
    #[default]
    Run,
    Costs,
}

/// The end of a run.
#[derive(Debug, Default, PartialEq)]
pub(crate) enum Ending {
    /// Nothing was saved, because nothing was measured or the run compared with another revision.
    #[default]
    NotSaved,
    SavedAsLastRun,
    /// Saved as a baseline and as the last run.
    SavedAs {
        name: String,
        /// The name and summary of the previous version, which is kept.
        replaced: Option<String>,
    },
    /// Saved as the last run only, since failures kept it from being saved as a baseline.
    HeldBack {
        name: String,
        /// There is a baseline of this name, which was kept.
        exists: bool,
        failures: Vec<Failure>,
    },
    /// Ended by Ctrl-C, with this many benchmarks not measured.
    Interrupted {
        not_reached: usize,
    },
}

impl Command {
    /// Returns the command with these arguments of the process, for further flags to follow. `None`
    /// if a shell would need quotes.
    pub(crate) fn typed(arguments: impl Iterator<Item = OsString>) -> Option<String> {
        let is_plain = |word: &String| {
            word != "--" && word.chars().all(|c| c.is_alphanumeric() || "-_=./:,".contains(c))
        };
        let words = arguments.skip(1).map(|word| word.into_string().ok().filter(is_plain));
        Some(format!("cargo {}", words.collect::<Option<Vec<_>>>()?.join(" ")))
    }

    /// Returns the words in a shell.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Command::Run => "cargo nanobench",
            Command::Costs => "cargo nanobench costs",
        }
    }
}

impl Ending {
    /// Returns whether the run was saved.
    pub(crate) fn is_saved(&self) -> bool {
        matches!(self, Ending::SavedAsLastRun | Ending::SavedAs { .. } | Ending::HeldBack { .. })
    }
}

impl RunOutcome {
    /// Returns the change of a benchmark's average that failed a gate, or kept the run from being
    /// saved as a baseline, as a share.
    pub(super) fn failure_on_average(&self, id: &BenchmarkId) -> Option<f64> {
        let held_back = match &self.ending {
            Ending::HeldBack { failures, .. } => &failures[..],
            _ => &[],
        };
        let mut failures = self.gate.iter().flatten().chain(held_back);
        failures.find(|failure| failure.is_on_average && failure.id == *id)?.change
    }
}

impl Report {
    /// Returns whether it has several saved runs side by side.
    pub(crate) fn is_of_several(&self) -> bool {
        matches!(&self.runs[..], [first, _, ..] if first.header.compared_with.is_none())
    }

    /// Returns the row of a run that figures are shown as multiples of.
    pub(crate) fn scale<'a>(&self, run: &'a ComparedRun) -> Option<&'a Row> {
        run.rows.iter().find(|row| Some(&row.benchmark.id) == self.scale_to.as_ref())
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.runs.iter().any(ComparedRun::is_interrupted)
    }
}
