//! A block: four processes, two per side, that take turns on one core.

use super::average_pairs::{TakenTurns, average_pairs};
use super::benchmark::{PROCESSES, PairedBenchmark};
use super::block_plan::{BlockPlan, BlockSampling};
use super::core_probe::quietest_core;
use super::error::BlockError;
use super::fresh_executables::FreshExecutables;
use super::launch_times::launch_pairs;
use super::launch_times::{fastest_of_turns, iteration_times, median_log_ratio};
use super::one_at_a_time;
use super::processes::{Launches, Process, Taken, warm_up};
use super::turns::Turns;
use super::waiting::Waits;
use crate::environment::machine;
use nanobench::Rng;
use nanobench::model::{ClockCalibration, Launch};
use std::time::{Duration, Instant};
use verdicts::statistics as stats;
use verdicts::{AveragePair, LongLaunches, PAIRS_PER_BLOCK};

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

/// A block to run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Task<'a> {
    pub(super) benchmark: &'a PairedBenchmark,
    pub(super) plan: &'a BlockPlan,
    pub(super) sampling: &'a BlockSampling,
    /// The beginning of the preparations for it.
    pub(super) begin: Instant,
}

/// The samples of all processes of a block.
#[derive(Debug, Default)]
pub(super) struct Sampled {
    pub(super) taken: [Taken; PROCESSES],
    pub(super) turns: TakenTurns,
    /// As [`Block`] has it.
    pub(super) sampling_time: Duration,
    pub(super) long_time: Duration,
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
    let begin = Instant::now().checked_sub(launches.start_time).unwrap_or_else(Instant::now);
    let task = Task { benchmark, plan, sampling, begin };
    let is_one_at_a_time = benchmark.session_options.one_at_a_time;
    let sample = if is_one_at_a_time { one_at_a_time::sample } else { side_by_side };
    let Sampled { mut taken, turns, sampling_time, long_time } = sample(task, launches, executables, rng)?;
    let (start_time, core) = (launches.start_time, launches.core);
    let (of_baseline, of_candidate) = taken.split_at(PROCESSES / 2);
    let sides = [of_baseline, of_candidate];
    let waits = sides.map(|side| {
        let mut waits = Waits::default();
        side.iter().for_each(|taken| waits.add(&taken.waits));
        waits
    });
    let cpu_times = sides.map(|side| side.iter().map(|taken| taken.cpu_time).sum::<Option<Duration>>());
    let waited = taken.each_mut().map(|taken| taken.waited.take());
    let warmups = taken.each_mut().map(|taken| std::mem::take(&mut taken.warmups));
    let launches = taken.map(|Taken { segment_cost, empty_loop, samples, .. }| {
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
        cpu_times: cpu_times.map(|time| time.filter(|_| !plan.is_single_threaded).unwrap_or_default()),
        launches,
        waited,
        samples_per_turn: plan.samples_per_turn,
        elapsed: begin.elapsed(),
        start_time,
        sampling_time,
        long_time,
        core,
    })
}

/// Samples processes that live at the same time, in turns.
fn side_by_side(
    task: Task<'_>,
    launches: &mut Launches,
    executables: &mut FreshExecutables,
    rng: &mut Rng,
) -> Result<Sampled, BlockError> {
    let Task { benchmark, plan, sampling, begin } = task;
    let seed = rng.next_u64();
    // Memory stays on the node that touches it first. With one node, the first calls use all cores.
    let is_bound = machine::has_memory_nodes() && launches.pin(|| task.core(rng));
    warm_up(&mut launches.processes_for(benchmark)?, benchmark, plan, seed)?;
    if launches.pin(|| task.core(rng)) || is_bound {
        let core = launches.core.unwrap_or_default();
        executables.start_next(core, !sampling.kind.only_adds_launches, rng);
    }
    let mut processes = launches.processes_for(benchmark)?;
    processes.iter_mut().for_each(Process::begin);
    if plan.suspends_waiting {
        processes.iter_mut().for_each(|process| process.session.process().suspend());
    }
    let mut turns = Turns::new(task, PROCESSES, rng.next_u64());
    turns.take_usual(&mut processes, begin, || executables.would_wait(), rng)?;
    if let Some(long_launches) = sampling.long_launches {
        let long = long_processes(&long_launches, rng);
        turns.order.retain(|&i| long.contains(&processes[i].number));
        turns.take_long(&mut processes, &long_launches, rng)?;
    }
    processes.sort_by_key(|process| process.number);
    let taken: Vec<Taken> = processes.into_iter().map(Process::end).collect();
    let TakenTurns { usual_time: sampling_time, long_time, .. } = turns.taken;
    let taken = taken.try_into().expect("one for each number");
    Ok(Sampled { taken, turns: turns.taken, sampling_time, long_time })
}

impl Task<'_> {
    /// Returns the core for its processes, if one suffices.
    pub(super) fn core(&self, rng: &mut Rng) -> Option<usize> {
        let isolated = &self.benchmark.session_options.isolated_cores;
        if self.plan.is_single_threaded { quietest_core(isolated, rng) } else { None }
    }
}

/// Returns the numbers of the processes that are sampled for longer.
pub(super) fn long_processes(LongLaunches { pairs, .. }: &LongLaunches, rng: &mut Rng) -> &'static [usize] {
    match pairs {
        ..PAIRS_PER_BLOCK => [&[0, 2], &[1, 3]][rng.bounded(2) as usize],
        _ => &[0, 1, 2, 3],
    }
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
    fn a_sample_without_any_time_is_an_error() {
        let sides = [[0; 3], [1; 3], [1; 3], [1; 3]];
        assert!(matches!(turn_times(&sides.map(launch), 1), Err(BlockError::NothingToTime)));
    }
}
