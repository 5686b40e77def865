//! The progress of one benchmark through a run.

use super::baseline::{Baseline, BaselineExecutable, KnownBenchmark};
use super::baseline_code::ComparedCode;
use super::benchmark_sampling::BenchmarkSampling;
use super::comparison::{Comparison, NotPaired, Reason};
use super::instruction_counts::{self, InstructionChange};
use super::launches::Launches;
use super::paired::{BlockError, PairedOutcome};
use super::policy::ComparisonPolicy;
use super::relation::Relation;
use super::row::{Outcome, Row};
use super::run_plan::{Need, PlannedBenchmark};
use super::step::Step;
use super::stored::{self, STORED_THRESHOLD, change_of_times, compare_with_stored, have_same_unit};
use super::suite::{Benchmark, Harness};
use super::suspects::Suspect;
use crate::code::CodeMatch;
use nanobench::measure::Plan;
use nanobench::model::Measurement;
use nanobench::summary::Summary;
use std::sync::Arc;
use verdicts::{Rules, Verdict};

/// The progress of one benchmark through a run.
#[derive(Debug)]
pub(super) struct BenchmarkState<'a> {
    pub(super) benchmark: Benchmark,
    pub(super) baseline: Baseline<'a>,
    pub(super) rules: Rules,
    compares_machines: bool,
    /// Somebody requested the comparison.
    is_requested: bool,
    pub(super) sampling: BenchmarkSampling,
    pub(super) phase: Phase,
    paired_run: PairedRun,
    /// The comparison of the code with the baseline's, if it decides about a paired run.
    code: Option<CodeMatch>,
    /// The instructions of a call on both sides.
    instructions: Option<InstructionChange>,
    /// The comparison with the benchmark's baseline in the same run.
    pub(super) relation: Option<Relation>,
}

/// The phase of a benchmark's own sampling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// The code is the baseline's, so nothing is sampled.
    NotRun,
    Sampling,
    /// All samples are taken, and all events are counted.
    Sampled,
    /// The benchmark was measured again in fresh processes, to see whether its change recurs.
    Remeasured,
}

/// The state of the paired run with the baseline's executable.
#[derive(Debug)]
enum PairedRun {
    /// The paired run has not taken place, and may not be needed.
    Pending,
    /// No paired run takes place: nothing suggests a change, or there is no time for it.
    Omitted,
    /// No paired run takes place for lack of time, although the figure stands out.
    OutOfTime,
    /// No paired run takes place: the comparison is one of instructions.
    Unneeded,
    Decided(Box<Comparison>),
    Impossible(Arc<NotPaired>),
}

/// Largest change, as a share, that paths of different lengths are taken to explain: those of up to 30 %
/// were seen.
const MAX_PATH_EFFECT: f64 = 0.3;

impl<'a> BenchmarkState<'a> {
    /// Creates the state of a benchmark that was not sampled yet.
    pub(super) fn new(
        benchmark: Benchmark,
        planned: PlannedBenchmark<'a>,
        plan: Plan,
        policy: &ComparisonPolicy,
    ) -> BenchmarkState<'a> {
        let PlannedBenchmark { baseline, code, need } = planned;
        let spec = &benchmark.spec;
        let comparable = baseline.known().filter(|known| have_same_unit(known.spec, spec));
        let count = comparable.and_then(|known| known.count_for(spec));
        let obstacle = comparable.and_then(|known| known.obstacle());
        BenchmarkState {
            sampling: BenchmarkSampling::new(plan, count, spec),
            rules: policy.rules(spec),
            compares_machines: policy.compares_machines(),
            is_requested: policy.is_requested(),
            phase: if need == Need::Nothing { Phase::NotRun } else { Phase::Sampling },
            paired_run: if need < Need::Comparison {
                PairedRun::Omitted
            } else if policy.only_counts() {
                PairedRun::Unneeded
            } else if let Some(obstacle) = obstacle {
                PairedRun::Impossible(Arc::new(obstacle))
            } else {
                PairedRun::Pending
            },
            code,
            instructions: None,
            relation: None,
            benchmark,
            baseline,
        }
    }

    /// Takes the samples of one step.
    pub(super) fn step(&mut self, harness: &mut Harness, step: Step) {
        self.sampling.step(&self.benchmark.spec, harness, step);
    }

    /// Finishes the sampling: counts allocations and other events, and times first calls.
    pub(super) fn finish_sampling(&mut self, harness: &mut Harness, launches: Launches) {
        self.sampling.time_first_calls(&self.benchmark.spec, harness, launches.first_calls);
        self.sampling.count_events(&self.benchmark.spec, harness);
        self.phase = Phase::Sampled;
    }

    /// Counts the instructions of a call on both sides, unless they run the same code.
    pub(super) fn compare_instructions(&mut self, harness: &mut Harness, policy: &ComparisonPolicy) {
        let known = self.baseline.known().filter(|known| {
            policy.counts_instructions
                && self.phase == Phase::Sampled
                && !known.identical
                && self.code != Some(CodeMatch::Same)
        });
        let operation = self.sampling.operation_time(harness);
        self.instructions =
            known.and_then(|known| instruction_counts::compare(&self.benchmark, &known, harness, operation));
    }

    /// Returns the measurement so far, unless the benchmark failed.
    pub(super) fn measurement(&self) -> Option<Measurement> {
        let is_failed = self.sampling.failure().is_some();
        if is_failed { None } else { self.samples_so_far() }
    }

    /// Returns the measurement so far, even if the benchmark failed later.
    pub(super) fn samples_so_far(&self) -> Option<Measurement> {
        self.sampling.measurement(&self.benchmark.spec)
    }

    /// Returns whether the benchmark should run side by side with its baseline and has not yet.
    pub(super) fn needs_paired_run(&self, policy: &ComparisonPolicy) -> bool {
        matches!(self.paired_run, PairedRun::Pending)
            && self.sampling.failure().is_none()
            && self.can_run_paired(policy)
            && (policy.runs_all_paired() || self.suspect().is_some_and(|suspect| suspect.may_have_changed()))
    }

    /// Returns whether the baseline has an executable that is worth running.
    pub(super) fn can_run_paired(&self, policy: &ComparisonPolicy) -> bool {
        self.baseline.known().is_some_and(|known| known.can_run_paired(&self.benchmark.spec, policy))
    }

    /// Returns the facts that decide about a paired run, if its code was compared and it has a
    /// figure.
    pub(super) fn suspect(&self) -> Option<Suspect> {
        self.suspect_with(self.code.clone()?)
    }

    /// Returns the same facts with this comparison of its code.
    pub(super) fn suspect_with(&self, code: CodeMatch) -> Option<Suspect> {
        let now = self.measurement().filter(|now| stored::resolved(now).is_some())?;
        let stored = self.baseline.known()?.measurement;
        let change = stored.and_then(|stored| stored::log_change(stored, &now));
        Some(Suspect {
            code,
            change,
            average_change: stored.map(|stored| stored::log_change_of_averages(stored, &now)),
            // Of the side that takes longer.
            iteration_time: self.sampling.iteration_time()?.mul_f64((-change.unwrap_or(0.0)).exp().max(1.0)),
        })
    }

    /// Returns the size of the change since the stored figures, as a logarithm. Infinity if there
    /// are none, and 0 if any are below resolution.
    pub(super) fn apparent_change(&self) -> f64 {
        let stored = self.baseline.known().and_then(|known| known.measurement);
        let Some((stored, now)) = stored.zip(self.measurement()) else { return f64::INFINITY };
        stored::log_change(stored, &now).map_or(0.0, f64::abs)
    }

    /// Decides against a paired run.
    pub(super) fn omit_paired_run(&mut self) {
        self.paired_run = PairedRun::Omitted;
    }

    /// Notes that there is no time for a paired run of a benchmark whose figure stands out. Another
    /// obstacle remains the reason.
    pub(super) fn postpone_paired_run(&mut self) {
        if matches!(self.paired_run, PairedRun::Pending) {
            self.paired_run = PairedRun::OutOfTime;
        }
    }

    fn is_comparable_with(&self, known: &KnownBenchmark<'_>) -> bool {
        have_same_unit(known.spec, &self.benchmark.spec)
    }

    /// Takes over the outcome of the paired run.
    pub(super) fn decide(
        &mut self,
        outcome: Result<Box<PairedOutcome>, BlockError>,
        compare_code: impl FnOnce() -> ComparedCode,
    ) {
        // An audit without a result says nothing about the benchmark.
        let is_audited = self.is_requested && self.code == Some(CodeMatch::Same);
        match outcome {
            Err(_) if is_audited => self.omit_paired_run(),
            Ok(outcome) if is_audited && outcome.verdict == Verdict::Unsure => self.omit_paired_run(),
            Ok(outcome) => {
                self.sampling.replace_launches(&outcome.candidate.launches);
                let comparison = self.with_premises(Comparison::from_paired(*outcome, compare_code));
                self.paired_run = PairedRun::Decided(Box::new(comparison));
            }
            Err(error) if error.is_missing_file() && self.is_of_revision() => {
                self.give_up_paired_run(NotPaired::FileOfRevision(error));
            }
            Err(error) => self.give_up_paired_run(error.into()),
        }
    }

    fn is_of_revision(&self) -> bool {
        let executable = self.baseline.known().and_then(|known| known.executable);
        matches!(executable, Some(BaselineExecutable::Build(_)))
    }

    /// Returns the verdict of a paired run after what it rests on besides the executables.
    fn with_premises(&self, comparison: Comparison) -> Comparison {
        let Some(known) = self.baseline.known() else { return comparison };
        let change = comparison.decisive_change().map_or(0.0, |change| change.share().ln_1p().abs());
        if comparison.verdict.is_change()
            && known.premises.has_other_path()
            && change <= MAX_PATH_EFFECT.ln_1p()
        {
            return comparison.doubted(Reason::OtherPath);
        }
        let is_as_stored = || {
            let change = known.measurement.zip(self.measurement());
            let change = change.and_then(|(stored, now)| stored::log_change(stored, &now));
            self.compares_machines || change.is_none_or(|it| it.abs() <= STORED_THRESHOLD.ln_1p())
        };
        if comparison.verdict == Verdict::Same && known.premises.reach_unknown() && !is_as_stored() {
            return comparison.doubted(Reason::NotAsStored);
        }
        comparison
    }

    /// Notes that there will be no paired run.
    pub(super) fn give_up_paired_run(&mut self, obstacle: NotPaired) {
        self.paired_run = PairedRun::Impossible(Arc::new(obstacle));
    }

    /// Returns whether stored figures alone show a change, which has to recur in fresh processes.
    pub(super) fn awaits_recurrence(&self) -> bool {
        !matches!(self.paired_run, PairedRun::Decided(_))
            && self.comparison().is_some_and(|comparison| comparison.verdict.is_change())
    }

    fn comparison(&self) -> Option<Comparison> {
        Some(match &self.baseline {
            Baseline::Absent => return None,
            // Baselines don't have rows that failed, so it may not be new.
            Baseline::NewBenchmark if self.sampling.failure().is_some() => Comparison::failed(None),
            Baseline::NewBenchmark => Comparison::new_benchmark(),
            Baseline::Unlisted(error) => {
                let obstacle = Arc::new(NotPaired::Unlisted(Arc::clone(error)));
                Comparison::without_figures(Verdict::Unsure, None).not_paired(obstacle)
            }
            Baseline::Known(known) if !self.is_comparable_with(known) => Comparison::with_other_unit(),
            Baseline::Known(known) if self.phase == Phase::NotRun => {
                let stored = known.measurement.cloned().map(Arc::new);
                Comparison::not_run(self.code.as_ref()).with_baseline(stored)
            }
            Baseline::Known(known) => match &self.paired_run {
                PairedRun::Decided(comparison) => (**comparison).clone(),
                PairedRun::Impossible(obstacle) => {
                    self.unpaired_comparison(known).not_paired(Arc::clone(obstacle))
                }
                PairedRun::Unneeded if self.measurement().is_some() => {
                    Comparison::without_figures(Verdict::Unsure, Some(Reason::OnlyCounted))
                }
                PairedRun::OutOfTime if self.measurement().is_some() => {
                    Comparison::without_figures(Verdict::Unsure, Some(Reason::OtherFigure))
                }
                PairedRun::Pending | PairedRun::Omitted | PairedRun::OutOfTime | PairedRun::Unneeded => {
                    match &self.code {
                        Some(code) if self.may_compare_code(code) => self
                            .changed_elsewhere(known, code)
                            .unwrap_or_else(|| Comparison::not_run(Some(code))),
                        _ => self.unpaired_comparison(known),
                    }
                }
            },
        })
    }

    /// Returns whether its code alone decides about the comparison. Below resolution, other code has
    /// no figure that could be compared.
    fn may_compare_code(&self, code: &CodeMatch) -> bool {
        self.measurement().is_some_and(|now| *code == CodeMatch::Same || !stored::is_below_resolution(&now))
    }

    /// Returns the comparison with stored figures if the code is the same, but they are further apart than
    /// the time between the measurements explains.
    fn changed_elsewhere(&self, known: &KnownBenchmark<'_>, code: &CodeMatch) -> Option<Comparison> {
        let stored = known.measurement.filter(|_| *code == CodeMatch::Same)?;
        let comparison = compare_with_stored(stored, &self.measurement()?, true, self.rules.threshold);
        Some(comparison).filter(|it| it.reason == Some(Reason::ChangedElsewhere))
    }

    /// Returns the comparison without a paired run.
    fn unpaired_comparison(&self, known: &KnownBenchmark<'_>) -> Comparison {
        match (self.measurement(), known.measurement) {
            (None, stored) => Comparison::failed(stored),
            (Some(now), Some(stored)) => {
                let comparison = compare_with_stored(stored, &now, known.identical, self.rules.threshold);
                match known.identical && self.compares_machines {
                    true => Comparison { change: change_of_times(stored, &now), ..comparison },
                    false => comparison,
                }
            }
            (Some(_), None) if known.identical => {
                Comparison::without_figures(Verdict::Same, Some(Reason::SameExecutable))
            }
            (Some(_), None) => Comparison::without_figures(Verdict::Unsure, None),
        }
    }

    /// Returns the final row; `None` if the benchmark needs further measurements.
    pub(super) fn final_row(&self, policy: &ComparisonPolicy) -> Option<Row> {
        let is_final =
            self.phase != Phase::Sampling && !self.needs_paired_run(policy) && !self.awaits_recurrence();
        if is_final { self.row() } else { None }
    }

    /// Returns the row with its current figures; `None` without any sample.
    pub(super) fn row(&self) -> Option<Row> {
        let figures = self.measurement();
        let figures =
            figures.and_then(|measurement| Some((Summary::from_measurement(&measurement)?, measurement)));
        let outcome = match (figures, self.sampling.failure()) {
            (Some((summary, measurement)), _) => Outcome::Measured { measurement, summary },
            (None, Some(failure)) => Outcome::Failed(Arc::clone(failure)),
            (None, None) if self.phase == Phase::NotRun => Outcome::NotRun,
            (None, None) => return None,
        };
        let is_confirmed =
            self.phase == Phase::Remeasured || matches!(self.paired_run, PairedRun::Decided(_));
        let comparison = self
            .comparison()
            .map(|comparison| if is_confirmed { comparison } else { comparison.unconfirmed() })
            .map(|comparison| Comparison {
                instructions: self.instructions,
                premises: self.baseline.known().map_or_else(Vec::new, |known| known.premises.known()),
                ..comparison
            });
        let (benchmark, relation) = (self.benchmark.clone(), self.relation.clone());
        Some(Row { benchmark, outcome, comparison, earlier_comparison: None, relation })
    }
}
