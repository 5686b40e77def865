//! The findings of a paired run.

use super::kept::KeptRun;
use crate::code::ChangedFunction;
use crate::earlier_comparison::Ratios;
use crate::experiment::verdict::Verdict;
use crate::relink::LayoutError;
use nanobench::model::Measurement;
use nanobench::stats::Change;
use std::sync::Arc;
use std::time::Duration;

/// The outcome of a paired run.
#[derive(Debug, Clone)]
pub(crate) struct PairedOutcome {
    pub(crate) verdict: Verdict,
    /// The change of the typical time.
    pub(crate) change: Option<Change>,
    pub(crate) details: PairedDetails,
    /// Some launches of the baseline.
    pub(crate) baseline: Measurement,
    /// Some launches of the candidate.
    pub(crate) candidate: Measurement,
}

/// The question that a verdict answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Question {
    /// The time of a typical, undisturbed call.
    #[default]
    Typical,
    /// The average time of a call, including rare expensive calls and slow launches.
    Average,
    /// The share of slow launches.
    Launches,
}

impl Question {
    pub(crate) const ALL: [Question; 3] = [Question::Typical, Question::Average, Question::Launches];
}

/// Findings that only a paired run yields.
#[derive(Debug, Clone, Default)]
pub(crate) struct PairedDetails {
    /// For `slower` and `faster`: the question that the verdict answers. The first one in the order
    /// of [`Question`] whose answer is the verdict. `slower` in any question outweighs `faster`.
    pub(crate) question: Question,
    /// The verdict on the typical time alone.
    pub(crate) typical: Verdict,
    /// Two-sided p-value of the change of the typical time, valid whenever the run ended.
    pub(crate) p: Option<f64>,
    /// Smallest change of the typical time that is reported, as a share.
    pub(crate) threshold: f64,
    /// Typical difference of two processes of the same side, as a share: the median.
    pub(crate) launch_noise: Option<f64>,
    /// Number of pairs of fresh processes.
    pub(crate) pairs: usize,
    /// Number of these that were sampled for longer than usual.
    pub(crate) long_pairs: usize,
    /// Estimated further time until a verdict, if there is none yet.
    pub(crate) time_to_decide: Option<Duration>,
    /// For a change: the nearest function to the benchmark whose machine code differs, if it is
    /// known and not the benchmark itself.
    pub(crate) differs_in: Option<String>,
    /// For a change: the functions whose code or data differ, the nearest first.
    pub(crate) changed_functions: Vec<ChangedFunction>,
    /// Threads or processes of the baseline and of the candidate are busy while no call of the
    /// benchmark runs, so each process is suspended while another one is measured.
    pub(crate) busy: [bool; 2],
    /// The processor time of a call with all that its threads and processes do beside it, as a multiple of
    /// the baseline's. `None` with one thread, and if the system doesn't tell it.
    pub(crate) processor_ratio: Option<f64>,
    /// The change of the average time. `None` for fewer pairs than an interval needs.
    pub(crate) average: Option<AverageChange>,
    /// The launches of the two sides, if those of either side fall into two groups.
    pub(crate) slow_launches: Option<SlowLaunches>,
    /// `None` if no layouts were made.
    pub(crate) layouts: Option<LayoutFindings>,
    /// The reason why none could be made. `None` also if there was no time for them.
    pub(crate) no_layouts: Option<Arc<LayoutError>>,
    /// What a later command needs to go on with the run.
    pub(crate) kept: Option<KeptRun>,
    /// The ratios that all of this was computed from.
    pub(crate) ratios: Ratios,
}

impl PairedDetails {
    /// Returns the two-sided p-value of the answer that the verdict is.
    pub(crate) fn p_of_verdict(&self) -> Option<f64> {
        match self.question {
            Question::Typical => self.p,
            Question::Average => Some(self.average?.p),
            Question::Launches => Some(self.slow_launches?.p),
        }
    }

    /// Gives this verdict to all answers that are changes.
    pub(crate) fn replace_changes(&mut self, verdict: Verdict) {
        let average = self.average.as_mut().map(|average| &mut average.verdict);
        let launches = self.slow_launches.as_mut().map(|slow| &mut slow.verdict);
        let verdicts = [Some(&mut self.typical), average, launches].into_iter().flatten();
        verdicts.filter(|verdict| verdict.is_change()).for_each(|change| *change = verdict);
    }
}

/// The effect of the layout, if the processes ran different ones: the same code, linked with its
/// functions in another order. Both processes of a pair had the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LayoutFindings {
    /// Typical difference between two layouts of the same code, as a share: the median.
    pub(crate) difference: f64,
    /// `None` unless a change of the typical time was confirmed.
    pub(crate) agreement: Option<Agreement>,
}

/// The number of layouts that show a confirmed change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Agreement {
    /// Number of layouts in which the change had the direction of the estimate.
    pub(crate) agreeing: usize,
    /// Number of all layouts.
    pub(crate) layouts: usize,
}

/// The change of the average time of a call, over all samples and launches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct AverageChange {
    /// The verdict on the average time alone.
    pub(crate) verdict: Verdict,
    /// The change of the average time, with its 95 % interval.
    pub(crate) change: Change,
    /// Two-sided p-value.
    pub(crate) p: f64,
    /// Time that the benchmark was sampled on each side.
    pub(crate) sampled: Duration,
    /// Time of the longest launch of each side: if each process counts its calls anew, one that is
    /// expensive less often than once in this time can't be seen.
    pub(crate) longest_launch: Duration,
    /// Number of samples of the baseline and of the candidate.
    pub(crate) samples: [u64; 2],
    /// Number of these that other programs interrupted.
    pub(crate) interrupted: [u64; 2],
    /// Time for which they did, which was subtracted, unless waiting counts.
    pub(crate) waited: [Duration; 2],
    /// Waiting counts, because one side waits more than the other.
    pub(crate) counts_waiting: bool,
}

/// Launches that fall into two groups, of which one is slower.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SlowLaunches {
    /// The verdict on the share of slow launches alone.
    pub(crate) verdict: Verdict,
    /// Number of launches of the baseline and of the candidate.
    pub(crate) launches: [usize; 2],
    /// Number of these that are slow.
    pub(crate) slow: [usize; 2],
    /// Time of a slow launch relative to that of the others, less 1: 0.5 is half as long again.
    pub(crate) slowdown: f64,
    /// Two-sided p-value of equal shares on both sides.
    pub(crate) p: f64,
}

impl SlowLaunches {
    /// Returns the change of the average time that the slow launches cause, as a share.
    pub(crate) fn change(&self) -> f64 {
        let [baseline, candidate] = self.shares().map(|share| 1.0 + share * self.slowdown);
        candidate / baseline - 1.0
    }

    /// Returns the share of slow launches of the baseline and of the candidate.
    pub(crate) fn shares(&self) -> [f64; 2] {
        std::array::from_fn(|side| self.slow[side] as f64 / self.launches[side].max(1) as f64)
    }
}
