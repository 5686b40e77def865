//! The experiment: from executables to rows with verdicts.

mod benchmark_state;
mod caches;
mod comparison;
mod comparison_groups;
mod complexity;
mod excessive_plan;
mod gate;
pub(crate) mod pace;
mod paired;
mod relation;
mod row;
mod sampling;
mod selection;
mod stored;
mod suite;
mod suite_runner;
mod taking;
mod two_builds;
mod verdict;

pub(crate) use caches::{Rise, Sweep, sweep};
pub(crate) use comparison::{Comparison, Reason};
#[cfg(test)]
pub(crate) use comparison::{NotPaired, PairedDetails};
pub(crate) use complexity::{FunctionComplexity, complexity};
pub(crate) use gate::{FailOn, Failure, Gate, GateOptions};
pub(crate) use paired::Rules;
pub(crate) use relation::Relation;
#[cfg(test)]
pub(crate) use row::MeasureError;
pub(crate) use row::{Outcome, Row};
pub(crate) use sampling::{Sampling, SamplingOptions};
pub(crate) use selection::{Filter, NoMatch, NotOne, one};
pub(crate) use stored::{RERUN_SPREAD, STORED_THRESHOLD, Stored, compare_with_stored, have_same_unit};
pub(crate) use suite::{Benchmark, STABLE_LABELS_ADVICE, Suite, SuiteError, UnlistedExecutable};
pub(crate) use suite_runner::{ComparisonPolicy, Observer, SuiteRunner};
pub(crate) use two_builds::TwoBuilds;
pub(crate) use verdict::Verdict;
