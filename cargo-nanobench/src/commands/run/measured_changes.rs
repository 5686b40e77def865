//! The changes that a comparison has measured, kept for `cargo nanobench why`.

use crate::baseline::{LockedStore, MeasuredChange, MeasuredChanges, OtherSide};
use crate::experiment::{Question, Row, Suite, Verdict};
use crate::report::ComparedRun;
use std::collections::HashSet;
use std::path::Path;

/// Keeps the changes since baselines and revisions. A plain run keeps none: it replaces the last
/// run, which it was compared with.
pub(super) fn keep<'a>(
    store: &LockedStore<'_>,
    suite: &Suite,
    runs: impl Iterator<Item = (OtherSide, &'a ComparedRun)>,
) {
    let executables = suite.harnesses.iter().map(|harness| harness.executable.path.as_path());
    let executables: Vec<&Path> = executables.collect();
    let earlier = executables.first().map(|first| store.measured_changes(first)).unwrap_or_default();
    let with: Vec<MeasuredChanges> = runs
        .map(|(since, run)| {
            let earlier = earlier.iter().find(|earlier| earlier.since.is_code_of(&since));
            let mut changes: Vec<MeasuredChange> = run.rows.iter().filter_map(change).collect();
            changes.extend(earlier.into_iter().flat_map(|earlier| not_measured_again(earlier, &run.rows)));
            MeasuredChanges { since, changes }
        })
        .collect();
    if !with.is_empty() {
        store.keep_measured_changes(&executables, with);
    }
}

/// Returns the changes that an earlier comparison of the same executables has measured, of the
/// benchmarks that this one hasn't timed: they weren't selected, or only counted.
fn not_measured_again(earlier: &MeasuredChanges, rows: &[Row]) -> Vec<MeasuredChange> {
    let timed: HashSet<String> = rows.iter().filter(|row| row.paired().is_some()).map(id).collect();
    earlier.changes.iter().filter(|change| !timed.contains(&change.benchmark)).cloned().collect()
}

fn id(row: &Row) -> String {
    row.benchmark.id.to_string()
}

/// Returns the change of a benchmark's typical time, if that is what its verdict tells.
fn change(row: &Row) -> Option<MeasuredChange> {
    let comparison = row.comparison.as_ref()?;
    let is_changed = comparison.verdict.is_change() || comparison.verdict == Verdict::Moved;
    let change = comparison.paired.as_ref().and(comparison.change)?.estimate;
    let is_typical = comparison.question() == Question::Typical;
    (is_changed && is_typical).then(|| MeasuredChange { benchmark: id(row), change })
}
