//! What is run in which order, and what follows from it: from executables to rows with verdicts.

mod benchmark_state;
mod caches;
mod comparison_groups;
mod complexity;
mod gate;
pub(crate) mod pace;
mod paired;
mod relation;
mod sampling;
mod selection;
mod suite;
mod suite_runner;
mod taking;
mod too_long;
mod two_builds;
mod verdict;

pub(crate) use benchmark_state::{Stored, is_per_the_same};
pub(crate) use caches::{Rise, Sweep, sweep};
pub(crate) use complexity::{FunctionComplexity, complexity};
pub(crate) use gate::{Failure, Gate};
pub(crate) use paired::Rules;
pub(crate) use relation::Relation;
pub(crate) use sampling::Sampling;
pub(crate) use selection::{Filter, NoMatch, NotOne, one};
pub(crate) use suite::{Benchmark, Suite, SuiteError, without_case};
pub(crate) use suite_runner::{ComparisonPolicy, Observer, SuiteRunner};
pub(crate) use two_builds::TwoBuilds;
#[cfg(test)]
pub(crate) use verdict::PairedDetails;
pub(crate) use verdict::{
    Comparison, MEASURED_THEN, RERUN_SPREAD, SAME_EXECUTABLE, STORED_THRESHOLD, Verdict,
};

use nanobench::model::Measurement;
use nanobench::summary::Summary;

/// Why a row may not be there in another process, and what helps.
pub(crate) const NAMES_THAT_STAY: &str = "what its `args` show is an address, as of a function pointer, the order of a hash set, or \
    something else that is another in each process. Give them names that stay: a type with a `Display` of your own";

/// What came of one benchmark.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) benchmark: Benchmark,
    pub(crate) outcome: Outcome,
    /// `None` where there was nothing to compare with at all.
    pub(crate) comparison: Option<Comparison>,
    /// `None` where it is not compared with another benchmark of the run.
    pub(crate) relation: Option<Relation>,
}

/// Figures, or why there are none.
#[derive(Debug, Clone)]
#[expect(clippy::large_enum_variant, reason = "nearly all rows are the large one")]
pub(crate) enum Outcome {
    Measured { measurement: Measurement, summary: Summary },
    Failed(String),
}

impl Row {
    /// The figures, where they mean something.
    pub(crate) fn resolved(&self) -> Option<(&Measurement, &Summary)> {
        match &self.outcome {
            Outcome::Measured { measurement, summary } if !summary.below_resolution => {
                Some((measurement, summary))
            }
            Outcome::Measured { .. } | Outcome::Failed(_) => None,
        }
    }

    /// Its figure in multiples of another row's. None where one of them has none, or is per something else.
    pub(crate) fn multiple_of(&self, other: &Row) -> Option<f64> {
        let [unit, of] = [self, other].map(|row| row.benchmark.benchmark.unit.as_deref().unwrap_or("op"));
        let [(_, own), (_, scale)] = [self.resolved()?, other.resolved()?];
        (unit == of).then(|| own.median / scale.median)
    }

    /// Whether the benchmark came to no figure.
    pub(crate) fn failed(&self) -> bool {
        matches!(self.outcome, Outcome::Failed(_))
    }

    /// The verdict of the comparison, if there is one.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        self.comparison.as_ref().map(|comparison| comparison.verdict)
    }
}
