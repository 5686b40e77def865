//! The order in which the benchmarks of a run are sampled.
//!
//! Each pass gives a few samples to every benchmark that is not done, in random order. A
//! disturbance of some ms then affects a few samples of many benchmarks, instead of all samples of
//! one. Benchmarks that are compared with each other form a group, whose members are sampled in
//! turn.

use super::launches::Launches;
use super::own_samples::OwnSamples;
use super::progress::Progress;
use super::relation::Relation;
use super::step::Step;
use super::suite::{Benchmark, Harness};
use crate::interrupt;
use nanobench::Rng;
use nanobench::measure::comparison_groups;
use nanobench::model::RowId;
use std::collections::HashMap;
use std::time::Instant;

/// Rounds of a group in one pass: as many as a benchmark alone takes samples in a step.
const ROUNDS_PER_PASS: usize = 8;

/// The groups of benchmarks that are compared with each other. Most have one member. Benchmarks are named by
/// their places in the suite.
#[derive(Debug)]
pub(super) struct Groups {
    /// For each benchmark, its baseline within the run. A baseline without one is its own.
    baselines_in_run: Vec<Option<usize>>,
    groups: Vec<Vec<usize>>,
}

/// Returns the places of the benchmarks' baselines within the run.
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

impl Groups {
    pub(super) fn new(benchmarks: &[Progress<'_>]) -> Groups {
        let mut baselines_in_run = baselines_in_run(benchmarks.iter().map(|it| &it.benchmark));
        let groups = comparison_groups(&baselines_in_run);
        for baseline in baselines_in_run.clone().into_iter().flatten() {
            baselines_in_run[baseline].get_or_insert(baseline);
        }
        Groups { baselines_in_run, groups }
    }

    /// Returns the groups to sample in the next pass, in order. The first pass goes through the
    /// suite in its own order. Later passes go through all unfinished groups in random order, or,
    /// with a deadline, through the least precise one.
    pub(super) fn next_pass(
        &self,
        benchmarks: &[Progress<'_>],
        deadline: Option<Instant>,
        rng: &mut Rng,
    ) -> Vec<&[usize]> {
        let has_none = |group: &[usize]| own_samples(benchmarks, group).all(|it| it.number() == 0);
        let mut open = self.unfinished(benchmarks);
        open.retain(|group| !is_done(benchmarks, group) || has_none(group));
        if open.iter().any(|group| has_none(group)) {
            open.retain(|group| has_none(group));
            return open;
        }
        rng.shuffle(&mut open);
        let Some(deadline) = deadline else { return open };
        if Instant::now() >= deadline {
            // An attribute's number of samples takes precedence over a budget for the whole run.
            open.retain(|group| own_samples(benchmarks, group).any(|it| it.plan.samples.is_some()));
            return open;
        }
        let imprecision =
            |group: &[usize]| own_samples(benchmarks, group).map(OwnSamples::imprecision).fold(0.0, f64::max);
        let worst = open.into_iter().max_by(|a, b| imprecision(a).total_cmp(&imprecision(b)));
        worst.into_iter().collect()
    }

    /// Returns the groups whose sampling is not finished.
    pub(super) fn unfinished(&self, benchmarks: &[Progress<'_>]) -> Vec<&[usize]> {
        let is_unfinished = |group: &&[usize]| group.iter().any(|&i| benchmarks[i].is_sampling());
        self.groups.iter().map(Vec::as_slice).filter(is_unfinished).collect()
    }

    /// Finishes a group: counts events and compares the members with each other.
    pub(super) fn finish(
        &self,
        benchmarks: &mut [Progress<'_>],
        group: &[usize],
        harness: &mut Harness,
        launches: Launches,
    ) {
        for &i in group {
            benchmarks[i].finish_sampling(harness, launches);
        }
        for &i in group {
            benchmarks[i].relation = self.relation(benchmarks, i);
        }
    }

    /// Returns the comparison with the benchmark's baseline in this run.
    fn relation(&self, benchmarks: &[Progress<'_>], index: usize) -> Option<Relation> {
        let [baseline, own] = [self.baselines_in_run[index]?, index].map(|i| &benchmarks[i]);
        Relation::between(&baseline.benchmark.id, &baseline.samples_so_far()?, &own.samples_so_far()?)
    }
}

fn own_samples<'b>(
    benchmarks: &'b [Progress<'_>],
    group: &'b [usize],
) -> impl Iterator<Item = &'b OwnSamples> {
    group.iter().filter_map(|&i| benchmarks[i].samples())
}

/// Returns whether all members of a group have enough samples.
pub(super) fn is_done(benchmarks: &[Progress<'_>], group: &[usize]) -> bool {
    own_samples(benchmarks, group).all(OwnSamples::is_done)
}

/// Takes a few samples of each member of a group, or all of one whose program passes it once.
pub(super) fn sample(benchmarks: &mut [Progress<'_>], group: &[usize], harness: &mut Harness, rng: &mut Rng) {
    if let [alone] = *group {
        while !is_done(benchmarks, group) && !interrupt::requested() {
            benchmarks[alone].step(harness, Step::Batch { seed: rng.next_u64() });
            if !harness.executable.passes_in_order() {
                break;
            }
        }
        return;
    }
    for _ in 0..ROUNDS_PER_PASS {
        if interrupt::requested() || is_done(benchmarks, group) {
            return;
        }
        sample_round(benchmarks, group, harness, rng);
    }
}

/// Takes a sample of each member of a group, one right after the other, in random order.
fn sample_round(benchmarks: &mut [Progress<'_>], group: &[usize], harness: &mut Harness, rng: &mut Rng) {
    for &i in group {
        // A calibration would separate the samples of two other members in time.
        if benchmarks[i].samples().is_some_and(|samples| !samples.is_calibrated()) {
            benchmarks[i].step(harness, Step::Calibration);
        }
    }
    let joins = |i: &usize| benchmarks[*i].samples().is_some_and(OwnSamples::joins_next_round);
    let mut members: Vec<usize> = group.iter().copied().filter(joins).collect();
    rng.shuffle(&mut members);
    let round = own_samples(benchmarks, group).map(OwnSamples::number).max().unwrap_or(0) as u64;
    for i in members {
        benchmarks[i].step(harness, Step::Single { round, seed: rng.next_u64() });
    }
}
