//! The paired runs of all benchmarks, block by block.

use super::admission::Begun;
use super::benchmark::PairedBenchmark;
use super::block_log::BlockLog;
use super::deadlines::Deadlines;
use super::error::BlockError;
use super::kept::KeptRun;
use super::outcome::PairedOutcome;
use super::shared::{ExecutablePair, Executables, Shared};
use super::sharing::{self, MAX_SHARING};
use super::state::{PairedState, Stage};
use crate::experiment::remaining::Remaining;
use crate::interrupt;
use nanobench::Rng;
use std::collections::HashMap;
use std::time::{Duration, Instant};
use verdicts::{NOT_SAME, OfHypotheses};

/// The progress of the paired runs. Benchmarks are numbered in the order in which they were given.
#[derive(Debug)]
pub(crate) enum Event {
    /// From now on, only this many benchmarks run whose calls take long, for about this time. `call`: the
    /// time of a call of the slowest one.
    TakesLong {
        slowest: usize,
        call: Duration,
        number: usize,
        time: Duration,
    },
    /// The next block is one of this benchmark.
    Measuring {
        benchmark: usize,
        remaining: Remaining,
    },
    Decided(usize, Result<Box<PairedOutcome>, BlockError>),
}

/// The paired runs of all benchmarks.
#[derive(Debug)]
pub(crate) struct PairedRunner<'a> {
    states: Vec<PairedState<'a>>,
    deadlines: Option<Deadlines>,
    executables: HashMap<Executables, ExecutablePair<'a>>,
    shared: Shared,
    /// Benchmarks of an earlier command that don't run, and have a part of its error.
    others: Vec<(OfHypotheses<f64>, OfHypotheses<f64>)>,
    /// Probability of any change that is shown if nothing changed.
    error_rate: f64,
}

impl<'a> PairedRunner<'a> {
    /// Creates the runs. None of them has started yet. `error_share`: their share of the error of the
    /// command; `others`: benchmarks of the earlier command that these runs go on with.
    pub(crate) fn new(
        benchmarks: Vec<PairedBenchmark<'a>>,
        others: Vec<KeptRun>,
        deadlines: Option<Deadlines>,
        error_share: f64,
    ) -> PairedRunner<'a> {
        PairedRunner {
            states: benchmarks.into_iter().map(PairedState::new).collect(),
            deadlines,
            executables: HashMap::new(),
            shared: Shared { rng: Rng::new(), log: BlockLog::from_environment(), exiting: Vec::new() },
            others: others.iter().map(KeptRun::hypotheses).collect(),
            error_rate: verdicts::ERROR_RATE * error_share,
        }
    }

    /// Runs each benchmark until it is decided, and last those whose calls take long. After Ctrl-C,
    /// decides the rest by the blocks so far. A benchmark without any block remains undecided.
    pub(crate) fn run(&mut self, report: &mut dyn FnMut(Event)) {
        let is_slow = |&i: &usize| self.states[i].benchmark.is_slow();
        let (slow, quick): (Vec<usize>, Vec<usize>) = (0..self.states.len()).partition(is_slow);
        self.run_part(&quick, report);
        if let Some(&slowest) = slow.iter().max_by_key(|&&i| self.states[i].benchmark.iteration_time)
            && !interrupt::requested()
        {
            let time = slow.iter().map(|&i| self.states[i].time_of_slow()).sum::<Duration>();
            self.deadlines = self.deadlines.map(|deadlines| deadlines.waiting_for_slow(time));
            let left =
                self.deadlines.map(|deadlines| deadlines.end.saturating_duration_since(Instant::now()));
            let time = left.map_or(time, |left| left.min(time));
            let call = self.states[slowest].benchmark.iteration_time;
            report(Event::TakesLong { slowest, call, number: slow.len(), time });
            self.run_part(&slow, report);
        }
        self.shared.exiting.clear();
        for (i, state) in self.states.iter().enumerate().filter(|(_, state)| state.is_cut_short()) {
            report(Event::Decided(i, Ok(Box::new(state.outcome()))));
        }
    }

    /// Runs these benchmarks until each is decided.
    fn run_part(&mut self, part: &[usize], report: &mut dyn FnMut(Event)) {
        part.iter().for_each(|&i| self.states[i].stage = Stage::Running);
        self.run_first_blocks(part, report);
        loop {
            let mut open = self.open();
            if open.is_empty() {
                return;
            }
            self.shared.rng.shuffle(&mut open);
            for group in self.groups(open) {
                if interrupt::requested() {
                    return;
                }
                self.advance(&group, report);
            }
            self.executables.values_mut().for_each(|pair| pair.files.end_round());
        }
    }

    /// Runs the first block of as many of these benchmarks as there is time to decide, in their order.
    /// The others end undecided: a share of the time for each would decide none.
    fn run_first_blocks(&mut self, part: &[usize], report: &mut dyn FnMut(Event)) {
        let begin = Instant::now();
        let time = self.deadlines.map(|deadlines| deadlines.end.saturating_duration_since(begin));
        let mut begun = Begun::default();
        let mut groups = self.groups(part.to_vec()).into_iter();
        for group in groups.by_ref() {
            if interrupt::requested() {
                return;
            }
            let block_begin = Instant::now();
            self.advance(&group, report);
            let time_of_each = block_begin.elapsed() / u32::try_from(group.len()).unwrap_or(u32::MAX);
            for state in group.iter().map(|&i| &self.states[i]) {
                let long_launches = state.block_times.of_long_launches;
                begun.add(state.benchmark.effort.time_of_run(time_of_each, long_launches));
            }
            if time.is_some_and(|time| !begun.leave_time_for_another(time)) {
                break;
            }
        }
        for i in groups.flatten() {
            self.decide(i, report);
        }
        self.executables.values_mut().for_each(|pair| pair.files.end_round());
    }

    /// Returns the benchmarks of the next round: those that are open, while there is time for them. The others
    /// end undecided. Of those that share launches, only the first ones, so that they are decided soon.
    fn open(&self) -> Vec<usize> {
        let now = Instant::now();
        let is_open = |state: &PairedState<'_>| {
            let allow = |deadlines: Deadlines| deadlines.allow(now, state.had_look(), state.strongest());
            state.stage == Stage::Running && self.deadlines.is_none_or(allow)
        };
        let mut round = Round::default();
        (0..self.states.len()).filter(|&i| is_open(&self.states[i]) && round.admit(&self.states[i])).collect()
    }

    /// Divides benchmarks into those that the same launches serve. What a benchmark whose code differs leaves
    /// behind, such as a fragmented heap, must not meet one whose code doesn't.
    fn groups(&self, benchmarks: Vec<usize>) -> Vec<Vec<usize>> {
        let executables = |i: usize| {
            let state = &self.states[i];
            let expects_same = state.benchmark.effort.expects_same();
            state.shares_launches.then(|| (state.benchmark.executables(), expects_same))
        };
        sharing::groups_of(benchmarks, executables)
    }

    /// Runs a block of each of these benchmarks in the same launches, and reports the outcomes of those that
    /// it decides. After an error, that benchmark has launches of its own, where an error decides it.
    fn advance(&mut self, group: &[usize], report: &mut dyn FnMut(Event)) {
        match self.run_blocks(group, report) {
            Ok(()) => {}
            Err((_, error)) if error.is_interruption() => {}
            Err((i, _)) if group.len() > 1 => self.states[i].shares_launches = false,
            Err((i, error)) => {
                self.states[i].stage = Stage::Decided;
                report(Event::Decided(i, Err(error)));
            }
        }
    }

    /// Runs a block of each of these benchmarks, or decides all if the deadline has passed. An error comes
    /// with the benchmark that caused it. The others may have no block then.
    fn run_blocks(
        &mut self,
        group: &[usize],
        report: &mut dyn FnMut(Event),
    ) -> Result<(), (usize, BlockError)> {
        if self.deadlines.is_some_and(|deadlines| Instant::now() >= deadlines.end) {
            group.iter().for_each(|&i| self.decide(i, report));
            return Ok(());
        }
        let remaining = self.remaining();
        report(Event::Measuring { benchmark: group[0], remaining });
        let benchmark = &self.states[group[0]].benchmark;
        let executables = self.executables.entry(benchmark.executables());
        let executables = executables.or_insert_with(|| ExecutablePair::of(benchmark));
        sharing::calibrate(&mut self.states, group, executables, &mut self.shared)?;
        let shares = |i: &usize| group.len() == 1 || self.states[*i].shares_launches;
        let group: Vec<usize> = group.iter().copied().filter(shares).collect();
        let Some(&first) = group.first() else { return Ok(()) };
        let launches = sharing::start(&self.states, &group, executables, &mut self.shared);
        let mut launches = launches.map_err(|error| (first, error))?;
        let mut ran = Vec::with_capacity(group.len());
        let run = || {
            for i in group {
                if interrupt::requested() {
                    break;
                }
                report(Event::Measuring { benchmark: i, remaining });
                let block = self.states[i].run_block(&mut launches, executables, &mut self.shared);
                block.map_err(|error| (i, error))?;
                ran.push(i);
            }
            Ok(())
        };
        let result = run();
        self.shared.exiting.extend(launches.end());
        self.look(&ran, report);
        result
    }

    /// Evaluates the evidence after a block of each of these benchmarks, and decides those that it suffices
    /// for. What is known of one benchmark may show the change of another.
    fn look(&mut self, benchmarks: &[usize], report: &mut dyn FnMut(Event)) {
        let of_states = self.states.iter().map(PairedState::hypotheses);
        let hypotheses: Vec<_> = of_states.chain(self.others.iter().copied()).collect();
        let rejected = verdicts::rejected(&hypotheses, self.error_rate);
        self.states.iter_mut().zip(&rejected).for_each(|(state, rejected)| state.show(rejected));
        for &i in benchmarks {
            let is_decided = self.states[i].look();
            self.states[i].estimate_time_left();
            if is_decided {
                self.decide(i, report);
            }
        }
    }

    /// Decides a benchmark by the evidence so far.
    fn decide(&mut self, i: usize, report: &mut dyn FnMut(Event)) {
        self.states[i].stage = Stage::Decided;
        report(Event::Decided(i, Ok(Box::new(self.states[i].outcome()))));
    }

    /// Returns the time and the suspicions that remain until all benchmarks are decided.
    fn remaining(&self) -> Remaining {
        let is_likely = |state: &&PairedState<'_>| state.is_suspected() && state.strongest() >= NOT_SAME.ln();
        let suspected = self.states.iter().filter(is_likely).count();
        Remaining { time: self.time_left(), suspected }
    }

    /// Estimates the time until all benchmarks are decided. Those without any block take as long as
    /// the others on average, and those that wait as long as slow calls with a clear change.
    fn time_left(&self) -> Duration {
        let (waiting, begun): (Vec<_>, Vec<_>) =
            self.states.iter().partition(|state| state.stage == Stage::Waiting);
        let slow: Duration = waiting.into_iter().map(PairedState::time_of_slow).sum();
        let known: Vec<Duration> = begun.iter().filter_map(|state| state.time_left()).collect();
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let sum: Duration = known.iter().sum();
        let usual = self.states.first().map(|state| state.benchmark.limits().usual);
        let average = sum.checked_div(number(known.len())).or(usual).unwrap_or_default();
        let left = slow + sum + average * number(begun.len() - known.len());
        let until = |deadlines: Deadlines| deadlines.end.saturating_duration_since(Instant::now());
        self.deadlines.map_or(left, |deadlines| left.min(until(deadlines)))
    }
}

/// The shortest round. A disturbance then affects few blocks of a benchmark.
const MIN_ROUND: Duration = Duration::from_millis(500);

/// The benchmarks that are admitted to a round: the first ones, so that the rows of a large suite are decided
/// one after another, from the top.
#[derive(Default)]
struct Round {
    /// The time of those that have launches of their own, for a block each.
    time: Duration,
    /// The number of those that share them.
    sharing: usize,
}

impl Round {
    fn admit(&mut self, state: &PairedState<'_>) -> bool {
        if state.shares_launches {
            self.sharing += 1;
            return self.sharing <= MAX_SHARING;
        }
        let is_admitted = self.time < MIN_ROUND;
        self.time += state.block_times.mean();
        is_admitted
    }
}
