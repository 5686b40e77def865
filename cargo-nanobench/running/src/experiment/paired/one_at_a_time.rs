//! Processes of a block that live one at a time: what they hold, such as a port or a lock of a file, only one
//! process can have.
//!
//! Samples of a pair are then not next to each other in time, so that the block is noisier. The A/A ratios
//! show that.

use super::average_pairs::TakenTurns;
use super::block::{Sampled, Task, long_processes};
use super::error::BlockError;
use super::fresh_executables::FreshExecutables;
use super::processes::{Launches, Process, warm_up};
use super::turns::Turns;
use nanobench::Rng;
use std::time::{Duration, Instant};

/// Samples the processes one after the other. All others repeat the turns of the first one.
pub(super) fn sample(
    task: Task<'_>,
    launches: &mut Launches,
    executables: &mut FreshExecutables,
    rng: &mut Rng,
) -> Result<Sampled, BlockError> {
    let Task { benchmark, plan, sampling, .. } = task;
    let warmup_seed = rng.next_u64();
    let long_launches = sampling.long_launches.map(|long| (long, long_processes(&long, rng)));
    let mut turns = Turns::new(task, 1, rng.next_u64());
    let mut sampled = Sampled::default();
    for number in launches.order() {
        let begin = Instant::now();
        launches.start_alone(benchmark, number)?;
        if launches.pin(|| task.core(rng)) {
            let core = launches.core.unwrap_or_default();
            executables.start_next(core, !sampling.kind.only_adds_launches, rng);
        }
        let mut processes = launches.processes_for(benchmark)?;
        warm_up(&mut processes, benchmark, plan, warmup_seed)?;
        processes.iter_mut().for_each(Process::begin);
        turns = turns.again();
        turns.take_usual(&mut processes, begin, || false, rng)?;
        if let Some((long, numbers)) = &long_launches
            && numbers.contains(&number)
        {
            turns.take_long(&mut processes, long, rng)?;
        }
        processes.into_iter().for_each(|process| sampled.taken[number] = process.end());
        launches.end_and_wait();
        sampled.add(&turns.taken);
    }
    // The average relates what calls take to the time of one process.
    let long = long_launches.map_or(1, |(_, numbers)| numbers.len());
    let mean = |time: Duration, processes: usize| time / u32::try_from(processes).unwrap_or(u32::MAX);
    sampled.turns.usual_time = mean(sampled.sampling_time, sampled.taken.len());
    sampled.turns.long_time = mean(sampled.long_time, long);
    Ok(sampled)
}

impl Sampled {
    /// Adds the turns of another process. Those of long launches begin like the others.
    fn add(&mut self, turns: &TakenTurns) {
        self.sampling_time += turns.usual_time;
        self.long_time += turns.long_time;
        if turns.begins.len() > self.turns.begins.len() {
            self.turns = turns.clone();
        }
    }
}
