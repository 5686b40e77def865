//! The other side of a comparison, as headings and warnings describe it.

use crate::baseline::in_sentence;
use crate::experiment::STORED_THRESHOLD;
use nanobench::report::{counted, escape};

const NOT_RUN: &str = "its executables don't run here, so only its stored figures are compared";

/// A saved run or another revision that a run is compared with.
#[derive(Debug, Clone)]
pub(crate) struct ComparedWith {
    /// `main`, or `last run`.
    pub(crate) name: String,
    /// Age, commit and size.
    pub(crate) description: String,
    /// The differences between the environments of both sides.
    pub(crate) differences: Vec<String>,
    pub(crate) unusable: UnusableExecutables,
    pub(crate) method: ComparisonMethod,
    /// Only the instructions of calls are compared, so nothing runs side by side.
    pub(crate) only_counts: bool,
    /// The code of all benchmarks is known to be the same, so nothing runs side by side.
    pub(crate) same_code: bool,
}

/// The method of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ComparisonMethod {
    /// The executables of both sides run side by side.
    SideBySide,
    /// Both sides have the same executables, byte for byte, so only one side runs.
    Identical,
    /// Another revision, built for this run, runs side by side with the working tree.
    Revision {
        /// The full hash.
        commit: String,
    },
    /// Nobody named a baseline: the table is that of a plain run, with the changes since the last
    /// run.
    LastRun(LastRun),
    /// No executable can run here: all benchmarks are compared with stored figures.
    StoredFigures,
    /// Two saved runs are compared by their stored figures.
    SavedRuns {
        /// The name of the candidate.
        candidate: String,
        /// Its name, age, commit and size.
        description: String,
    },
}

/// The method of a comparison with the last run that nobody requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LastRun {
    /// Both sides have the same executables, byte for byte, so nothing is compared.
    Identical,
    /// Benchmarks that may have changed run side by side.
    SideBySide,
    /// No executable can run here, so only stored figures are compared.
    StoredFigures,
}

/// The executables of a saved run that can't run here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnusableExecutables {
    None,
    /// This many are gone or changed.
    Lost(usize),
    /// All of them, as they came from a file.
    Imported,
    /// All of them, as they came from a file of another machine.
    OtherMachine,
}

impl ComparedWith {
    /// Describes it as a saved run whose executables are those of this run.
    pub(crate) fn identical(self) -> ComparedWith {
        let method = match self.method {
            ComparisonMethod::SideBySide => ComparisonMethod::Identical,
            ComparisonMethod::LastRun(_) => ComparisonMethod::LastRun(LastRun::Identical),
            other => other,
        };
        ComparedWith { method, ..self }
    }

    /// Returns the name of the candidate, if that isn't the current run.
    pub(super) fn candidate(&self) -> Option<&str> {
        let ComparisonMethod::SavedRuns { candidate, .. } = &self.method else { return None };
        Some(candidate)
    }

    /// Returns the commit of the other revision, if there is one.
    pub(super) fn commit(&self) -> Option<&str> {
        let ComparisonMethod::Revision { commit } = &self.method else { return None };
        Some(commit)
    }

    /// Returns whether benchmarks may run side by side.
    pub(super) fn may_run_side_by_side(&self) -> bool {
        use ComparisonMethod::{Revision, SideBySide};
        let may_run = matches!(
            self.method,
            SideBySide | Revision { .. } | ComparisonMethod::LastRun(LastRun::SideBySide)
        );
        may_run && !self.only_counts && !self.same_code
    }

    /// Returns whether the comparison has a table of its own, instead of a column in the table of
    /// a plain run.
    pub(super) fn has_own_table(&self) -> bool {
        !matches!(self.method, ComparisonMethod::LastRun(_))
    }

    /// Returns whether the table of a plain run has a column with the changes.
    pub(super) fn has_change_column(&self) -> bool {
        matches!(self.method, ComparisonMethod::LastRun(LastRun::SideBySide | LastRun::StoredFigures))
    }

    /// Returns the name as sentences have it: `main`, `the last run`.
    pub(super) fn name_in_sentence(&self) -> String {
        escape(&in_sentence(&self.name))
    }

    /// Returns the warning about executables that can't run here.
    pub(crate) fn warning(&self) -> Option<String> {
        let name = self.name_in_sentence();
        match self.unusable {
            UnusableExecutables::None => None,
            UnusableExecutables::Lost(number) => {
                let executables = counted(number, "executable");
                let (are, their) = if number == 1 { ("is", "its") } else { ("are", "their") };
                Some(format!(
                    "{executables} of {name} {are} gone or changed: {their} benchmarks are compared by stored figures"
                ))
            }
            UnusableExecutables::Imported => {
                Some(format!("{name} was imported: {NOT_RUN}; to run them, import it with --use-executables"))
            }
            UnusableExecutables::OtherMachine => Some(format!("{name} is from another machine: {NOT_RUN}")),
        }
    }

    /// Returns a sentence about the limit of comparisons of stored figures.
    pub(super) fn stored_figures_note() -> String {
        format!("Stored figures show only changes by more than a factor of {}.", 1.0 + STORED_THRESHOLD)
    }

    /// Describes the saved run that is compared with another one.
    pub(super) fn candidate_description(&self) -> Option<String> {
        let ComparisonMethod::SavedRuns { description, .. } = &self.method else { return None };
        Some(escape(description))
    }

    /// Returns a line about the differences of a saved run from the one it is compared with.
    pub(super) fn difference_from_base(&self) -> Option<String> {
        let candidate = self.candidate().filter(|_| !self.differences.is_empty())?;
        Some(format!(
            "{} was built or measured differently from {}, which may explain some changes: {}",
            escape(candidate),
            self.name_in_sentence(),
            escape(&self.differences.join("; "))
        ))
    }

    /// Returns the lines that headings have about the comparison.
    pub(super) fn heading(&self) -> Vec<String> {
        let mut lines = self.method_lines();
        if !self.differences.is_empty() {
            let (name, differences) = (self.name_in_sentence(), escape(&self.differences.join("; ")));
            let is_unchanged = matches!(self.method, ComparisonMethod::LastRun(LastRun::Identical));
            let explains = if is_unchanged { "" } else { ", which may explain some changes" };
            lines.push(format!("{name} was built or measured differently{explains}: {differences}"));
        }
        lines
    }

    fn method_lines(&self) -> Vec<String> {
        let (name, description) = (self.name_in_sentence(), escape(&self.description));
        let stored = ComparedWith::stored_figures_note();
        match &self.method {
            ComparisonMethod::Revision { commit } => {
                let is = if commit.starts_with(&self.name) { String::new() } else { format!("{name} is ") };
                let how = if self.same_code {
                    "compared with the working tree: identical code"
                } else if self.only_counts {
                    "compared with the working tree by the instructions of a call"
                } else {
                    "run side by side with the working tree"
                };
                vec![format!("{is}{description}, {how}")]
            }
            ComparisonMethod::Identical => {
                vec![format!("compared with {name} ({description}): identical code")]
            }
            ComparisonMethod::SideBySide if self.same_code => {
                vec![format!("compared with {name} ({description}): identical code")]
            }
            ComparisonMethod::SideBySide if self.only_counts => {
                vec![format!("compared with {name} ({description}), by the instructions of a call")]
            }
            ComparisonMethod::SideBySide => vec![format!("side by side with {name} ({description})")],
            ComparisonMethod::LastRun(LastRun::Identical) => {
                vec![format!("identical code since {name} ({description})")]
            }
            ComparisonMethod::LastRun(LastRun::SideBySide) => {
                vec![format!("change: since {name} ({description}), side by side")]
            }
            ComparisonMethod::LastRun(LastRun::StoredFigures) => vec![format!(
                "change: since {name} ({description}), whose executables can't run here. {stored}"
            )],
            ComparisonMethod::StoredFigures => {
                // Otherwise, the warning says why none runs.
                let none = match self.unusable {
                    UnusableExecutables::None => "It has no executables. ",
                    _ => "",
                };
                vec![
                    format!("compared with the stored figures of {name} ({description})"),
                    format!("{none}{stored}"),
                ]
            }
            ComparisonMethod::SavedRuns { description: candidate, .. } => vec![
                format!("{} compared with {name} ({description})", escape(candidate)),
                format!("Nothing was run. {stored}"),
            ],
        }
    }
}
