//! The times that the blocks of a benchmark took, and that a later one will take.

use super::block::{Block, MIN_SAMPLING_SHARE};
use super::block_plan::{BlockSampling, LongLaunches};
use std::time::Duration;

/// The times of the blocks of a benchmark so far.
#[derive(Debug, Default)]
pub(super) struct BlockTimes {
    /// Number of all blocks.
    blocks: u32,
    /// Time of all blocks that tell about the typical time.
    pub(super) of_typical_time: Duration,
    /// The part of it in which long launches were sampled.
    pub(super) of_long_launches: Duration,
    /// Time of all blocks that is not sampling.
    overhead: Duration,
    /// Longest time that the long launches of a pair took.
    longest_long_pair: Duration,
}

impl BlockTimes {
    /// Adds a block that sampled like this. `adds_evidence`: it tells about the typical time.
    pub(super) fn add(&mut self, block: &Block, sampling: &BlockSampling, adds_evidence: bool) {
        self.blocks += 1;
        self.overhead += block.elapsed.saturating_sub(block.sampling_time + block.long_time);
        if adds_evidence {
            self.of_typical_time += block.elapsed;
            self.of_long_launches += block.long_time;
        }
        let long_pairs = sampling.long_launches.map_or(1, |long_launches| long_launches.pairs as u32);
        let long_pair = block.long_time / long_pairs.max(1);
        self.longest_long_pair = self.longest_long_pair.max(long_pair);
    }

    /// Returns the typical time of a block that is not sampling.
    pub(super) fn overhead(&self) -> Duration {
        self.overhead / self.blocks.max(1)
    }

    /// Returns the estimated time of a block that samples like this.
    pub(super) fn estimate(&self, sampling: &BlockSampling) -> Duration {
        let overhead = self.overhead();
        let long_time =
            sampling.long_launches.map_or(Duration::ZERO, |LongLaunches { pairs, time, .. }| {
                self.longest_long_pair.max(time * 2) * pairs as u32
            });
        overhead + sampling.time.max(overhead.mul_f64(MIN_SAMPLING_SHARE)) + long_time
    }
}
