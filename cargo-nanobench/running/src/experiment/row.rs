//! The result of one benchmark.

use super::comparison::Comparison;
use super::paired::PairedDetails;
use super::relation::Relation;
use super::suite::{Benchmark, STABLE_LABELS_ADVICE};
use crate::earlier_comparison::EarlierComparison;
use crate::session::{self, RequestError};
use nanobench::model::Measurement;
use nanobench::summary::Summary;
use std::sync::Arc;
use verdicts::Verdict;

/// The result of one benchmark.
#[derive(Debug, Clone)]
pub struct Row {
    pub benchmark: Benchmark,
    pub outcome: Outcome,
    /// `None` if there was no baseline at all.
    pub comparison: Option<Comparison>,
    /// For a row of a saved run: the comparison that it had then, if it ran side by side.
    pub earlier_comparison: Option<EarlierComparison>,
    /// `None` if the benchmark is not compared with another one of the run.
    pub relation: Option<Relation>,
}

/// The figures of a benchmark, or the error that prevented them.
#[derive(Debug, Clone)]
#[expect(clippy::large_enum_variant, reason = "nearly all rows are the large one")]
pub enum Outcome {
    Measured {
        measurement: Measurement,
        summary: Summary,
    },
    Failed(Arc<MeasureError>),
    /// Nothing was measured: its code is the baseline's.
    NotRun,
}

/// An error that left a benchmark without figures.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    #[error("{0}{advice}", advice = .0.advice())]
    Request(#[from] RequestError),
    #[error(transparent)]
    Session(#[from] session::Error),
    /// The harness reported that the row can't run.
    #[error("failed: {0}")]
    Problem(String),
    #[error(
        "failed: its process was restarted and no longer has a row with this name: {STABLE_LABELS_ADVICE}"
    )]
    RowGone,
}

impl Row {
    /// Returns the samples and their figures.
    pub fn measured(&self) -> Option<(&Measurement, &Summary)> {
        match &self.outcome {
            Outcome::Measured { measurement, summary } => Some((measurement, summary)),
            Outcome::Failed(_) | Outcome::NotRun => None,
        }
    }

    /// Returns the samples and their figures, if these are above resolution.
    pub fn resolved(&self) -> Option<(&Measurement, &Summary)> {
        self.measured().filter(|(_, summary)| !summary.below_resolution)
    }

    /// Returns the figure as a multiple of another row's; `None` if either has none, or if their
    /// units differ.
    pub fn multiple_of(&self, other: &Row) -> Option<f64> {
        let [(_, own), (_, scale)] = [self.resolved()?, other.resolved()?];
        (self.unit() == other.unit()).then(|| own.median / scale.median)
    }

    /// Returns the name of the unit of its figures.
    pub fn unit(&self) -> &str {
        self.benchmark.spec.unit.as_deref().unwrap_or("op")
    }

    /// Returns whether nothing was measured, because its code is the baseline's.
    pub fn is_not_run(&self) -> bool {
        matches!(self.outcome, Outcome::NotRun)
    }

    /// Returns whether the benchmark should have figures, but has none.
    pub fn failed(&self) -> bool {
        matches!(self.outcome, Outcome::Failed(_))
    }

    /// Returns the findings of the paired run, if there was one.
    pub fn paired(&self) -> Option<&PairedDetails> {
        self.comparison.as_ref()?.paired.as_ref()
    }

    /// Returns the verdict of the comparison, if there is one.
    pub fn verdict(&self) -> Option<Verdict> {
        self.comparison.as_ref().map(|comparison| comparison.verdict)
    }
}

impl MeasureError {
    /// Returns whether the process died.
    pub(super) fn is_death(&self) -> bool {
        matches!(self, MeasureError::Request(RequestError::Died(_)))
    }

    /// Returns whether the benchmark was stopped by its timeout.
    pub(super) fn is_timeout(&self) -> bool {
        matches!(self, MeasureError::Request(RequestError::TimedOut(_)))
    }

    /// Returns whether Ctrl-C caused the error.
    pub(super) fn is_interruption(&self) -> bool {
        match self {
            MeasureError::Request(error) => error.is_interruption(),
            MeasureError::Session(error) => error.is_interruption(),
            MeasureError::Problem(_) | MeasureError::RowGone => false,
        }
    }
}
