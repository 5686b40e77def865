//! The columns of a group of benchmarks, and their rows.

use super::in_terminal;
use super::measuring::Measured;
use crate::model::{Allocations, BenchmarkSpec, COUNTERS, ThroughputUnit};
use crate::report::{self, Bytes, Column, Table, Units, escape};
use crate::summary::{branch_miss_rate, instructions_per_cycle, per_operation, total_throughput};

/// The additional columns of a group.
pub(super) struct GroupColumns {
    throughput: Vec<ThroughputUnit>,
    is_compared: bool,
    counts_allocations: bool,
    counters: Vec<&'static str>,
}

impl GroupColumns {
    /// Returns the columns for these benchmarks. `is_compared`: some are compared with each other.
    pub(super) fn new(rows: &[&BenchmarkSpec], is_compared: bool) -> GroupColumns {
        let mut throughput: Vec<ThroughputUnit> = Vec::new();
        for &unit in rows.iter().flat_map(|row| row.throughput.iter().flatten()) {
            if !throughput.contains(&unit) {
                throughput.push(unit);
            }
        }
        let counts_allocations = crate::alloc::is_installed();
        let is_read = |name: &&str| {
            let mut read = rows.iter().flat_map(|row| row.counters.iter().flatten());
            read.any(|other| other == name)
        };
        let counters = COUNTERS.into_iter().filter(is_read).collect();
        GroupColumns { throughput, is_compared, counts_allocations, counters }
    }

    /// Returns the headings before a row of the group `place`.
    pub(super) fn headings(&self, table: &mut Table, place: &str, row: &BenchmarkSpec) -> String {
        let rates: Vec<String> = self.throughput.iter().map(|unit| format!("{}/s", unit.word())).collect();
        let column = |title, width| Column { title, width };
        let mut columns: Vec<Column> = rates.iter().map(|title| column(title, 10)).collect();
        columns.extend(self.is_compared.then_some(column("relative", 8)));
        if self.counts_allocations {
            columns.extend([column("allocs", 6), column("bytes", 7), column("peak", 7)]);
        }
        columns.extend(self.counters.iter().map(|name| column(name, name.len())));
        columns.extend(self.reads(["instructions", "cycles"]).then_some(column("IPC", 5)));
        columns.extend(self.reads(["branch-misses", "branches"]).then_some(column("miss%", 6)));
        table.headings_with_columns("", place, &columns) + &table.function_heading(&row.id)
    }

    fn reads(&self, counters: [&str; 2]) -> bool {
        counters.iter().all(|name| self.counters.contains(name))
    }

    /// Returns the line of a row: its figures, or the reason why it has none.
    pub(super) fn row(
        &self,
        table: &Table,
        row: &BenchmarkSpec,
        name: &str,
        result: Result<&Measured, &str>,
        relative: Option<f64>,
    ) -> String {
        match result {
            Ok(measured) if measured.summary.below_resolution => {
                let Measured { measurement, summary } = measured;
                let remark = report::below_resolution(row, measurement, summary);
                in_terminal(&table.remark_row(name, &remark))
            }
            Ok(measured) => {
                let mut cells = report::figure_cells(row, &measured.summary, Units::default());
                if report::is_uncertain(&measured.measurement, &measured.summary) {
                    cells[0] = report::mark_unstable(&cells[0]);
                }
                cells.extend(self.cells(row, measured, relative));
                table.row(name, &cells)
            }
            Err(why) => in_terminal(&table.remark_row(name, &format!("failed: {}", escape(why)))),
        }
    }

    fn cells(&self, benchmark: &BenchmarkSpec, measured: &Measured, relative: Option<f64>) -> Vec<String> {
        let Measured { measurement, summary } = measured;
        let amounts = total_throughput(benchmark, measurement, summary);
        let rate = |unit: &ThroughputUnit| {
            let amount = amounts.iter().find(|amount| amount.name == unit.word())?;
            Some(report::per_second(amount.value, unit.word(), Bytes::default()))
        };
        let mut cells: Vec<Option<String>> = self.throughput.iter().map(rate).collect();
        if self.is_compared {
            cells.push(relative.map(report::percent));
        }
        let counts = measurement.counts.as_ref();
        if self.counts_allocations {
            let of = |value: fn(&Allocations) -> u64| {
                counts.and_then(|counts| Some((value(counts.allocations.as_ref()?) as f64, counts)))
            };
            let an_operation = |value| of(value).map(|(total, all)| per_operation(total, all, measurement));
            cells.push(an_operation(|of| of.allocations).map(report::quantity));
            cells.push(an_operation(|of| of.bytes).map(|bytes| report::size(bytes, Bytes::default())));
            cells.push(of(|of| of.peak).map(|(peak, _)| report::size(peak, Bytes::default())));
        }
        for name in &self.counters {
            let total = counts.and_then(|counts| Some((counts.counter(name)?, counts)));
            cells.push(total.map(|(total, all)| report::quantity(per_operation(total, all, measurement))));
        }
        if self.reads(["instructions", "cycles"]) {
            cells.push(counts.and_then(instructions_per_cycle).map(|ratio| format!("{ratio:.2}")));
        }
        if self.reads(["branch-misses", "branches"]) {
            cells.push(counts.and_then(branch_miss_rate).map(report::percent));
        }
        cells.into_iter().map(|cell| cell.unwrap_or_else(|| "-".to_owned())).collect()
    }
}
