//! The times that the blocks of a benchmark took, and that a later one will take.

use super::block::Block;
use std::time::Duration;

/// The times of the blocks of a benchmark so far.
#[derive(Debug, Default)]
pub(crate) struct BlockTimes {
    /// Number of all blocks.
    blocks: u32,
    /// Time of all blocks that tell about the typical time.
    pub(super) of_typical_time: Duration,
    /// The part of it in which long launches were sampled.
    pub(crate) of_long_launches: Duration,
    /// Time of all blocks.
    all: Duration,
    /// The part of it that is not sampling.
    overhead: Duration,
}

impl BlockTimes {
    /// Adds a block. `adds_evidence`: it tells about the typical time.
    pub(super) fn add(&mut self, block: &Block, adds_evidence: bool) {
        self.blocks += 1;
        self.all += block.elapsed;
        self.overhead += block.elapsed.saturating_sub(block.sampling_time + block.long_time);
        if adds_evidence {
            self.of_typical_time += block.elapsed;
            self.of_long_launches += block.long_time;
        }
    }

    /// Returns the time of a block on average.
    pub(crate) fn mean(&self) -> Duration {
        self.all / self.blocks.max(1)
    }

    /// Returns the typical time of a block that is not sampling.
    pub(super) fn overhead(&self) -> Duration {
        self.overhead / self.blocks.max(1)
    }
}
