//! The progress of one paired run.

mod findings;

use super::benchmark::{PAIRS_PER_BLOCK, PairedBenchmark, runs_baseline, time_of_slow};
use super::block::{self, Block};
use super::block_plan::{BlockPlan, BlockSampling};
use super::block_times::BlockTimes;
use super::calibration::Calibrators;
use super::decision::{self, NextBlock, ScreeningDecision};
use super::error::BlockError;
use super::evidence::{Evidence, MIN_PAIRS};
use super::look_schedule::LookSchedule;
use super::outcome::PairedOutcome;
use super::processes::Launches;
use super::questions::{Answers, ConfirmationBlocks, Suspicions};
use super::recurrence::{self, Recurrence};
use super::shared::{ExecutablePair, Shared};
use super::time_left;
use super::turn_noise::TurnNoise;
use super::waiting::Waits;
use nanobench::model::{ClockCalibration, Launch};
use std::time::{Duration, Instant};

/// Launches of each side that are kept for the figures in reports and in the store.
const MAX_KEPT_LAUNCHES: usize = 8;

/// Longest calibration of a benchmark whose launches serve others. If its calls, its fixture or emptying
/// caches take longer, the start of processes of its own doesn't matter, and their memory might.
const MAX_SHARED_CALIBRATION: Duration = Duration::from_millis(10);

/// The progress of one paired run.
#[derive(Debug)]
pub(super) struct PairedState<'a> {
    pub(super) benchmark: PairedBenchmark<'a>,
    /// The change that its own figures show, if it is tested.
    recurrence: Option<Recurrence>,
    pub(super) stage: Stage,
    /// `None` before the calibration.
    plan: Option<BlockPlan>,
    /// Its launches may serve other benchmarks, too.
    pub(super) shares_launches: bool,
    /// The sampling of the next block.
    sampling: BlockSampling,
    screening: Evidence,
    confirmation: Evidence,
    schedule: Option<LookSchedule>,
    /// Time spent in the current stage.
    spent: Duration,
    pub(super) block_times: BlockTimes,
    /// The noise of the turns so far.
    turn_noise: TurnNoise,
    /// Launches of baseline and candidate.
    launches: [Vec<Launch>; 2],
    /// Threads or processes of the baseline and of the candidate are busy while they should wait.
    busy: [bool; 2],
    /// The waits of the processes of both sides for their turns.
    waits: [Waits; 2],
    /// The processor time of both sides, as blocks have it.
    cpu_times: [Duration; 2],
    /// Estimated time until the verdict, as of the last block.
    time_left: Option<Duration>,
}

/// The stage of a paired run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// It comes after others.
    Waiting,
    Screening,
    /// The screening suspects a change, which waits for its confirmation.
    Suspected(Suspicions),
    Confirming(Suspicions),
    Decided,
}

impl Stage {
    pub(super) fn is_screening(self) -> bool {
        self == Stage::Screening
    }

    pub(super) fn is_confirming(self) -> bool {
        matches!(self, Stage::Confirming(_))
    }

    /// Returns whether a change is suspected, and neither confirmed nor dismissed.
    pub(super) fn is_suspected(self) -> bool {
        matches!(self, Stage::Suspected(_) | Stage::Confirming(_))
    }
}

impl<'a> PairedState<'a> {
    /// Creates a run that has not started yet. `recurrences`: the number of benchmarks whose own figures
    /// show a change that is tested.
    pub(super) fn new(benchmark: PairedBenchmark<'a>, recurrences: usize) -> PairedState<'a> {
        let recurrence = |expected| Recurrence::new(expected, &benchmark.rules, recurrences);
        let first_block = match benchmark.expected_change() {
            Some(_) => NextBlock::USUAL,
            None => NextBlock::before_looks(&Evidence::default(), &benchmark.limits()),
        };
        PairedState {
            sampling: benchmark.screening_sampling(&Evidence::default(), first_block, None),
            recurrence: benchmark.expected_change().map(recurrence),
            shares_launches: benchmark.may_share_launches(),
            benchmark,
            stage: Stage::Waiting,
            plan: None,
            screening: Evidence::default(),
            confirmation: Evidence::default(),
            schedule: None,
            spent: Duration::ZERO,
            block_times: BlockTimes::default(),
            turn_noise: TurnNoise::default(),
            launches: Default::default(),
            busy: [false; 2],
            waits: Default::default(),
            cpu_times: Default::default(),
            time_left: None,
        }
    }

    /// Returns the number of suspected changes, which have to be confirmed.
    pub(super) fn suspicions(&self) -> usize {
        if let Stage::Suspected(suspicions) = self.stage { suspicions.number() } else { 0 }
    }

    /// Returns whether the run ended undecided, but with some blocks.
    pub(super) fn is_cut_short(&self) -> bool {
        self.stage != Stage::Decided && self.screening.pairs() > 0
    }

    /// Returns whether the screening has enough pairs for its first look.
    pub(super) fn had_look(&self) -> bool {
        self.screening.pairs() >= MIN_PAIRS
    }

    /// Returns whether its own figures show a change that may still recur, which needs no confirmation.
    pub(super) fn may_recur(&self) -> bool {
        self.recurrence.as_ref().is_some_and(|recurrence| recurrence.is_open(&self.screening))
    }

    /// Ends a screening for which there is no more time. What looks different by now is suspected.
    pub(super) fn cut_screening(&mut self) {
        let (rules, limits) = (&self.benchmark.rules, self.benchmark.limits());
        let suspicions = || decision::suspicions_of_cut_screening(&self.screening, rules, &limits);
        if let Some(suspicions) = self.stage.is_screening().then(suspicions).flatten() {
            self.stage = Stage::Suspected(suspicions);
        }
    }

    /// Begins the confirmation of a suspected change, if there is any. `tests`: the number of
    /// suspected changes of all benchmarks. `min_block_time`: the time until new executables are
    /// ready for the next block. Returns the estimated time until its first test.
    pub(super) fn begin_confirmation(&mut self, tests: usize, min_block_time: Duration) -> Option<Duration> {
        let Stage::Suspected(suspicions) = self.stage else { return None };
        self.sampling = self.confirmation_sampling(&suspicions);
        self.stage = Stage::Confirming(suspicions);
        self.confirmation = Evidence::for_confirmation(&self.screening);
        let estimate = self.block_times.estimate(&self.sampling);
        let block_time =
            if self.sampling.only_adds_launches { estimate } else { estimate.max(min_block_time) };
        let pair_time = block_time / PAIRS_PER_BLOCK as u32;
        let limits = self.benchmark.limits();
        let remaining = limits.total.saturating_sub(self.spent);
        let schedule = LookSchedule::new(tests, pair_time, remaining, limits);
        self.spent = Duration::ZERO;
        let time_to_test = schedule.time_to_look(0, pair_time, |_, _| true);
        self.schedule = Some(schedule);
        Some(time_to_test)
    }

    /// Returns the sampling of the blocks that test these suspected changes.
    fn confirmation_sampling(&self, suspicions: &Suspicions) -> BlockSampling {
        let effort = self.benchmark.effort;
        let blocks = ConfirmationBlocks::new(suspicions, &self.screening, &self.benchmark.rules);
        let (time, long_pairs) = match blocks {
            ConfirmationBlocks::Usual => (effort.sampling_time() + effort.extra_confirmation_time(), 0),
            ConfirmationBlocks::Launches => (effort.short_sampling_time(), 0),
            ConfirmationBlocks::LongLaunches => (effort.first_sampling_time(), PAIRS_PER_BLOCK),
        };
        BlockSampling {
            time,
            long_launches: self.benchmark.long_launches(long_pairs),
            only_adds_launches: blocks == ConfirmationBlocks::Launches,
        }
    }

    /// Returns the time of a block of the confirmation: that of those so far, or an estimate.
    pub(super) fn confirmation_block_time(&self) -> Duration {
        let suspicions = match self.stage {
            Stage::Confirming(_) if self.confirmation.pairs() > 0 => {
                return self.confirmation.time_per_pair(self.spent) * PAIRS_PER_BLOCK as u32;
            }
            Stage::Suspected(suspicions) | Stage::Confirming(suspicions) => suspicions,
            Stage::Waiting | Stage::Screening | Stage::Decided => {
                let expects_same = self.benchmark.limits().expects_same;
                Answers::new(&self.screening, &self.benchmark.rules).suspicions(expects_same)
            }
        };
        self.block_times.estimate(&self.confirmation_sampling(&suspicions))
    }

    /// Returns whether the confirmation still has to reach its first look.
    pub(super) fn awaits_first_look(&self) -> bool {
        self.schedule.as_ref().is_some_and(|schedule| !schedule.has_begun())
    }

    /// Returns whether the benchmark needs a calibration before its next block.
    pub(super) fn needs_calibration(&self) -> bool {
        self.plan.is_none()
    }

    /// Calibrates the benchmark, which may show that its launches can't serve others.
    pub(super) fn calibrate(&mut self, calibrators: &mut Calibrators) -> Result<(), BlockError> {
        let begin = Instant::now();
        let plan = calibrators.calibrate(&self.benchmark)?;
        let elapsed = begin.elapsed();
        self.spent += elapsed;
        self.shares_launches &= plan.is_single_threaded && elapsed <= MAX_SHARED_CALIBRATION;
        self.plan = Some(plan);
        Ok(())
    }

    /// Returns the clock and its costs, once it is calibrated.
    pub(super) fn clock(&self) -> Option<&ClockCalibration> {
        Some(&self.plan.as_ref()?.clock)
    }

    /// Returns whether nothing but the number of launches counts in the next block.
    pub(super) fn only_adds_launches(&self) -> bool {
        self.sampling.only_adds_launches
    }

    /// Runs a block in these processes and adds its results to the evidence.
    pub(super) fn run_block(
        &mut self,
        launches: &mut Launches,
        executables: &mut ExecutablePair<'_>,
        shared: &mut Shared,
    ) -> Result<(), BlockError> {
        let may_recur = self.may_recur();
        let plan = self.plan.as_mut().expect("calibrated before");
        if !may_recur && plan.warmup < self.benchmark.plan.warmup {
            // Without the change that was expected, first calls could pass for another one. Its test has
            // failed, and must not begin anew with the new evidence.
            plan.warmup = self.benchmark.plan.warmup;
            self.recurrence = None;
            self.screening = Evidence::default();
            self.turn_noise = TurnNoise::default();
            self.launches = Default::default();
        }
        let (sampling, files) = (&self.sampling, &mut executables.files);
        let block = block::run(&self.benchmark, plan, sampling, launches, files, &mut shared.rng)?;
        let is_confirming = self.stage.is_confirming();
        let limits = self.benchmark.limits();
        let needs_long_launches = !is_confirming && self.screening.long_launches() < limits.min_long_launches;
        // The set-up of the long launches that any screening needs must not leave it without time.
        let set_up = block.untimed_long_time().min(limits.screening);
        let uncounted = if needs_long_launches { set_up } else { Duration::ZERO };
        self.spent += block.elapsed.saturating_sub(uncounted);
        let adds_evidence = is_confirming || !self.sampling.only_adds_launches;
        self.block_times.add(&block, &self.sampling, adds_evidence);
        shared.log.append(self.benchmark.row(), is_confirming, &block);
        self.waits.iter_mut().zip(&block.waits).for_each(|(all, waits)| all.add(waits));
        self.cpu_times.iter_mut().zip(block.cpu_times).for_each(|(all, time)| *all += time);
        let busy = self.waits.map(|waits| waits.are_busy());
        if busy.contains(&true) && !plan.suspends_waiting {
            // Threads or processes of one side ran beside the samples of the other. In shared launches, they
            // may be those of another benchmark.
            if std::mem::take(&mut self.shares_launches) {
                self.waits = Default::default();
            } else {
                plan.suspend_waiting();
                self.busy = busy;
            }
            if !is_confirming {
                self.screening = Evidence::default();
                self.turn_noise = TurnNoise::default();
                self.launches = Default::default();
            }
            return Ok(());
        }
        if plan.lengthen_samples(block.longest_sample_time()) {
            return Ok(());
        }
        let evidence = if is_confirming { &mut self.confirmation } else { &mut self.screening };
        if adds_evidence {
            self.turn_noise.add(&block);
            evidence.add_block(&block.changes, block.side_ratios, executables.files.are_layouts());
        }
        evidence.averages.add(&block.averages);
        evidence.launches.add(&block.launch_pairs);
        self.keep_launches(block);
        Ok(())
    }

    fn keep_launches(&mut self, block: Block) {
        for (process, launch) in block.launches.into_iter().enumerate() {
            let launches = &mut self.launches[usize::from(!runs_baseline(process))];
            if launches.len() < MAX_KEPT_LAUNCHES {
                launches.push(launch);
            }
        }
    }

    /// Evaluates the evidence so far. Returns the outcome if it suffices.
    pub(super) fn look(&mut self) -> Option<PairedOutcome> {
        let rules = &self.benchmark.rules;
        match self.stage {
            Stage::Screening => {
                let (limits, evidence) = (self.benchmark.limits(), &self.screening);
                let recurrence = self.recurrence.as_ref();
                match recurrence::decide_screening(recurrence, evidence, self.spent, rules, &limits) {
                    ScreeningDecision::Continue(next_block) => {
                        let overhead = self.block_times.overhead();
                        let time = self.turn_noise.efficient_sampling_time(&self.screening.changes, overhead);
                        self.sampling = self.benchmark.screening_sampling(&self.screening, next_block, time);
                        None
                    }
                    ScreeningDecision::Stop => Some(self.outcome(None)),
                    ScreeningDecision::Recurs(verdicts) => Some(self.outcome(Some(verdicts))),
                    ScreeningDecision::Confirm(suspicions) => {
                        self.stage = Stage::Suspected(suspicions);
                        None
                    }
                }
            }
            Stage::Confirming(suspicions) => {
                let (schedule, screening) = (self.schedule.as_mut()?, &self.screening);
                let fresh = &self.confirmation;
                let spent = self.spent;
                let verdicts =
                    decision::decide_confirmation(screening, fresh, &suspicions, schedule, spent, rules)?;
                Some(self.outcome(Some(verdicts)))
            }
            Stage::Waiting | Stage::Suspected(_) | Stage::Decided => None,
        }
    }

    /// Returns the estimated time until the verdict. `None` before the first block.
    pub(super) fn time_left(&self) -> Option<Duration> {
        if self.stage == Stage::Decided { Some(Duration::ZERO) } else { self.time_left }
    }

    /// Returns the time until the verdict on a clear change, if its calls take long.
    pub(super) fn time_of_slow(&self) -> Duration {
        let calls = time_of_slow(self.benchmark.iteration_time);
        if self.recurrence.is_some() { calls } else { self.benchmark.limits().total.max(2 * calls) }
    }

    /// Estimates the time until the verdict from the evidence so far.
    pub(super) fn estimate_time_left(&mut self) {
        let (rules, limits) = (&self.benchmark.rules, self.benchmark.limits());
        let pair_of_confirmation = || self.confirmation_block_time() / PAIRS_PER_BLOCK as u32;
        let next_confirmation = || pair_of_confirmation() * time_left::TYPICAL_CONFIRMATION_PAIRS;
        self.time_left = Some(match (self.stage, &self.schedule) {
            (Stage::Decided, _) => Duration::ZERO,
            (Stage::Confirming(suspicions), Some(schedule)) => {
                let evidence = [&self.screening, &self.confirmation];
                time_left::confirmation(evidence, &suspicions, schedule, pair_of_confirmation())
            }
            (Stage::Suspected(_) | Stage::Confirming(_), _) => next_confirmation(),
            (Stage::Waiting | Stage::Screening, _) if self.benchmark.is_slow() && self.may_recur() => {
                self.time_of_slow().saturating_sub(self.spent)
            }
            (Stage::Waiting | Stage::Screening, _) => {
                let usual =
                    self.block_times.of_typical_time.saturating_sub(self.block_times.of_long_launches);
                let pair_time = self.screening.time_per_pair(usual);
                let left = time_left::screening(&self.screening, self.spent, pair_time, rules, &limits);
                let will_confirm = time_left::will_confirm(&self.screening, rules, &limits);
                left + if will_confirm { next_confirmation() } else { Duration::ZERO }
            }
        });
    }
}
