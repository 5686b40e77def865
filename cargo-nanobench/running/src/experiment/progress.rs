//! A benchmark under way, from its first sample to its row: a state machine whose transitions are all here,
//! in the order in which a benchmark goes through them. The schedulers keep no state of a benchmark: `groups`
//! schedules own samples, and `side_by_side` the paired runs.

mod result;

use super::baseline::{Baseline, BaselineExecutable, KnownBenchmark};
use super::baseline_code::ComparedCode;
use super::comparison::{Comparison, NotPaired};
use super::instruction_counts::{self, InstructionChange};
use super::launches::Launches;
use super::own_samples::OwnSamples;
use super::paired::{BlockError, PairedRun};
use super::policy::ComparisonPolicy;
use super::relation::Relation;
use super::run_plan::{Need, PlannedBenchmark};
use super::step::Step;
use super::stored;
use super::suite::{Benchmark, Harness};
use super::suspects::Suspect;
use crate::code::CodeMatch;
use nanobench::measure::Plan;
use nanobench::model::Measurement;
use std::mem;
use std::sync::Arc;
use verdicts::{Rules, Verdict};

/// A benchmark under way.
#[derive(Debug)]
pub(super) struct Progress<'a> {
    pub(super) benchmark: Benchmark,
    pub(super) baseline: Baseline<'a>,
    policy: ComparisonPolicy,
    /// The comparison of the code with the baseline's, if it decides about a paired run.
    code: Option<CodeMatch>,
    /// The instructions of a call on both sides.
    instructions: Option<InstructionChange>,
    /// The comparison with the benchmark's baseline in the same run.
    pub(super) relation: Option<Relation>,
    stage: Stage,
}

/// The stage of a benchmark, with what it has by then.
#[derive(Debug)]
enum Stage {
    /// The code is the baseline's, so nothing is measured.
    NotRun,
    /// Its own samples are taken. If a paired run can't follow, it is known why.
    Sampling(OwnSamples, Option<Unpaired>),
    /// All of them are taken.
    Sampled(OwnSamples, Comparing),
}

/// The stage of the comparison of a benchmark that has its own samples.
#[derive(Debug)]
enum Comparing {
    /// It should run side by side with its baseline.
    Suspected,
    SideBySide(Box<PairedRun>),
    /// No paired run takes place.
    Unpaired(Unpaired),
    /// In place of a paired run, it was measured again in fresh processes, to see whether its change recurs.
    Remeasured(Unpaired),
    /// The paired run is over.
    Decided(Box<Comparison>),
}

/// The reason why a benchmark doesn't run side by side with its baseline.
#[derive(Debug)]
pub(super) enum Unpaired {
    /// Nothing suggests a change, or there is no time to confirm one.
    Omitted,
    /// There is no time, although the figure stands out.
    OutOfTime,
    /// The comparison is one of instructions.
    OnlyCounted,
    Impossible(Arc<NotPaired>),
}

impl<'a> Progress<'a> {
    /// Creates the progress of a benchmark before its first sample.
    pub(super) fn new(
        benchmark: Benchmark,
        planned: PlannedBenchmark<'a>,
        plan: Plan,
        policy: ComparisonPolicy,
    ) -> Progress<'a> {
        let PlannedBenchmark { baseline, code, need } = planned;
        let spec = &benchmark.spec;
        let comparable = baseline.known().filter(|known| stored::have_same_unit(known.spec, spec));
        let obstacle = || comparable.and_then(|known| known.obstacle());
        let unpaired = match need {
            Need::Nothing | Need::Figures => Some(Unpaired::Omitted),
            Need::Comparison if policy.only_counts() => Some(Unpaired::OnlyCounted),
            Need::Comparison => obstacle().map(|obstacle| Unpaired::Impossible(Arc::new(obstacle))),
        };
        let count = comparable.and_then(|known| known.count_for(spec));
        let stage = match need {
            Need::Nothing => Stage::NotRun,
            _ => Stage::Sampling(OwnSamples::new(plan, count, spec), unpaired),
        };
        Progress { benchmark, baseline, policy, code, instructions: None, relation: None, stage }
    }

    /// Returns the sizes of changes that its comparison distinguishes.
    pub(super) fn rules(&self) -> Rules {
        self.policy.rules(&self.benchmark.spec)
    }

    /// Takes the samples of one step.
    pub(super) fn step(&mut self, harness: &mut Harness, step: Step) {
        if let Stage::Sampling(samples, _) = &mut self.stage {
            samples.step(&self.benchmark.spec, harness, step);
        }
    }

    /// Goes on with its samples in another launch.
    pub(super) fn begin_launch(&mut self) {
        if let Stage::Sampling(samples, _) = &mut self.stage {
            samples.restart();
        }
    }

    /// Finishes the sampling: times first calls, and counts events and instructions.
    pub(super) fn finish_sampling(&mut self, harness: &mut Harness, launches: Launches) {
        if let Stage::Sampling(samples, _) = &mut self.stage {
            samples.time_first_calls(&self.benchmark.spec, harness, launches.first_calls);
            samples.count_events(&self.benchmark.spec, harness);
            let operation = samples.operation_time(harness);
            self.instructions = self
                .baseline
                .known()
                .filter(|known| {
                    let may_differ = !known.identical && self.code != Some(CodeMatch::Same);
                    self.policy.counts_instructions && may_differ
                })
                .and_then(|known| instruction_counts::compare(&self.benchmark, &known, harness, operation));
        }
        self.stop_sampling();
    }

    /// Ends the sampling, perhaps early.
    pub(super) fn stop_sampling(&mut self) {
        let is_suspected = self.should_run_paired();
        self.stage = match mem::replace(&mut self.stage, Stage::NotRun) {
            Stage::Sampling(samples, None) if is_suspected => Stage::Sampled(samples, Comparing::Suspected),
            Stage::Sampling(samples, unpaired) => {
                Stage::Sampled(samples, Comparing::Unpaired(unpaired.unwrap_or(Unpaired::Omitted)))
            }
            other => other,
        };
    }

    /// Begins the paired run.
    pub(super) fn run_side_by_side(&mut self, run: PairedRun) {
        if let Stage::Sampled(_, comparing @ Comparing::Suspected) = &mut self.stage {
            *comparing = Comparing::SideBySide(Box::new(run));
        }
    }

    /// Decides against a paired run that has not begun, or has found nothing.
    pub(super) fn omit_paired_run(&mut self, reason: Unpaired) {
        if let Stage::Sampled(_, comparing @ (Comparing::Suspected | Comparing::SideBySide(_))) =
            &mut self.stage
        {
            *comparing = Comparing::Unpaired(reason);
        }
    }

    /// Decides against a paired run because of an obstacle.
    pub(super) fn give_up_paired_run(&mut self, obstacle: NotPaired) {
        self.omit_paired_run(Unpaired::Impossible(Arc::new(obstacle)));
    }

    /// Ends the paired run after an error.
    pub(super) fn fail(&mut self, error: BlockError) {
        let executable = self.baseline.known().and_then(|known| known.executable);
        let is_of_revision = matches!(executable, Some(BaselineExecutable::Build(_)));
        let is_alone = self.paired_run().is_some_and(|run| run.benchmark.session_options.one_at_a_time);
        match self.is_audited() {
            true => self.omit_paired_run(Unpaired::Omitted),
            false if error.is_missing_file() && is_of_revision => {
                self.give_up_paired_run(NotPaired::FileOfRevision(error));
            }
            false if !is_alone && !error.advice().is_empty() => {
                self.give_up_paired_run(NotPaired::Collision(error));
            }
            false => self.give_up_paired_run(error.into()),
        }
    }

    /// Ends the paired run with the verdict by what it has found so far. `compare_code`: compares the code of
    /// the benchmark with that in its baseline.
    pub(super) fn decide(
        &mut self,
        compare_code: impl FnOnce(&KnownBenchmark<'_>, &Benchmark) -> ComparedCode,
    ) {
        let is_audited = self.is_audited();
        let (Stage::Sampled(samples, comparing @ Comparing::SideBySide(_)), Some(known)) =
            (&mut self.stage, self.baseline.known())
        else {
            return;
        };
        let Comparing::SideBySide(run) = &*comparing else { return };
        let outcome = run.outcome();
        if is_audited && outcome.verdict == Verdict::Unsure {
            *comparing = Comparing::Unpaired(Unpaired::Omitted);
            return;
        }
        samples.replace_launches(&outcome.candidate.launches);
        let comparison = Comparison::from_paired(outcome, || compare_code(&known, &self.benchmark));
        *comparing = Comparing::Decided(Box::new(comparison));
        self.apply_premises(&known);
    }

    /// Samples a further launch of a benchmark that doesn't run side by side. `seed`: that of its samples;
    /// `is_interrupted`: ends it early.
    pub(super) fn measure_again(
        &mut self,
        harness: &mut Harness,
        seed: u64,
        is_interrupted: impl Fn() -> bool,
    ) {
        let Stage::Sampled(samples, Comparing::Unpaired(_)) = &mut self.stage else { return };
        harness.end_session();
        samples.restart();
        while !samples.is_done() && !is_interrupted() {
            samples.step(&self.benchmark.spec, harness, Step::Batch { seed });
        }
    }

    /// Ends these launches. A change that they show has recurred.
    pub(super) fn finish_remeasuring(&mut self) {
        if let Stage::Sampled(_, comparing) = &mut self.stage {
            *comparing = match mem::replace(comparing, Comparing::Suspected) {
                Comparing::Unpaired(reason) => Comparing::Remeasured(reason),
                other => other,
            };
        }
    }

    /// Returns whether its own samples are being taken.
    pub(super) fn is_sampling(&self) -> bool {
        matches!(self.stage, Stage::Sampling(..))
    }

    /// Returns whether it should run side by side with its baseline.
    pub(super) fn is_suspected(&self) -> bool {
        matches!(self.stage, Stage::Sampled(_, Comparing::Suspected))
    }

    /// Returns its paired run, while there is one.
    pub(super) fn paired_run(&self) -> Option<&PairedRun> {
        if let Stage::Sampled(_, Comparing::SideBySide(run)) = &self.stage { Some(run) } else { None }
    }

    /// Returns its paired run, while there is one.
    pub(super) fn paired_run_mut(&mut self) -> Option<&mut PairedRun> {
        if let Stage::Sampled(_, Comparing::SideBySide(run)) = &mut self.stage { Some(run) } else { None }
    }

    /// Returns its own samples, if any are taken.
    pub(super) fn samples(&self) -> Option<&OwnSamples> {
        match &self.stage {
            Stage::NotRun => None,
            Stage::Sampling(samples, _) | Stage::Sampled(samples, _) => Some(samples),
        }
    }

    /// Returns the measurement so far, even if the benchmark failed later.
    pub(super) fn samples_so_far(&self) -> Option<Measurement> {
        self.samples()?.measurement(&self.benchmark.spec)
    }

    /// Returns the measurement so far, unless the benchmark failed.
    pub(super) fn measurement(&self) -> Option<Measurement> {
        if self.has_failed() { None } else { self.samples_so_far() }
    }

    /// Returns whether the benchmark failed.
    pub(super) fn has_failed(&self) -> bool {
        self.samples().is_some_and(|samples| samples.failure().is_some())
    }

    /// Returns whether the baseline has an executable that is worth running.
    pub(super) fn can_run_paired(&self) -> bool {
        self.baseline.known().is_some_and(|known| known.can_run_paired(&self.benchmark.spec, &self.policy))
    }

    /// Returns whether it should run side by side with its baseline, by its samples so far.
    fn should_run_paired(&self) -> bool {
        !self.has_failed()
            && self.can_run_paired()
            && (self.policy.runs_all_paired() || self.suspect().is_some_and(|it| it.may_have_changed()))
    }

    /// Returns whether a paired run is known to follow.
    pub(super) fn expects_paired_run(&self) -> bool {
        let is_open = self.is_suspected() || matches!(self.stage, Stage::Sampling(_, None));
        is_open && self.policy.runs_all_paired() && self.should_run_paired()
    }

    /// Returns the facts that decide about a paired run, if its code was compared and it has a figure.
    pub(super) fn suspect(&self) -> Option<Suspect> {
        self.suspect_with(self.code.clone()?)
    }

    /// Returns the same facts with this comparison of its code.
    pub(super) fn suspect_with(&self, code: CodeMatch) -> Option<Suspect> {
        let now = self.measurement().filter(|now| stored::resolved(now).is_some())?;
        let stored = self.baseline.known()?.measurement;
        let change = self.log_change();
        let own_time = self.samples()?.iteration_time()?;
        Some(Suspect {
            code,
            change,
            average_change: stored.map(|stored| stored::log_change_of_averages(stored, &now)),
            // Of the side that takes longer.
            iteration_time: own_time.mul_f64((-change.unwrap_or(0.0)).exp().max(1.0)),
        })
    }

    /// Returns the logarithm of the change since the stored figures. `None` if there are none, or if any are
    /// below resolution.
    pub(super) fn log_change(&self) -> Option<f64> {
        stored::log_change(self.baseline.known()?.measurement?, &self.measurement()?)
    }

    /// Returns whether it runs only to check the comparison of its code. Such a run says nothing about the
    /// benchmark unless it finds a change.
    fn is_audited(&self) -> bool {
        self.policy.is_requested() && self.code == Some(CodeMatch::Same)
    }
}

#[cfg(test)]
impl Progress<'_> {
    /// Takes the samples of a benchmark whose iterations take exactly this many ns, and ends the sampling.
    pub(super) fn sample_steady(&mut self, nanoseconds: u64) {
        if let Stage::Sampling(samples, _) = &mut self.stage {
            samples.sample_steady(nanoseconds);
        }
        self.stop_sampling();
    }
}
