//! The table of `cargo bench`, which grows while the benchmarks are measured.

use super::columns::GroupColumns;
use super::endless;
use super::in_terminal;
use super::measuring::{Measured, Suite};
use crate::complexity::{SeriesComplexity, complexity};
use crate::configuration::Configuration;
use crate::doubt::{self, Doubt, SettingsBy};
use crate::fitness;
use crate::harness::cli_arguments::CliArguments;
use crate::harness::rows::{self, Row};
use crate::measure::Engine;
use crate::model::{BenchmarkSpec, ClockCalibration, KeyValue};
use crate::report::{self, Column, FIGURE_COLUMNS, NameFit, Styles, Table, escape};
use crate::text::path_parts;
use std::io::IsTerminal as _;
use std::num::NonZero;

const ABOUT_THREADS: &str =
    "with several threads, the time is that of one thread; rates are those of all threads together";

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
        let specs: Vec<&BenchmarkSpec> = group.iter().map(|row| &row.benchmark).collect();
        let is_compared = (first..first + group.len()).any(|i| suite.is_compared(i));
        let columns = GroupColumns::new(&specs, is_compared);
        for function in group.chunk_by(|a, b| std::ptr::eq(a.entry, b.entry)) {
            let mut times = Vec::new();
            for (i, row) in (first..).zip(function) {
                suite.measure(i);
                let result = suite.result(i);
                print!("{}", columns.headings(&mut table, &place(row), &row.benchmark));
                print!("{}", columns.row(&table, &row.benchmark, &names[i], result, suite.relative(i)));
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
        let results = (0..).zip(&rows).filter_map(|(i, row)| Some((&row.benchmark, suite.result(i).ok()?)));
        for line in doubts(results) {
            print!("{}", in_terminal(&line));
        }
    }
    if rows.iter().any(|row| row.benchmark.id.conditions.threads.is_some()) {
        print!("{}", in_terminal(ABOUT_THREADS));
    }
    failures + usize::from(!teardown_failures.is_empty())
}

/// Returns the lines about doubtful figures.
pub(super) fn doubts<'a>(results: impl Iterator<Item = (&'a BenchmarkSpec, &'a Measured)>) -> Vec<String> {
    let cores = std::thread::available_parallelism().map(NonZero::get);
    let mut named = Vec::new();
    for (row, Measured { measurement, summary }) in results {
        let threads = row.id.conditions.threads.filter(|_| !summary.below_resolution);
        let turns = threads.zip(cores.as_ref().ok());
        let mut found = Doubt::find(measurement, summary);
        found.extend(turns.and_then(|(threads, cores)| Doubt::from_threads(threads, *cores)));
        let name = row.id.to_string();
        let telling = Doubt::telling(&found);
        found.retain(|doubt| !doubt.may_be_disturbance());
        named.extend(telling.into_iter().chain(found).map(|doubt| (name.clone(), doubt)));
    }
    doubt::lines(named, SettingsBy::Attribute)
}

/// Returns the styles that stdout takes. Older consoles of Windows take none.
pub(super) fn styles() -> Styles {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let refuses =
        !variable("NO_COLOR").is_empty() || variable("CLICOLOR") == "0" || variable("TERM") == "dumb";
    if cfg!(windows) || refuses || !std::io::stdout().is_terminal() {
        Styles::default()
    } else {
        Styles::TERMINAL
    }
}

pub(super) fn heading(engine: &Engine) -> String {
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
