//! One block: four fresh processes, two of each side, which take turns on one core, with two short samples each.

use super::benchmark::Iteration;
use super::copies::Copies;
use super::{PairedBenchmark, probe};
use crate::cargo::Executable;
use crate::experiment::suite::STABLE_LABELS_ADVICE;
use crate::session::affinity::Work;
use crate::session::{self, Only, RequestError, Session};
use crate::stats;
use nanobench::Rng;
use nanobench::measure::{Calibration, CalibrationRequest, SampleBatch, SampleRequest, Sampler as _};
use nanobench::model::RowId;
use nanobench::model::{ClockCalibration, ClockInfo, Launch, Sample};
use std::time::{Duration, Instant};

/// Processes of a block: two a side, so that each side is also seen beside itself. The baseline's are 0 and 1.
pub(super) const PROCESSES: usize = 4;
/// A block's samples take about this long together: long beside the starting of its processes.
const SAMPLING: Duration = Duration::from_millis(25);
/// Or this share of what starting them took, with their first calls, if that is more: where each launch is dear, it is asked more.
const SHARE_OF_START: f64 = 0.25;
/// So much longer are the blocks that confirm: what is left by then needs many, and it pays to start fewer processes.
pub(super) const LONGER: Duration = Duration::from_millis(15);
/// Samples of a turn. The first one finds caches and predictors as the other processes have left them, which makes a tree
/// search or a sort up to twice as slow, each time otherwise; the faster one counts.
const TURN: u64 = 2;
/// A sample that is longer than this, in ns, has a turn for itself: the rest of it outweighs its beginning.
const LONG: f64 = 2_000_000.0;
/// A side may be so many times slower before its samples get shorter, and those of the other with them.
const MOST_APART: u64 = 4;
/// An iteration that seems to take longer than this, in ns, may have been the first call only.
const DOUBTFUL: f64 = 50_000_000.0;

/// Why there is no block.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BlockError {
    #[error(transparent)]
    Session(#[from] session::Error),
    #[error(transparent)]
    RequestError(#[from] RequestError),
    /// It was there when the executable was asked for all that it has.
    #[error("another process of the same executable has no row of this name: {STABLE_LABELS_ADVICE}")]
    NoSuchBenchmark,
    #[error("it does another amount of work in the baseline's executable")]
    OtherCount,
    #[error("nothing was left to time")]
    Nothing,
    #[error("in the baseline's executable: {0}")]
    InBaseline(Box<BlockError>),
}

impl BlockError {
    /// What went wrong in a process of the baseline, or in one of the new executable, of which it goes without saying.
    fn of(self, is_baseline: bool) -> BlockError {
        let is_a_process = matches!(self, BlockError::Session(_) | BlockError::RequestError(_));
        if is_baseline && is_a_process { BlockError::InBaseline(Box::new(self)) } else { self }
    }

    /// Whether it was Ctrl-C.
    pub(crate) fn is_interruption(&self) -> bool {
        match self {
            BlockError::Session(error) => error.is_interruption(),
            BlockError::RequestError(stopped) => stopped.is_interruption(),
            BlockError::InBaseline(error) => error.is_interruption(),
            _ => false,
        }
    }
}

/// How the samples of all blocks of a contest are taken: the same for both sides, as separate counts would be a bias.
#[derive(Debug, Clone)]
pub(super) struct BlockPlan {
    iterations: u64,
    count: u64,
    max_kept_results: u64,
    /// Calls before the first sample.
    warmup: u64,
    /// Samples of a turn.
    turn: u64,
    /// There are turns for so long.
    sampling: Duration,
    /// The clock and its costs as one process has found them; all others take them over.
    tuning: ClockCalibration,
    /// Neither side uses several threads, so that one core is all it needs.
    one_thread: bool,
}

impl BlockPlan {
    /// For blocks that are longer by [`LONGER`].
    pub(super) fn lengthen(&mut self) {
        self.sampling += LONGER;
    }
}

/// What a block says.
#[derive(Debug)]
pub(super) struct Block {
    /// Logarithms of candidate over baseline, of two pairs that share no process.
    pub(super) changes: [f64; 2],
    /// The same of baseline over baseline and candidate over candidate.
    pub(super) aa_ratios: [f64; 2],
    /// What was measured, by process.
    pub(super) launches: [Launch; PROCESSES],
    pub(super) took: Duration,
    /// How much of that went into starting the processes.
    pub(super) start: Duration,
    /// The core that all of it ran on.
    pub(super) core: Option<usize>,
}

/// Finds the shape in a process of each side, at the same time: what they prepare may take long, and a number of iterations need
/// not be exact. The clock has to be, so the first one looks into that alone.
pub(super) fn calibrate(benchmark: &PairedBenchmark<'_>) -> Result<BlockPlan, BlockError> {
    let in_baseline = |error: BlockError| error.of(true);
    let mut baseline = Calibrating::begin(benchmark, benchmark.baseline, None).map_err(in_baseline)?;
    let tuning = baseline.session.listing().tuning.clone();
    let mut candidate = Calibrating::begin(benchmark, benchmark.candidate, tuning.as_ref())?;
    baseline.order(benchmark).map_err(in_baseline)?;
    candidate.order(benchmark)?;
    let baseline = baseline.finish(benchmark).map_err(in_baseline)?;
    let candidate = candidate.finish(benchmark)?;
    let (first, second) = (&baseline.calibration, &candidate.calibration);
    if first.count != benchmark.count || second.count != benchmark.count {
        return Err(BlockError::OtherCount);
    }
    let iterations = match benchmark.plan.iterations {
        Some(iterations) => iterations,
        None => first.iterations.min(second.iterations.saturating_mul(MOST_APART)).max(1),
    };
    let wall = first.iteration_wall_time.min(second.iteration_wall_time) * iterations as f64;
    Ok(BlockPlan {
        turn: if wall > LONG { 1 } else { TURN },
        iterations,
        count: benchmark.count,
        max_kept_results: first.max_kept_results.min(second.max_kept_results).min(iterations),
        warmup: benchmark.plan.warmup,
        sampling: SAMPLING,
        one_thread: baseline.one_thread && candidate.one_thread && !benchmark.several_threads,
        tuning: tuning.ok_or(BlockError::Nothing)?,
    })
}

/// What one process has found.
struct Calibrated {
    calibration: Calibration,
    one_thread: bool,
}

/// A process that is to find it.
struct Calibrating {
    session: Session,
    index: u64,
    /// What it had worked before.
    before: Option<Work>,
}

impl Calibrating {
    fn begin(
        benchmark: &PairedBenchmark<'_>,
        executable: &Executable,
        tuning: Option<&ClockCalibration>,
    ) -> Result<Calibrating, BlockError> {
        let starting = Session::begin(executable, benchmark.session_options)?;
        let session = starting.finish(executable, benchmark.session_options, only(benchmark, tuning))?;
        let index = index(&session, &benchmark.id.row)?;
        let before = session.work();
        Ok(Calibrating { session, index, before })
    }

    fn benchmark(&mut self, benchmark: &PairedBenchmark<'_>) -> session::Remote<'_> {
        self.session.benchmark(self.index, benchmark.session_options.timeout)
    }

    fn order(&mut self, benchmark: &PairedBenchmark<'_>) -> Result<(), BlockError> {
        Ok(self.benchmark(benchmark).order_calibration(&order(benchmark))?)
    }

    /// Waits for what was ordered.
    fn finish(mut self, benchmark: &PairedBenchmark<'_>) -> Result<Calibrated, BlockError> {
        let mut calibration = self.benchmark(benchmark).calibrated()?;
        if calibration.iteration_wall_time > DOUBTFUL {
            calibration = self.benchmark(benchmark).calibrate(&order(benchmark))?;
        }
        let work = self.before.zip(self.session.work());
        let one_thread = work.is_some_and(|(before, after)| after.is_of_one_thread_since(&before));
        Ok(Calibrated { calibration, one_thread })
    }
}

fn order(benchmark: &PairedBenchmark<'_>) -> CalibrationRequest {
    let PairedBenchmark { plan, count, .. } = benchmark;
    CalibrationRequest {
        sample_time: plan.sample_time,
        iterations: plan.iterations,
        count: Some(*count),
        warmup: plan.warmup,
    }
}

/// Runs one block.
pub(super) fn run(
    benchmark: &PairedBenchmark<'_>,
    block_plan: &BlockPlan,
    copies: &mut Copies,
    rng: &mut Rng,
) -> Result<Block, BlockError> {
    let begin = Instant::now();
    let mut processes = start(benchmark, block_plan, copies, rng)?;
    let started = begin.elapsed();
    warm_up(&mut processes, benchmark, block_plan, rng.next_u64())?;
    let core = if block_plan.one_thread { probe::quietest_core(rng) } else { None };
    if let Some(core) = core {
        for process in &processes {
            process.session.pin(core);
        }
    }
    let seed = rng.next_u64();
    let mut order = [0, 1, 2, 3];
    let left = benchmark.session_options.timeout.saturating_sub(begin.elapsed());
    let sampling_time = block_plan.sampling.max(begin.elapsed().mul_f64(SHARE_OF_START)).min(left / 2);
    let sampling = Instant::now();
    for round in 0.. {
        if round > 0 && sampling.elapsed() >= sampling_time {
            break;
        }
        // Each order is followed by its reverse, so that each place is as often before the others as behind them.
        if round % 2 == 0 {
            rng.shuffle(&mut order);
        } else {
            order.reverse();
        }
        for i in order {
            let BlockPlan { iterations, count, max_kept_results, turn, .. } = *block_plan;
            let (exact_iterations, round) = (benchmark.plan.iterations.is_some(), round * turn);
            let take = SampleRequest {
                samples: turn,
                iterations,
                exact_iterations,
                count,
                max_kept_results,
                round,
                seed,
            };
            let taken = processes[i].benchmark(benchmark, begin).sample(&take);
            let taken = taken.map_err(|stopped| processes[i].failed(stopped))?;
            processes[i].segment_cost = taken.segment_cost;
            processes[i].samples.extend(fastest(taken, &block_plan.tuning.clock));
        }
    }
    processes.sort_by_key(|process| process.role);
    let launches = processes.map(|process| process.ended(block_plan));
    // Each may do another number of units in an iteration.
    let [old, new] = benchmark.iterations.map(Iteration::units);
    let of_unit = |change: f64| change + (old / new).ln();
    block(launches).map(|block| Block {
        changes: block.changes.map(of_unit),
        took: begin.elapsed(),
        start: started,
        core,
        ..block
    })
}

/// The sample of a turn in which an iteration was fastest.
fn fastest(turn: SampleBatch, clock: &ClockInfo) -> Option<Sample> {
    let time = |sample: &Sample| time(sample, clock, turn.segment_cost);
    turn.samples.into_iter().min_by(|a, b| time(a).total_cmp(&time(b)))
}

/// What the launches of a block say.
fn block(launches: [Launch; PROCESSES]) -> Result<Block, BlockError> {
    let times = launches.each_ref().map(times);
    if times.iter().flatten().any(|&time| time <= 0.0) {
        return Err(BlockError::Nothing);
    }
    let between = |a: usize, b: usize| middle_change(&times[a], &times[b]);
    Ok(Block {
        changes: [between(0, 2), between(1, 3)],
        aa_ratios: [between(0, 1), between(2, 3)],
        launches,
        took: Duration::ZERO,
        start: Duration::ZERO,
        core: None,
    })
}

/// The median of the logarithms of times of `b` over those of `a` of the same round, the one before and the one after. Three
/// times as many ratios are less noisy, and what the machine did meanwhile, it did to both.
fn middle_change(a: &[f64], b: &[f64]) -> f64 {
    let near = |round: usize| round.saturating_sub(1)..b.len().min(round + 2);
    let pairs = (0..a.len()).flat_map(|i| near(i).map(move |j| (i, j)));
    stats::median(&pairs.map(|(i, j)| (b[j] / a[i]).ln()).collect::<Vec<f64>>())
}

/// What an iteration takes in each sample, in ns.
fn times(launch: &Launch) -> Vec<f64> {
    launch.samples.iter().map(|sample| time(sample, &launch.clock, launch.segment_cost)).collect()
}

/// What an iteration takes in a sample, in ns, without what the clock added.
fn time(sample: &Sample, clock: &ClockInfo, segment_cost: f64) -> f64 {
    let elapsed = sample.elapsed as f64 * 1e9 / clock.frequency;
    (elapsed - segment_cost * sample.segments as f64) / sample.iterations as f64
}

/// A process of a block.
#[derive(Debug)]
struct Process {
    session: Session,
    /// 0 and 1 are the baseline's, 2 and 3 the candidate's.
    role: usize,
    /// Of the benchmark, in its listing.
    index: u64,
    segment_cost: f64,
    samples: Vec<Sample>,
}

impl Process {
    fn benchmark(&mut self, benchmark: &PairedBenchmark<'_>, begin: Instant) -> session::Remote<'_> {
        self.session.benchmark(self.index, benchmark.session_options.timeout.saturating_sub(begin.elapsed()))
    }

    fn failed(&self, why: impl Into<BlockError>) -> BlockError {
        why.into().of(is_baseline(self.role))
    }

    fn ended(self, block_plan: &BlockPlan) -> Launch {
        let ClockCalibration { clock, empty_loop, .. } = block_plan.tuning.clone();
        Launch { clock, segment_cost: self.segment_cost, empty_loop, samples: self.samples }
    }
}

/// Whether the process in this role is the baseline's.
fn is_baseline(role: usize) -> bool {
    role < 2
}

fn only(benchmark: &PairedBenchmark<'_>, tuning: Option<&ClockCalibration>) -> Option<Only> {
    Some(Only { row: benchmark.id.row.clone(), tuning: tuning.cloned() })
}

fn index(session: &Session, row: &RowId) -> Result<u64, BlockError> {
    session.index_of(row).ok_or(BlockError::NoSuchBenchmark)
}

/// Starts the processes of a block, all at once. They come back in the order in which they were started, which is random, and
/// whatever is done to all is done in that order: what is always first at anything, be it only at allocating, is up to
/// 1 % faster or slower in hash maps and sorting.
fn start(
    benchmark: &PairedBenchmark<'_>,
    block_plan: &BlockPlan,
    copies: &mut Copies,
    rng: &mut Rng,
) -> Result<[Process; PROCESSES], BlockError> {
    let sides = [benchmark.baseline, benchmark.baseline, benchmark.candidate, benchmark.candidate];
    let paths = copies.paths(rng);
    let sides: [Executable; PROCESSES] =
        std::array::from_fn(|i| Executable { path: paths[i].clone(), ..sides[i].clone() });
    let mut order = [0, 1, 2, 3];
    rng.shuffle(&mut order);
    let mut starting = Vec::with_capacity(PROCESSES);
    for i in order {
        let failed = |error| BlockError::from(error).of(is_baseline(i));
        starting.push((i, Session::begin(&sides[i], benchmark.session_options).map_err(failed)?));
    }
    let mut processes = Vec::with_capacity(PROCESSES);
    for (i, starting) in starting {
        let failed = |error| BlockError::from(error).of(is_baseline(i));
        let session =
            starting.finish(&sides[i], benchmark.session_options, only(benchmark, Some(&block_plan.tuning)));
        let session = session.map_err(failed)?;
        let index = index(&session, &benchmark.id.row)?;
        processes.push(Process { session, role: i, index, segment_cost: 0.0, samples: Vec::new() });
    }
    Ok(processes.try_into().expect("there is one for each role"))
}

/// The first calls, which pay for page faults, lazy initialisation and cold caches: in all processes at once, as they may
/// take long, and nothing is measured.
fn warm_up(
    processes: &mut [Process; PROCESSES],
    benchmark: &PairedBenchmark<'_>,
    block_plan: &BlockPlan,
    seed: u64,
) -> Result<(), BlockError> {
    if block_plan.warmup == 0 {
        return Ok(());
    }
    let BlockPlan { warmup: iterations, count, .. } = *block_plan;
    let take = SampleRequest {
        samples: 1,
        iterations,
        exact_iterations: true,
        count,
        max_kept_results: 1,
        round: 0,
        seed,
    };
    let begin = Instant::now();
    for process in &mut *processes {
        process.benchmark(benchmark, begin).order(&take).map_err(|stopped| process.failed(stopped))?;
    }
    for process in processes {
        process.benchmark(benchmark, begin).taken().map_err(|stopped| process.failed(stopped))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
