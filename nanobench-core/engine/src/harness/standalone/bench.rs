//! The table of `cargo bench`, which grows while the benchmarks are measured.

use super::endless;
use super::measuring::{Measured, Suite};
use crate::complexity::{SeriesComplexity, complexity};
use crate::configuration::Configuration;
use crate::doubt::{self, Doubt, SettingsBy};
use crate::fitness;
use crate::harness::cli_arguments::CliArguments;
use crate::harness::rows::{self, Row};
use crate::measure::Engine;
use crate::model::{Allocations, BenchmarkSpec, COUNTERS, ClockCalibration, KeyValue, ThroughputUnit};
use crate::report::{self, Bytes, Column, FIGURE_COLUMNS, NameFit, Styles, Table, Units, escape};
use crate::summary::{branch_miss_rate, instructions_per_cycle, per_operation, total_throughput};
use crate::text::{path_parts, wrapped};
use std::io::IsTerminal as _;
use std::num::NonZero;

const ABOUT_THREADS: &str =
    "with several threads, the time is that of one thread; rates are those of all threads together";
/// The width of lines in a terminal.
const TERMINAL_WIDTH: usize = 80;

/// Measures the benchmarks and prints their table. Returns the number of failures.
pub(super) fn bench(mut selected: Vec<Row>, arguments: &CliArguments, is_unoptimized: bool) -> usize {
    selected.retain(|row| arguments.measures(&row.benchmark));
    let unreadable = rows::remove_unreadable_counters(&mut selected);
    let engine = Engine::new();
    print!("{}", in_terminal(&heading(&engine)));
    if !fitness::is_suppressed() {
        print!("{}", fitness::warnings(is_unoptimized));
        for KeyValue { key, value } in unreadable {
            println!("cannot count {key}: {value}");
        }
    }
    println!();
    let rows = grouped(selected.iter());
    let configuration = Configuration::from_environment();
    endless::run_if_requested(&engine, &rows, &configuration);
    let mut suite = Suite::new(&engine, &rows, &configuration);
    let names: Vec<String> = rows.iter().map(|row| Table::row_name(&row.benchmark.id)).collect();
    let mut table =
        Table::new(&columns(&rows), names.iter().map(|name| ("", name.as_str())), NameFit::default())
            .with_styles(styles());
    let (mut failures, mut first) = (0, 0);
    for group in rows.chunk_by(|a, b| place(a) == place(b)) {
        let mut of_group = Vec::new();
        let columns = GroupColumns::new(&suite, first..first + group.len(), group);
        for function in group.chunk_by(|a, b| std::ptr::eq(a.entry, b.entry)) {
            let mut times = Vec::new();
            for (i, row) in (first..).zip(function) {
                suite.measure(i);
                let result = suite.result(i);
                print!("{}", columns.headings(&mut table, row));
                print!("{}", columns.row(&table, row, &names[i], result, suite.relative(i)));
                failures += usize::from(result.is_err());
                let measured = result.ok().filter(|of| !of.summary.below_resolution);
                let time = measured.map(|of| (&row.benchmark, of.summary.median));
                if is_fitted_in_group(row) { of_group.extend(time) } else { times.extend(time) }
            }
            first += function.len();
            print!("{}{}", function_remarks(&table, function), curves(&table, times));
        }
        print!("{}", curves(&table, of_group));
    }
    let teardown_failures = rows::tear_down(&selected);
    for failure in &teardown_failures {
        eprintln!("nanobench: {failure}");
    }
    println!("\n{}", report::counted(rows.len(), "benchmark"));
    if !fitness::is_suppressed() {
        for line in doubts(&rows, &suite) {
            print!("{}", in_terminal(&line));
        }
    }
    if rows.iter().any(|row| row.benchmark.id.conditions.threads.is_some()) {
        print!("{}", in_terminal(ABOUT_THREADS));
    }
    failures + usize::from(!teardown_failures.is_empty())
}

/// Returns whole lines that fit into a terminal if stdout is one.
fn in_terminal(lines: &str) -> String {
    let is_terminal = std::io::stdout().is_terminal();
    let mut text = String::new();
    for line in lines.lines() {
        text += &if is_terminal { wrapped(line, TERMINAL_WIDTH) } else { line.to_owned() };
        text.push('\n');
    }
    text
}

/// Returns the lines about doubtful figures.
fn doubts(rows: &[&Row], suite: &Suite) -> Vec<String> {
    let cores = std::thread::available_parallelism().map(NonZero::get);
    let mut named = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        let Ok(Measured { measurement, summary }) = suite.result(i) else { continue };
        let threads = row.benchmark.id.conditions.threads.filter(|_| !summary.below_resolution);
        let turns = threads.zip(cores.as_ref().ok());
        let mut found = Doubt::find(measurement, summary);
        found.extend(turns.and_then(|(threads, cores)| Doubt::from_threads(threads, *cores)));
        let name = row.benchmark.id.to_string();
        let telling = Doubt::telling(&found);
        found.retain(|doubt| !doubt.may_be_disturbance());
        named.extend(telling.into_iter().chain(found).map(|doubt| (name.clone(), doubt)));
    }
    doubt::lines(named, SettingsBy::Attribute)
}

/// Returns the styles that stdout takes. Older consoles of Windows take none.
fn styles() -> Styles {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let refuses =
        !variable("NO_COLOR").is_empty() || variable("CLICOLOR") == "0" || variable("TERM") == "dumb";
    if cfg!(windows) || refuses || !std::io::stdout().is_terminal() {
        Styles::default()
    } else {
        Styles::TERMINAL
    }
}

fn heading(engine: &Engine) -> String {
    let ClockCalibration { clock, empty_loop, .. } = engine.clock_calibration();
    format!(
        "nanobench {}  clock {} (resolution {}, read {}), empty loop {}",
        env!("CARGO_PKG_VERSION"),
        clock.name,
        report::time(clock.resolution),
        report::time(clock.read_cost),
        report::time(*empty_loop),
    )
}

/// Returns the rows with those of a group next to each other, at the place of the first of them.
fn grouped<'a>(rows: impl Iterator<Item = &'a Row>) -> Vec<&'a Row> {
    let mut places: Vec<String> = Vec::new();
    let mut placed: Vec<(usize, &Row)> = Vec::new();
    for row in rows {
        let place = place(row);
        let index = places.iter().position(|other| *other == place).unwrap_or_else(|| {
            places.push(place);
            places.len() - 1
        });
        placed.push((index, row));
    }
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, row)| row).collect()
}

/// Returns the heading of a row: the executable and its group, or its modules.
fn place(row: &Row) -> String {
    let target = path_parts(row.entry.module_path).first().copied().unwrap_or_default();
    match row.benchmark.group.as_deref().unwrap_or(&row.benchmark.id.modules) {
        "" => target.to_owned(),
        group => format!("{target}::{group}"),
    }
}

/// Returns the columns that all rows have.
fn columns(rows: &[&Row]) -> Vec<Column<'static>> {
    let width = report::min_unit_width(rows.iter().map(|row| &row.benchmark));
    let mut columns = FIGURE_COLUMNS.to_vec();
    for column in [0, 2] {
        columns[column].width = columns[column].width.max(width);
    }
    columns
}

/// Returns the lines about a function below its last row.
fn function_remarks(table: &Table, rows: &[&Row]) -> String {
    let context = &rows[0].benchmark.context;
    let pairs = context.iter().flatten().map(|pair| format!("{}={}", pair.key, pair.value));
    let context = pairs.collect::<Vec<_>>().join(", ");
    let mut lines = match context.is_empty() {
        true => String::new(),
        false => table.detail_row("context", &escape(&context)),
    };
    for row in rows {
        if let Some(why) = &row.benchmark.relation_error {
            lines += &table.remark_row(
                &Table::row_name(&row.benchmark.id),
                &format!("compared with nothing: {}", escape(why)),
            );
        }
    }
    lines
}

/// Returns whether the row has a fixed size, for a fit over its group.
fn is_fitted_in_group(row: &Row) -> bool {
    row.benchmark.complexity.as_ref().is_some_and(|input| input.label.is_none())
}

/// Returns the lines about the complexities of a function or a group, below its rows.
fn curves(table: &Table, times: Vec<(&BenchmarkSpec, f64)>) -> String {
    let mut lines = String::new();
    for SeriesComplexity { scope, case, fits, unfitted } in complexity(times) {
        let of = if case.is_empty() { String::new() } else { format!("{}: ", escape(&case)) };
        if let Some(best) = fits.first() {
            let coefficient = report::time(best.coefficient);
            let text = format!("{of}coefficient {coefficient}, err {}", report::percent(best.error));
            lines += &table.remark_row(&Table::curve_name(&scope, &best.name), &text);
        }
        lines += &unfitted.map_or_else(String::new, |curve| table.unfitted_row(&scope, &of, &curve));
    }
    lines
}

/// The additional columns of a group.
struct GroupColumns {
    throughput: Vec<ThroughputUnit>,
    is_compared: bool,
    counts_allocations: bool,
    counters: Vec<&'static str>,
}

impl GroupColumns {
    fn new(suite: &Suite, mut places: std::ops::Range<usize>, rows: &[&Row]) -> GroupColumns {
        let mut throughput: Vec<ThroughputUnit> = Vec::new();
        for &unit in rows.iter().flat_map(|row| row.benchmark.throughput.iter().flatten()) {
            if !throughput.contains(&unit) {
                throughput.push(unit);
            }
        }
        let counts_allocations = crate::alloc::is_installed();
        let is_read = |name: &&str| {
            let mut read = rows.iter().flat_map(|row| row.benchmark.counters.iter().flatten());
            read.any(|other| other == name)
        };
        let counters = COUNTERS.into_iter().filter(is_read).collect();
        let is_compared = places.any(|i| suite.is_compared(i));
        GroupColumns { throughput, is_compared, counts_allocations, counters }
    }

    /// Returns the headings before a row.
    fn headings(&self, table: &mut Table, row: &Row) -> String {
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
        table.headings_with_columns("", &place(row), &columns) + &table.function_heading(&row.benchmark.id)
    }

    fn reads(&self, counters: [&str; 2]) -> bool {
        counters.iter().all(|name| self.counters.contains(name))
    }

    /// Returns the line of a row: its figures, or the reason why it has none.
    fn row(
        &self,
        table: &Table,
        row: &Row,
        name: &str,
        result: Result<&Measured, &str>,
        relative: Option<f64>,
    ) -> String {
        match result {
            Ok(measured) if measured.summary.below_resolution => {
                let Measured { measurement, summary } = measured;
                let remark = report::below_resolution(&row.benchmark, measurement, summary);
                in_terminal(&table.remark_row(name, &remark))
            }
            Ok(measured) => {
                let mut cells = report::figure_cells(&row.benchmark, &measured.summary, Units::default());
                if report::is_uncertain(&measured.measurement, &measured.summary) {
                    cells[0] = report::mark_unstable(&cells[0]);
                }
                cells.extend(self.cells(&row.benchmark, measured, relative));
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
