//! The use of the files of a block: when they are renewed, or moved to another place in memory.

use std::time::{Duration, Instant};

/// Files that were used this many times as long as making them took are renewed, once in a round: a
/// seventh of the time at most goes into making them.
const CHEAP_LIFETIME_RATIO: u32 = 6;
/// The same ratio for layouts of code that is not known to differ: they are as good or bad for both
/// sides.
const EQUAL_LAYOUTS_LIFETIME_RATIO: u32 = 20;
/// Files that a benchmark used for this many blocks are renewed even if that is expensive. Layouts
/// that are as good or bad for both sides are only moved to another place in memory.
const MAX_BLOCKS: u32 = 3;
/// Files are used at least this many times as long as making them took, however many blocks that
/// is: copying very large executables takes no more than half of the time.
const MIN_LIFETIME_RATIO: u32 = 1;

/// Files that take longer serve several rounds, even if new ones are worth their cost.
const MAX_TIME_FOR_A_ROUND: Duration = Duration::from_millis(500);

/// Age beyond which layouts are renewed for blocks that only add launches.
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

    /// Returns whether the files were used for long enough. `are_equal_layouts`: they are layouts of
    /// code that is not known to differ; `are_needed`: new ones are worth their cost.
    pub(super) fn is_due(&self, are_equal_layouts: bool, are_needed: bool) -> bool {
        self.is_due_after(self.at.elapsed(), are_equal_layouts, are_needed)
    }

    /// Returns whether files that have existed for this long were used for long enough, and by a
    /// block of each benchmark.
    fn is_due_after(&self, lifetime: Duration, are_equal_layouts: bool, are_needed: bool) -> bool {
        let min_ratio = match are_equal_layouts {
            true => EQUAL_LAYOUTS_LIFETIME_RATIO,
            false if self.blocks >= MAX_BLOCKS || are_needed => MIN_LIFETIME_RATIO,
            false => CHEAP_LIFETIME_RATIO,
        };
        // Within a round, no benchmark runs the same files twice.
        self.blocks > 0 && lifetime >= self.time * min_ratio
    }

    /// Returns whether each round may have files of its own.
    pub(super) fn are_affordable(&self) -> bool {
        self.time <= MAX_TIME_FOR_A_ROUND
    }

    /// Returns whether layouts should be moved to another place in memory. `was_moved`: this is about the
    /// place that they were moved to. Links take longer than copies.
    pub(super) fn should_move(&self, was_moved: bool) -> bool {
        let min_ratio = if was_moved { CHEAP_LIFETIME_RATIO } else { MIN_LIFETIME_RATIO };
        self.blocks > 0 && self.at.elapsed() >= self.time * min_ratio
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_renewed_after_a_few_blocks_as_their_cost_allows() {
        let second = Duration::from_secs(1);
        let made = |blocks| FileUse { at: Instant::now(), time: second, blocks };
        assert!(!made(0).is_due_after(60 * second, false, true), "in the same round");
        assert!(!made(1).is_due_after(5 * second, false, false), "expensive");
        assert!(made(1).is_due_after(6 * second, false, false));
        assert!(made(1).is_due_after(second, false, true), "they are worth it");
        assert!(!made(MAX_BLOCKS).is_due_after(second / 2, false, true), "as expensive as all blocks");
        assert!(made(MAX_BLOCKS).is_due_after(second, false, false));
        assert!(!made(MAX_BLOCKS).is_due_after(19 * second, true, true), "layouts of the same code");
        assert!(made(MAX_BLOCKS).is_due_after(20 * second, true, false));
    }
}
