//! Which benchmarks are sampled in turn: those with a baseline in the run, and what they name.

use super::suite::Benchmark;
pub(super) use nanobench::measure::comparison_groups;

/// For each benchmark, where its baseline stands among the same ones.
pub(super) fn baselines(all: &[&Benchmark]) -> Vec<Option<usize>> {
    let baseline = |found: &&Benchmark| {
        let row = found.benchmark.baseline.as_ref()?;
        all.iter().position(|other| other.harness == found.harness && other.id.row == *row)
    };
    all.iter().map(baseline).collect()
}
