//! The paired runs of all benchmarks, block by block.

use super::admission::{Begun, ReservedTime};
use super::benchmark::PairedBenchmark;
use super::block_log::BlockLog;
use super::deadlines::Deadlines;
use super::effort::Effort;
use super::error::BlockError;
use super::outcome::PairedOutcome;
use super::shared::{ExecutablePair, Executables, Shared};
use super::sharing::{self, MAX_SHARING};
use super::state::{PairedState, Stage};
use crate::experiment::remaining::Remaining;
use crate::interrupt;
use nanobench::Rng;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// The shortest round of a confirmation. A disturbance then affects few blocks of a benchmark.
pub(super) const MIN_ROUND: Duration = Duration::from_millis(500);
/// The shortest round of a confirmation, as a multiple of the time that it takes to make executables
/// for it in the background.
const MIN_ROUND_TO_MAKING: u32 = 4;

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
    /// The number of parts of equal error rates, of which the confirmations of some benchmarks are one.
    error_shares: usize,
}

impl<'a> PairedRunner<'a> {
    /// Creates the runs. None of them has started yet.
    pub(crate) fn new(
        benchmarks: Vec<PairedBenchmark<'a>>,
        deadlines: Option<Deadlines>,
    ) -> PairedRunner<'a> {
        let recurrences = benchmarks.iter().filter_map(PairedBenchmark::expected_change).count();
        let slow = benchmarks.iter().filter(|benchmark| benchmark.is_slow()).count();
        let parts = if slow == 0 || slow == benchmarks.len() { 1 } else { 2 };
        // The levels of brief runs leave half of the error rate to recurrences in any case.
        let is_brief = benchmarks.iter().all(|benchmark| benchmark.effort == Effort::Brief);
        let error_shares = if is_brief || recurrences == 0 { parts } else { 2 * parts };
        let state = |benchmark| PairedState::new(benchmark, recurrences);
        PairedRunner {
            states: benchmarks.into_iter().map(state).collect(),
            deadlines,
            executables: HashMap::new(),
            shared: Shared { rng: Rng::new(), log: BlockLog::from_environment(), exiting: Vec::new() },
            error_shares,
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
            report(Event::Decided(i, Ok(Box::new(state.outcome(None)))));
        }
    }

    /// Screens all of these benchmarks, then confirms the suspected changes.
    fn run_part(&mut self, part: &[usize], report: &mut dyn FnMut(Event)) {
        part.iter().for_each(|&i| self.states[i].stage = Stage::Screening);
        self.run_first_blocks(part, report);
        self.run_rounds(PairedRunner::screening, report);
        if !interrupt::requested() {
            self.states.iter_mut().for_each(PairedState::cut_screening);
        }
        let making = self.begin_confirmations(report);
        let min_round = MIN_ROUND.max(making * MIN_ROUND_TO_MAKING);
        self.run_rounds(|runner| runner.next_confirming(min_round), report);
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
                begun.add(
                    state.benchmark.effort.time_of_run(time_of_each, state.block_times.of_long_launches),
                );
            }
            if time.is_some_and(|time| !begun.leave_time_for_another(time)) {
                break;
            }
        }
        for i in groups.flatten() {
            let outcome = self.states[i].outcome(None);
            self.decide(i, Ok(outcome), report);
        }
        self.executables.values_mut().for_each(|pair| pair.files.end_round());
    }

    /// Begins the confirmation of as many suspected changes as there is time to test, in their order.
    /// The other benchmarks end undecided. Returns the time that it takes to make executables for a
    /// round.
    fn begin_confirmations(&mut self, report: &mut dyn FnMut(Event)) -> Duration {
        let suspected: Vec<usize> =
            (0..self.states.len()).filter(|&i| self.states[i].suspicions() > 0).collect();
        if !suspected.is_empty() {
            // They may still run the files that are replaced.
            self.shared.exiting.clear();
        }
        let mut making = Duration::ZERO;
        for &i in &suspected {
            if let Some(executables) = self.executables.get_mut(&self.states[i].benchmark.executables()) {
                making = making.max(executables.files.begin_confirmation(&mut self.shared.rng));
            }
        }
        // All blocks of a round share them.
        let min_block_time = making / u32::try_from(suspected.len().max(1)).unwrap_or(u32::MAX);
        let now = Instant::now();
        let time = self.deadlines.map(|deadlines| deadlines.first_tests.saturating_duration_since(now));
        let tests = self.states.iter().map(PairedState::suspicions).sum::<usize>() * self.error_shares;
        let mut reserved = ReservedTime::new(time);
        for i in suspected {
            let state = &mut self.states[i];
            let Some(time_to_test) = state.begin_confirmation(tests, min_block_time) else { continue };
            if !reserved.admit(time_to_test, state.benchmark.layouts().is_some()) {
                let outcome = state.outcome(None);
                self.decide(i, Ok(outcome), report);
            }
        }
        making
    }

    /// Returns the benchmarks that are being screened, while there is time for it. The others end
    /// undecided. Of those that share launches, only the first ones, so that they are decided soon.
    fn screening(&self) -> Vec<usize> {
        let now = Instant::now();
        let is_allowed = |state: &PairedState<'_>| {
            let needs_no_confirmation = state.may_recur();
            let allow = |deadlines: Deadlines| deadlines.allow_screening(now, state.had_look());
            needs_no_confirmation || self.deadlines.is_none_or(allow)
        };
        let is_screening = |state: &PairedState<'_>| state.stage.is_screening() && is_allowed(state);
        let mut sharing = 0;
        let is_next = |&i: &usize| {
            sharing += usize::from(self.states[i].shares_launches);
            sharing <= MAX_SHARING || !self.states[i].shares_launches
        };
        (0..self.states.len()).filter(|&i| is_screening(&self.states[i])).filter(is_next).collect()
    }

    /// Returns the benchmarks of the next round of confirmations. `min_round`: its shortest time.
    /// [`PairedRunner::begin_confirmations`] admits as many as reach their first look in a limited
    /// time, so that much of it is reserved for each.
    fn next_confirming(&self, min_round: Duration) -> Vec<usize> {
        let has_reserved_time = |i: usize| self.deadlines.is_some() && self.states[i].awaits_first_look();
        let confirming = (0..self.states.len()).filter(|&i| self.states[i].stage.is_confirming());
        let block_time = |i: usize| self.states[i].confirmation_block_time();
        round_of(&confirming.collect::<Vec<_>>(), has_reserved_time, block_time, min_round)
    }

    /// Runs rounds of a block of each benchmark that `next` returns, in random order, until there is
    /// none.
    fn run_rounds(&mut self, next: impl Fn(&Self) -> Vec<usize>, report: &mut dyn FnMut(Event)) {
        loop {
            let mut open = next(self);
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

    /// Divides benchmarks into those that the same launches serve.
    fn groups(&self, benchmarks: Vec<usize>) -> Vec<Vec<usize>> {
        let executables = |i: usize| {
            let state = &self.states[i];
            state.shares_launches.then(|| state.benchmark.executables())
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
            Err((i, error)) => self.decide(i, Err(error), report),
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
            for &i in group {
                let outcome = self.states[i].outcome(None);
                self.decide(i, Ok(outcome), report);
            }
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
        for i in group {
            if interrupt::requested() {
                break;
            }
            report(Event::Measuring { benchmark: i, remaining });
            let state = &mut self.states[i];
            state.run_block(&mut launches, executables, &mut self.shared).map_err(|error| (i, error))?;
            let outcome = state.look();
            state.estimate_time_left();
            if let Some(outcome) = outcome {
                state.stage = Stage::Decided;
                report(Event::Decided(i, Ok(Box::new(outcome))));
            }
        }
        self.shared.exiting.extend(launches.end());
        Ok(())
    }

    fn decide(
        &mut self,
        i: usize,
        outcome: Result<PairedOutcome, BlockError>,
        report: &mut dyn FnMut(Event),
    ) {
        self.states[i].stage = Stage::Decided;
        report(Event::Decided(i, outcome.map(Box::new)));
    }

    /// Returns the time and the suspicions that remain until all benchmarks are decided.
    fn remaining(&self) -> Remaining {
        let suspected = self.states.iter().filter(|state| state.stage.is_suspected()).count();
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
        let screening = self.states.first().map(|state| state.benchmark.limits().screening);
        let average = sum.checked_div(number(known.len())).or(screening).unwrap_or_default();
        let left = slow + sum + average * number(begun.len() - known.len());
        let until = |deadlines: Deadlines| deadlines.end.saturating_duration_since(Instant::now());
        self.deadlines.map_or(left, |deadlines| left.min(until(deadlines)))
    }
}

/// Returns the benchmarks of the next round of confirmations: those that have reserved time, or else
/// the first ones, as many as take `min_round` for a block each. So the rows of a large suite are
/// decided one after another, from the top.
pub(super) fn round_of(
    confirming: &[usize],
    has_reserved_time: impl Fn(usize) -> bool,
    block_time: impl Fn(usize) -> Duration,
    min_round: Duration,
) -> Vec<usize> {
    let reserved: Vec<usize> = confirming.iter().copied().filter(|&i| has_reserved_time(i)).collect();
    if !reserved.is_empty() {
        return reserved;
    }
    let mut round = Duration::ZERO;
    let is_in_round = |&i: &usize| {
        let is_short = round < min_round;
        round += block_time(i);
        is_short
    };
    confirming.iter().copied().take_while(is_in_round).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn confirmations_go_from_the_top_but_reserved_time_comes_first() {
        let next = |confirming: &[usize], reserved: &[usize]| {
            round_of(confirming, |i| reserved.contains(&i), |_| SECOND / 5, SECOND / 2)
        };
        assert_eq!(next(&[1, 3, 4, 6, 7], &[]), [1, 3, 4]);
        assert_eq!(next(&[1, 4, 6, 7], &[]), [1, 4, 6], "the next one takes the place of a decided one");
        assert_eq!(next(&[1, 3, 4, 6, 7], &[1, 3, 4, 6, 7]), [1, 3, 4, 6, 7]);
        assert_eq!(next(&[1, 3, 4, 6, 7], &[4, 7]), [4, 7]);
        assert!(next(&[], &[]).is_empty());
    }
}
