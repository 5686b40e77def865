//! The fields of the JSON document about the comparison of a benchmark.

use crate::code::CodeChange;
use crate::experiment::Premise;
use serde::Serialize;
use verdicts::{Question, Verdict};

#[derive(Debug, Serialize)]
pub(super) struct Compared<'a> {
    /// The baseline's median, in ns. `change` was computed from it.
    pub(super) baseline_median: Option<f64>,
    /// The median as it was stored, if `baseline_median` is corrected for another clock rate.
    pub(super) stored_median: Option<f64>,
    /// 100 x baseline / now.
    pub(super) relative: Option<f64>,
    /// In percent.
    pub(super) change: Option<f64>,
    /// The 95 % confidence interval of the change, in percent.
    pub(super) interval: Option<[f64; 2]>,
    pub(super) verdict: Verdict,
    /// The question that `slower`, `faster`, `moved` and `unsure` are about.
    pub(super) question: Option<Question>,
    /// `None` without a paired run, like `average`.
    pub(super) typical: Option<Typical>,
    pub(super) average: Option<Average>,
    /// Threads or processes of each side are busy while no call runs.
    pub(super) busy_between_calls: Option<Sides<bool>>,
    /// `None` unless the launches of a side fall into two groups.
    pub(super) slow_launches: Option<SlowLaunches>,
    pub(super) reason: Option<String>,
    /// `side by side` or `stored figures`. `None` without figures to compare with.
    pub(super) method: Option<&'static str>,
    /// The typical difference of two launches of the same code, in percent.
    pub(super) launch_noise: Option<f64>,
    /// The number of pairs of fresh processes.
    pub(super) pairs: Option<usize>,
    /// `None` if no layouts were made.
    pub(super) layouts: Option<Layouts>,
    /// The upper bound of the change of the typical time for `same`, in percent.
    pub(super) bound: Option<f64>,
    /// The instructions of a call on both sides. `None` unless a gate needs them.
    pub(super) instructions: Option<Instructions>,
    /// What the verdict rests on besides the executables.
    pub(super) premises: &'a [Premise],
    /// The function nearest to the benchmark whose code or data differ, for a change.
    pub(super) differs_in: Option<&'a str>,
    /// The functions whose code or data differ, for a change, the nearest first.
    pub(super) changed_functions: Vec<ChangedFunction<'a>>,
    /// The further seconds that would decide an `unsure` verdict.
    pub(super) seconds_to_decide: Option<f64>,
    /// The comparison in words.
    pub(super) sentence: String,
}

/// The effect of the layout: the same code, linked in another order.
#[derive(Debug, Serialize)]
pub(super) struct Layouts {
    /// The typical difference between two layouts of the same code, in percent.
    pub(super) difference: f64,
    /// For a change of the typical time: the number of layouts in which it was tested.
    pub(super) number: Option<usize>,
    /// The number of those in which it had the direction of the estimate.
    pub(super) agreeing: Option<usize>,
}

/// The instructions of a call on both sides.
#[derive(Debug, Serialize)]
pub(super) struct Instructions {
    pub(super) before: f64,
    pub(super) now: f64,
    /// In percent.
    pub(super) change: f64,
    /// `callgrind` or `single steps`.
    pub(super) counted_by: &'static str,
}

/// A function whose code or data differ.
#[derive(Debug, Serialize)]
pub(super) struct ChangedFunction<'a> {
    /// `null` for the timed loop with the functions that are inlined into it.
    pub(super) name: Option<&'a str>,
    /// The number of calls from the timed loop.
    pub(super) distance: Option<usize>,
    /// The sizes in bytes, and the numbers of instructions.
    pub(super) bytes: Sides<u64>,
    pub(super) instructions: Sides<usize>,
    pub(super) changes: &'a [CodeChange],
}

/// The answer about the time of a typical call. Changes are in percent.
#[derive(Debug, Serialize)]
pub(super) struct Typical {
    pub(super) verdict: Verdict,
    pub(super) change: Option<f64>,
    pub(super) interval: Option<[f64; 2]>,
    /// Two-sided p-value.
    pub(super) p: Option<f64>,
}

/// The answer about the average time of a call. Changes are in percent.
#[derive(Debug, Serialize)]
pub(super) struct Average {
    pub(super) verdict: Verdict,
    pub(super) change: f64,
    pub(super) interval: [f64; 2],
    /// The upper bound of the change for `same`.
    pub(super) bound: Option<f64>,
    /// Two-sided p-value, valid whenever the run ended.
    pub(super) p: f64,
    /// The time that each side was sampled.
    pub(super) sampled_seconds: f64,
    /// The time of these that the longest launch of each side took.
    pub(super) longest_launch_seconds: f64,
    /// The number of samples.
    pub(super) samples: Sides<u64>,
    /// The number of these that other programs interrupted.
    pub(super) interrupted: Sides<u64>,
    /// The time for which they did, which the average leaves out, unless it counts waiting.
    pub(super) waited_seconds: Sides<f64>,
    /// Waiting counts, because one side waits more than the other.
    pub(super) counts_waiting: bool,
}

/// The answer about slow launches.
#[derive(Debug, Serialize)]
pub(super) struct SlowLaunches {
    pub(super) verdict: Verdict,
    /// The time of a slow launch relative to that of the others, less 1, in percent.
    pub(super) slowdown: f64,
    /// Two-sided p-value.
    pub(super) p: f64,
    /// The number of launches.
    pub(super) launches: Sides<usize>,
    /// The number of these that are slow.
    pub(super) slow: Sides<usize>,
}

/// A number for each side.
#[derive(Debug, Serialize)]
pub(super) struct Sides<T> {
    pub(super) baseline: T,
    pub(super) now: T,
}

impl<T> From<[T; 2]> for Sides<T> {
    fn from([baseline, now]: [T; 2]) -> Sides<T> {
        Sides { baseline, now }
    }
}
