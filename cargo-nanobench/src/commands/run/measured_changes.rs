//! The changes that a comparison has measured, kept for `cargo nanobench why`.

use crate::baseline::{LockedStore, MeasuredChange, MeasuredChanges, OtherSide};
use crate::experiment::{Question, Row, Suite, Verdict};
use crate::report::ComparedRun;

/// Keeps the changes since baselines and revisions. A plain run keeps none: it replaces the last
/// run, which it was compared with.
pub(super) fn keep<'a>(
    store: &LockedStore<'_>,
    suite: &Suite,
    runs: impl Iterator<Item = (OtherSide, &'a ComparedRun)>,
) {
    let with: Vec<MeasuredChanges> = runs
        .map(|(since, run)| MeasuredChanges { since, changes: run.rows.iter().filter_map(change).collect() })
        .collect();
    if !with.is_empty() {
        let executables = suite.harnesses.iter().map(|harness| harness.executable.path.as_path());
        store.keep_measured_changes(&executables.collect::<Vec<_>>(), with);
    }
}

/// Returns the change of a benchmark's typical time, if that is what its verdict tells.
fn change(row: &Row) -> Option<MeasuredChange> {
    let comparison = row.comparison.as_ref()?;
    let is_changed = comparison.verdict.is_change() || comparison.verdict == Verdict::Moved;
    let change = comparison.paired.as_ref().and(comparison.change)?.estimate;
    let is_typical = comparison.question() == Question::Typical;
    (is_changed && is_typical).then(|| MeasuredChange { benchmark: row.benchmark.id.to_string(), change })
}
