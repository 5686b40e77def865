//! What rows have besides their times, in a table of its own: where there is no room for it beside these.

use super::RunHeader;
use super::columns::{Extras, TableOptions, columns, headings};
use super::layout::Layout;
use super::table::NONE;
use crate::experiment::{Benchmark, Row};
use nanobench::report::{Column, Table};

/// The table of those rows `of` a run that have something in such a column. Empty where none has.
pub(super) fn table(
    of: &str,
    header: &RunHeader,
    rows: &[Row],
    shown: TableOptions<'_>,
    scale: Option<&Row>,
) -> String {
    let all: Vec<Benchmark> = rows.iter().map(|row| row.benchmark.clone()).collect();
    let extras = Extras::of(header, &all, shown).in_use(rows, shown, scale);
    let cells = |row| extras.cells(row, shown, scale);
    let rows: Vec<&Row> = rows.iter().filter(|row| cells(row).iter().any(Option::is_some)).collect();
    if rows.is_empty() {
        return String::new();
    }
    let shown_ones: Vec<Benchmark> = rows.iter().map(|row| row.benchmark.clone()).collect();
    let common = headings(&extras.common);
    let common: Vec<Column<'_>> = columns(&common).collect();
    let mut table = Layout::of_extras(&extras, shown).table(&common, &shown_ones);
    let mut lines = format!("\nmore of {of}:\n");
    for row in rows {
        let found = &row.benchmark;
        let own = headings(extras.own_of(found));
        let own: Vec<Column<'_>> = columns(&own).collect();
        lines += &table.headings_with_columns(found.package(), &found.group, &own);
        lines += &table.function_heading(&found.id.row);
        let cells = cells(row).into_iter().map(|cell| cell.unwrap_or_else(|| NONE.to_owned()));
        lines += &table.row(&Table::row_name(&found.id.row), &cells.collect::<Vec<_>>());
    }
    lines
}
