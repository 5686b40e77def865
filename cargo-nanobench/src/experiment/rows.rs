//! The rows of a run, reported in the order of the suite, and its progress.

use super::benchmark_state::BenchmarkState;
use super::policy::ComparisonPolicy;
use super::row::Row;
use super::suite::Benchmark;
use std::collections::BTreeMap;
use std::time::Duration;

/// A listener to the progress of a run.
pub(crate) trait Observer {
    /// Called when a benchmark starts to run, or runs again. `left`: the estimated time until the
    /// end of the run.
    fn running(&mut self, benchmark: &Benchmark, left: Duration);
    /// Called with each row once it is final, in the order of the suite.
    fn done(&mut self, row: &Row);
    /// Called with the rows that are final already although rows above them are not, by their place
    /// in the suite.
    fn done_early(&mut self, rows: &BTreeMap<usize, Row>);
}

/// The rows that were reported so far.
pub(super) struct Rows<'a> {
    pub(super) reported: Vec<Row>,
    /// Final rows below others that are not, by their place.
    early: BTreeMap<usize, Row>,
    pub(super) observer: &'a mut dyn Observer,
}

impl<'a> Rows<'a> {
    pub(super) fn new(observer: &'a mut dyn Observer) -> Rows<'a> {
        Rows { reported: Vec::new(), early: BTreeMap::new(), observer }
    }

    /// Reports the rows of benchmarks that changed and need no further measurements, and those
    /// below them that waited for them.
    pub(super) fn report_final(
        &mut self,
        states: &[BenchmarkState<'_>],
        changed: &[usize],
        policy: &ComparisonPolicy,
    ) {
        let unreported = changed.iter().filter(|&&place| place >= self.reported.len());
        let rows: Vec<(usize, Row)> =
            unreported.filter_map(|&place| Some((place, states[place].final_row(policy)?))).collect();
        if rows.is_empty() {
            return;
        }
        self.early.extend(rows);
        while let Some(row) = self.early.remove(&self.reported.len()) {
            self.report(row);
        }
        self.observer.done_early(&self.early);
    }

    /// Reports the next row.
    pub(super) fn report(&mut self, row: Row) {
        self.observer.done(&row);
        self.reported.push(row);
    }
}
