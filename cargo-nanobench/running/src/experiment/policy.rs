//! The policy by which benchmarks are compared with their baselines.

use super::comparison::MAX_PLACEMENT_EFFECT;
use crate::code::CodeMatch;
use nanobench::model::BenchmarkSpec;
use verdicts::{Effort, LAUNCHES_OF_OTHER_CODE, LAUNCHES_OF_SAME_CODE, LAUNCHES_OF_UNKNOWN_CODE, Rules};

/// The policy by which benchmarks are compared with their baselines.
#[derive(Debug, Clone, Copy)]
pub struct ComparisonPolicy {
    /// The threshold of the command line, which overrides those of attributes.
    pub threshold: Option<f64>,
    /// The default rules, for benchmarks whose attribute sets no threshold.
    pub rules: Rules,
    pub paired_runs: PairedRuns,
    /// Applies if the baseline was named.
    pub same_code: SameCode,
    /// The share of the benchmarks of the same code that run side by side all the same, as a check of the
    /// comparison of code. `None`: few, in proportion to those of other code.
    pub audited: Option<f64>,
    /// Benchmarks run side by side even if both executables are the same, byte for byte.
    pub pairs_identical: bool,
    /// The instructions of a call are counted on both sides.
    pub counts_instructions: bool,
    /// Another command may go on with the comparison.
    pub keeps_evidence: bool,
}

/// The benchmarks that run side by side with their baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairedRuns {
    All,
    /// Only benchmarks that may have changed, for about as long as the suite's own sampling takes.
    Changed,
    /// None, although a comparison is requested: it is one of instructions.
    None,
}

/// The treatment of benchmarks whose code is known to be that of their baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SameCode {
    /// They don't run.
    NotRun,
    /// They are measured, as they are saved under a name, but not side by side.
    Measured,
    /// They run side by side like all others.
    Compared,
    /// They run side by side as they are linked, without layouts, so that their change is that of their
    /// place.
    ComparedAsLinked,
    /// As [`SameCode::Compared`], and if even the executable is the same, stored figures show the
    /// change: the baseline is that of another machine, or of another system on it.
    OnOtherMachine,
}

/// Returns whether placement may explain a change with this logarithm, if it is known.
fn may_be_placement(change: Option<f64>) -> bool {
    change.is_none_or(|change| change.abs() <= MAX_PLACEMENT_EFFECT.ln_1p())
}

impl ComparisonPolicy {
    /// Returns the rules of one benchmark: the flag overrides its attribute, and the attribute
    /// overrides the default.
    pub(super) fn rules(&self, benchmark: &BenchmarkSpec) -> Rules {
        let own = benchmark.threshold;
        let is_set = self.threshold.or(own).is_some();
        let default = match self.paired_runs {
            PairedRuns::All | PairedRuns::None => self.rules.threshold,
            // They are too brief for smaller changes.
            PairedRuns::Changed => self.rules.threshold.max(self.rules.resolution),
        };
        let threshold = self.threshold.or(own).unwrap_or(default);
        Rules {
            threshold,
            tests_threshold: is_set || self.rules.tests_threshold || !self.is_requested(),
            ..self.rules
        }
    }

    /// Returns whether the stored figures of the same executable are those of another machine.
    pub(super) fn compares_machines(&self) -> bool {
        self.runs_all_paired() && self.same_code == SameCode::OnOtherMachine
    }

    /// Returns whether somebody requested the comparison.
    pub fn is_requested(&self) -> bool {
        self.paired_runs != PairedRuns::Changed
    }

    /// Returns whether the comparison is one of instructions alone.
    pub fn only_counts(&self) -> bool {
        self.paired_runs == PairedRuns::None
    }

    /// Returns whether all benchmarks run side by side with their baseline. If not, paired runs are brief:
    /// they take little more time than the suite's own sampling.
    pub(super) fn runs_all_paired(&self) -> bool {
        self.paired_runs == PairedRuns::All
    }

    /// Returns whether the code of all benchmarks is compared before anything is measured.
    pub(super) fn compares_code_first(&self) -> bool {
        !self.runs_all_paired() || matches!(self.same_code, SameCode::NotRun | SameCode::Measured)
    }

    /// Returns whether a paired run uses layouts. A brief one does so only if the placement of the
    /// code may explain the change. `code`: compares the code of both sides. `change`: the
    /// logarithm of the change that the figures show, if it is known.
    pub(super) fn uses_layouts(&self, code: impl FnOnce() -> CodeMatch, change: Option<f64>) -> bool {
        match self.runs_all_paired() {
            false => may_be_placement(change) && !matches!(code(), CodeMatch::Differs(_)),
            true => self.same_code != SameCode::ComparedAsLinked || code() != CodeMatch::Same,
        }
    }

    /// Returns the effort of a paired run. `code`: compares the code of both sides.
    pub(super) fn effort(&self, code: impl FnOnce() -> CodeMatch) -> Effort {
        if !self.runs_all_paired() {
            return Effort::Brief;
        }
        let launches = match code() {
            CodeMatch::Same => LAUNCHES_OF_SAME_CODE,
            CodeMatch::Uncertain => LAUNCHES_OF_UNKNOWN_CODE,
            CodeMatch::SameExcept(_) | CodeMatch::Differs(_) | CodeMatch::Unknown => LAUNCHES_OF_OTHER_CODE,
        };
        Effort::Named { launches }
    }
}
