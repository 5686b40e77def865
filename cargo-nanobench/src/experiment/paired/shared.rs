//! Resources that several benchmarks share.

use super::block_log::BlockLog;
use super::fresh_executables::FreshExecutables;
use crate::relink::Layouts;
use crate::session::Session;
use nanobench::Rng;
use nanobench::model::ClockCalibration;
use std::path::PathBuf;

/// Number of rounds after which files are renewed even if all blocks count slow launches only.
const MAX_LAUNCH_ROUNDS: u32 = 8;

/// Resources that the blocks of all benchmarks share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) rng: Rng,
    pub(super) log: BlockLog,
    /// The processes of the last block. They have torn down their benchmarks, and exit while those
    /// of the next block start. Nothing is measured meanwhile.
    pub(super) exiting: Vec<Session>,
}

/// Resources that the benchmarks of two executables share.
#[derive(Debug)]
pub(super) struct ExecutablePair<'a> {
    pub(super) files: FreshExecutables<'a>,
    /// The clock and its costs. `None` before the first calibration.
    pub(super) clock: Option<ClockCalibration>,
    /// A block of this round told more than the number of slow launches.
    pub(super) has_typical_block: bool,
    /// Number of rounds since the last one with such a block.
    launch_rounds: u32,
}

impl<'a> ExecutablePair<'a> {
    pub(super) fn new(executables: [PathBuf; 2], layouts: Option<&'a Layouts>) -> ExecutablePair<'a> {
        let files = FreshExecutables::new(executables, layouts);
        ExecutablePair { files, clock: None, has_typical_block: false, launch_rounds: 0 }
    }

    /// Notes that each benchmark may have run a block with the current files. Several rounds count
    /// as one if their blocks tell only the number of slow launches: the place of a file hardly
    /// makes a launch a slow one.
    pub(super) fn end_round(&mut self) {
        self.launch_rounds += 1;
        if std::mem::take(&mut self.has_typical_block) || self.launch_rounds >= MAX_LAUNCH_ROUNDS {
            self.launch_rounds = 0;
            self.files.end_round();
        }
    }
}
