//! The use of the files of a block.

use std::time::{Duration, Instant};
use verdicts::Renewal;

/// Files that take longer serve several rounds, even if new ones are worth their cost.
const MAX_TIME_FOR_A_ROUND: Duration = Duration::from_millis(500);

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

    /// Returns whether the files are renewed now. Within a round, no benchmark runs the same files twice.
    pub(super) fn is_due(&self, renewal: Renewal) -> bool {
        self.blocks > 0 && renewal.is_due(self.at.elapsed(), self.time)
    }

    /// Returns whether each round may have files of its own, however short it is.
    pub(super) fn are_affordable(&self) -> bool {
        self.time <= MAX_TIME_FOR_A_ROUND
    }
}
