//! When the files of a block are renewed: what the same files yield counts once, but making them takes time.

use crate::evidence::Evidence;
use crate::rule::NextBlock;
use std::time::Duration;

/// Number of clusters without which nothing is known: fewer can't show that the time is the same.
pub(crate) const MIN_CLUSTERS: usize = 8;
/// Age beyond which files are renewed for blocks that only add launches, each of which tells little.
const MAX_AGE: Duration = Duration::from_millis(250);

/// When the files of a block are renewed, from the laziest to the most eager.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Renewal {
    /// Only the number of launches counts.
    Never,
    /// Only the number of launches counts, and those of other files may show a change.
    IfOld,
    /// They have served for as long as it took to make them: half of the time goes into making them at most.
    IfUsed,
    /// In each round, if they can be made soon enough.
    EachRound,
}

impl Renewal {
    /// Returns when the files of a benchmark's next block are renewed, by its evidence. `is_suspected`: more
    /// speaks for a change than against it; `needs_all`: it has few blocks, or code that may differ, so that
    /// layouts count.
    pub fn of(evidence: &Evidence, next: NextBlock, is_suspected: bool, needs_all: bool) -> Renewal {
        let has_few = evidence.clusters() < MIN_CLUSTERS;
        if next.only_adds_launches && !has_few {
            let may_show_change = is_suspected || next.long_pairs > 0 || evidence.awaits_other_files();
            if may_show_change { Renewal::IfOld } else { Renewal::Never }
        } else if needs_all {
            Renewal::EachRound
        } else {
            Renewal::IfUsed
        }
    }

    /// Returns whether files are renewed that have served for this time. `cost`: the time that it took to
    /// make them.
    pub fn is_due(self, age: Duration, cost: Duration) -> bool {
        match self {
            Renewal::Never => false,
            Renewal::IfOld => age >= cost.max(MAX_AGE),
            // With twice or three times the use, fewer benchmarks are known to be the same, and later
            // (simulated).
            Renewal::IfUsed | Renewal::EachRound => age >= cost,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_renewed_as_their_cost_and_use_allow() {
        let [cost, second] = [Duration::from_millis(100), Duration::from_secs(1)];
        let due = |renewal: Renewal, age: Duration| renewal.is_due(age, cost);
        assert!(!due(Renewal::Never, 60 * second));
        assert_eq!([MAX_AGE / 2, MAX_AGE].map(|age| due(Renewal::IfOld, age)), [false, true]);
        assert_eq!([cost / 2, cost].map(|age| due(Renewal::IfUsed, age)), [false, true]);
        assert!(!Renewal::IfOld.is_due(second, 2 * second), "very large executables");
    }
}
