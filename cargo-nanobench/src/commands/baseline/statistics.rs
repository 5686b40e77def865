//! The figures of a saved run as a table with statistics.

use crate::commands::saved;
use crate::experiment::Benchmark;
use crate::report::{ComparedRun, RequestedColumns, TableOptions, TableReport};
use nanobench::report::counted;

/// Returns the table of a saved run.
pub(super) fn table(run: &ComparedRun, verbose: bool) -> String {
    let ComparedRun { header, rows, .. } = run;
    let selected: Vec<Benchmark> = rows.iter().map(|row| row.benchmark.clone()).collect();
    let measurements = || rows.iter().filter_map(|row| Some(row.resolved()?.0));
    let launches = measurements().any(|measurement| measurement.launches.len() > 1);
    let first_call = measurements().any(|measurement| measurement.first_calls.is_some());
    let columns = RequestedColumns { statistics: true, launches, first_call, ..RequestedColumns::default() };
    let options = TableOptions { columns, ..saved::table_options(verbose) };
    let mut table = TableReport::new(header, &selected, options);
    let mut lines: String = rows.iter().map(|row| table.row(row)).collect();
    lines += &table.finish();
    lines += &table.extra_columns(rows);
    lines + &format!("\n{}.\n", counted(rows.len(), "benchmark"))
}
