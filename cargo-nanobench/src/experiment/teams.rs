//! Which benchmarks are sampled in turn: those with a baseline in the run, and what they name.

use super::Found;
pub(super) use nanobench::measure::teams;

/// For each benchmark, where its baseline stands among the same ones.
pub(super) fn baselines(all: &[&Found]) -> Vec<Option<usize>> {
    let baseline = |found: &&Found| {
        let path = found.benchmark.baseline.as_ref()?;
        all.iter().position(|other| other.harness == found.harness && other.benchmark.path == *path)
    };
    all.iter().map(baseline).collect()
}
