//! An executable with `nanobench::main!()`, run by `cargo bench`, `cargo test`, nextest or by hand.

use super::arguments::Arguments;
use super::guarded::{guarded, remember_places};
use super::once;
use super::rows::{self, Row};
use crate::measure::{Calibrate, Calibration, Course, Engine, Plan, Sampler, Take, Taken};
use crate::model::{Benchmark, Launch, Measurement};
use crate::report::{self, Bytes, FIGURES, Fit, Table};
use crate::summary::Summary;
use std::process::ExitCode;

/// The exit code of the standard test harness for a failure.
const FAILED: u8 = 101;

/// Does what the arguments of the process ask for.
pub(super) fn main() -> ExitCode {
    let arguments = match Arguments::parse(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("error: {error}\n  this executable takes the arguments of the standard test harness");
            eprintln!("  baselines, comparisons and the rest: cargo nanobench --help");
            return ExitCode::from(2);
        }
    };
    remember_places();
    let mut selected = rows::all(&rows::Asked::default());
    selected.retain(|row| arguments.selects(&row.benchmark.path));
    let failures = if arguments.list {
        list(&selected, &arguments);
        0
    } else if arguments.bench {
        bench(&selected, &arguments)
    } else {
        test(&selected, &arguments)
    };
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::from(FAILED) }
}

/// Prints the names as the standard test harness does, which is what nextest reads.
fn list(rows: &[Row], arguments: &Arguments) {
    let listed = rows.iter().filter(|row| arguments.lists(row.benchmark.ignored));
    let mut number = 0;
    for row in listed {
        println!("{}: test", row.benchmark.path);
        number += 1;
    }
    if !arguments.terse {
        println!("\n{number} tests, 0 benchmarks");
    }
}

/// Runs each benchmark once and says so in the words of the standard test harness. Returns the number of failures.
fn test(rows: &[Row], arguments: &Arguments) -> usize {
    println!("\nrunning {} tests", rows.len());
    let (mut passed, mut ignored, mut failures) = (0, 0, Vec::new());
    for row in rows {
        let path = &row.benchmark.path;
        let result = if !arguments.runs(row.benchmark.ignored) {
            ignored += 1;
            "ignored"
        } else if let Err(panic) = guarded(|| once(row)).and_then(|done| done) {
            failures.push(format!("    {path}: {panic}"));
            "FAILED"
        } else {
            passed += 1;
            "ok"
        };
        println!("test {path} ... {result}");
    }
    if !failures.is_empty() {
        println!("\nfailures:\n{}", failures.join("\n"));
    }
    let word = if failures.is_empty() { "ok" } else { "FAILED" };
    println!(
        "\ntest result: {word}. {passed} passed; {} failed; {ignored} ignored; 0 measured; 0 filtered out\n",
        failures.len()
    );
    failures.len()
}

/// Measures the benchmarks and prints their table. Returns the number of failures.
fn bench(selected: &[Row], arguments: &Arguments) -> usize {
    let engine = Engine::new();
    let clock = engine.clock();
    println!(
        "nanobench {}  clock {} (resolution {}, read {}), nothing: {}",
        env!("CARGO_PKG_VERSION"),
        clock.name,
        report::time(clock.resolution),
        report::time(clock.read_cost),
        report::time(engine.nothing()),
    );
    if cfg!(debug_assertions) {
        println!("warning: this is a debug build; measure with `cargo bench` or `cargo nanobench`");
    }
    println!();
    let rows: Vec<&Row> = selected.iter().filter(|row| arguments.runs(row.benchmark.ignored)).collect();
    let places: Vec<(&str, &str)> = rows.iter().map(|row| place(row)).collect();
    let mut table = Table::new(&FIGURES, places.iter().map(|&(_, name)| ("", name)), Fit::default());
    let mut failures = 0;
    for (row, (group, name)) in rows.iter().zip(places) {
        print!("{}", table.lead("", group));
        match measured(&engine, row) {
            Ok(Some(summary)) if summary.below_resolution => {
                print!("{}", table.remark(name, report::BELOW_RESOLUTION));
            }
            Ok(Some(summary)) => print!("{}", table.row(name, &cells(row, &summary))),
            Ok(None) => print!("{}", table.remark(name, "no samples")),
            Err(panic) => {
                failures += 1;
                print!("{}", table.remark(name, &format!("failed: {}", report::escape(&panic))));
            }
        }
    }
    let torn_down = rows::finish(selected);
    println!("\n{}", report::counted(rows.len(), "benchmark"));
    if rows.iter().any(|row| has_more_to_say(&row.benchmark)) {
        println!("throughput, comparisons and curves are shown by: cargo nanobench");
    }
    failures + usize::from(!torn_down)
}

/// The figures of a row. What counts in something else than operations says in what.
fn cells(row: &Row, summary: &Summary) -> Vec<String> {
    let mut cells = report::figures(summary);
    if let Some(unit) = row.benchmark.unit.as_deref().map(report::escape) {
        cells[0] = report::time_per(summary.median, &unit);
        cells[2] = report::per_second(1e9 / summary.median, &unit, Bytes::Decimal);
    }
    cells
}

/// Whether it asks for something that this table has no room for.
fn has_more_to_say(benchmark: &Benchmark) -> bool {
    benchmark.throughput.is_some() || benchmark.baseline.is_some() || benchmark.complexity.is_some()
}

/// The group and the name under which a benchmark stands in the table.
fn place(row: &Row) -> (&str, &str) {
    let Benchmark { path, case, .. } = &row.benchmark;
    let case = case.as_ref().map_or(0, |case| case.len() + "/".len());
    let (modules, name) = path.split_at(path.len() - case - row.entry.shown().len());
    (modules.trim_end_matches("::"), name)
}

/// The figures of a benchmark; `None` without samples. The error says what went wrong.
fn measured(engine: &Engine, row: &Row) -> Result<Option<Summary>, String> {
    if let Some(problem) = &row.benchmark.problem {
        return Err(problem.clone());
    }
    guarded(|| figures(engine, row))
}

fn figures(engine: &Engine, row: &Row) -> Option<Summary> {
    let mut course = Course::new(Plan::default().of(&row.benchmark), None);
    let mut taken = Taken::default();
    while !course.is_done() {
        let Ok(more) = course.step(&mut InProcess { engine, row }, 0);
        taken.add(more);
    }
    let count = course.count()?;
    let launch = Launch {
        clock: engine.clock().clone(),
        segment_cost: taken.segment_cost,
        nothing: engine.nothing(),
        samples: taken.samples,
    };
    Summary::of(&Measurement {
        count,
        unroll: row.benchmark.unroll,
        batch: row.benchmark.batch,
        launches: vec![launch],
        ..Measurement::default()
    })
}

/// The engine of this process as a sampler of one of its benchmarks.
struct InProcess<'a> {
    engine: &'a Engine,
    row: &'a Row,
}

impl Sampler for InProcess<'_> {
    type Error = std::convert::Infallible;

    fn calibrate(&mut self, order: &Calibrate) -> Result<Calibration, Self::Error> {
        Ok(self.engine.calibrate(&mut |run| self.row.carry_out(run), self.row.count(), order))
    }

    fn take(&mut self, take: &Take) -> Result<Taken, Self::Error> {
        Ok(self.engine.take(&mut |run| self.row.carry_out(run), take))
    }
}
