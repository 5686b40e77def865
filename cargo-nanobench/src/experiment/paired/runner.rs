//! The paired runs of all benchmarks, block by block.

use super::benchmark::PairedBenchmark;
use super::block_log::BlockLog;
use super::calibration::Calibrators;
use super::deadlines::Deadlines;
use super::error::BlockError;
use super::outcome::PairedOutcome;
use super::processes::Launches;
use super::shared::{ExecutablePair, Executables, Shared};
use super::state::{PairedState, Stage};
use crate::experiment::remaining::Remaining;
use crate::interrupt;
use nanobench::Rng;
use nanobench::model::ClockCalibration;
use std::collections::HashMap;
use std::hash::Hash;
use std::time::{Duration, Instant};

/// The time until the first tests of all confirmations, as a multiple of the time of their blocks.
/// The rest is for new layouts. For twelve kinds of work, it was 1.2 on average: 0.8 to 1.1 for most
/// of them, and up to 2.8 if few benchmarks were left.
const CONFIRMATION_MARGIN: f64 = 1.5;

/// The shortest round of a confirmation. A disturbance then affects few blocks of a benchmark.
pub(super) const MIN_ROUND: Duration = Duration::from_millis(500);
/// The shortest round of a confirmation, as a multiple of the time that it takes to make executables
/// for it in the background.
const MIN_ROUND_TO_MAKING: u32 = 4;

/// Largest number of benchmarks that the same launches serve. Starting them takes little of the time of so
/// many, and the first of a large suite are decided soon.
const MAX_SHARING: usize = 64;

/// The progress of the paired runs. Benchmarks are numbered in the order in which they were given.
#[derive(Debug)]
pub(crate) enum Event {
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
}

impl<'a> PairedRunner<'a> {
    /// Creates the runs. None of them has started yet.
    pub(crate) fn new(
        benchmarks: Vec<PairedBenchmark<'a>>,
        deadlines: Option<Deadlines>,
    ) -> PairedRunner<'a> {
        let recurrences = benchmarks.iter().filter_map(PairedBenchmark::expected_change).count();
        let state = |benchmark| PairedState::new(benchmark, recurrences);
        PairedRunner {
            states: benchmarks.into_iter().map(state).collect(),
            deadlines,
            executables: HashMap::new(),
            shared: Shared { rng: Rng::new(), log: BlockLog::from_environment(), exiting: Vec::new() },
        }
    }

    /// Runs each benchmark until it is decided: screens all, then confirms the suspected changes.
    /// After Ctrl-C, decides the rest by the blocks so far. A benchmark without any block remains
    /// undecided.
    pub(crate) fn run(&mut self, report: &mut dyn FnMut(Event)) {
        self.run_first_blocks(report);
        self.run_rounds(PairedRunner::screening, report);
        if !interrupt::requested() {
            self.states.iter_mut().for_each(PairedState::cut_screening);
        }
        let making = self.begin_confirmations(report);
        let min_round = MIN_ROUND.max(making * MIN_ROUND_TO_MAKING);
        self.run_rounds(|runner| runner.next_confirming(min_round), report);
        self.shared.exiting.clear();
        for (i, state) in self.states.iter().enumerate().filter(|(_, state)| state.is_cut_short()) {
            report(Event::Decided(i, Ok(Box::new(state.outcome(None)))));
        }
    }

    /// Runs the first block of as many benchmarks as there is time to decide, in their order. The
    /// others end undecided: a share of the time for each would decide none.
    fn run_first_blocks(&mut self, report: &mut dyn FnMut(Event)) {
        let begin = Instant::now();
        let time = self.deadlines.map(|deadlines| deadlines.end.saturating_duration_since(begin));
        let mut begun = Begun::default();
        let mut groups = self.groups((0..self.states.len()).collect()).into_iter();
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
        let tests = self.states.iter().map(PairedState::suspicions).sum();
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
        groups_of(benchmarks, executables)
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
        calibrate(&mut self.states, group, executables, &mut self.shared)?;
        let shares = |i: &usize| group.len() == 1 || self.states[*i].shares_launches;
        let group: Vec<usize> = group.iter().copied().filter(shares).collect();
        let Some(&first) = group.first() else { return Ok(()) };
        let launches = start(&self.states, &group, executables, &mut self.shared);
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
    /// the others on average.
    fn time_left(&self) -> Duration {
        let known: Vec<Duration> = self.states.iter().filter_map(PairedState::time_left).collect();
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let sum: Duration = known.iter().sum();
        let screening = self.states.first().map_or(Duration::ZERO, PairedState::screening_limit);
        let average = sum.checked_div(number(known.len())).unwrap_or(screening);
        let left = sum + average * number(self.states.len() - known.len());
        let until = |deadlines: Deadlines| deadlines.end.saturating_duration_since(Instant::now());
        self.deadlines.map_or(left, |deadlines| left.min(until(deadlines)))
    }
}

/// Divides benchmarks into groups of those with the same shared launches, in their order. `launches`:
/// returns which those are, if a benchmark shares any.
pub(super) fn groups_of<L: Eq + Hash>(
    benchmarks: Vec<usize>,
    launches: impl Fn(usize) -> Option<L>,
) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut open: HashMap<L, usize> = HashMap::new();
    for i in benchmarks {
        let launches = launches(i);
        let group =
            launches.as_ref().and_then(|launches| open.get(launches)).map(|&group| &mut groups[group]);
        match group.filter(|group| group.len() < MAX_SHARING) {
            Some(group) => group.push(i),
            None => {
                open.extend(launches.map(|launches| (launches, groups.len())));
                groups.push(vec![i]);
            }
        }
    }
    groups
}

/// Calibrates those of these benchmarks that need it, all in the same processes.
fn calibrate(
    states: &mut [PairedState<'_>],
    group: &[usize],
    executables: &mut ExecutablePair<'_>,
    shared: &mut Shared,
) -> Result<(), (usize, BlockError)> {
    let new: Vec<usize> = group.iter().copied().filter(|&i| states[i].needs_calibration()).collect();
    let Some(&first) = new.first() else { return Ok(()) };
    shared.exiting.clear();
    let benchmarks: Vec<&PairedBenchmark<'_>> = new.iter().map(|&i| &states[i].benchmark).collect();
    let calibrators = Calibrators::start(&benchmarks, &mut executables.clock);
    let mut calibrators = calibrators.map_err(|error| (first, error))?;
    new.into_iter().try_for_each(|i| states[i].calibrate(&mut calibrators).map_err(|error| (i, error)))
}

/// Starts the launches of a block for these benchmarks.
fn start(
    states: &[PairedState<'_>],
    group: &[usize],
    ExecutablePair { files, .. }: &mut ExecutablePair<'_>,
    Shared { rng, exiting, .. }: &mut Shared,
) -> Result<Launches, BlockError> {
    let begin = Instant::now();
    if cfg!(windows) {
        // The files of running processes can't be deleted there.
        exiting.clear();
    }
    let states = || group.iter().map(|&i| &states[i]);
    let benchmarks: Vec<&PairedBenchmark<'_>> = states().map(|state| &state.benchmark).collect();
    // The place of a file makes no launch a slow one.
    let paths = match states().all(PairedState::only_adds_launches) {
        true => files.ready_paths(rng),
        false => files.paths(benchmarks.iter().all(|benchmark| benchmark.limits().expects_same), rng),
    };
    let clock = states().find_map(PairedState::clock).expect("calibrated before");
    let of_only_row = clock.prepared_segment.filter(|_| group.len() == 1);
    let clock = ClockCalibration { prepared_segment: of_only_row, ..clock.clone() };
    let launches = Launches::start(&benchmarks, &clock, &paths, begin, rng)?;
    exiting.clear();
    Ok(launches)
}

/// The benchmarks whose first block has run.
#[derive(Default)]
struct Begun {
    number: usize,
    /// Estimated time of their whole runs.
    time: Duration,
}

impl Begun {
    /// Adds a benchmark. `time`: the estimated time of its whole run.
    fn add(&mut self, time: Duration) {
        self.number += 1;
        self.time += time;
    }

    /// Returns whether there is time to decide another benchmark. `time`: the time for all.
    fn leave_time_for_another(&self, time: Duration) -> bool {
        let share = (self.number + 1) as f64 / self.number.max(1) as f64;
        self.time.as_secs_f64() * share <= time.as_secs_f64()
    }
}

/// The time that admitted confirmations take until their first tests.
#[derive(Debug)]
pub(super) struct ReservedTime {
    reserved: Duration,
    /// The time for all of them, if it is limited.
    limit: Option<Duration>,
}

impl ReservedTime {
    pub(super) fn new(limit: Option<Duration>) -> ReservedTime {
        ReservedTime { reserved: Duration::ZERO, limit }
    }

    /// Admits a confirmation whose blocks take this time until its first test, if there is enough
    /// left. The first one is admitted in any case. `has_layouts`: the executables get new layouts.
    pub(super) fn admit(&mut self, time_to_test: Duration, has_layouts: bool) -> bool {
        let margin = if has_layouts { CONFIRMATION_MARGIN } else { 1.0 };
        let with_this = self.reserved + time_to_test.mul_f64(margin);
        let is_admitted = self.reserved.is_zero() || self.limit.is_none_or(|limit| with_this <= limit);
        if is_admitted {
            self.reserved = with_this;
        }
        is_admitted
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
    use super::super::effort::Effort;
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// Returns the number of benchmarks that begin if there is this time for all of them. `runs`:
    /// the times of their whole runs.
    fn begin(runs: impl IntoIterator<Item = Duration>, time: Duration) -> usize {
        let mut begun = Begun::default();
        for run in runs {
            if !begun.leave_time_for_another(time) {
                break;
            }
            begun.add(run);
        }
        begun.number
    }

    #[test]
    fn benchmarks_share_launches_in_groups_of_a_limited_size() {
        let launches = |i: usize| [Some("a"), None, Some("b")][i % 3];
        assert_eq!(groups_of(vec![3, 1, 2, 0, 5, 4], launches), [vec![3, 0], vec![1], vec![2, 5], vec![4]]);
        let sizes = groups_of((0..150).collect(), |_| Some(())).iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(sizes, [MAX_SHARING, MAX_SHARING, 150 - 2 * MAX_SHARING]);
    }

    #[test]
    fn a_short_time_is_for_few_benchmarks() {
        let affordable = |each: Duration, time: Duration| begin(vec![each; 1_000], time);
        assert_eq!(affordable(SECOND, 10 * SECOND), 10);
        assert_eq!(affordable(SECOND * 2, 11 * SECOND), 5);
        assert_eq!(affordable(SECOND, 2_000 * SECOND), 1_000);
        assert_eq!(affordable(20 * SECOND, SECOND), 1, "one runs in any case");
    }

    #[test]
    fn a_benchmark_with_other_code_does_not_take_the_time_of_the_others() {
        let mut efforts = [Effort::Moderate; 60];
        efforts[40] = Effort::Thorough;
        let runs = efforts.map(|effort| effort.time_of_run(SECOND / 10, Duration::ZERO));
        assert_eq!(begin(runs, 60 * SECOND), 60);
        assert_eq!(begin(runs, 40 * SECOND), 47);
    }

    #[test]
    fn a_limited_time_is_reserved_for_the_confirmations_that_fit_and_one_in_any_case() {
        let admitted = |times: &[Duration], limit: Option<Duration>, has_layouts: bool| {
            let mut reserved = ReservedTime::new(limit);
            times.iter().map(|time| reserved.admit(*time, has_layouts)).collect::<Vec<_>>()
        };
        let times = [2 * SECOND, 4 * SECOND, 2 * SECOND, SECOND];
        assert_eq!(admitted(&times, None, true), [true; 4]);
        assert_eq!(admitted(&times, Some(6 * SECOND), true), [true, false, true, false]);
        assert_eq!(admitted(&times, Some(6 * SECOND), false), [true, true, false, false]);
        assert_eq!(admitted(&times, Some(SECOND), true), [true, false, false, false]);
    }

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
