//! The rows of a run, reported in the order of the suite.

use super::benchmark_state::BenchmarkState;
use super::policy::ComparisonPolicy;
use super::row::Row;
use super::suite::Benchmark;

/// A listener to the progress of a run.
pub(crate) trait Observer {
    /// Called when a benchmark starts to run, or runs again.
    fn running(&mut self, benchmark: &Benchmark);
    /// Called with each row once it is final, in the order of the suite.
    fn done(&mut self, row: &Row);
}

/// The rows that were reported so far.
pub(super) struct Rows<'a> {
    pub(super) reported: Vec<Row>,
    pub(super) observer: &'a mut dyn Observer,
}

impl Rows<'_> {
    /// Reports the next rows, up to the first benchmark that needs further measurements.
    pub(super) fn report_final(&mut self, states: &[BenchmarkState<'_>], policy: &ComparisonPolicy) {
        while let Some(row) = states.get(self.reported.len()).and_then(|next| next.final_row(policy)) {
            self.report(row);
        }
    }

    /// Reports a row.
    pub(super) fn report(&mut self, row: Row) {
        self.observer.done(&row);
        self.reported.push(row);
    }
}
