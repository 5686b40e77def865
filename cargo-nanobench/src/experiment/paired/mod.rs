//! Two builds side by side: which benchmarks got slower or faster, with the error held over all of them.
//!
//! `block` runs fresh processes of both sides in turns; `evidence` is what the blocks say; `judge` says when that is enough and
//! for what; this module is the way of all benchmarks through it.

mod benchmark;
mod block;
mod copies;
mod evidence;
mod judge;
mod probe;
mod record;

pub(crate) use benchmark::PairedBenchmark;
pub(crate) use block::BlockError;
pub(crate) use judge::Rules;

use super::verdict::Verdict;
use crate::interrupt;
use benchmark::Iteration;
use block::{Block, BlockPlan};
use copies::Copies;
use evidence::Evidence;
use judge::{Direction, Limits, Looks, Next};
use nanobench::Rng;
use nanobench::model::{Launch, Measurement};
use nanobench::stats::{Change, Interval};
use record::Record;
use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Launches of each side that are kept for the figures that are shown and stored.
const LAUNCHES_KEPT: usize = 8;

/// What came of a contest.
#[derive(Debug, Clone)]
pub(crate) struct PairedOutcome {
    pub(crate) verdict: Verdict,
    /// As far as the pairs tell that the verdict stands on: fresh ones for a change that is called, else all.
    pub(crate) change: Option<Change>,
    /// What each side shows beside itself: the farther end of the 95 % interval, as a share.
    pub(crate) noise_floor: Option<f64>,
    /// Pairs of fresh processes, in all.
    pub(crate) pairs: usize,
    /// Those that the verdict stands on.
    pub(crate) fresh_pairs: usize,
    /// How much longer it would take to tell, where it can't be told.
    pub(crate) more: Option<Duration>,
    /// Some launches of both.
    pub(crate) baseline: Measurement,
    pub(crate) candidate: Measurement,
}

/// How a duel goes on. Contests go by their place.
#[derive(Debug)]
pub(crate) enum Event {
    Measuring(usize),
    Decided(usize, Result<Box<PairedOutcome>, BlockError>),
}

/// All contests of a run.
#[derive(Debug)]
pub(crate) struct PairedRunner<'a> {
    standings: Vec<PairedState<'a>>,
    limits: Limits,
    /// When all has to be over.
    deadline: Option<Instant>,
    /// Of each two executables, for all of their contests.
    copies: HashMap<[&'a Path; 2], Copies>,
    rng: Rng,
    record: Record,
}

/// A contest on its way.
#[derive(Debug)]
struct PairedState<'a> {
    benchmark: PairedBenchmark<'a>,
    block_plan: Option<BlockPlan>,
    stage: Stage,
    screening: Evidence,
    fresh: Evidence,
    /// In the stage that it is in.
    spent: Duration,
    /// Of all blocks.
    measuring: Duration,
    looks: Option<Looks>,
    launches: [Vec<Launch>; 2],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Screening,
    Suspected(Direction),
    Confirming(Direction),
    Decided,
}

impl<'a> PairedRunner<'a> {
    pub(crate) fn new(benchmarks: Vec<PairedBenchmark<'a>>, deadline: Option<Instant>) -> PairedRunner<'a> {
        let standings = benchmarks.into_iter().map(PairedState::new).collect();
        let (limits, copies, rng) = (Limits::default(), HashMap::new(), Rng::new());
        PairedRunner { standings, limits, deadline, copies, rng, record: Record::of_environment() }
    }

    /// Runs all contests, each until it is decided. Of those that Ctrl-C leaves undecided, what the blocks so far say is told; of
    /// those that have none, nothing.
    pub(crate) fn run(&mut self, tell: &mut dyn FnMut(Event)) {
        self.passes(Stage::is_screening, tell);
        let suspected = |standing: &&PairedState<'_>| matches!(standing.stage, Stage::Suspected(_));
        let tests = self.standings.iter().filter(suspected).count();
        for standing in &mut self.standings {
            standing.begin_confirmation(tests, &self.limits);
        }
        self.passes(Stage::is_confirming, tell);
        for (i, standing) in self.standings.iter().enumerate().filter(|(_, standing)| standing.is_cut_short())
        {
            tell(Event::Decided(i, Ok(Box::new(standing.judged(None)))));
        }
    }

    /// Passes over all that are in a stage, in random order, a block each, until none is.
    fn passes(&mut self, is_open: fn(Stage) -> bool, tell: &mut dyn FnMut(Event)) {
        loop {
            let mut open: Vec<usize> =
                (0..self.standings.len()).filter(|&i| is_open(self.standings[i].stage)).collect();
            if open.is_empty() {
                return;
            }
            self.rng.shuffle(&mut open);
            for i in open {
                if interrupt::requested() {
                    return;
                }
                tell(Event::Measuring(i));
                let is_over = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
                if let Some(outcome) = self.step(i, is_over) {
                    self.standings[i].stage = Stage::Decided;
                    tell(Event::Decided(i, outcome.map(Box::new)));
                }
            }
        }
    }

    /// One block more, and what follows.
    fn step(&mut self, i: usize, is_over: bool) -> Option<Result<PairedOutcome, BlockError>> {
        let PairedRunner { standings, limits, copies, rng, record, .. } = self;
        let standing = &mut standings[i];
        if is_over {
            return Some(Ok(standing.judged(None)));
        }
        let PairedBenchmark { baseline, candidate, .. } = standing.benchmark;
        let copies = copies
            .entry([&baseline.path, &candidate.path])
            .or_insert_with(|| Copies::of(baseline, candidate));
        match standing.block(copies, rng, record) {
            Ok(()) => standing.look(limits).map(Ok),
            Err(error) if error.is_interruption() => None,
            Err(error) => Some(Err(error)),
        }
    }
}

impl Stage {
    fn is_screening(self) -> bool {
        self == Stage::Screening
    }

    fn is_confirming(self) -> bool {
        matches!(self, Stage::Confirming(_))
    }
}

impl<'a> PairedState<'a> {
    fn new(benchmark: PairedBenchmark<'a>) -> PairedState<'a> {
        PairedState {
            benchmark,
            block_plan: None,
            stage: Stage::Screening,
            screening: Evidence::default(),
            fresh: Evidence::default(),
            spent: Duration::ZERO,
            measuring: Duration::ZERO,
            looks: None,
            launches: [Vec::new(), Vec::new()],
        }
    }

    fn begin_confirmation(&mut self, tests: usize, limits: &Limits) {
        let Stage::Suspected(direction) = self.stage else { return };
        self.stage = Stage::Confirming(direction);
        self.fresh = Evidence::of_confirmation();
        self.block_plan.iter_mut().for_each(BlockPlan::lengthen);
        // There are two pairs in a block.
        let pair = self.pair() + block::LONGER / 2;
        self.looks = Some(Looks::plan(tests, pair, limits.all.saturating_sub(self.spent)));
        self.spent = Duration::ZERO;
    }

    fn is_cut_short(&self) -> bool {
        self.stage != Stage::Decided && self.screening.pairs() > 0
    }

    fn block(&mut self, copies: &mut Copies, rng: &mut Rng, record: &mut Record) -> Result<(), BlockError> {
        let begin = Instant::now();
        let block_plan = match self.block_plan.take() {
            Some(block_plan) => block_plan,
            None => block::calibrate(&self.benchmark)?,
        };
        let measured = Instant::now();
        let block = block::run(&self.benchmark, &block_plan, copies, rng);
        self.measuring += measured.elapsed();
        self.spent += begin.elapsed();
        self.block_plan = Some(block_plan);
        let block = block?;
        record.note(&self.benchmark.id.row, self.stage.is_confirming(), &block);
        let evidence = if self.stage.is_confirming() { &mut self.fresh } else { &mut self.screening };
        evidence.add(&block.changes, &block.aa_ratios);
        self.keep(block);
        Ok(())
    }

    fn keep(&mut self, block: Block) {
        for (process, launch) in block.launches.into_iter().enumerate() {
            let kept = &mut self.launches[process / 2];
            if kept.len() < LAUNCHES_KEPT {
                kept.push(launch);
            }
        }
    }

    /// What follows from the blocks so far, if they are enough.
    fn look(&mut self, limits: &Limits) -> Option<PairedOutcome> {
        let rules = &self.benchmark.rules;
        match self.stage {
            Stage::Screening => match judge::screened(&self.screening, self.spent, rules, limits) {
                Next::More => None,
                Next::Done => Some(self.judged(None)),
                Next::Confirm(direction) => {
                    self.stage = Stage::Suspected(direction);
                    None
                }
            },
            Stage::Confirming(direction) => {
                let looks = self.looks.as_ref()?;
                let verdict = judge::confirmed(&self.screening, &self.fresh, direction, looks, rules)?;
                Some(self.judged(Some(verdict)))
            }
            Stage::Suspected(_) | Stage::Decided => None,
        }
    }

    /// Time of a pair of processes: there are two in a block.
    fn pair(&self) -> Duration {
        let pairs = u32::try_from(self.screening.pairs() + self.fresh.pairs()).unwrap_or(u32::MAX);
        self.measuring / pairs.max(1)
    }

    fn judged(&self, verdict: Option<Verdict>) -> PairedOutcome {
        let rules = &self.benchmark.rules;
        let all = self.screening.and(&self.fresh);
        let verdict = verdict.unwrap_or_else(|| judge::verdict_of_rest(&all, rules));
        let evidence = if matches!(verdict, Verdict::Slower | Verdict::Faster) { &self.fresh } else { &all };
        let change = evidence.interval().map(|Interval { low, high }| Change {
            estimate: evidence.estimate().exp_m1(),
            interval: Interval { low: low.exp_m1(), high: high.exp_m1() },
        });
        let more = || judge::more(evidence, self.looks.as_ref(), self.pair(), rules);
        PairedOutcome {
            verdict,
            change,
            noise_floor: all.noise_floor().map(f64::exp_m1),
            pairs: all.pairs(),
            fresh_pairs: evidence.pairs(),
            more: (verdict == Verdict::Unsure).then(more).flatten(),
            baseline: self.measurement(0),
            candidate: self.measurement(1),
        }
    }

    fn measurement(&self, side: usize) -> Measurement {
        let (count, Iteration { unroll, batch }) = (self.benchmark.count, self.benchmark.iterations[side]);
        Measurement { count, unroll, batch, launches: self.launches[side].clone(), ..Measurement::default() }
    }
}
