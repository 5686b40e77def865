//! An executable with `nanobench::main!()`, run by `cargo bench`, `cargo test`, nextest or by hand.

use super::arguments::Arguments;
use super::guarded::{guarded, remember_places};
use super::once;
use crate::measure::{Calibrate, Calibration, Course, Engine, Plan, Sampler, Take, Taken};
use crate::model::{Launch, Measurement};
use crate::registry::{self, Entry};
use crate::report::{self, FIGURES, Table};
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
    let entries = registry::entries();
    let selected: Vec<&Entry> =
        entries.into_iter().filter(|entry| arguments.selects(&entry.path())).collect();
    let failures = if arguments.list {
        list(&selected, &arguments);
        0
    } else {
        remember_places();
        if arguments.bench { bench(&selected, &arguments) } else { test(&selected, &arguments) }
    };
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::from(FAILED) }
}

/// Prints the names as the standard test harness does, which is what nextest reads.
fn list(entries: &[&Entry], arguments: &Arguments) {
    let listed = entries.iter().filter(|entry| arguments.lists(entry.ignored));
    let mut number = 0;
    for entry in listed {
        println!("{}: test", entry.path());
        number += 1;
    }
    if !arguments.terse {
        println!("\n{number} tests, 0 benchmarks");
    }
}

/// Runs each benchmark once and says so in the words of the standard test harness. Returns the number of failures.
fn test(entries: &[&Entry], arguments: &Arguments) -> usize {
    println!("\nrunning {} tests", entries.len());
    let (mut passed, mut ignored, mut failures) = (0, 0, Vec::new());
    for entry in entries {
        let path = entry.path();
        let result = if !arguments.runs(entry.ignored) {
            ignored += 1;
            "ignored"
        } else if let Err(panic) = guarded(|| once(entry)) {
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
fn bench(entries: &[&Entry], arguments: &Arguments) -> usize {
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
    let entries: Vec<&&Entry> = entries.iter().filter(|entry| arguments.runs(entry.ignored)).collect();
    let paths: Vec<String> = entries.iter().map(|entry| entry.path()).collect();
    let places: Vec<(&str, &str)> =
        entries.iter().zip(&paths).map(|(entry, path)| place(entry, path)).collect();
    let mut table = Table::new(&FIGURES, places.iter().map(|&(_, name)| ("", name)));
    let mut failures = 0;
    for (entry, (group, name)) in entries.iter().zip(places) {
        print!("{}", table.lead("", group));
        match guarded(|| figures(&engine, entry)) {
            Ok(Some(summary)) if summary.below_resolution => {
                print!("{}", table.remark(name, report::BELOW_RESOLUTION));
            }
            Ok(Some(summary)) => print!("{}", table.row(name, &report::figures(&summary))),
            Ok(None) => print!("{}", table.remark(name, "no samples")),
            Err(panic) => {
                failures += 1;
                print!("{}", table.remark(name, &format!("failed: {}", report::escape(&panic))));
            }
        }
    }
    println!("\n{}", report::counted(entries.len(), "benchmark"));
    failures
}

/// The group and the name under which a benchmark stands in the table.
fn place<'a>(entry: &Entry, path: &'a str) -> (&'a str, &'a str) {
    let name = entry.name.unwrap_or(entry.function);
    let modules = &path[..path.len() - name.len()];
    (modules.trim_end_matches("::"), &path[path.len() - name.len()..])
}

fn figures(engine: &Engine, entry: &Entry) -> Option<Summary> {
    let mut course = Course::new(Plan::default().of(&entry.describe()), None);
    let mut taken = Taken::default();
    while !course.is_done() {
        let Ok(more) = course.step(&mut InProcess { engine, entry }, 0);
        taken.add(more);
    }
    let count = course.count()?;
    let launch = Launch {
        clock: engine.clock().clone(),
        segment_cost: taken.segment_cost,
        nothing: engine.nothing(),
        samples: taken.samples,
    };
    Summary::of(&Measurement { count, unroll: entry.unroll, launches: vec![launch] })
}

/// The engine of this process as a sampler of one of its benchmarks.
struct InProcess<'a> {
    engine: &'a Engine,
    entry: &'a Entry,
}

impl Sampler for InProcess<'_> {
    type Error = std::convert::Infallible;

    fn calibrate(&mut self, order: &Calibrate) -> Result<Calibration, Self::Error> {
        Ok(self.engine.calibrate(&mut |run| self.entry.carry_out(run), self.entry.count, order))
    }

    fn take(&mut self, take: &Take) -> Result<Taken, Self::Error> {
        Ok(self.engine.take(&mut |run| self.entry.carry_out(run), take))
    }
}
