//! The figures of a saved run as a table with statistics.

use crate::experiment::Benchmark;
use crate::output;
use crate::report::{Charset, ComparedRun, RequestedColumns, TableOptions, TableReport};
use nanobench::report::{Units, counted};

/// Returns the table of a saved run.
pub(super) fn table(run: &ComparedRun, verbose: bool) -> String {
    let ComparedRun { header, rows, .. } = run;
    let selected: Vec<Benchmark> = rows.iter().map(|row| row.benchmark.clone()).collect();
    let measurements = || rows.iter().filter_map(|row| Some(row.resolved()?.0));
    let launches = measurements().any(|measurement| measurement.launches.len() > 1);
    let first_call = measurements().any(|measurement| measurement.first_calls.is_some());
    let options = TableOptions {
        verbose,
        units: Units::default(),
        columns: RequestedColumns { statistics: true, launches, first_call, ..RequestedColumns::default() },
        scale_to: None,
        width: output::width(),
        charset: Charset::of_stdout(),
    };
    let mut table = TableReport::new(header, &selected, options);
    let mut lines: String = rows.iter().map(|row| table.row(row)).collect();
    lines += &table.finish();
    lines += &table.extra_columns(rows);
    lines + &format!("\n{}.\n", counted(rows.len(), "benchmark"))
}
