//! The progress of one paired run.

use super::benchmark::{PairedBenchmark, Side, runs_baseline};
use super::block::{self, Block};
use super::block_log::BlockLog;
use super::calibration::{BlockPlan, calibrate};
use super::decision::{self, Direction, LookSchedule, ScreeningDecision};
use super::error::BlockError;
use super::evidence::Evidence;
use super::executable_copies::ExecutableCopies;
use super::time_left;
use crate::experiment::verdict::Verdict;
use nanobench::Rng;
use nanobench::model::{Launch, Measurement};
use nanobench::stats::{Change, Interval};
use std::time::{Duration, Instant};

/// Launches of each side that are kept for the figures in reports and in the store.
const MAX_KEPT_LAUNCHES: usize = 8;
/// Pairs of processes in a block.
const PAIRS_PER_BLOCK: u32 = 2;

/// The outcome of a paired run.
#[derive(Debug, Clone)]
pub(crate) struct PairedOutcome {
    pub(crate) verdict: Verdict,
    /// The change in the pairs that the verdict rests on: fresh ones for `slower` and `faster`,
    /// and all for other verdicts.
    pub(crate) change: Option<Change>,
    pub(crate) details: PairedDetails,
    /// Some launches of the baseline.
    pub(crate) baseline: Measurement,
    /// Some launches of the candidate.
    pub(crate) candidate: Measurement,
}

/// Findings that only a paired run yields.
#[derive(Debug, Clone)]
pub(crate) struct PairedDetails {
    /// Largest apparent change of a side against itself: the farther end of the 95 % interval, as
    /// a share.
    pub(crate) noise_floor: Option<f64>,
    /// Number of pairs of fresh processes.
    pub(crate) pairs: usize,
    /// Number of the pairs that the verdict rests on.
    pub(crate) confirmation_pairs: usize,
    /// Estimated further time until a verdict, if there is none yet.
    pub(crate) time_to_decide: Option<Duration>,
    /// For a change: the nearest function to the benchmark whose machine code differs, if it is
    /// known and not the benchmark itself.
    pub(crate) differs_in: Option<String>,
}

/// The progress of one paired run.
#[derive(Debug)]
pub(super) struct PairedState<'a> {
    pub(super) benchmark: PairedBenchmark<'a>,
    pub(super) stage: Stage,
    /// `None` before the calibration.
    plan: Option<BlockPlan>,
    screening: Evidence,
    confirmation: Evidence,
    schedule: Option<LookSchedule>,
    /// Time spent in the current stage.
    spent: Duration,
    /// Time of all blocks.
    block_time: Duration,
    /// Launches of baseline and candidate.
    launches: [Vec<Launch>; 2],
    /// Estimated time until the verdict, as of the last block.
    time_left: Option<Duration>,
}

/// The stage of a paired run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Screening,
    /// The screening suspects a change, which waits for its confirmation.
    Suspected(Direction),
    Confirming(Direction),
    Decided,
}

impl Stage {
    pub(super) fn is_screening(self) -> bool {
        self == Stage::Screening
    }

    pub(super) fn is_confirming(self) -> bool {
        matches!(self, Stage::Confirming(_))
    }
}

impl<'a> PairedState<'a> {
    pub(super) fn new(benchmark: PairedBenchmark<'a>) -> PairedState<'a> {
        PairedState {
            benchmark,
            stage: Stage::Screening,
            plan: None,
            screening: Evidence::default(),
            confirmation: Evidence::default(),
            schedule: None,
            spent: Duration::ZERO,
            block_time: Duration::ZERO,
            launches: Default::default(),
            time_left: None,
        }
    }

    pub(super) fn is_suspected(&self) -> bool {
        matches!(self.stage, Stage::Suspected(_))
    }

    /// Returns whether the run ended undecided, but with some blocks.
    pub(super) fn is_cut_short(&self) -> bool {
        self.stage != Stage::Decided && self.screening.pairs() > 0
    }

    /// Begins the confirmation of a suspected change. `tests`: the number of benchmarks that are
    /// confirmed.
    pub(super) fn begin_confirmation(&mut self, tests: usize) {
        let Stage::Suspected(direction) = self.stage else { return };
        self.stage = Stage::Confirming(direction);
        self.confirmation = Evidence::for_confirmation();
        let pace = self.benchmark.pace;
        let extra_time = pace.extra_confirmation_time();
        self.plan.iter_mut().for_each(|plan| plan.sampling_time += extra_time);
        let pair_time = self.pair_time() + extra_time / PAIRS_PER_BLOCK;
        let remaining = pace.limits().total.saturating_sub(self.spent);
        self.schedule = Some(LookSchedule::new(tests, pair_time, remaining));
        self.spent = Duration::ZERO;
    }

    /// Runs a block and adds its results to the evidence.
    pub(super) fn run_block(
        &mut self,
        copies: &mut ExecutableCopies,
        rng: &mut Rng,
        log: &mut BlockLog,
    ) -> Result<(), BlockError> {
        let begin = Instant::now();
        let plan = match &mut self.plan {
            Some(plan) => plan,
            none => none.insert(calibrate(&self.benchmark)?),
        };
        let block_begin = Instant::now();
        let block = block::run(&self.benchmark, plan, copies, rng);
        self.block_time += block_begin.elapsed();
        self.spent += begin.elapsed();
        let block = block?;
        let is_confirming = self.stage.is_confirming();
        log.append(self.benchmark.row(), is_confirming, &block);
        let evidence = if is_confirming { &mut self.confirmation } else { &mut self.screening };
        evidence.add(&block.changes, &block.aa_ratios);
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
                let limits = self.benchmark.pace.limits();
                match decision::decide_screening(&self.screening, self.spent, rules, &limits) {
                    ScreeningDecision::Continue => None,
                    ScreeningDecision::Stop => Some(self.outcome(None)),
                    ScreeningDecision::Confirm(direction) => {
                        self.stage = Stage::Suspected(direction);
                        None
                    }
                }
            }
            Stage::Confirming(direction) => {
                let (schedule, screening) = (self.schedule.as_ref()?, &self.screening);
                let verdict =
                    decision::decide_confirmation(screening, &self.confirmation, direction, schedule, rules)?;
                Some(self.outcome(Some(verdict)))
            }
            Stage::Suspected(_) | Stage::Decided => None,
        }
    }

    /// Returns the estimated time until the verdict. `None` before the first block.
    pub(super) fn time_left(&self) -> Option<Duration> {
        if self.stage == Stage::Decided { Some(Duration::ZERO) } else { self.time_left }
    }

    /// Returns the longest time of the screening.
    pub(super) fn screening_limit(&self) -> Duration {
        self.benchmark.pace.limits().screening
    }

    /// Estimates the time until the verdict from the evidence so far.
    pub(super) fn estimate_time_left(&mut self) {
        let (rules, pair_time) = (&self.benchmark.rules, self.pair_time());
        self.time_left = Some(match (self.stage, &self.schedule) {
            (Stage::Decided, _) => Duration::ZERO,
            (Stage::Confirming(_), Some(schedule)) => {
                schedule.time_to_look(self.confirmation.pairs(), pair_time)
            }
            (Stage::Screening, _) => {
                let limits = self.benchmark.pace.limits();
                time_left::screening(&self.screening, self.spent, pair_time, rules, &limits)
            }
            (Stage::Suspected(_) | Stage::Confirming(_), _) => time_left::TYPICAL_CONFIRMATION,
        });
    }

    /// Returns the average time of a pair of processes.
    fn pair_time(&self) -> Duration {
        let pairs = u32::try_from(self.screening.pairs() + self.confirmation.pairs()).unwrap_or(u32::MAX);
        self.block_time / pairs.max(1)
    }

    /// Returns the outcome with this verdict, or, without one, that of a run in which no change was
    /// confirmed.
    pub(super) fn outcome(&self, verdict: Option<Verdict>) -> PairedOutcome {
        let rules = &self.benchmark.rules;
        let all = self.screening.and(&self.confirmation);
        let verdict = verdict.unwrap_or_else(|| decision::verdict_without_change(&all, rules));
        let evidence = if verdict.is_change() { &self.confirmation } else { &all };
        let change = evidence.interval().map(|Interval { low, high }| Change {
            estimate: evidence.estimate().exp_m1(),
            interval: Interval { low: low.exp_m1(), high: high.exp_m1() },
        });
        let time_to_decide =
            || decision::time_to_verdict(evidence, self.schedule.as_ref(), self.pair_time(), rules);
        let [baseline, candidate] = &self.launches;
        PairedOutcome {
            verdict,
            change,
            details: PairedDetails {
                noise_floor: all.noise_floor().map(f64::exp_m1),
                pairs: all.pairs(),
                confirmation_pairs: evidence.pairs(),
                time_to_decide: if verdict == Verdict::Unsure { time_to_decide() } else { None },
                differs_in: None,
            },
            baseline: self.measurement(&self.benchmark.baseline, baseline),
            candidate: self.measurement(&self.benchmark.candidate, candidate),
        }
    }

    fn measurement(&self, side: &Side<'_>, launches: &[Launch]) -> Measurement {
        Measurement {
            count: self.benchmark.count,
            unroll: side.benchmark.unroll,
            batch: side.benchmark.batch,
            launches: launches.to_vec(),
            ..Measurement::default()
        }
    }
}
