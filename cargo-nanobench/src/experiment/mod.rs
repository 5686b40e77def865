//! The experiment: from executables to rows with verdicts.

mod baseline;
mod baseline_code;
mod benchmark_sampling;
mod benchmark_state;
mod comparison;
mod complexity;
mod find;
mod gate;
mod gather;
mod instruction_counts;
mod launches;
mod pace;
mod paired;
mod policy;
mod premises;
mod processor_drift;
mod relation;
mod remaining;
mod renames;
mod row;
mod rows;
mod run_plan;
mod sampling;
mod selection;
mod side_by_side;
mod step;
mod stored;
mod suite;
mod suite_runner;
mod suite_state;
mod suspects;
mod two_builds;
mod verdict;
mod work_left;

pub(crate) use baseline::{Baseline, BaselineExecutable, KnownBenchmark};
#[cfg(test)]
pub(crate) use comparison::NotPaired;
pub(crate) use comparison::{Comparison, Reason, TimeChange};
pub(crate) use complexity::{TargetComplexity, complexity};
pub(crate) use find::{AmbiguousName, find_by_name, find_function};
pub(crate) use gate::{FailOn, Failure, Gate, GateOptions};
pub(crate) use instruction_counts::{InstructionChange, compared_count, step_instead};
pub(crate) use launches::Launches;
pub(crate) use paired::{
    Agreement, AverageChange, KeptRun, LayoutFindings, PairedDetails, Question, Rules, SlowLaunches,
};
pub(crate) use policy::{ComparisonPolicy, PairedRuns, SameCode};
pub(crate) use premises::{Premise, Premises, State, Subject, Unknown};
pub(crate) use processor_drift::processor_drift;
pub(crate) use relation::Relation;
pub(crate) use remaining::Remaining;
pub(crate) use renames::{NamedBenchmark, Renames, named};
#[cfg(test)]
pub(crate) use row::MeasureError;
pub(crate) use row::{Outcome, Row};
pub(crate) use rows::Observer;
pub(crate) use run_plan::RunPlan;
pub(crate) use sampling::{Sampling, SamplingOptions};
pub(crate) use selection::{BenchFilter, Filter, NoMatch};
pub(crate) use side_by_side::EarlierRuns;
pub(crate) use stored::{STORED_THRESHOLD, compare_with_stored, have_same_unit};
pub(crate) use suite::{Benchmark, Harness, STABLE_LABELS_ADVICE, Suite, SuiteError, UnlistedExecutable};
pub(crate) use suite_runner::SuiteRunner;
pub(crate) use two_builds::{HarnessPair, baselines_in, harness_pairs};
pub(crate) use verdict::Verdict;
