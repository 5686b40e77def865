//! The rule by which `cargo nanobench` decides whether a benchmark is slower, faster or the same, from what
//! pairs of processes took.
//!
//! [`Evidence`] collects the results of blocks, and [`Findings`] say what they imply: the [`NextBlock`] after
//! each block, and the verdicts in the end. Nothing here measures or waits, so tests simulate thousands of
//! suites. For these, the crate is optimised in all profiles.

mod average;
mod clusters;
pub mod earlier_comparison;
mod effort;
mod evidence;
mod findings;
mod launch_groups;
mod renewal;
mod rule;
mod rules;
pub mod statistics;
mod time_left;
mod verdict;

pub use average::{AverageEvidence, AveragePair, MIN_EXPENSIVE_SHARE};
pub use clusters::{FilesOfBlock, PAIRS_PER_BLOCK};
pub use effort::{
    Effort, LAUNCHES_OF_OTHER_CODE, LAUNCHES_OF_SAME_CODE, LAUNCHES_OF_UNKNOWN_CODE, LongLaunches,
    SUFFICIENT_PAIRS,
};
pub use evidence::{Evidence, MIN_PAIRS, Null, Pair};
pub use findings::{Agreement, AverageChange, Question, SlowLaunches};
pub use launch_groups::LaunchEvidence;
pub use renewal::Renewal;
pub use rule::{
    Direction, ERROR_RATE, Findings, NOT_SAME, NextBlock, OfHypotheses, Verdicts, nothing_known, rejected,
};
pub use rules::{Rules, TimeLimits};
pub use time_left::{time_to_verdict, until_verdict};
pub use verdict::Verdict;
