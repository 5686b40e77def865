//! The turns of the processes of a block.

use super::average_pairs::TakenTurns;
use super::benchmark::{PROCESSES, in_process};
use super::block::Task;
use super::error::BlockError;
use super::processes::Process;
use nanobench::Rng;
use nanobench::measure::{SampleRequest, Sampler as _};
use std::time::{Duration, Instant};
use verdicts::LongLaunches;

/// Minimum sampling time of a block, as a share of the time until its processes are started and
/// warmed up: if that is expensive, each block samples longer.
const MIN_SAMPLING_SHARE: f64 = 0.25;

/// Number of turns of each process in which a disturbance can be told from a slow launch. A block
/// has as many even if it samples for up to [`MAX_EXTENSION`] times as long as intended. It also
/// does so while the executables of the next block are being made.
const MIN_TURNS: usize = 2;
const MAX_EXTENSION: u32 = 3;

/// The turns of processes that live at the same time.
#[derive(Debug)]
pub(super) struct Turns<'a> {
    task: Task<'a>,
    /// Indices of the processes that take turns, in the order of the last round.
    pub(super) order: Vec<usize>,
    /// The samples of a turn.
    samples: u64,
    /// The turns so far, one in each round.
    pub(super) taken: TakenTurns,
    /// The samples of each process in the rounds so far.
    samples_so_far: u64,
    seed: u64,
    /// The number of usual rounds of the first process, which the others repeat.
    usual_rounds: Option<usize>,
    /// The numbers of samples in its turns of long launches, which the others repeat.
    long_turns: Option<Vec<u64>>,
}

impl<'a> Turns<'a> {
    pub(super) fn new(task: Task<'a>, processes: usize, seed: u64) -> Turns<'a> {
        let samples = task.plan.samples_per_turn;
        let taken = TakenTurns { samples_per_turn: samples, ..TakenTurns::default() };
        let order = (0..processes).collect();
        let (usual_rounds, long_turns) = (None, None);
        Turns { task, order, samples, taken, samples_so_far: 0, seed, usual_rounds, long_turns }
    }

    /// Returns the same turns for other processes.
    pub(super) fn again(self) -> Turns<'a> {
        let Turns { usual_rounds, long_turns, .. } = self;
        Turns { usual_rounds, long_turns, ..Turns::new(self.task, self.order.len(), self.seed) }
    }

    /// Returns the part of the block's time that these processes have, and what is left of its timeout.
    fn share(&self, processes: usize) -> (Duration, Duration) {
        let Task { benchmark, sampling, begin, .. } = self.task;
        let shares = (PROCESSES / processes) as u32;
        (sampling.time / shares, benchmark.timeout().saturating_sub(begin.elapsed()) / shares)
    }

    /// Returns the time since the `begin` of this many samples. If one process takes turns for the others, it
    /// counts as that of the slowest.
    fn elapsed(&self, begin: Instant, samples: u64) -> Duration {
        let slowest = self.task.plan.longest_sample_time * samples as f64 / 1e9;
        let slowest = Duration::try_from_secs_f64(slowest).unwrap_or(Duration::MAX);
        if self.order.len() == 1 { begin.elapsed().max(slowest) } else { begin.elapsed() }
    }

    /// Lets the processes take turns, round after round, until their time is used up. `begin`: the beginning
    /// of their preparations; `would_wait`: returns whether there is nothing else to do yet.
    pub(super) fn take_usual(
        &mut self,
        processes: &mut [Process<'_>],
        begin: Instant,
        mut would_wait: impl FnMut() -> bool,
        rng: &mut Rng,
    ) -> Result<(), BlockError> {
        let (time, remaining) = self.share(processes.len());
        let time = time.max(begin.elapsed().mul_f64(MIN_SAMPLING_SHARE)).min(remaining / 2);
        let only_adds_launches = self.task.sampling.kind.only_adds_launches;
        let begin = Instant::now();
        let mut needs_turns = |rounds: usize, elapsed: Duration| {
            let may_extend = elapsed < (time * MAX_EXTENSION).min(remaining / 2);
            let mut is_longer = || rounds < MIN_TURNS || !only_adds_launches && would_wait();
            rounds == 0 || elapsed < time || may_extend && is_longer()
        };
        loop {
            let (rounds, elapsed) = (self.taken.begins.len(), self.elapsed(begin, self.samples_so_far));
            if !self.usual_rounds.map_or_else(|| needs_turns(rounds, elapsed), |known| rounds < known) {
                self.usual_rounds = Some(rounds);
                break;
            }
            self.take_round(processes, rng)?;
        }
        (self.taken.usual_time, self.taken.usual_samples) = (begin.elapsed(), self.samples_so_far as usize);
        Ok(())
    }

    /// Lets those of the processes that are still in the order take longer turns, until each was sampled for
    /// the time of long launches.
    pub(super) fn take_long(
        &mut self,
        processes: &mut [Process<'_>],
        LongLaunches { time, max_time, min_turn, .. }: &LongLaunches,
        rng: &mut Rng,
    ) -> Result<(), BlockError> {
        let first = self.order[0];
        let samples = u32::try_from(self.samples_so_far * processes.len() as u64).unwrap_or(u32::MAX);
        let usual_turn = self.samples;
        let sample_time = self.taken.usual_time / samples.max(1);
        let long_turn = samples_of_long_turn(*min_turn, usual_turn, sample_time);
        let begin = Instant::now();
        let limit = *max_time * self.order.len() as u32;
        let limit = limit.min(self.share(processes.len()).1 / 2);
        let known = self.long_turns.take();
        let mut turns = Vec::new();
        loop {
            let is_needed = || {
                let elapsed = self.elapsed(begin, turns.iter().sum());
                processes[first].sampled(&self.task.plan.clock.clock) < *time && elapsed < limit
            };
            // Calls that are expensive at regular intervals must not always meet the beginning of a turn.
            let mut draw = || {
                let more = rng.bounded(u32::try_from(long_turn / usual_turn).unwrap_or(u32::MAX));
                long_turn + u64::from(more) * usual_turn
            };
            let next = match &known {
                Some(known) => known.get(turns.len()).copied(),
                None => is_needed().then(&mut draw),
            };
            let Some(next) = next else { break };
            turns.push(next);
            self.samples = next;
            self.take_round(processes, rng)?;
        }
        self.long_turns = Some(turns);
        self.taken.long_time = begin.elapsed();
        Ok(())
    }

    /// Lets each process take its turn.
    fn take_round(&mut self, processes: &mut [Process<'_>], rng: &mut Rng) -> Result<(), BlockError> {
        let Task { benchmark, plan, .. } = self.task;
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
            process.taken.segment_cost = turn.segment_cost;
            process.taken.empty_loop =
                process.taken.empty_loop.into_iter().chain(turn.empty_loop).reduce(f64::min);
            process.taken.samples.extend(turn.samples);
            process.taken.warmups.push(turn.warmup_time);
            process.taken.waited =
                process.taken.waited.take().zip(turn.waited).map(|(waited, turn)| [waited, turn].concat());
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

/// Returns the number of samples of a turn of a long launch that takes at least this time. `usual`: that of
/// other turns, which it is as long as four of, since beginning a turn takes time; `sample_time`: the average
/// time of a sample so far, with all that is not timed.
fn samples_of_long_turn(min_turn: Duration, usual: u64, sample_time: Duration) -> u64 {
    let in_time = min_turn.div_duration_f64(sample_time) as u64;
    in_time.min(1_000).max(usual * 4).next_multiple_of(usual)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_of_a_long_launch_is_long_enough() {
        let min_turn = Duration::from_millis(10);
        let samples = |micros| samples_of_long_turn(min_turn, 2, Duration::from_micros(micros));
        assert_eq!([100_000, 1_250, 100, 1, 0].map(samples), [8, 8, 100, 1_000, 1_000]);
        assert_eq!(samples(95), 106, "whole turns");
        assert_eq!(samples_of_long_turn(min_turn, 2_000, Duration::from_micros(1)), 8_000);
        assert_eq!(samples_of_long_turn(Duration::ZERO, 2, Duration::from_micros(1)), 8);
    }
}
