//! Launches, executables and other resources that several benchmarks share.

use super::benchmark::PairedBenchmark;
use super::block_log::BlockLog;
use super::error::BlockError;
use super::fresh_executables::{Files, FreshExecutables};
use super::processes::Launches;
use super::run::PairedRun;
use crate::session::Session;
use nanobench::Rng;
use nanobench::model::ClockCalibration;
use std::path::PathBuf;
use std::time::Instant;
use verdicts::Renewal;

/// Resources that the blocks of all benchmarks share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub rng: Rng,
    pub(super) log: BlockLog,
    /// The processes of the last block. They have torn down their benchmarks, and exit while those
    /// of the next block start. Nothing is measured meanwhile.
    pub exiting: Vec<Session>,
}

impl Shared {
    pub(crate) fn new() -> Shared {
        Shared { rng: Rng::new(), log: BlockLog::from_environment(), exiting: Vec::new() }
    }
}

/// The executables of baseline and candidate.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Executables {
    pub(super) paths: [PathBuf; 2],
    pub(super) files: Files,
}

/// Resources that the benchmarks of the same executables share.
#[derive(Debug)]
pub(crate) struct ExecutablePair {
    pub files: FreshExecutables,
    /// The clock and its costs. `None` before the first calibration, unless own samples had one.
    pub clock: Option<ClockCalibration>,
}

impl ExecutablePair {
    pub(crate) fn of(benchmark: &PairedBenchmark) -> ExecutablePair {
        let Executables { paths, files } = benchmark.executables();
        let layouts = benchmark.layouts().cloned();
        let files = FreshExecutables::new(paths, files, layouts, benchmark.are_identical());
        let clock = benchmark.own.as_ref().map(|own| own.clock.clone());
        ExecutablePair { files, clock }
    }

    /// Starts the launches of a block for these calibrated benchmarks.
    pub(crate) fn start(
        &mut self,
        runs: &[&PairedRun],
        Shared { rng, exiting, .. }: &mut Shared,
    ) -> Result<Launches, BlockError> {
        let begin = Instant::now();
        if cfg!(windows) || runs.iter().any(|run| run.benchmark.session_options.one_at_a_time) {
            // No other process may live then. On Windows, the files of running processes can't be deleted.
            exiting.clear();
        }
        let benchmarks: Vec<&PairedBenchmark> = runs.iter().map(|run| &run.benchmark).collect();
        let renewal = runs.iter().map(|run| run.renewal()).max().unwrap_or(Renewal::Never);
        let paths = self.files.paths(renewal, rng);
        let clock = runs.iter().find_map(|run| run.clock()).expect("calibrated before");
        let of_only_row = clock.prepared_segment.filter(|_| runs.len() == 1);
        let clock = ClockCalibration { prepared_segment: of_only_row, ..clock.clone() };
        let launches = Launches::start(&benchmarks, clock, &paths, begin, rng)?;
        exiting.clear();
        Ok(launches)
    }
}
