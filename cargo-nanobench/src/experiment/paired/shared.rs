//! Resources that several benchmarks share.

use super::benchmark::PairedBenchmark;
use super::block_log::BlockLog;
use super::fresh_executables::{Files, FreshExecutables};
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

/// The executables of baseline and candidate.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Executables {
    pub(super) paths: [PathBuf; 2],
    pub(super) files: Files,
}

/// Resources that the benchmarks of the same executables share.
#[derive(Debug)]
pub(super) struct ExecutablePair<'a> {
    pub(super) files: FreshExecutables<'a>,
    /// The clock and its costs. `None` before the first calibration, unless own samples had one.
    pub(super) clock: Option<ClockCalibration>,
}

impl<'a> ExecutablePair<'a> {
    pub(super) fn of(benchmark: &PairedBenchmark<'a>) -> ExecutablePair<'a> {
        let Executables { paths, files } = benchmark.executables();
        let files = FreshExecutables::new(paths, files, benchmark.layouts(), benchmark.are_identical());
        let clock = benchmark.own.as_ref().map(|own| own.clock.clone());
        ExecutablePair { files, clock }
    }
}
