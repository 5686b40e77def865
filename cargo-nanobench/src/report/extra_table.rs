//! The table of optional columns, for comparisons with a named baseline, and for columns that flags
//! add and that have no room.

use super::columns::{Column, NONE, TableOptions};
use super::extra_columns::ExtraColumns;
use super::layout::{Layout, MIN_NAME_WIDTH};
use crate::experiment::{Benchmark, Row};
use nanobench::report::{Column as TitledColumn, Table};

/// Returns the tables of all rows with a value in an optional column. Empty if there is no such
/// row.
pub(super) fn tables(
    run: &str,
    extras: &ExtraColumns,
    rows: &[Row],
    options: TableOptions<'_>,
    scale: Option<&Row>,
) -> String {
    let extras = extras.clone().in_use(rows, options, scale);
    let room = options.width.map_or(usize::MAX, |all| all.saturating_sub(MIN_NAME_WIDTH));
    let tables = extras.split(room).into_iter().map(|extras| table(&extras, rows, options, scale));
    let tables: Vec<String> = tables.filter(|table| !table.is_empty()).collect();
    // They continue each other.
    if tables.is_empty() { String::new() } else { format!("\nmore of {run}:\n{}", tables.join("\n")) }
}

fn table(extras: &ExtraColumns, rows: &[Row], options: TableOptions<'_>, scale: Option<&Row>) -> String {
    let cells = |row| extras.cells(row, options, scale);
    let rows: Vec<&Row> = rows.iter().filter(|row| cells(row).iter().any(Option::is_some)).collect();
    if rows.is_empty() {
        return String::new();
    }
    let benchmarks: Vec<Benchmark> = rows.iter().map(|row| row.benchmark.clone()).collect();
    let common: Vec<TitledColumn<'_>> = extras.common.iter().map(Column::titled).collect();
    let mut table = Layout::optional_columns(&benchmarks, extras, options).table(&common, &benchmarks);
    let mut lines = String::new();
    for row in rows {
        let benchmark = &row.benchmark;
        let own: Vec<TitledColumn<'_>> = extras.own_of(benchmark).iter().map(Column::titled).collect();
        lines += &table.headings_with_columns(benchmark.package(), &benchmark.group, &own);
        lines += &table.function_heading(&benchmark.id.row);
        let cells = cells(row).into_iter().map(|cell| cell.unwrap_or_else(|| NONE.to_owned()));
        lines += &table.row(&Table::row_name(&benchmark.id.row), &cells.collect::<Vec<_>>());
    }
    lines
}
