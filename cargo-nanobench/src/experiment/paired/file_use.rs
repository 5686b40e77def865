//! The use of the files of a block: when they are renewed, or moved to another place in memory.

use std::time::{Duration, Instant};

/// Files that take longer serve several rounds, even if new ones are worth their cost.
const MAX_TIME_FOR_A_ROUND: Duration = Duration::from_millis(500);

/// Age beyond which files are renewed for blocks that only add launches, each of which tells little.
const MAX_AGE: Duration = Duration::from_millis(250);

/// The cost of the files of a block, and their use so far.
#[derive(Debug)]
pub(super) struct FileUse {
    at: Instant,
    /// The time that it took to make them.
    pub(super) time: Duration,
    /// The largest number of blocks of any benchmark that used the files.
    pub(super) blocks: u32,
}

impl FileUse {
    /// Creates the value for files that were begun at this time and not used yet.
    pub(super) fn since(begin: Instant) -> FileUse {
        FileUse { at: Instant::now(), time: begin.elapsed(), blocks: 0 }
    }

    /// Returns whether the files are too old for blocks that only add launches.
    pub(super) fn are_old(&self) -> bool {
        self.at.elapsed() >= MAX_AGE
    }

    /// Returns whether the files were used for long enough: what the same files yield counts once, so they
    /// are renewed for each round, unless that took most of the time.
    pub(super) fn is_due(&self) -> bool {
        self.is_due_after(self.at.elapsed())
    }

    /// Returns whether files that have existed for this long were used by a block of each benchmark, and for
    /// as long as they took to make.
    fn is_due_after(&self, lifetime: Duration) -> bool {
        self.blocks > 0 && lifetime >= self.time
    }

    /// Returns whether each round may have files of its own, however short it is.
    pub(super) fn are_affordable(&self) -> bool {
        self.time <= MAX_TIME_FOR_A_ROUND
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_renewed_for_each_round_as_their_cost_allows() {
        let second = Duration::from_secs(1);
        let made = |blocks| FileUse { at: Instant::now(), time: second, blocks };
        assert!(!made(0).is_due_after(60 * second), "in the same round");
        assert!(!made(1).is_due_after(second / 2), "as expensive as all blocks");
        assert!(made(1).is_due_after(second));
    }
}
