//! Resources that several benchmarks share.

use super::block_log::BlockLog;
use super::fresh_executables::FreshExecutables;
use crate::relink::Layouts;
use crate::session::Session;
use nanobench::Rng;
use nanobench::model::ClockCalibration;
use std::path::PathBuf;

/// Resources that the blocks of all benchmarks share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) rng: Rng,
    pub(super) log: BlockLog,
    /// The processes of the last block. They have torn down their benchmarks, and exit while those
    /// of the next block start. Nothing is measured meanwhile.
    pub(super) exiting: Vec<Session>,
}

/// The executables of baseline and candidate, which run as layouts or as they are.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Executables {
    pub(super) paths: [PathBuf; 2],
    pub(super) are_layouts: bool,
}

/// Resources that the benchmarks of the same executables share.
#[derive(Debug)]
pub(super) struct ExecutablePair<'a> {
    pub(super) files: FreshExecutables<'a>,
    /// The clock and its costs. `None` before the first calibration.
    pub(super) clock: Option<ClockCalibration>,
}

impl<'a> ExecutablePair<'a> {
    pub(super) fn new(executables: [PathBuf; 2], layouts: Option<&'a Layouts>) -> ExecutablePair<'a> {
        ExecutablePair { files: FreshExecutables::new(executables, layouts), clock: None }
    }
}
