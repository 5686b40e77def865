//! The paired runs of all benchmarks, block by block.

use super::benchmark::PairedBenchmark;
use super::block_log::BlockLog;
use super::error::BlockError;
use super::fresh_executables::FreshExecutables;
use super::outcome::PairedOutcome;
use super::state::{PairedState, Stage};
use crate::interrupt;
use nanobench::Rng;
use std::collections::HashMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The progress of the paired runs. Benchmarks are numbered in the order in which they were given.
#[derive(Debug)]
pub(crate) enum Event {
    /// The next block is one of this benchmark. `left`: the estimated time until all are decided.
    Measuring {
        benchmark: usize,
        left: Duration,
    },
    Decided(usize, Result<Box<PairedOutcome>, BlockError>),
}

/// The paired runs of all benchmarks.
#[derive(Debug)]
pub(crate) struct PairedRunner<'a> {
    states: Vec<PairedState<'a>>,
    /// Time by which all runs have to end.
    deadline: Option<Instant>,
    /// The files to run for each pair of executables.
    executables: HashMap<[PathBuf; 2], FreshExecutables<'a>>,
    rng: Rng,
    log: BlockLog,
}

impl<'a> PairedRunner<'a> {
    /// Creates the runs. None of them has started yet.
    pub(crate) fn new(benchmarks: Vec<PairedBenchmark<'a>>, deadline: Option<Instant>) -> PairedRunner<'a> {
        PairedRunner {
            states: benchmarks.into_iter().map(PairedState::new).collect(),
            deadline,
            executables: HashMap::new(),
            rng: Rng::new(),
            log: BlockLog::from_environment(),
        }
    }

    /// Runs each benchmark until it is decided: screens all, then confirms the suspected changes.
    /// After Ctrl-C, decides the rest by the blocks so far. A benchmark without any block remains
    /// undecided.
    pub(crate) fn run(&mut self, report: &mut dyn FnMut(Event)) {
        self.run_stage(Stage::is_screening, report);
        self.executables.values_mut().for_each(FreshExecutables::begin_confirmation);
        let tests = self.states.iter().map(PairedState::suspicions).sum();
        for state in &mut self.states {
            state.begin_confirmation(tests);
        }
        self.run_stage(Stage::is_confirming, report);
        for (i, state) in self.states.iter().enumerate().filter(|(_, state)| state.is_cut_short()) {
            report(Event::Decided(i, Ok(Box::new(state.outcome(None)))));
        }
    }

    /// Runs a block of each benchmark in a stage, in random order, until no benchmark is in it.
    fn run_stage(&mut self, is_in_stage: fn(Stage) -> bool, report: &mut dyn FnMut(Event)) {
        loop {
            let mut open: Vec<usize> =
                (0..self.states.len()).filter(|&i| is_in_stage(self.states[i].stage)).collect();
            if open.is_empty() {
                return;
            }
            self.rng.shuffle(&mut open);
            for i in open {
                if interrupt::requested() {
                    return;
                }
                report(Event::Measuring { benchmark: i, left: self.time_left() });
                if let Some(outcome) = self.step(i) {
                    self.states[i].stage = Stage::Decided;
                    report(Event::Decided(i, outcome.map(Box::new)));
                }
            }
            self.executables.values_mut().for_each(FreshExecutables::end_round);
        }
    }

    /// Estimates the time until all benchmarks are decided. Those without any block take as long as
    /// the others on average.
    fn time_left(&self) -> Duration {
        let known: Vec<Duration> = self.states.iter().filter_map(PairedState::time_left).collect();
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let sum: Duration = known.iter().sum();
        let screening = self.states.first().map_or(Duration::ZERO, PairedState::screening_limit);
        let average = sum.checked_div(number(known.len())).unwrap_or(screening);
        let left = sum + average * number(self.states.len() - known.len());
        self.deadline.map_or(left, |deadline| left.min(deadline.saturating_duration_since(Instant::now())))
    }

    /// Runs a block of a benchmark. Returns the outcome if that decides it, or if the deadline has
    /// passed.
    fn step(&mut self, i: usize) -> Option<Result<PairedOutcome, BlockError>> {
        let state = &mut self.states[i];
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(Ok(state.outcome(None)));
        }
        let PairedBenchmark { baseline, candidate, layouts, .. } = &state.benchmark;
        let paths = [baseline, candidate].map(|side| side.executable.path.clone());
        let layouts = layouts.and_then(|layouts| layouts.as_ref().ok());
        let executables =
            self.executables.entry(paths.clone()).or_insert_with(|| FreshExecutables::new(paths, layouts));
        match state.run_block(executables, &mut self.rng, &mut self.log) {
            Ok(()) => {
                let outcome = state.look();
                state.estimate_time_left();
                outcome.map(Ok)
            }
            Err(error) if error.is_interruption() => None,
            Err(error) => Some(Err(error)),
        }
    }
}
