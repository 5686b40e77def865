//! Measuring the benchmarks of one build, in several passes, beside stored figures where there are some.
//!
//! Each pass gives every benchmark that is not done a few samples, in random order: what disturbs the machine for some
//! ms spoils a part of many benchmarks, and not all of one. Those that are compared with each other in the run, a team,
//! have theirs in turn, one at a time. Where the baseline's own executable is there, a duel with it tells what changed. Without
//! it, what looks changed is measured again in fresh processes, and called only if it recurs.

use super::benchmark_state::BenchmarkState;
use super::comparison::NotPaired;
use super::comparison_groups::{baselines, comparison_groups};
use super::paired::{Event, PairedBenchmark, PairedRunner, Rules};
use super::relation::Relation;
use super::row::Row;
use super::sampling::Sampling;
use super::stored::Stored;
use super::suite::{Benchmark, Harness, Suite};
use super::taking::Taking;
use crate::cargo::Executable;
use crate::code::{CodeComparer, CodeMatch};
use crate::interrupt;
use crate::session::SessionOptions;
use nanobench::Rng;
use nanobench::measure::Plan;
use nanobench::model::BenchmarkSpec;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Rounds of a team in one pass.
const ROUNDS: usize = 8;

/// How what changed is told from what did not.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ComparisonPolicy {
    /// The threshold that the command line asks for.
    pub(crate) threshold: Option<f64>,
    /// Where neither that nor a benchmark's attribute says anything.
    pub(crate) rules: Rules,
    /// All are measured beside the baseline's executable, not only those that look changed.
    pub(crate) all: bool,
    /// Even where that executable is the same, byte for byte.
    pub(crate) identical: bool,
    /// Both executables find the same files, as far as is known.
    pub(crate) same_files: bool,
}

impl ComparisonPolicy {
    /// The rules of one benchmark: the flag wins over its attribute, that over all else.
    pub(crate) fn rules(&self, benchmark: &BenchmarkSpec) -> Rules {
        let own = benchmark.threshold.map(|percent| percent / 100.0);
        Rules { threshold: self.threshold.or(own).unwrap_or(self.rules.threshold), ..self.rules }
    }
}

/// Launches without the baseline's executable in which a change has to recur.
const LAUNCHES: usize = 5;

/// Who wants to know how a run goes on.
pub(crate) trait Observer {
    /// This one runs now.
    fn running(&mut self, found: &Benchmark);
    /// This one is done. Rows come in the order of the suite.
    fn done(&mut self, row: &Row);
}

/// How the benchmarks of one build are measured.
#[derive(Debug)]
pub(crate) struct SuiteRunner<'a> {
    pub(crate) sampling: Sampling,
    pub(crate) session_options: &'a SessionOptions,
    /// There is a baseline, which may or may not have a given benchmark.
    pub(crate) comparing: bool,
    pub(crate) judging: ComparisonPolicy,
}

/// All benchmarks of a run.
#[derive(Debug)]
struct SuiteState<'a> {
    all: Vec<BenchmarkState<'a>>,
    /// Where the baseline in the run of each one is.
    baselines: Vec<Option<usize>>,
    comparison_groups: Vec<Vec<usize>>,
}

impl SuiteRunner<'_> {
    /// Measures the whole suite. Fewer rows than benchmarks where Ctrl-C came first.
    pub(crate) fn run<'a>(
        &self,
        suite: &mut Suite,
        stored: impl Fn(&Benchmark) -> Option<Stored<'a>>,
        observer: &mut dyn Observer,
    ) -> Vec<Row> {
        let begun = Instant::now();
        let plan = |found: &Benchmark| self.plan(found);
        let begin = |found: &Benchmark| {
            let threshold = self.judging.rules(&found.benchmark).threshold;
            BenchmarkState::new(plan(found), threshold, found.clone(), stored(found))
        };
        let mut all: Vec<BenchmarkState<'_>> = suite.benchmarks.iter().map(begin).collect();
        for running in &mut all {
            running.paired_error = self.is_gone(running).then(|| Arc::new(NotPaired::ExecutableGone));
        }
        let baselines = baselines(&all.iter().map(|running| &running.found).collect::<Vec<_>>());
        let mut field = SuiteState { comparison_groups: comparison_groups(&baselines), baselines, all };
        let mut rows = self.screen(&mut field, &mut suite.harnesses, observer);
        let deadline = self.sampling.budget().map(|budget| begun + budget);
        self.paired(&mut field.all, &mut rows, &mut suite.harnesses, deadline, observer);
        if interrupt::requested() {
            let undecided = field.all.iter_mut().filter(|running| self.needs_paired_run(running));
            undecided.for_each(|running| running.paired_error = Some(Arc::new(NotPaired::Interrupted)));
        }
        for running in &mut field.all[rows.len()..] {
            self.by_itself(running, &mut suite.harnesses[running.found.harness], observer);
            if let Some(row) = running.row(self.comparing) {
                observer.done(&row);
                rows.push(row);
            }
        }
        rows
    }

    /// How a benchmark is sampled by itself. A budget is for the duel, where there is one.
    pub(super) fn plan(&self, found: &Benchmark) -> Plan {
        let plan = self.sampling.plan(&found.benchmark);
        if self.judging.all && plan.max_time.is_infinite() {
            return Plan { max_time: Plan::default().max_time, ..plan };
        }
        plan
    }

    /// Whether there should be a duel with an executable that is not there.
    fn is_gone(&self, running: &BenchmarkState<'_>) -> bool {
        let is_gone = running.stored.is_some_and(|stored| stored.executable.is_none() && !stored.identical);
        self.judging.all && is_gone
    }

    /// Passes over all that is not done, until nothing is left. Returns the rows of those at the beginning that need
    /// no further look.
    fn screen(
        &self,
        field: &mut SuiteState<'_>,
        harnesses: &mut [Harness],
        observer: &mut dyn Observer,
    ) -> Vec<Row> {
        let mut rows = Vec::new();
        let mut rng = Rng::new();
        let budget = self.sampling.budget().filter(|_| !self.judging.all);
        let deadline = budget.map(|budget| Instant::now() + budget);
        loop {
            let round = field.next_round(deadline, &mut rng);
            let is_last = round.is_empty();
            // At a deadline some are left that are not done, and won't be.
            let comparison_groups = if is_last { field.unfinished() } else { round };
            for team in comparison_groups {
                if interrupt::requested() {
                    return rows;
                }
                let first = &field.all[field.comparison_groups[team][0]];
                let harness = &mut harnesses[first.found.harness];
                if !is_last {
                    observer.running(&first.found);
                    field.step(team, harness, self.session_options, &mut rng);
                }
                if is_last || field.is_done(team) {
                    field.finish(team, harness, self.session_options);
                }
                self.tell(&field.all, &mut rows, observer);
            }
            if is_last {
                return rows;
            }
        }
    }

    /// Tells of the rows that are final, as far as those before them are.
    fn tell(&self, all: &[BenchmarkState<'_>], rows: &mut Vec<Row>, observer: &mut dyn Observer) {
        while let Some(row) = all.get(rows.len()).and_then(|next| self.final_row(next)) {
            observer.done(&row);
            rows.push(row);
        }
    }

    /// The row of a benchmark that needs no further look.
    fn final_row(&self, running: &BenchmarkState<'_>) -> Option<Row> {
        if !running.is_finished || running.awaits_recurrence() || self.needs_paired_run(running) {
            return None;
        }
        running.row(self.comparing)
    }

    fn needs_paired_run(&self, running: &BenchmarkState<'_>) -> bool {
        let is_there =
            |stored: Stored<'_>| stored.executable.is_some() && (!stored.identical || self.judging.identical);
        let can = running.can_run_paired() && running.stored.is_some_and(is_there);
        can && (self.judging.all || running.looks_changed())
    }

    /// Measures what is worth it side by side with the baseline's own executable.
    fn paired(
        &self,
        all: &mut [BenchmarkState<'_>],
        rows: &mut Vec<Row>,
        harnesses: &mut [Harness],
        deadline: Option<Instant>,
        observer: &mut dyn Observer,
    ) {
        let open: Vec<usize> = (0..all.len()).filter(|&i| self.needs_paired_run(&all[i])).collect();
        if open.is_empty() {
            return;
        }
        // Nothing else is to run while two are measured.
        harnesses.iter_mut().for_each(Harness::end_session);
        let kept = kept(all, &open, harnesses);
        let founds: Vec<Benchmark> = all.iter().map(|running| running.found.clone()).collect();
        let (mut places, mut benchmarks) = (Vec::new(), Vec::new());
        for i in open {
            let Some(baseline) = all[i].kept().and_then(|key| kept.get(&key)?.as_ref()) else {
                all[i].paired_error = Some(Arc::new(NotPaired::ExecutableGone));
                continue;
            };
            let (Some(stored), Some(count)) = (all[i].stored, all[i].course.count()) else { continue };
            let sides = [baseline, &harnesses[founds[i].harness].executable];
            let (found, before) = (&founds[i], stored.benchmark);
            let (plan, rules) = (self.plan(found), self.judging.rules(&found.benchmark));
            places.push(i);
            benchmarks.push(PairedBenchmark::between(
                sides,
                found,
                before,
                plan,
                count,
                rules,
                self.session_options,
            ));
        }
        let mut codes = CodeComparer::default();
        PairedRunner::new(benchmarks, deadline).run(&mut |event| match event {
            Event::Measuring(i) => observer.running(&founds[places[i]]),
            Event::Decided(i, outcome) => {
                let found = &founds[places[i]];
                let baseline = all[places[i]].kept();
                let candidate = &harnesses[found.harness].executable.path;
                let compare_code = || {
                    let Some((_, old)) = baseline else { return CodeMatch::Unknown };
                    codes.compare(old, candidate, &found.rust_path())
                };
                all[places[i]].decide(outcome, compare_code);
                self.tell(all, rows, observer);
            }
        });
    }

    /// Measures what would be called again, each time in a fresh process, until it would not be any more or has recurred: where there is nothing to measure it beside.
    fn by_itself(
        &self,
        running: &mut BenchmarkState<'_>,
        harness: &mut Harness,
        observer: &mut dyn Observer,
    ) {
        if !running.awaits_recurrence() {
            return;
        }
        observer.running(&running.found);
        for launch in running.launches.len()..LAUNCHES {
            if interrupt::requested() || !running.awaits_recurrence() {
                return;
            }
            harness.end_session();
            running.start_over();
            while !running.is_done() && !interrupt::requested() {
                running.step(harness, self.session_options, Taking::Several { seed: launch as u64 });
            }
        }
        running.looked_again = !interrupt::requested();
    }
}

/// The executables of the baseline, by the harness that stands in their place and where they are: a benchmark may have been
/// kept from an earlier run than the one beside it in the suite.
type Kept<'a> = HashMap<(usize, &'a Path), Option<Executable>>;

/// Those that the benchmarks at `open` need. `None` for what can't be run.
fn kept<'a>(all: &[BenchmarkState<'a>], open: &[usize], harnesses: &[Harness]) -> Kept<'a> {
    let mut kept = Kept::new();
    for (harness, path) in open.iter().filter_map(|&i| all[i].kept()) {
        let executable = || harnesses[harness].executable.stored_at(path.to_owned()).ok().flatten();
        kept.entry((harness, path)).or_insert_with(executable);
    }
    kept
}

impl SuiteState<'_> {
    /// Which teams get samples next, in which order. At first all, as they stand in the suite; then, without a deadline
    /// all that are not done, at random, and with one that of which least is known.
    fn next_round(&self, deadline: Option<Instant>, rng: &mut Rng) -> Vec<usize> {
        let mut open: Vec<usize> = (0..self.comparison_groups.len())
            .filter(|&team| !self.all[self.comparison_groups[team][0]].is_finished)
            .collect();
        open.retain(|&team| !self.is_done(team) || !self.has_begun(team));
        if open.iter().any(|&team| !self.has_begun(team)) {
            open.retain(|&team| !self.has_begun(team));
            return open;
        }
        rng.shuffle(&mut open);
        let Some(deadline) = deadline else { return open };
        if Instant::now() >= deadline {
            // A number of samples is what a benchmark asks for itself, and the time for all is the file's.
            open.retain(|&team| self.members(team).any(|running| running.course.has_fixed_samples()));
            return open;
        }
        let worst = open.into_iter().max_by(|&a, &b| self.imprecision(a).total_cmp(&self.imprecision(b)));
        worst.into_iter().collect()
    }

    fn members(&self, team: usize) -> impl Iterator<Item = &BenchmarkState<'_>> {
        self.comparison_groups[team].iter().map(|&i| &self.all[i])
    }

    /// Those that came to an end without being done.
    fn unfinished(&self) -> Vec<usize> {
        (0..self.comparison_groups.len())
            .filter(|&team| self.members(team).any(|running| !running.is_finished))
            .collect()
    }

    fn is_done(&self, team: usize) -> bool {
        self.members(team).all(BenchmarkState::is_done)
    }

    /// Whether it has had a step, unless there is nothing to take one of.
    fn has_begun(&self, team: usize) -> bool {
        self.members(team).any(|running| running.samples() > 0)
    }

    fn imprecision(&self, team: usize) -> f64 {
        self.members(team).map(|running| running.course.imprecision()).fold(0.0, f64::max)
    }

    fn step(&mut self, team: usize, harness: &mut Harness, session_options: &SessionOptions, rng: &mut Rng) {
        if let [alone] = self.comparison_groups[team][..] {
            if !self.all[alone].is_done() {
                self.all[alone].step(harness, session_options, Taking::Several { seed: rng.next_u64() });
            }
            return;
        }
        for _ in 0..ROUNDS {
            if interrupt::requested() || self.is_done(team) {
                return;
            }
            self.round(team, harness, session_options, rng);
        }
    }

    /// A sample of each of a team, one right after the other, in random order.
    fn round(&mut self, team: usize, harness: &mut Harness, session_options: &SessionOptions, rng: &mut Rng) {
        let mut members = self.comparison_groups[team].clone();
        for &i in &members {
            // Finding out how to call one would stand between the samples of two others.
            if !self.all[i].is_calibrated() {
                self.all[i].step(harness, session_options, Taking::None);
            }
        }
        members.retain(|&i| self.all[i].takes_part());
        rng.shuffle(&mut members);
        let round = self.members(team).map(BenchmarkState::samples).max().unwrap_or(0) as u64;
        for i in members {
            self.all[i].step(harness, session_options, Taking::One { round, seed: rng.next_u64() });
        }
    }

    /// What is left to do when a team has its samples: counting, and how its members compare.
    fn finish(&mut self, team: usize, harness: &mut Harness, session_options: &SessionOptions) {
        let members = self.comparison_groups[team].clone();
        for &i in &members {
            self.all[i].count(harness, session_options);
            self.all[i].is_finished = true;
        }
        for &i in &members {
            self.all[i].relation = self.relation(i);
        }
    }

    fn relation(&self, this: usize) -> Option<Relation> {
        let own = self.all[this].measurement()?;
        match self.baselines[this] {
            Some(baseline) => {
                let baseline = &self.all[baseline];
                Relation::of(&baseline.found.id, &baseline.measurement()?, &own)
            }
            None if self.baselines.contains(&Some(this)) => {
                Relation::to_itself(&self.all[this].found.id, &own)
            }
            None => None,
        }
    }
}
