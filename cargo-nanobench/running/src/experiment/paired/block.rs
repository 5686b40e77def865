//! A block: four processes, two per side, that take turns on one core.

use super::average_pairs::{TakenTurns, average_pairs};
use super::benchmark::{PROCESSES, PairedBenchmark, in_process, runs_baseline};
use super::block_plan::{BlockPlan, BlockSampling};
use super::core_probe::quietest_core;
use super::error::BlockError;
use super::fresh_executables::FreshExecutables;
use super::launch_times::launch_pairs;
use super::launch_times::{fastest_of_turns, iteration_times, median_log_ratio};
use super::processes::{Launches, Process, warm_up};
use super::waiting::Waits;
use crate::environment::machine;
use nanobench::Rng;
use nanobench::measure::{SampleRequest, Sampler as _};
use nanobench::model::{ClockCalibration, Launch};
use std::time::{Duration, Instant};
use verdicts::statistics as stats;
use verdicts::{AveragePair, LongLaunches, PAIRS_PER_BLOCK};

/// Minimum sampling time of a block, as a share of the time until its processes are started and
/// warmed up: if that is expensive, each block samples longer.
pub(super) const MIN_SAMPLING_SHARE: f64 = 0.25;

/// Number of turns of each process in which a disturbance can be told from a slow launch. A block
/// has as many even if it samples for up to [`MAX_EXTENSION`] times as long as intended. It also
/// does so while the executables of the next block are being made.
const MIN_TURNS: usize = 2;
const MAX_EXTENSION: u32 = 3;

/// The results of a block.
#[derive(Debug)]
pub(super) struct Block {
    /// Logarithms of the ratio of candidate to baseline, of two pairs that share no process.
    pub(super) changes: [f64; 2],
    /// Logarithms of the ratio of the second process to the first, for the baseline and the
    /// candidate. The two have other addresses of memory and perhaps other layouts.
    pub(super) side_ratios: [f64; 2],
    /// Average times of the same two pairs.
    pub(super) averages: [AveragePair; 2],
    /// The time of an iteration in ns in each turn of each process.
    pub(super) turn_times: [Vec<f64>; PROCESSES],
    /// Number of the rounds in which all processes took a turn.
    pub(super) usual_rounds: u32,
    /// Typical times of the same two pairs of launches.
    pub(super) launch_pairs: [[f64; 2]; 2],
    /// The waits of the processes of the baseline and of the candidate for their turns.
    pub(super) waits: [Waits; 2],
    /// The processor time of the processes of both sides, if they use several threads and it is known.
    pub(super) cpu_times: [Duration; 2],
    /// The launch of each process.
    pub(super) launches: [Launch; PROCESSES],
    /// The time in ns that each sample of each process waited for other programs. `None` if that is
    /// unknown.
    pub(super) waited: [Option<Vec<u64>>; PROCESSES],
    pub(super) samples_per_turn: u64,
    pub(super) elapsed: Duration,
    /// Part of `elapsed` until all processes were started, if several benchmarks share them this one's part.
    pub(super) start_time: Duration,
    /// Part of `elapsed` in which all processes were sampled.
    pub(super) sampling_time: Duration,
    /// Part of `elapsed` in which the long launches were sampled for longer.
    pub(super) long_time: Duration,
    /// The core that all processes were bound to.
    pub(super) core: Option<usize>,
}

impl Block {
    /// Returns the typical time of a sample in ns of the process whose samples take the longest.
    pub(super) fn longest_sample_time(&self) -> f64 {
        let typical = |launch: &Launch| {
            let times: Vec<f64> = launch.samples.iter().map(|sample| sample.elapsed as f64).collect();
            stats::median(&times) * 1e9 / launch.clock.frequency
        };
        self.launches.iter().map(typical).fold(0.0, f64::max)
    }

    /// Returns the part of `long_time` in which no sample was timed.
    pub(super) fn untimed_long_time(&self) -> Duration {
        let usual_samples = self.usual_rounds as usize * self.samples_per_turn as usize;
        let timed = |launch: &Launch| {
            let ticks: u64 = launch.samples.iter().skip(usual_samples).map(|sample| sample.elapsed).sum();
            ticks as f64 / launch.clock.frequency
        };
        let timed = self.launches.iter().map(timed).sum();
        self.long_time.saturating_sub(Duration::try_from_secs_f64(timed).unwrap_or(Duration::MAX))
    }
}

/// Runs one block in these processes, which may have run one of another benchmark before.
pub(super) fn run(
    benchmark: &PairedBenchmark,
    plan: &BlockPlan,
    sampling: &BlockSampling,
    launches: &mut Launches,
    executables: &mut FreshExecutables,
    rng: &mut Rng,
) -> Result<Block, BlockError> {
    let start_time = launches.start_time;
    let begin = Instant::now().checked_sub(start_time).unwrap_or_else(Instant::now);
    let seed = rng.next_u64();
    let isolated = &benchmark.session_options.isolated_cores;
    let mut pin = |launches: &mut Launches| {
        launches.pin(|| if plan.is_single_threaded { quietest_core(isolated, rng) } else { None })
    };
    // Memory stays on the node that touches it first. With one node, the first calls use all cores.
    let is_bound = machine::has_memory_nodes() && pin(launches);
    warm_up(&mut launches.processes_for(benchmark)?, benchmark, plan, seed)?;
    if pin(launches) || is_bound {
        let core = launches.core.unwrap_or_default();
        executables.start_next(core, !sampling.kind.only_adds_launches, rng);
    }
    let core = launches.core;
    let mut processes = launches.processes_for(benchmark)?;
    let cpu_times_before = cpu_times(&mut processes);
    let turns = sample(&mut processes, benchmark, plan, sampling, executables, begin, rng)?;
    processes.sort_by_key(|process| process.number);
    let mut waits = [Waits::default(); 2];
    for process in &processes {
        waits[usize::from(!runs_baseline(process.number))].add(&process.observer.waits);
    }
    let cpu_times = [0, 1].map(|side| {
        let passed = |after: Duration| after.checked_sub(cpu_times_before[side]?);
        cpu_times(&mut processes)[side].and_then(passed).unwrap_or_default()
    });
    let waited = processes.each_mut().map(|process| process.waited.take());
    let warmups = processes.each_mut().map(|process| std::mem::take(&mut process.warmups));
    let launches = processes.map(|Process { segment_cost, empty_loop, samples, .. }| {
        let ClockCalibration { clock, empty_loop: calibrated, .. } = plan.clock.clone();
        let empty_loop = empty_loop.unwrap_or(calibrated);
        Launch { clock, segment_cost, empty_loop, samples }
    });
    let times = turn_times(&launches, plan.samples_per_turn)?;
    let [changes, side_ratios] = log_ratios(&times);
    let unit_ratio = benchmark.log_unit_ratio().exp();
    Ok(Block {
        changes: changes.map(|change| change + benchmark.log_unit_ratio()),
        side_ratios,
        averages: average_pairs(&launches, &waited, &warmups, unit_ratio, &turns),
        launch_pairs: launch_pairs(&times, unit_ratio),
        turn_times: times,
        usual_rounds: (turns.usual_samples as u64 / plan.samples_per_turn) as u32,
        waits,
        cpu_times: if plan.is_single_threaded { Default::default() } else { cpu_times },
        launches,
        waited,
        samples_per_turn: plan.samples_per_turn,
        elapsed: begin.elapsed(),
        start_time,
        sampling_time: turns.usual_time,
        long_time: turns.long_time,
        core,
    })
}

/// Returns the processor time so far of the processes of the baseline and of the candidate.
fn cpu_times(processes: &mut [Process<'_>; PROCESSES]) -> [Option<Duration>; 2] {
    [true, false].map(|is_baseline| {
        let of_side = processes.iter_mut().filter(|process| runs_baseline(process.number) == is_baseline);
        of_side.map(|process| process.session.process().total_cpu_time()).sum()
    })
}

/// Returns the time of an iteration in each turn of each process.
fn turn_times(
    launches: &[Launch; PROCESSES],
    samples_per_turn: u64,
) -> Result<[Vec<f64>; PROCESSES], BlockError> {
    let times = launches.each_ref().map(iteration_times);
    if times.iter().flatten().any(|&time| time <= 0.0) {
        return Err(BlockError::NothingToTime);
    }
    Ok(times.map(|times| fastest_of_turns(&times, samples_per_turn)))
}

/// Returns the logarithms of the ratios between the sides, and within each side.
fn log_ratios(times: &[Vec<f64>; PROCESSES]) -> [[f64; 2]; 2] {
    let between = |a: usize, b: usize| median_log_ratio(&times[a], &times[b]);
    [[between(0, 2), between(1, 3)], [between(0, 1), between(2, 3)]]
}

/// Samples the processes in turns, round after round, until the time of the block is used up; then
/// those of the long launches until each was sampled for their time. `begin`: the start of the
/// block.
fn sample(
    processes: &mut [Process<'_>; PROCESSES],
    benchmark: &PairedBenchmark,
    plan: &BlockPlan,
    sampling: &BlockSampling,
    executables: &mut FreshExecutables,
    begin: Instant,
    rng: &mut Rng,
) -> Result<TakenTurns, BlockError> {
    if plan.suspends_waiting {
        processes.iter_mut().for_each(|process| process.session.process().suspend());
    }
    let seed = rng.next_u64();
    let remaining = benchmark.timeout().saturating_sub(begin.elapsed());
    let sampling_time = sampling.time.max(begin.elapsed().mul_f64(MIN_SAMPLING_SHARE)).min(remaining / 2);
    let sampling_begin = Instant::now();
    let mut turns = Turns::new(plan.samples_per_turn, seed);
    let mut needs_turns = |turns: &Turns| {
        let (rounds, elapsed) = (turns.taken.begins.len(), sampling_begin.elapsed());
        let may_extend = elapsed < (sampling_time * MAX_EXTENSION).min(remaining / 2);
        rounds == 0
            || elapsed < sampling_time
            || may_extend
                && (rounds < MIN_TURNS || !sampling.kind.only_adds_launches && executables.would_wait())
    };
    while needs_turns(&turns) {
        turns.take_round(processes, benchmark, plan, rng)?;
    }
    let usual = sampling_begin.elapsed();
    (turns.taken.usual_time, turns.taken.usual_samples) = (usual, turns.samples_so_far as usize);
    let Some(LongLaunches { pairs, time, max_time, min_turn }) = sampling.long_launches else {
        return Ok(turns.taken);
    };
    if pairs < PAIRS_PER_BLOCK {
        let pair = [[0, 2], [1, 3]][rng.bounded(2) as usize];
        turns.order.retain(|&i| pair.contains(&processes[i].number));
    }
    let first = turns.order[0];
    let taken = u32::try_from(turns.samples_so_far * PROCESSES as u64).unwrap_or(u32::MAX);
    let usual_turn = turns.samples;
    let long_turn = samples_of_long_turn(min_turn, usual_turn, usual / taken.max(1));
    let long_begin = Instant::now();
    let limit = max_time * turns.order.len() as u32;
    let limit = limit.min(remaining.saturating_sub(begin.elapsed()) / 2);
    while processes[first].sampled(&plan.clock.clock) < time && long_begin.elapsed() < limit {
        // Calls that are expensive at regular intervals must not always meet the beginning of a turn.
        let more = u64::from(rng.bounded(u32::try_from(long_turn / usual_turn).unwrap_or(u32::MAX)));
        turns.samples = long_turn + more * usual_turn;
        turns.take_round(processes, benchmark, plan, rng)?;
    }
    turns.taken.long_time = long_begin.elapsed();
    Ok(turns.taken)
}

/// Returns the number of samples of a turn of a long launch that takes at least this time. `usual`: that of
/// other turns, which it is as long as four of, since beginning a turn takes time; `sample_time`: the average
/// time of a sample so far, with all that is not timed.
fn samples_of_long_turn(min_turn: Duration, usual: u64, sample_time: Duration) -> u64 {
    let in_time = min_turn.div_duration_f64(sample_time) as u64;
    in_time.min(1_000).max(usual * 4).next_multiple_of(usual)
}

/// The turns of the processes of a block.
struct Turns {
    /// Indices of the processes that take turns, in the order of the last round.
    order: Vec<usize>,
    /// The samples of a turn.
    samples: u64,
    /// The turns so far, one in each round.
    taken: TakenTurns,
    /// The samples of each process in the rounds so far.
    samples_so_far: u64,
    seed: u64,
}

impl Turns {
    fn new(samples: u64, seed: u64) -> Turns {
        let taken = TakenTurns { samples_per_turn: samples, ..TakenTurns::default() };
        Turns { order: vec![0, 1, 2, 3], samples, taken, samples_so_far: 0, seed }
    }

    /// Lets each process take its turn.
    fn take_round(
        &mut self,
        processes: &mut [Process<'_>; PROCESSES],
        benchmark: &PairedBenchmark,
        plan: &BlockPlan,
        rng: &mut Rng,
    ) -> Result<(), BlockError> {
        // Each order is followed by its reverse, so that each process precedes every other process
        // as often as it follows it.
        if self.taken.begins.len().is_multiple_of(2) {
            rng.shuffle(&mut self.order);
        } else {
            self.order.reverse();
        }
        let request = SampleRequest {
            samples: self.samples,
            iterations: plan.iterations,
            exact_iterations: benchmark.plan.iterations.is_some(),
            count: plan.count,
            max_kept_results: plan.max_kept_results.min(plan.iterations),
            round: self.samples_so_far,
            seed: self.seed,
            measure_waiting: plan.is_single_threaded,
        };
        self.taken.warmup_iterations = request.warmup_iterations();
        for &i in &self.order {
            let process = &mut processes[i];
            process.observer.own_turn_begins(Instant::now(), || process.session.process().total_cpu_time());
            process.session.process().resume();
            let turn = process.remote(benchmark).sample(&request);
            let turn = turn.map_err(in_process(process.number))?;
            if plan.suspends_waiting {
                process.session.process().suspend();
            }
            process.segment_cost = turn.segment_cost;
            process.empty_loop = process.empty_loop.into_iter().chain(turn.empty_loop).reduce(f64::min);
            process.samples.extend(turn.samples);
            process.warmups.push(turn.warmup_time);
            process.waited =
                process.waited.take().zip(turn.waited).map(|(waited, turn)| [waited, turn].concat());
            // While it is suspended, its descendants are known.
            if !plan.suspends_waiting && process.observer.own_turn_ended() {
                process.session.process().find_descendants();
            }
            let now = Instant::now();
            for (_, other) in processes.iter_mut().enumerate().filter(|(other, _)| *other != i) {
                other.observer.other_turn_ended(now, || other.session.process().total_cpu_time());
            }
        }
        self.taken.begins.push(self.samples_so_far as usize);
        self.samples_so_far += self.samples;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nanobench::model::Sample;

    fn launch(times: [u64; 3]) -> Launch {
        let clock = project::fixtures::clock();
        let sample =
            |time| Sample { iterations: 10, elapsed: 10 * time + 20, segments: 1, reference: 0, round: 0 };
        Launch { clock, segment_cost: 20.0, empty_loop: 0.5, samples: times.map(sample).to_vec() }
    }

    #[test]
    fn a_disturbance_of_all_processes_is_in_no_ratio() {
        // The machine is three times slower in the second round.
        let sides = [[100, 300, 100], [200, 600, 200], [110, 330, 110], [190, 570, 190]];
        let ratios = log_ratios(&turn_times(&sides.map(launch), 1).unwrap());
        let expected = [[1.1_f64.ln(), 0.95_f64.ln()], [2.0_f64.ln(), (19.0_f64 / 11.0).ln()]];
        for (ratio, expected) in ratios.iter().flatten().zip(expected.iter().flatten()) {
            assert!((ratio - expected).abs() < 1e-12, "{ratios:?}");
        }
    }

    #[test]
    fn a_turn_of_a_long_launch_is_long_enough() {
        let min_turn = Duration::from_millis(10);
        let samples = |micros| samples_of_long_turn(min_turn, 2, Duration::from_micros(micros));
        assert_eq!([100_000, 1_250, 100, 1, 0].map(samples), [8, 8, 100, 1_000, 1_000]);
        assert_eq!(samples(95), 106, "whole turns");
        assert_eq!(samples_of_long_turn(min_turn, 2_000, Duration::from_micros(1)), 8_000);
        assert_eq!(samples_of_long_turn(Duration::ZERO, 2, Duration::from_micros(1)), 8);
    }

    #[test]
    fn a_sample_without_any_time_is_an_error() {
        let sides = [[0; 3], [1; 3], [1; 3], [1; 3]];
        assert!(matches!(turn_times(&sides.map(launch), 1), Err(BlockError::NothingToTime)));
    }
}
