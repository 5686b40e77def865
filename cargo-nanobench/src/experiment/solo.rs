//! Measuring the benchmarks of one build, in several passes, beside stored figures where there are some.
//!
//! Each pass gives every benchmark that is not done a few samples, in random order: what disturbs the machine for some
//! ms spoils a part of many benchmarks, and not all of one. Those that are compared with each other in the run, a team,
//! have theirs in turn, one at a time. What then looks changed is measured again in fresh processes, beside the
//! baseline's own executable where that is there, and called only if it recurs.

use super::running::{Running, Stored};
use super::sampling::Sampling;
use super::side_by_side::{self, Pair};
use super::suite::Harness;
use super::taking::Taking;
use super::teams::{baselines, teams};
use super::{Comparison, Found, Relation, Row, Suite};
use crate::cargo::Executable;
use crate::interrupt;
use crate::session::Treatment;
use nanobench::Rng;
use std::time::Instant;

/// Rounds of a team in one pass.
const ROUNDS: usize = 8;

/// Who wants to know how a run goes on.
pub(crate) trait Observer {
    /// This one runs now.
    fn running(&mut self, found: &Found);
    /// This one is done. Rows come in the order of the suite.
    fn done(&mut self, row: &Row);
}

/// How the benchmarks of one build are measured.
#[derive(Debug)]
pub(crate) struct Solo<'a> {
    pub(crate) sampling: Sampling<'a>,
    pub(crate) treatment: &'a Treatment,
    /// There is a baseline, which may or may not have a given benchmark.
    pub(crate) comparing: bool,
}

/// All benchmarks of a run.
#[derive(Debug)]
struct Field<'a> {
    all: Vec<Running<'a>>,
    /// Where the baseline in the run of each one is.
    baselines: Vec<Option<usize>>,
    teams: Vec<Vec<usize>>,
}

impl Solo<'_> {
    /// Measures the whole suite. Fewer rows than benchmarks where Ctrl-C came first.
    pub(crate) fn run<'a>(
        &self,
        suite: &mut Suite,
        stored: impl Fn(&Found) -> Option<Stored<'a>>,
        observer: &mut dyn Observer,
    ) -> Vec<Row> {
        let plan = |found: &Found| self.sampling.plan(&found.benchmark);
        let begin = |found: &Found| Running::new(plan(found), found.clone(), stored(found));
        let all: Vec<Running<'_>> = suite.benchmarks.iter().map(begin).collect();
        let baselines = baselines(&all.iter().map(|running| &running.found).collect::<Vec<_>>());
        let mut field = Field { teams: teams(&baselines), baselines, all };
        let mut rows = self.screen(&mut field, &mut suite.harnesses, observer);
        for running in &mut field.all[rows.len()..] {
            self.confirm(running, &mut suite.harnesses[running.found.harness], observer);
            if let Some(row) = running.row(self.comparing) {
                observer.done(&row);
                rows.push(row);
            }
        }
        rows
    }

    /// Passes over all that is not done, until nothing is left. Returns the rows of those at the beginning that need
    /// no further look.
    fn screen(
        &self,
        field: &mut Field<'_>,
        harnesses: &mut [Harness],
        observer: &mut dyn Observer,
    ) -> Vec<Row> {
        let mut rows = Vec::new();
        let mut rng = Rng::new();
        let deadline = self.sampling.flags.budget.map(|budget| Instant::now() + budget);
        loop {
            let round = field.next_round(deadline, &mut rng);
            let is_last = round.is_empty();
            // At a deadline some are left that are not done, and won't be.
            let teams = if is_last { field.unfinished() } else { round };
            for team in teams {
                if interrupt::requested() {
                    return rows;
                }
                let first = &field.all[field.teams[team][0]];
                let harness = &mut harnesses[first.found.harness];
                if !is_last {
                    observer.running(&first.found);
                    field.step(team, harness, self.treatment, &mut rng);
                }
                if is_last || field.is_done(team) {
                    field.finish(team, harness, self.treatment);
                }
                while let Some(row) = field.all.get(rows.len()).and_then(|next| self.final_row(next)) {
                    observer.done(&row);
                    rows.push(row);
                }
            }
            if is_last {
                return rows;
            }
        }
    }

    /// The row of a benchmark that needs no further look.
    fn final_row(&self, running: &Running<'_>) -> Option<Row> {
        if !running.is_finished || running.looks_changed() {
            return None;
        }
        running.row(self.comparing)
    }

    /// Measures what looks changed again: side by side with the baseline's own executable where that is there, else by
    /// itself; each time in fresh processes, until it doesn't look changed any more or has recurred.
    fn confirm(&self, running: &mut Running<'_>, harness: &mut Harness, observer: &mut dyn Observer) {
        if interrupt::requested() || !running.looks_changed() {
            return;
        }
        observer.running(&running.found);
        harness.end_session();
        if !self.beside_baseline(running, &harness.executable) {
            self.by_itself(running, harness);
        }
    }

    /// Whether there was a baseline's executable to measure beside.
    fn beside_baseline(&self, running: &mut Running<'_>, candidate: &Executable) -> bool {
        let Some(stored) = running.stored else { return false };
        let baseline = stored.executable.and_then(|path| candidate.kept_in(path.to_owned()).ok().flatten());
        let (Some(baseline), Some(count)) = (baseline, running.course.count()) else { return false };
        let Found { benchmark, .. } = &running.found;
        let pair = Pair {
            baseline: &baseline,
            candidate,
            path: &benchmark.path,
            plan: self.sampling.plan(benchmark),
            count,
            unroll: benchmark.unroll,
            batches: [stored.measurement.batch, benchmark.batch],
            treatment: self.treatment,
        };
        let measured = pair.measure(|baseline, now| Comparison::side_by_side(baseline, now).calls_a_change());
        let Ok((baseline, now)) = measured else { return false };
        running.second_look = Some(Comparison::side_by_side(&baseline, &now));
        running.launches = now.launches;
        true
    }

    fn by_itself(&self, running: &mut Running<'_>, harness: &mut Harness) {
        for launch in running.launches.len()..side_by_side::LAUNCHES {
            if interrupt::requested() || !running.looks_changed() {
                return;
            }
            harness.end_session();
            running.start_over();
            while !running.is_done() && !interrupt::requested() {
                running.step(harness, self.treatment, Taking::Several { seed: launch as u64 });
            }
        }
        running.looked_again = !interrupt::requested();
    }
}

impl Field<'_> {
    /// Which teams get samples next, in which order. At first all, as they stand in the suite; then, without a deadline
    /// all that are not done, at random, and with one that of which least is known.
    fn next_round(&self, deadline: Option<Instant>, rng: &mut Rng) -> Vec<usize> {
        let mut open: Vec<usize> =
            (0..self.teams.len()).filter(|&team| !self.all[self.teams[team][0]].is_finished).collect();
        open.retain(|&team| !self.is_done(team) || !self.has_begun(team));
        if open.iter().any(|&team| !self.has_begun(team)) {
            open.retain(|&team| !self.has_begun(team));
            return open;
        }
        rng.shuffle(&mut open);
        let Some(deadline) = deadline else { return open };
        let worst = open.into_iter().max_by(|&a, &b| self.imprecision(a).total_cmp(&self.imprecision(b)));
        worst.filter(|_| Instant::now() < deadline).into_iter().collect()
    }

    fn members(&self, team: usize) -> impl Iterator<Item = &Running<'_>> {
        self.teams[team].iter().map(|&i| &self.all[i])
    }

    /// Those that came to an end without being done.
    fn unfinished(&self) -> Vec<usize> {
        (0..self.teams.len()).filter(|&team| self.members(team).any(|running| !running.is_finished)).collect()
    }

    fn is_done(&self, team: usize) -> bool {
        self.members(team).all(Running::is_done)
    }

    /// Whether it has had a step, unless there is nothing to take one of.
    fn has_begun(&self, team: usize) -> bool {
        self.members(team).any(|running| running.samples() > 0)
    }

    fn imprecision(&self, team: usize) -> f64 {
        self.members(team).map(|running| running.course.imprecision()).fold(0.0, f64::max)
    }

    fn step(&mut self, team: usize, harness: &mut Harness, treatment: &Treatment, rng: &mut Rng) {
        if let [alone] = self.teams[team][..] {
            if !self.all[alone].is_done() {
                self.all[alone].step(harness, treatment, Taking::Several { seed: rng.next_u64() });
            }
            return;
        }
        for _ in 0..ROUNDS {
            if interrupt::requested() || self.is_done(team) {
                return;
            }
            self.round(team, harness, treatment, rng);
        }
    }

    /// A sample of each of a team, one right after the other, in random order.
    fn round(&mut self, team: usize, harness: &mut Harness, treatment: &Treatment, rng: &mut Rng) {
        let mut members = self.teams[team].clone();
        for &i in &members {
            // Finding out how to call one would stand between the samples of two others.
            if !self.all[i].is_calibrated() {
                self.all[i].step(harness, treatment, Taking::None);
            }
        }
        members.retain(|&i| self.all[i].takes_part());
        rng.shuffle(&mut members);
        let round = self.members(team).map(Running::samples).max().unwrap_or(0) as u64;
        for i in members {
            self.all[i].step(harness, treatment, Taking::One { round, seed: rng.next_u64() });
        }
    }

    /// What is left to do when a team has its samples: counting, and how its members compare.
    fn finish(&mut self, team: usize, harness: &mut Harness, treatment: &Treatment) {
        let members = self.teams[team].clone();
        for &i in &members {
            self.all[i].count(harness, treatment);
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
