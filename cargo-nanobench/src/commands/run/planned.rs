//! `Planned`, the third phase of a run: what it is compared with, and what each benchmark needs for that.

use super::build::Built;
use super::options::List;
use super::saving::Saving;
use crate::baseline::{OtherSide, RunRecord};
use crate::benchmark_id::BenchmarkId;
use crate::commands::error::Error;
use crate::exit::Exit;
use crate::experiment::{Baseline, ComparisonPolicy, PairedRuns, RunPlan, Sampling};
use crate::report::{ComparedWith, RunHeader};
use crate::warnings::warn;

/// A run of the suite that is compared with a saved run, another revision or nothing.
#[derive(Debug)]
pub(super) struct RunToCompare<'a> {
    /// One for each benchmark of the suite, in their order.
    pub(super) baselines: Vec<Baseline<'a>>,
    pub(super) policy: ComparisonPolicy,
    /// The description of the other side, before anything is known of the plan.
    pub(super) compared_with: Option<ComparedWith>,
    pub(super) warnings: Vec<String>,
    /// The selected benchmarks that only the other side has.
    pub(super) missing: Vec<BenchmarkId>,
    /// The saved run whose figures the last run may keep for benchmarks that don't run.
    pub(super) figures_to_keep: Option<&'a RunRecord>,
    pub(super) other_side: Option<OtherSide>,
    /// The places of executables whose earlier comparison is kept for `why` in place of this one.
    pub(super) unexplained: Vec<usize>,
}

/// A run whose comparisons are planned.
pub(super) struct Planned<'a> {
    pub(super) built: Built,
    /// `None` if nothing is saved.
    pub(super) saving: Option<Saving<'a>>,
    /// At least one.
    pub(super) runs: Vec<RunToCompare<'a>>,
    /// The plan of the first run. The others are planned when their turn comes, because planning takes time.
    pub(super) first: RunPlan<'a>,
}

impl<'a> Planned<'a> {
    /// Plans the first of the runs. If there is none, plans one that is compared with nothing.
    pub(super) fn new(
        built: Built,
        saving: Option<Saving<'a>>,
        mut runs: Vec<RunToCompare<'a>>,
        policy: &ComparisonPolicy,
    ) -> Planned<'a> {
        if runs.is_empty() {
            runs.push(RunToCompare::with_nothing(policy, &built));
        }
        let first = runs[0].plan(&built);
        Planned { built, saving, runs, first }
    }

    /// Prints the benchmarks that the first comparison would run.
    pub(super) fn list(&self, list: List) -> Result<Exit, Error> {
        self.runs[0].warnings.iter().for_each(warn);
        let suite = &self.built.suite;
        list.print(&self.first.changed(&suite.benchmarks), suite)
    }
}

impl<'a> RunToCompare<'a> {
    fn with_nothing(policy: &ComparisonPolicy, built: &Built) -> RunToCompare<'a> {
        let (paired_runs, keeps_evidence) = (PairedRuns::Changed, false);
        RunToCompare {
            baselines: vec![Baseline::Absent; built.suite.benchmarks.len()],
            policy: ComparisonPolicy { paired_runs, keeps_evidence, ..*policy },
            compared_with: None,
            warnings: Vec::new(),
            missing: Vec::new(),
            figures_to_keep: None,
            other_side: None,
            unexplained: Vec::new(),
        }
    }

    /// Plans the run.
    pub(super) fn plan(&self, built: &Built) -> RunPlan<'a> {
        RunPlan::new(&built.suite, self.baselines.clone(), &self.policy, built.scale_to.as_ref())
    }

    /// Returns the header of the run. `samples_planned_by`: if a document has the samples.
    pub(super) fn header(
        &self,
        built: &Built,
        plan: &RunPlan<'_>,
        samples_planned_by: Option<Sampling>,
    ) -> RunHeader {
        let is_complete = self.missing.is_empty() && built.suite.unlisted.is_empty();
        let is_identical = is_complete && !self.policy.pairs_identical && plan.is_identical();
        let compared_with = self.compared_with.clone().map(|with| {
            let with = if is_identical { with.identical() } else { with };
            ComparedWith { same_code: plan.compares_nothing(), ..with }
        });
        let header = RunHeader::new(built.environment.clone(), &built.suite, compared_with);
        let warnings = header.warnings.iter().chain(&self.warnings).cloned().collect();
        RunHeader { samples_planned_by, warnings, ..header }
    }
}
