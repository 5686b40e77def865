//! The progress of all benchmarks of a run, and the order in which they are sampled.
//!
//! Each pass gives a few samples to every benchmark that is not done, in random order. A
//! disturbance of some ms then affects a few samples of many benchmarks, instead of all samples of
//! one. Benchmarks that are compared with each other form a group, whose members are sampled in
//! turn.

use super::benchmark_state::{BenchmarkState, Phase};
use super::launches::Launches;
use super::relation::Relation;
use super::step::Step;
use super::suite::{Benchmark, Harness};
use crate::interrupt;
use nanobench::Rng;
use nanobench::measure::comparison_groups;
use nanobench::model::RowId;
use std::collections::HashMap;
use std::time::Instant;

/// Rounds of a group in one pass.
const ROUNDS_PER_PASS: usize = 8;

/// The progress of all benchmarks of a run.
#[derive(Debug)]
pub(super) struct SuiteState<'a> {
    pub(super) benchmarks: Vec<BenchmarkState<'a>>,
    /// For each benchmark, the index of its baseline within the run. A baseline without one is its
    /// own.
    baselines_in_run: Vec<Option<usize>>,
    /// Indices of the benchmarks that are compared with each other. Most groups have one member.
    groups: Vec<Vec<usize>>,
}

/// Returns the indices of the benchmarks' baselines within the run.
pub(super) fn baselines_in_run<'b>(
    benchmarks: impl IntoIterator<Item = &'b Benchmark>,
) -> Vec<Option<usize>> {
    let all: Vec<&Benchmark> = benchmarks.into_iter().collect();
    let numbered = all.iter().enumerate();
    let places: HashMap<(usize, &RowId), usize> =
        numbered.map(|(place, benchmark)| ((benchmark.harness, &benchmark.id.row), place)).collect();
    let baseline_in_run = |benchmark: &&Benchmark| {
        let row = benchmark.spec.baseline.as_ref()?;
        places.get(&(benchmark.harness, row)).copied()
    };
    all.iter().map(baseline_in_run).collect()
}

impl<'a> SuiteState<'a> {
    pub(super) fn new(benchmarks: Vec<BenchmarkState<'a>>) -> SuiteState<'a> {
        let mut baselines_in_run = baselines_in_run(benchmarks.iter().map(|state| &state.benchmark));
        let groups = comparison_groups(&baselines_in_run);
        for baseline in baselines_in_run.clone().into_iter().flatten() {
            baselines_in_run[baseline].get_or_insert(baseline);
        }
        SuiteState { benchmarks, baselines_in_run, groups }
    }

    /// Returns the groups to sample in the next pass, in order. The first pass goes through the
    /// suite in its own order. Later passes go through all unfinished groups in random order, or,
    /// with a deadline, through the least precise one.
    pub(super) fn next_pass(&self, deadline: Option<Instant>, rng: &mut Rng) -> Vec<usize> {
        let mut open = self.unfinished();
        open.retain(|&group| !self.is_done(group) || !self.has_samples(group));
        if open.iter().any(|&group| !self.has_samples(group)) {
            open.retain(|&group| !self.has_samples(group));
            return open;
        }
        rng.shuffle(&mut open);
        let Some(deadline) = deadline else { return open };
        if Instant::now() >= deadline {
            // An attribute's number of samples takes precedence over a budget for the whole run.
            open.retain(|&group| self.members(group).any(|state| state.sampling.has_fixed_samples()));
            return open;
        }
        let worst = open.into_iter().max_by(|&a, &b| self.imprecision(a).total_cmp(&self.imprecision(b)));
        worst.into_iter().collect()
    }

    /// Returns the groups whose sampling is not finished.
    pub(super) fn unfinished(&self) -> Vec<usize> {
        (0..self.groups.len())
            .filter(|&group| self.members(group).any(|state| state.phase == Phase::Sampling))
            .collect()
    }

    /// Returns the first member of a group. All members are in the same harness.
    pub(super) fn first_of(&self, group: usize) -> &Benchmark {
        &self.benchmarks[self.groups[group][0]].benchmark
    }

    /// Returns whether all members of a group have enough samples.
    pub(super) fn is_done(&self, group: usize) -> bool {
        self.members(group).all(|state| state.sampling.is_done())
    }

    /// Returns whether all members of a group failed. Further launches don't run them.
    pub(super) fn has_failed(&self, group: usize) -> bool {
        self.members(group).all(|state| state.sampling.failure().is_some())
    }

    /// Returns the places of the members of a group in the suite.
    pub(super) fn places(&self, group: usize) -> &[usize] {
        &self.groups[group]
    }

    /// Returns the members of a group.
    pub(super) fn members(&self, group: usize) -> impl Iterator<Item = &BenchmarkState<'a>> {
        self.groups[group].iter().map(|&i| &self.benchmarks[i])
    }

    fn has_samples(&self, group: usize) -> bool {
        self.members(group).any(|state| state.sampling.samples() > 0)
    }

    fn imprecision(&self, group: usize) -> f64 {
        self.members(group).map(|state| state.sampling.imprecision()).fold(0.0, f64::max)
    }

    /// Takes a few samples of each member of a group.
    pub(super) fn sample(&mut self, group: usize, harness: &mut Harness, rng: &mut Rng) {
        if let [alone] = self.groups[group][..] {
            let state = &mut self.benchmarks[alone];
            if !state.sampling.is_done() {
                state.step(harness, Step::Batch { seed: rng.next_u64() });
            }
            return;
        }
        for _ in 0..ROUNDS_PER_PASS {
            if interrupt::requested() || self.is_done(group) {
                return;
            }
            self.sample_round(group, harness, rng);
        }
    }

    /// Takes a sample of each member of a group, one right after the other, in random order.
    fn sample_round(&mut self, group: usize, harness: &mut Harness, rng: &mut Rng) {
        let mut members = self.groups[group].clone();
        for &i in &members {
            // A calibration would separate the samples of two other members in time.
            if !self.benchmarks[i].sampling.is_calibrated() {
                self.benchmarks[i].step(harness, Step::Calibration);
            }
        }
        members.retain(|&i| self.benchmarks[i].sampling.joins_next_round());
        rng.shuffle(&mut members);
        let round = self.members(group).map(|state| state.sampling.samples()).max().unwrap_or(0) as u64;
        for i in members {
            let step = Step::Single { round, seed: rng.next_u64() };
            self.benchmarks[i].step(harness, step);
        }
    }

    /// Finishes a group: counts events and compares the members with each other.
    pub(super) fn finish(&mut self, group: usize, harness: &mut Harness, launches: Launches) {
        let members = self.groups[group].clone();
        for &i in &members {
            self.benchmarks[i].finish_sampling(harness, launches);
        }
        for &i in &members {
            self.benchmarks[i].relation = self.relation(i);
        }
    }

    /// Returns the comparison with the benchmark's baseline in this run.
    fn relation(&self, index: usize) -> Option<Relation> {
        let [baseline, own] = [self.baselines_in_run[index]?, index].map(|i| &self.benchmarks[i]);
        Relation::between(&baseline.benchmark.id, &baseline.samples_so_far()?, &own.samples_so_far()?)
    }
}
