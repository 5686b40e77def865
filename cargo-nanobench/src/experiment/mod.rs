//! What is run in which order, and what follows from it: from executables to rows with verdicts.

mod sampling;
mod selection;
mod side_by_side;
mod solo;
mod suite;
mod verdict;

pub(crate) use selection::{Filter, NoMatch};
pub(crate) use solo::{Observer, Solo, Stored};
pub(crate) use suite::{Found, Suite, SuiteError};
pub(crate) use verdict::{Comparison, MEASURED_THEN, SAME_EXECUTABLE, Verdict, WANDER};

use nanobench::model::Measurement;
use nanobench::summary::Summary;

/// What came of one benchmark.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) benchmark: Found,
    pub(crate) outcome: Outcome,
    /// `None` where there was nothing to compare with at all.
    pub(crate) comparison: Option<Comparison>,
}

/// Figures, or why there are none.
#[derive(Debug)]
pub(crate) enum Outcome {
    Measured { measurement: Measurement, summary: Summary },
    Failed(String),
}

impl Row {
    /// Whether the benchmark came to no figure.
    pub(crate) fn failed(&self) -> bool {
        matches!(self.outcome, Outcome::Failed(_))
    }

    /// The verdict of the comparison, if there is one.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        self.comparison.as_ref().map(|comparison| comparison.verdict)
    }
}
