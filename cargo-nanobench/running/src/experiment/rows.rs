//! The rows of a run, reported in the order of the suite, and its progress.

use super::progress::Progress;
use super::row::{Outcome, Row};
use super::suite::{Benchmark, Harness};
use crate::code::{KnownExecutables, timed_loop};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// A listener to the progress of a run.
pub trait Observer {
    /// Called when a benchmark starts to run, or runs again.
    fn running(&mut self, benchmark: &Benchmark, remaining: Remaining);
    /// Called before benchmarks are compared whose calls take long: with the slowest one, the time of a call
    /// of it, and the number and the estimated time of all.
    fn takes_long(&mut self, slowest: &Benchmark, call: Duration, number: usize, time: Duration);
    /// Called with each row once it is final, in the order of the suite.
    fn done(&mut self, row: &Row);
    /// Called with the rows that are final already although rows above them are not, by their place
    /// in the suite.
    fn done_early(&mut self, rows: &BTreeMap<usize, Row>);
}

/// The time and the suspicions that remain in a run.
#[derive(Debug, Clone, Copy)]
pub struct Remaining {
    /// Estimated time until its end.
    pub time: Duration,
    /// Number of benchmarks in which a change is suspected, and neither confirmed nor dismissed.
    pub suspected: usize,
}

impl From<Duration> for Remaining {
    fn from(time: Duration) -> Remaining {
        Remaining { time, suspected: 0 }
    }
}

/// The rows that were reported so far.
pub(super) struct Rows<'a> {
    pub(super) reported: Vec<Row>,
    /// Final rows below others that are not, by their place.
    early: BTreeMap<usize, Row>,
    pub(super) observer: &'a mut dyn Observer,
    machine_code: &'a KnownExecutables,
    /// The executables of the suite.
    executables: Vec<PathBuf>,
}

/// The longest iteration, in empty loops, whose code is examined. Work that takes longer wasn't
/// removed.
const MAX_EMPTY_LOOPS: f64 = 32.0;

impl<'a> Rows<'a> {
    pub(super) fn new(
        observer: &'a mut dyn Observer,
        harnesses: &[Harness],
        machine_code: &'a KnownExecutables,
    ) -> Rows<'a> {
        Rows {
            reported: Vec::new(),
            early: BTreeMap::new(),
            observer,
            machine_code,
            executables: harnesses.iter().map(|harness| harness.executable.path.clone()).collect(),
        }
    }

    /// Reports the rows of benchmarks that changed and need no further measurements, and those
    /// below them that waited for them.
    pub(super) fn report_final(&mut self, benchmarks: &[Progress<'_>], changed: &[usize]) {
        let unreported = changed.iter().filter(|&&place| place >= self.reported.len());
        let rows =
            unreported.filter_map(|&place| Some((place, self.examined(benchmarks[place].final_row()?))));
        let rows: Vec<(usize, Row)> = rows.collect();
        if rows.is_empty() {
            return;
        }
        self.early.extend(rows);
        while let Some(row) = self.early.remove(&self.reported.len()) {
            self.push(row);
        }
        self.observer.done_early(&self.early);
    }

    /// Reports the next row.
    pub(super) fn report(&mut self, row: Row) {
        let row = self.examined(row);
        self.push(row);
    }

    /// Returns a row with the code in the timed loop, if the benchmark is short.
    fn examined(&self, mut row: Row) -> Row {
        if may_have_lost_work(&row.outcome) {
            let executable = &self.executables[row.benchmark.harness];
            let code = row.benchmark.code();
            row.benchmark.timed_loop = timed_loop(self.machine_code, executable, &code);
        }
        row.withdraw_lost_work();
        row
    }

    fn push(&mut self, row: Row) {
        self.observer.done(&row);
        self.reported.push(row);
    }
}

/// Returns whether an iteration is so short that it may be what the optimiser left.
fn may_have_lost_work(outcome: &Outcome) -> bool {
    let Outcome::Measured { measurement, summary } = outcome else { return false };
    let iteration = summary.median * measurement.operations() as f64;
    measurement.launches.iter().any(|launch| iteration <= MAX_EMPTY_LOOPS * launch.empty_loop)
}
