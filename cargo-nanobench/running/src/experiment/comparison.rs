//! The comparison of one benchmark with its baseline.

mod answers;
mod from_paired;

pub use answers::TimeChange;
pub(super) use from_paired::MAX_PLACEMENT_EFFECT;

use super::instruction_counts::InstructionChange;
use super::paired::{BlockError, PairedDetails};
use super::premises::{Premise, Unknown, have_changed, uses};
use super::stored::is_below_resolution;
use crate::code::{CodeMatch, Exception};
use crate::session::RequestError;
use nanobench::model::Measurement;
use nanobench::stats::Change;
use nanobench::summary::{Summary, unoptimized_empty_loop};
use std::sync::Arc;
use verdicts::Verdict;

/// Smallest correction for the clock rate, as a share, that figures show.
const MIN_CORRECTION: f64 = 0.000_5;

/// A benchmark compared with its baseline. By default, nothing is known.
#[derive(Debug, Clone, Default)]
pub struct Comparison {
    /// Figures of the baseline; `None` for a new benchmark. The median is the one that the change
    /// was computed from.
    pub baseline: Option<Summary>,
    /// The samples that `baseline` was computed from.
    pub baseline_samples: Option<Arc<Measurement>>,
    /// The median as it was stored, if the one in `baseline` is corrected for another clock rate
    /// of the core: the change was computed in cycles.
    pub uncorrected_median: Option<f64>,
    /// `None` if either side has no figure, or is below resolution: a percentage of the time of an
    /// empty loop would mean nothing.
    pub change: Option<Change>,
    pub verdict: Verdict,
    /// The grounds of the verdict, if the figures alone don't show them.
    pub reason: Option<Reason>,
    /// The obstacle to a paired run that should have taken place.
    pub not_paired: Option<Arc<NotPaired>>,
    /// Details of the paired run; `None` for a comparison with stored figures.
    pub paired: Option<PairedDetails>,
    /// The instructions of a call on both sides, if a gate needs them.
    pub instructions: Option<InstructionChange>,
    /// What it rests on besides the executables, as far as the benchmark can get at it. Empty if nothing
    /// had to be looked at.
    pub premises: Vec<Premise>,
}

/// The grounds of a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The candidate can't be distinguished from an empty benchmark.
    BelowResolution,
    /// The baseline can't be distinguished from an empty benchmark, but the candidate can.
    BaselineBelowResolution,
    /// One side is a single sample, which has no spread.
    SingleSample,
    /// The baseline was measured earlier, which may explain the change.
    MeasuredEarlier,
    /// The change is too large to be explained by the time between the measurements.
    StoredFigures,
    /// Both sides ran the same executable, byte for byte.
    SameExecutable,
    /// The time of the same code changed by more than the time between the measurements explains.
    ChangedElsewhere,
    /// The code and data that the benchmark can reach are the same, and nothing was run side by
    /// side.
    SameCode,
    /// The optimiser has removed the work of the candidate, or did it in advance.
    WorkLost,
    /// The machine code differs, but nothing was run side by side for lack of time.
    OtherCode,
    /// No code is known to differ, but the figures are far apart, and nothing was run side by side for
    /// lack of time.
    OtherFigure,
    /// The empty loop of a side is not optimised, so other timed code may not be optimised either.
    UnoptimizedLoop,
    /// Nothing was run side by side, because the comparison is one of instructions.
    OnlyCounted,
    /// The two sides were called with different values of `count`.
    OtherCount,
    /// The two figures have different units or batches.
    OtherUnit,
    /// The change did not show in every launch.
    DidNotRecur,
    /// The user pressed Ctrl-C before the change was confirmed.
    Unconfirmed,
    /// Threads or processes of the candidate are busy between its samples, but not those of the
    /// baseline. Beside other work, the candidate may be slower.
    BusyCandidate,
    /// A call takes less time, but more processor time with what its other threads do.
    MoreProcessorTime,
    /// As [`Reason::BusyCandidate`], with the sides exchanged.
    BusyBaseline,
    /// The code is the same, but the change is larger than placement explains.
    SameCodeLargeChange,
    /// The code is the same, and so were the places of its functions. Those of data were random.
    SameCodeAtSamePlaces,
    /// The code is the same, but something else differs, which explains a change of any size.
    SameCodeExcept(Exception),
    /// The trees of the two sides have paths of different lengths, which may explain the change.
    OtherPath,
    /// Both sides take the same time, but not that of the stored figures, and the benchmark calls the system
    /// for more than is known.
    NotAsStored,
    /// Nothing is known to differ, but some data can't be compared, and placement may explain the
    /// change.
    UncertainCode,
}

impl Reason {
    /// Returns the reason if a side can't be distinguished from an empty benchmark.
    pub(super) fn if_below_resolution(baseline: &Measurement, candidate: &Measurement) -> Option<Reason> {
        match (is_below_resolution(baseline), is_below_resolution(candidate)) {
            (_, true) => Some(Reason::BelowResolution),
            (true, false) => Some(Reason::BaselineBelowResolution),
            (false, false) => None,
        }
    }

    /// Returns the reason if the empty loop of a side is not optimised.
    pub(super) fn if_unoptimized(baseline: &Measurement, candidate: &Measurement) -> Option<Reason> {
        let is_unoptimized = |measurement| unoptimized_empty_loop(measurement).is_some();
        (is_unoptimized(baseline) || is_unoptimized(candidate)).then_some(Reason::UnoptimizedLoop)
    }
}

/// An obstacle to a paired run.
#[derive(Debug, thiserror::Error)]
pub enum NotPaired {
    #[error(transparent)]
    Block(#[from] BlockError),
    /// Only one process at a time can have what each of them needs.
    #[error("{0}{advice}, or add --one-at-a-time", advice = .0.advice())]
    Collision(BlockError),
    #[error("{0}: the tree of the revision has only the files that git tracks, so commit what it reads")]
    FileOfRevision(BlockError),
    #[error("the baseline's executable is gone, or was imported without --use-executables")]
    ExecutableGone,
    /// Both sides would get these as they are now.
    #[error("both sides would {}, which {}", uses(.0, "the new "), have_changed(.0))]
    Changed(Vec<Premise>),
    /// Both sides would get these of the working tree: they are built from sources or with settings that
    /// differ.
    #[error("both sides would {} of the working tree, which may differ from the revision's", uses(.0, ""))]
    OfWorkingTree(Vec<Premise>),
    /// They are outside of the repository, so the revision has none of its own.
    #[error("both sides are built from {}, outside of the repository", .0.join(", "))]
    SharedPackages(Vec<String>),
    /// Both sides would get them as they are now.
    #[error("both sides may read something new: {0}")]
    UnknownInputs(Unknown),
    /// The baseline's executable never listed its benchmarks.
    #[error("the baseline's executable {0}")]
    Unlisted(Arc<RequestError>),
    #[error("interrupted")]
    Interrupted,
}

impl NotPaired {
    /// Returns whether the obstacle is one for all benchmarks of an executable, so that reports
    /// mention it once.
    fn is_for_all(&self) -> bool {
        matches!(self, NotPaired::ExecutableGone | NotPaired::Interrupted)
    }
}

impl Comparison {
    /// Creates a comparison without figures.
    pub(super) fn without_figures(verdict: Verdict, reason: Option<Reason>) -> Comparison {
        Comparison { verdict, reason, ..Comparison::default() }
    }

    /// Adds the baseline's samples and their figures.
    pub(super) fn with_baseline(self, samples: Option<Arc<Measurement>>) -> Comparison {
        let baseline = samples.as_deref().and_then(Summary::from_measurement);
        Comparison { baseline, baseline_samples: samples, ..self }
    }

    /// Creates the comparison of a benchmark that the baseline lacks.
    pub fn new_benchmark() -> Comparison {
        Comparison::without_figures(Verdict::New, None)
    }

    /// Creates the comparison of a benchmark whose baseline has another unit or batch.
    pub fn with_other_unit() -> Comparison {
        Comparison::without_figures(Verdict::New, Some(Reason::OtherUnit))
    }

    /// Creates the comparison of a benchmark that failed in this run.
    pub fn failed(baseline: Option<&Measurement>) -> Comparison {
        let baseline = baseline.cloned().map(Arc::new);
        Comparison::without_figures(Verdict::Failed, None).with_baseline(baseline)
    }

    /// Notes the obstacle to a paired run.
    pub(super) fn not_paired(self, obstacle: Arc<NotPaired>) -> Comparison {
        Comparison { not_paired: Some(obstacle), ..self }
    }

    /// Creates the comparison of a benchmark that was not run side by side although it could have
    /// been. `code`: the comparison of its code, or `None` in the same executable.
    pub(super) fn not_run(code: Option<&CodeMatch>) -> Comparison {
        let (verdict, reason) = match code {
            None => (Verdict::Same, Reason::SameExecutable),
            Some(CodeMatch::Same) => (Verdict::Same, Reason::SameCode),
            Some(CodeMatch::SameExcept(exception)) => (Verdict::Unsure, Reason::SameCodeExcept(*exception)),
            Some(CodeMatch::Differs(_)) => (Verdict::Unsure, Reason::OtherCode),
            Some(CodeMatch::Uncertain | CodeMatch::Unknown) => (Verdict::Unsure, Reason::MeasuredEarlier),
        };
        Comparison::without_figures(verdict, Some(reason))
    }

    /// Creates the comparison of a benchmark in the same executable, which was not run again. No
    /// change of the code can be the reason for different figures, so the row reports none.
    /// `differs`: the figures are further apart than the time between the measurements explains.
    pub(super) fn of_same_executable(self, differs: bool) -> Comparison {
        let (verdict, reason) = if differs {
            (Verdict::Unsure, Reason::ChangedElsewhere)
        } else {
            (Verdict::Same, Reason::SameExecutable)
        };
        let stored = self.uncorrected_median;
        let as_stored = |baseline: Summary| Summary { median: stored.unwrap_or(baseline.median), ..baseline };
        let baseline = self.baseline.map(as_stored);
        let without_figures = Comparison::without_figures(verdict, Some(reason));
        Comparison { baseline, baseline_samples: self.baseline_samples, ..without_figures }
    }

    /// Shows the baseline's median at the clock rate of the new figures, from which a change in
    /// cycles follows.
    pub(super) fn corrected_for_the_clock(self, now: &Option<Summary>) -> Comparison {
        let (Some(change), Some(now)) = (self.change, now) else { return self };
        let median = now.median / (1.0 + change.estimate);
        // Where the clock rate stayed the same, a mark would only raise questions.
        let by = self.baseline.as_ref().map_or(0.0, |baseline| median / baseline.median - 1.0);
        if by.abs() < MIN_CORRECTION {
            return self;
        }
        let uncorrected_median = self.baseline.as_ref().map(|baseline| baseline.median);
        let baseline = self.baseline.map(|baseline| Summary { median, ..baseline });
        Comparison { baseline, uncorrected_median, ..self }
    }

    /// Withdraws a verdict for this reason.
    pub(super) fn doubt(&mut self, reason: Reason) {
        if let Some(details) = &mut self.paired {
            details.replace_changes(Verdict::Unsure);
        }
        (self.verdict, self.reason) = (Verdict::Unsure, Some(reason));
    }

    /// Withdraws a change that was not measured again.
    pub(super) fn unconfirmed(self) -> Comparison {
        if !self.verdict.is_change() {
            return self;
        }
        Comparison { verdict: Verdict::Unsure, reason: Some(Reason::Unconfirmed), ..self }
    }

    /// Returns whether it says nothing about a change, because nothing suggested one, or because
    /// stored figures can't tell.
    pub fn is_silent(&self) -> bool {
        let is_undecided = matches!(self.verdict, Verdict::Same | Verdict::Unsure);
        let has_difference =
            matches!(self.reason, Some(Reason::OtherCode | Reason::OtherFigure | Reason::SameCodeExcept(_)));
        is_undecided && self.paired.is_none() && !has_difference && !self.could_not_run()
    }

    /// Returns whether an obstacle of its own kept the two sides from running side by side.
    pub fn could_not_run(&self) -> bool {
        self.not_paired.as_ref().is_some_and(|obstacle| !obstacle.is_for_all())
    }

    /// Returns the figures of the baseline, unless it can't be told from an empty benchmark.
    pub fn resolved_baseline(&self) -> Option<&Summary> {
        self.baseline.as_ref().filter(|before| !before.below_resolution)
    }

    /// Returns 100 % x baseline / candidate: over 100 is faster.
    pub fn relative(&self) -> Option<f64> {
        self.change.map(|change| 100.0 / (1.0 + change.estimate))
    }
}

#[cfg(test)]
mod tests;
