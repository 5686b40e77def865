//! Results of the evidence on a benchmark, for reports.

use crate::verdict::Verdict;
use nanobench::serialize::{change, percent, seconds, sides, sides_in_seconds};
use nanobench::stats::Change;
use serde::Serialize;
use std::time::Duration;

/// The question that a verdict answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Question {
    /// The time of a typical, undisturbed call.
    #[default]
    Typical,
    /// The average time of a call, including rare expensive calls and slow launches.
    Average,
    /// The share of slow launches.
    Launches,
}

impl Question {
    /// All questions, in the order in which a verdict answers them.
    pub const ALL: [Question; 3] = [Question::Typical, Question::Average, Question::Launches];
}

/// The number of layouts that show a confirmed change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Agreement {
    /// Number of layouts in which the change had the direction of the estimate.
    pub agreeing: usize,
    /// Number of all layouts.
    pub layouts: usize,
}

/// The change of the average time of a call, over all samples and launches.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct AverageChange {
    /// The verdict on the average time alone.
    pub verdict: Verdict,
    /// The change of the average time, with its 95 % interval.
    #[serde(flatten, serialize_with = "change")]
    pub change: Change,
    /// Two-sided p-value.
    pub p: f64,
    /// Time that the benchmark was sampled on each side.
    #[serde(rename = "sampled_seconds", serialize_with = "seconds")]
    pub sampled: Duration,
    /// Time of the longest launch of each side: if each process counts its calls anew, one that is
    /// expensive less often than once in this time can't be seen.
    #[serde(rename = "longest_launch_seconds", serialize_with = "seconds")]
    pub longest_launch: Duration,
    /// Number of samples of the baseline and of the candidate.
    #[serde(serialize_with = "sides")]
    pub samples: [u64; 2],
    /// Number of these that other programs interrupted.
    #[serde(serialize_with = "sides")]
    pub interrupted: [u64; 2],
    /// Time for which they did, which was subtracted, unless waiting counts.
    #[serde(rename = "waited_seconds", serialize_with = "sides_in_seconds")]
    pub waited: [Duration; 2],
    /// Waiting counts, because one side waits more than the other.
    pub counts_waiting: bool,
}

/// Launches that fall into two groups, of which one is slower.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SlowLaunches {
    /// The verdict on the share of slow launches alone.
    pub verdict: Verdict,
    /// Number of launches of the baseline and of the candidate.
    #[serde(serialize_with = "sides")]
    pub launches: [usize; 2],
    /// Number of these that are slow.
    #[serde(serialize_with = "sides")]
    pub slow: [usize; 2],
    /// Time of a slow launch relative to that of the others, less 1: 0.5 is half as long again.
    #[serde(serialize_with = "percent")]
    pub slowdown: f64,
    /// Two-sided p-value of equal shares on both sides.
    pub p: f64,
}

impl SlowLaunches {
    /// Returns the change of the average time that the slow launches cause, as a share.
    pub fn change(&self) -> f64 {
        let [baseline, candidate] = self.shares().map(|share| 1.0 + share * self.slowdown);
        candidate / baseline - 1.0
    }

    /// Returns the share of slow launches of the baseline and of the candidate.
    pub fn shares(&self) -> [f64; 2] {
        std::array::from_fn(|side| self.slow[side] as f64 / self.launches[side].max(1) as f64)
    }
}
