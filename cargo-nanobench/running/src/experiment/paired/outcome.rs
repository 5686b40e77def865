//! The findings of a paired run.

use crate::code::ChangedFunction;
use crate::earlier_comparison::Ratios;
use crate::relink::LayoutError;
use nanobench::model::Measurement;
use nanobench::serialize::percent;
use nanobench::stats::Change;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use verdicts::{Agreement, AverageChange, Evidence, OfHypotheses, Question, Rules, SlowLaunches, Verdict};

/// The outcome of a paired run.
#[derive(Debug, Clone)]
pub(crate) struct PairedOutcome {
    pub verdict: Verdict,
    /// The change of the typical time.
    pub change: Option<Change>,
    pub details: PairedDetails,
    /// Some launches of the baseline.
    pub baseline: Measurement,
    /// Some launches of the candidate.
    pub candidate: Measurement,
}

/// Findings that only a paired run yields.
#[derive(Debug, Clone, Default)]
pub struct PairedDetails {
    /// For `slower` and `faster`: the question that the verdict answers. The first one in the order
    /// of [`Question`] whose answer is the verdict. `slower` in any question outweighs `faster`.
    pub question: Question,
    /// The verdict on the typical time alone.
    pub typical: Verdict,
    /// Two-sided p-value of the change of the typical time, valid whenever the run ended.
    pub p: Option<f64>,
    /// Smallest change of the typical time that is reported, as a share.
    pub threshold: f64,
    /// Typical difference of two processes of the same side, as a share: the median.
    pub launch_noise: Option<f64>,
    /// Number of pairs of fresh processes.
    pub pairs: usize,
    /// Number of these that were sampled for longer than usual.
    pub long_pairs: usize,
    /// Estimated further time until a verdict, if there is none yet.
    pub time_to_decide: Option<Duration>,
    /// For a change: the nearest function to the benchmark whose machine code differs, if it is
    /// known and not the benchmark itself.
    pub differs_in: Option<String>,
    /// For a change: the functions whose code or data differ, the nearest first.
    pub changed_functions: Vec<ChangedFunction>,
    /// Threads or processes of the baseline and of the candidate are busy while no call of the
    /// benchmark runs, so each process is suspended while another one is measured.
    pub busy: [bool; 2],
    /// The processor time of a call with all that its threads and processes do beside it, as a multiple of
    /// the baseline's. `None` with one thread, and if the system doesn't tell it.
    pub processor_ratio: Option<f64>,
    /// The code before the benchmark, if the program passes it.
    pub code_before: CodeBefore,
    /// The change of the average time. `None` for fewer pairs than an interval needs.
    pub average: Option<AverageChange>,
    /// The launches of the two sides, if those of either side fall into two groups.
    pub slow_launches: Option<SlowLaunches>,
    /// `None` if no layouts were made.
    pub layouts: Option<LayoutFindings>,
    /// The reason why none could be made. `None` also if there was no time for them.
    pub no_layouts: Option<Arc<LayoutError>>,
    /// What a later command needs to go on with the run.
    pub kept: Option<KeptRun>,
    /// The ratios that all of this was computed from.
    pub ratios: Ratios,
}

/// The code that each process runs before a benchmark that the program passes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CodeBefore {
    pub processes: u32,
    /// Its time in all processes.
    pub total: Duration,
}

impl CodeBefore {
    pub(super) fn add(&mut self, times: impl Iterator<Item = Duration>) {
        for time in times {
            self.processes += 1;
            self.total += time;
        }
    }

    /// Returns its time in a process.
    pub fn mean(&self) -> Duration {
        self.total / self.processes.max(1)
    }
}

impl PairedDetails {
    /// Gives this verdict to all answers that are changes.
    pub fn replace_changes(&mut self, verdict: Verdict) {
        let average = self.average.as_mut().map(|average| &mut average.verdict);
        let launches = self.slow_launches.as_mut().map(|slow| &mut slow.verdict);
        let verdicts = [Some(&mut self.typical), average, launches].into_iter().flatten();
        verdicts.filter(|verdict| verdict.is_change()).for_each(|change| *change = verdict);
    }
}

/// The effect of the layout, if the processes ran different ones: the same code, linked with its
/// functions in another order. Both processes of a pair had the same.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LayoutFindings {
    /// Typical difference between two layouts of the same code, as a share: the median.
    #[serde(serialize_with = "percent")]
    pub difference: f64,
    /// `None` unless a change of the typical time was confirmed.
    pub agreement: Option<Agreement>,
}

/// The part of a benchmark's paired run that is kept, so that another command can go on with it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct KeptRun {
    pub is_unsure: bool,
    /// The loop count on both sides.
    pub(super) count: u64,
    /// The sizes of changes that the comparison distinguishes.
    pub(super) rules: Rules,
    pub(super) evidence: Evidence,
    /// The changes that are shown.
    pub(super) shown: OfHypotheses<bool>,
}

impl KeptRun {
    /// Returns the shares of the error of its hypotheses, and the logarithms of the evidence against them.
    pub fn hypotheses(&self) -> (OfHypotheses<f64>, OfHypotheses<f64>) {
        (self.evidence.weights(), self.evidence.of_hypotheses())
    }
}
