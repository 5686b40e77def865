//! The order of the blocks of paired runs: rounds with a block of each benchmark that is open.

use super::super::baseline_code::BaselineCode;
use super::super::comparison::NotPaired;
use super::super::paired::{
    BlockError, Calibrators, ExecutablePair, Executables, PairedBenchmark, PairedRun, Shared,
};
use super::super::progress::{Progress, Unpaired};
use super::super::rows::{Remaining, Rows};
use super::super::suite::Harness;
use super::deadlines::{Begun, Deadlines, MIN_ANNOUNCED_TIME};
use crate::interrupt;
use std::collections::HashMap;
use std::hash::Hash;
use std::time::{Duration, Instant};
use verdicts::{Effort, NOT_SAME, OfHypotheses};

/// Largest number of benchmarks that the same launches serve. Starting them takes little of the time of so
/// many, and the first of a large suite are decided soon.
const MAX_SHARING: usize = 64;

/// The shortest round. A disturbance then affects few blocks of a benchmark.
const MIN_ROUND: Duration = Duration::from_millis(500);

/// The shares of the error of a benchmark's hypotheses, and the logarithms of the evidence against them.
pub(super) type Hypotheses = (OfHypotheses<f64>, OfHypotheses<f64>);

/// The rounds of all benchmarks that run side by side. Benchmarks are named by their places in the suite.
pub(super) struct Rounds<'r, 'b, 'o> {
    pub(super) benchmarks: &'r mut [Progress<'b>],
    pub(super) rows: &'r mut Rows<'o>,
    pub(super) codes: &'r mut BaselineCode,
    pub(super) harnesses: &'r [Harness],
    pub(super) deadlines: Option<Deadlines>,
    /// The hypotheses of benchmarks that don't run any more, and have a part of the error.
    pub(super) others: Vec<Hypotheses>,
    /// Probability of any change that is shown if nothing changed.
    pub(super) error_rate: f64,
    pub(super) shared: Shared,
    pub(super) executables: HashMap<Executables, ExecutablePair>,
    /// Benchmarks that have begun.
    pub(super) begun: Vec<usize>,
    /// The time of benchmarks whose calls take long, until they begin.
    pub(super) waiting: Duration,
}

impl Rounds<'_, '_, '_> {
    /// Runs each of these benchmarks until it is decided, and last those whose calls take long. After Ctrl-C,
    /// decides the rest by the blocks so far. A benchmark without any block remains undecided.
    pub(super) fn run(&mut self, all: &[usize]) {
        let is_slow = |&i: &usize| self.of(i).benchmark.is_slow();
        let (slow, quick): (Vec<usize>, Vec<usize>) = all.iter().copied().partition(is_slow);
        self.waiting = slow.iter().map(|&i| self.of(i).time_of_slow()).sum();
        self.run_part(quick);
        if let Some(&slowest) = slow.iter().max_by_key(|&&i| self.of(i).benchmark.iteration_time)
            && !interrupt::requested()
        {
            let time = std::mem::take(&mut self.waiting);
            self.deadlines = self.deadlines.map(|deadlines| deadlines.waiting_for_slow(time));
            let time = self.time_until_end().map_or(time, |left| left.min(time));
            if time >= MIN_ANNOUNCED_TIME {
                let call = self.of(slowest).benchmark.iteration_time;
                let slowest = &self.benchmarks[slowest].benchmark;
                self.rows.observer.takes_long(slowest, call, slow.len(), time);
            }
            self.run_part(slow);
        }
        self.shared.exiting.clear();
        for &i in all {
            match self.benchmarks[i].paired_run().map(PairedRun::has_evidence) {
                Some(true) => self.decide(i),
                Some(false) if interrupt::requested() => {
                    self.benchmarks[i].give_up_paired_run(NotPaired::Interrupted);
                }
                Some(false) => self.benchmarks[i].omit_paired_run(Unpaired::Omitted),
                None => {}
            }
        }
    }

    /// Returns the paired run of a benchmark that isn't decided.
    fn of(&self, i: usize) -> &PairedRun {
        self.benchmarks[i].paired_run().expect("undecided")
    }

    fn of_mut(&mut self, i: usize) -> &mut PairedRun {
        self.benchmarks[i].paired_run_mut().expect("undecided")
    }

    /// Returns those that have begun and are not decided.
    fn open_runs(&self) -> impl Iterator<Item = (usize, &PairedRun)> {
        self.begun.iter().filter_map(|&i| Some((i, self.benchmarks[i].paired_run()?)))
    }

    /// Runs these benchmarks until each is decided.
    fn run_part(&mut self, part: Vec<usize>) {
        self.begun.extend(&part);
        self.run_first_blocks(part);
        loop {
            let mut round = self.next_round();
            if round.is_empty() {
                return;
            }
            self.shared.rng.shuffle(&mut round);
            for group in self.groups(round) {
                if interrupt::requested() {
                    return;
                }
                self.advance(&group);
            }
            self.executables.values_mut().for_each(|pair| pair.files.end_round());
        }
    }

    /// Runs the first block of as many of these benchmarks as there is time to decide, in their order.
    /// The others end undecided: a share of the time for each would decide none.
    fn run_first_blocks(&mut self, part: Vec<usize>) {
        let time = self.time_until_end();
        let mut begun = Begun::default();
        let mut groups = self.groups(part).into_iter();
        for group in groups.by_ref() {
            if interrupt::requested() {
                return;
            }
            let block_begin = Instant::now();
            let blocks = self.advance(&group);
            let time_of_each = block_begin.elapsed() / u32::try_from(group.len()).unwrap_or(u32::MAX);
            for (effort, long_launches) in blocks {
                begun.add(effort.time_of_run(time_of_each, long_launches));
            }
            if time.is_some_and(|time| !begun.leave_time_for_another(time)) {
                break;
            }
        }
        for i in groups.flatten() {
            self.decide(i);
        }
        self.executables.values_mut().for_each(|pair| pair.files.end_round());
    }

    /// Returns the benchmarks of the next round: those that are open, while there is time for them. The
    /// others end undecided. Only the first ones are admitted, so that the rows of a large suite are decided
    /// one after another, from the top: some of those that share launches, and some that don't.
    fn next_round(&self) -> Vec<usize> {
        let now = Instant::now();
        let is_open = |run: &PairedRun| {
            let allow = |deadlines: Deadlines| deadlines.allow(now, run.had_look(), run.strongest());
            self.deadlines.is_none_or(allow)
        };
        let (mut sharing, mut time) = (0, Duration::ZERO);
        let mut is_admitted = |run: &PairedRun| {
            if run.shares_launches {
                sharing += 1;
                return sharing <= MAX_SHARING;
            }
            let is_admitted = time < MIN_ROUND;
            time += run.blocks.mean();
            is_admitted
        };
        let open = self.open_runs().filter(|(_, run)| is_open(run));
        open.filter(|(_, run)| is_admitted(run)).map(|(i, _)| i).collect()
    }

    /// Divides benchmarks into those that the same launches serve. What a benchmark whose code differs leaves
    /// behind, such as a fragmented heap, must not meet one whose code doesn't.
    fn groups(&self, benchmarks: Vec<usize>) -> Vec<Vec<usize>> {
        let executables = |i: usize| {
            let run = self.of(i);
            let expects_same = run.benchmark.effort.expects_same();
            run.shares_launches.then(|| (run.benchmark.executables(), expects_same))
        };
        groups_of(benchmarks, executables)
    }

    /// Runs a block of each of these benchmarks in the same launches, and decides those that it suffices for.
    /// After an error, that benchmark has launches of its own, where an error decides it. Returns the effort
    /// of each, and the time that its long launches took so far.
    fn advance(&mut self, group: &[usize]) -> Vec<(Effort, Duration)> {
        let mut ran = Vec::with_capacity(group.len());
        let result = self.run_blocks(group, &mut ran);
        let runs = group.iter().filter_map(|&i| self.benchmarks[i].paired_run());
        let blocks = runs.map(|run| (run.benchmark.effort, run.blocks.of_long_launches)).collect();
        self.look(&ran);
        match result {
            Ok(()) => {}
            Err((_, error)) if error.is_interruption() => {}
            Err((i, _)) if group.len() > 1 => self.of_mut(i).shares_launches = false,
            Err((i, error)) => {
                self.others.push(self.of(i).hypotheses());
                self.benchmarks[i].fail(error);
                self.rows.report_final(self.benchmarks, &[i]);
            }
        }
        blocks
    }

    /// Runs a block of each of these benchmarks, or decides all if the deadline has passed. An error comes
    /// with the benchmark that caused it. The others may have no block then. Adds those to `ran` that have
    /// one.
    fn run_blocks(&mut self, group: &[usize], ran: &mut Vec<usize>) -> Result<(), (usize, BlockError)> {
        if self.time_until_end().is_some_and(|left| left.is_zero()) {
            group.iter().for_each(|&i| self.decide(i));
            return Ok(());
        }
        let remaining = self.remaining();
        self.rows.observer.running(&self.benchmarks[group[0]].benchmark, remaining);
        let key = self.of(group[0]).benchmark.executables();
        // It is taken out, so that the benchmarks remain accessible.
        let pair = self.executables.remove(&key);
        let mut pair = pair.unwrap_or_else(|| ExecutablePair::of(&self.of(group[0]).benchmark));
        let result = self.run_blocks_of(&mut pair, group, remaining, ran);
        self.executables.insert(key, pair);
        result
    }

    fn run_blocks_of(
        &mut self,
        pair: &mut ExecutablePair,
        group: &[usize],
        remaining: Remaining,
        ran: &mut Vec<usize>,
    ) -> Result<(), (usize, BlockError)> {
        self.calibrate(pair, group)?;
        let shares = |i: &usize| group.len() == 1 || self.of(*i).shares_launches;
        let group: Vec<usize> = group.iter().copied().filter(shares).collect();
        let Some(&first) = group.first() else { return Ok(()) };
        let runs = |i: &usize| self.benchmarks[*i].paired_run();
        let runs: Vec<&PairedRun> = group.iter().filter_map(runs).collect();
        let mut launches = pair.start(&runs, &mut self.shared).map_err(|error| (first, error))?;
        let mut result = Ok(());
        for i in group {
            if interrupt::requested() {
                break;
            }
            self.rows.observer.running(&self.benchmarks[i].benchmark, remaining);
            let Some(run) = self.benchmarks[i].paired_run_mut() else { continue };
            if let Err(error) = run.run_block(&mut launches, pair, &mut self.shared) {
                result = Err((i, error));
                break;
            }
            ran.push(i);
        }
        self.shared.exiting.extend(launches.end());
        result
    }

    /// Calibrates those of these benchmarks that need it, all in the same processes.
    fn calibrate(&mut self, pair: &mut ExecutablePair, group: &[usize]) -> Result<(), (usize, BlockError)> {
        let new: Vec<usize> = group.iter().copied().filter(|&i| self.of(i).needs_calibration()).collect();
        let Some(&first) = new.first() else { return Ok(()) };
        self.shared.exiting.clear();
        let benchmarks: Vec<&PairedBenchmark> = new.iter().map(|&i| &self.of(i).benchmark).collect();
        let calibrators = Calibrators::start(&benchmarks, &mut pair.clock);
        let mut calibrators = calibrators.map_err(|error| (first, error))?;
        let mut calibrate = |i| self.of_mut(i).calibrate(&mut calibrators).map_err(|error| (i, error));
        new.into_iter().try_for_each(&mut calibrate)
    }

    /// Evaluates the evidence after a block of each of these benchmarks, and decides those that it suffices
    /// for. What is known of one benchmark may show the change of another.
    fn look(&mut self, benchmarks: &[usize]) {
        let of_runs = self.benchmarks.iter().filter_map(Progress::paired_run).map(PairedRun::hypotheses);
        let hypotheses: Vec<Hypotheses> = of_runs.chain(self.others.iter().copied()).collect();
        let rejected = verdicts::rejected(&hypotheses, self.error_rate);
        let runs = self.benchmarks.iter_mut().filter_map(Progress::paired_run_mut);
        runs.zip(&rejected).for_each(|(run, rejected)| run.show(rejected));
        for &i in benchmarks {
            if self.of_mut(i).look() {
                self.decide(i);
            }
        }
    }

    /// Decides a benchmark by the evidence so far.
    fn decide(&mut self, i: usize) {
        self.others.push(self.of(i).hypotheses());
        let (codes, harnesses) = (&mut *self.codes, self.harnesses);
        self.benchmarks[i].decide(|known, benchmark| codes.explain(known, benchmark, harnesses));
        self.rows.report_final(self.benchmarks, &[i]);
    }

    fn time_until_end(&self) -> Option<Duration> {
        self.deadlines.map(|deadlines| deadlines.end.saturating_duration_since(Instant::now()))
    }

    /// Returns the time and the suspicions that remain until all benchmarks are decided.
    fn remaining(&self) -> Remaining {
        let is_likely = |run: &PairedRun| run.strongest() >= NOT_SAME.ln();
        let suspected = self.open_runs().filter(|(_, run)| is_likely(run)).count();
        Remaining { time: self.time_left(), suspected }
    }

    /// Estimates the time until all benchmarks are decided. Those without any block take as long as
    /// the others on average, and those that wait as long as slow calls with a clear change.
    fn time_left(&self) -> Duration {
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let unknown = number(self.open_runs().filter(|(_, run)| run.time_left().is_none()).count());
        let sum: Duration = self.open_runs().filter_map(|(_, run)| run.time_left()).sum();
        let usual = self.open_runs().next().map(|(_, run)| run.benchmark.limits().usual);
        let average = sum.checked_div(number(self.begun.len()) - unknown).or(usual).unwrap_or_default();
        let left = self.waiting + sum + average * unknown;
        self.time_until_end().map_or(left, |end| left.min(end))
    }
}

/// Divides benchmarks into groups of those with the same shared launches, in their order. `launches`:
/// returns which those are, if a benchmark shares any.
fn groups_of<L: Eq + Hash>(benchmarks: Vec<usize>, launches: impl Fn(usize) -> Option<L>) -> Vec<Vec<usize>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn benchmarks_share_launches_in_groups_of_a_limited_size() {
        let launches = |i: usize| [Some("a"), None, Some("b")][i % 3];
        assert_eq!(groups_of(vec![3, 1, 2, 0, 5, 4], launches), [vec![3, 0], vec![1], vec![2, 5], vec![4]]);
        let sizes = groups_of((0..150).collect(), |_| Some(())).iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(sizes, [MAX_SHARING, MAX_SHARING, 150 - 2 * MAX_SHARING]);
    }
}
