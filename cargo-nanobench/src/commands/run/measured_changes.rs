//! The changes that a comparison has measured, kept for `cargo nanobench why`.

use super::planned::RunToCompare;
use crate::baseline::{LockedStore, MeasuredChange, MeasuredChanges, OtherSide, Store};
use crate::experiment::{Row, State, Suite};
use crate::report::ComparedRun;
use std::collections::HashSet;
use verdicts::{Question, Verdict};

/// Keeps the changes that the runs have measured. `compared`: their other sides.
pub(super) fn keep(
    store: &Store,
    lock: &LockedStore<'_>,
    suite: &Suite,
    compared: &[RunToCompare<'_>],
    runs: &[ComparedRun],
) {
    let harnesses = suite.harnesses.iter().enumerate();
    let compared = harnesses.filter_map(|(index, harness)| {
        let explained =
            compared.iter().zip(runs).filter(|(compared, _)| !compared.unexplained.contains(&index));
        let sides = explained.filter_map(|(compared, run)| Some((compared.other_side.as_ref()?, run)));
        let sides: Vec<(&OtherSide, &ComparedRun)> = sides.collect();
        let executable = harness.executable.path.as_path();
        let earlier = if sides.is_empty() { return None } else { store.measured_changes(executable) };
        let changes = |&(since, run): &(&OtherSide, &ComparedRun)| {
            let rows = || run.rows.iter().filter(|row| row.benchmark.harness == index);
            let timed = rows().filter(|row| row.paired().is_some()).map(id).collect();
            let mut changes: Vec<MeasuredChange> = rows().filter_map(change).collect();
            changes.extend(not_timed_again(&earlier, since, &timed));
            let premises = rows().filter_map(unequal_premises).collect();
            MeasuredChanges { since: since.clone(), changes, premises }
        };
        Some((executable, sides.iter().map(changes).collect()))
    });
    let compared: Vec<_> = compared.collect();
    if !compared.is_empty() {
        lock.keep_measured_changes(compared);
    }
}

/// Returns the changes since the same other side that an earlier comparison of the same executable
/// has measured, without those of the benchmarks that were timed again. The others weren't selected,
/// or only counted.
fn not_timed_again(
    earlier: &[MeasuredChanges],
    since: &OtherSide,
    timed: &HashSet<String>,
) -> Vec<MeasuredChange> {
    let same = earlier.iter().find(|earlier| earlier.since.is_code_of(since));
    let changes = same.into_iter().flat_map(|same| &same.changes);
    changes.filter(|change| !timed.contains(&change.benchmark)).cloned().collect()
}

fn id(row: &Row) -> String {
    row.benchmark.id.to_string()
}

/// Returns what the verdict on a benchmark rests on and isn't equal.
fn unequal_premises(row: &Row) -> Option<(String, Vec<String>)> {
    let premises = row.comparison.as_ref()?.premises.iter();
    let unequal = premises.filter(|premise| premise.state != State::Equal);
    let unequal: Vec<String> = unequal.map(ToString::to_string).collect();
    (!unequal.is_empty()).then(|| (id(row), unequal))
}

/// Returns the change of a benchmark's typical time, if that is what its verdict tells.
fn change(row: &Row) -> Option<MeasuredChange> {
    let comparison = row.comparison.as_ref()?;
    let is_changed = comparison.verdict.is_change() || comparison.verdict == Verdict::Placement;
    let change = comparison.paired.as_ref().and(comparison.change)?.estimate;
    let is_typical = comparison.question() == Question::Typical;
    (is_changed && is_typical).then(|| MeasuredChange { benchmark: id(row), change })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn changes_are_kept_until_their_benchmarks_are_timed_again() {
        let since = |commit: &str| OtherSide::Revision { name: "HEAD".into(), commit: commit.into() };
        let changes = ["a::b", "a::c"].map(|id| MeasuredChange { benchmark: id.into(), change: 0.2 });
        let earlier = [MeasuredChanges {
            since: since("3f2a91c"),
            changes: changes.to_vec(),
            premises: BTreeMap::new(),
        }];
        let kept = |commit, timed: &[&str]| {
            let timed = timed.iter().map(|&id| id.to_owned()).collect();
            not_timed_again(&earlier, &since(commit), &timed)
        };
        assert_eq!(kept("3f2a91c", &[]), changes);
        assert_eq!(kept("3f2a91c", &["a::c"]), changes[..1]);
        assert_eq!(kept("6675360", &[]), [], "they are changes since another revision");
    }
}
