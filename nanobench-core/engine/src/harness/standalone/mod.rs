//! An executable with `nanobench::main!()`, run by `cargo bench`, `cargo test`, nextest or by hand.

mod bench;
mod columns;
mod endless;
mod measuring;
mod printer;

pub(super) use printer::Printer;

use super::cli_arguments::CliArguments;
use super::guarded::{guarded, remember_places};
use super::once;
use super::rows::{self, Row};
use crate::text::wrapped;
use std::io::IsTerminal as _;

/// The width of lines in a terminal.
const TERMINAL_WIDTH: usize = 80;
/// The exit code of the standard test harness for a failure.
const FAILED: u8 = 101;

/// Runs the mode that the arguments select. Returns the exit code.
pub(super) fn main(arguments: Result<CliArguments, String>, is_unoptimized: bool) -> u8 {
    let arguments = match arguments {
        Ok(arguments) => arguments,
        Err(error) => {
            wrong_arguments(&error);
            return 2;
        }
    };
    remember_places();
    let mut selected = rows::all(&rows::RequestedConditions::default());
    if arguments.bench && !arguments.list && !selected.iter().any(|row| is_measured(row, &arguments)) {
        // Not a failure: cargo continues with the next target, which may have the benchmark.
        println!("{}", arguments.no_match_message(selected.iter().map(|row| &row.benchmark)));
        return 0;
    }
    selected.retain(|row| arguments.selects(&row.benchmark));
    let failures = if arguments.list {
        list(&selected, &arguments);
        0
    } else if arguments.bench {
        bench::bench(selected, &arguments, is_unoptimized)
    } else {
        test(&selected, &arguments)
    };
    if failures == 0 { 0 } else { FAILED }
}

/// Prints what is wrong with the arguments.
pub(super) fn wrong_arguments(error: &str) {
    eprintln!("error: {error}\n  this executable takes the arguments of the standard test harness");
    eprintln!("  baselines, comparisons and the rest: cargo nanobench --help");
}

fn is_measured(row: &Row, arguments: &CliArguments) -> bool {
    arguments.selects(&row.benchmark) && arguments.measures(&row.benchmark)
}

/// Prints the names in the format of the standard test harness, which nextest reads. `nextest bench` runs
/// only benchmarks, and `nextest run` also tests.
fn list(rows: &[Row], arguments: &CliArguments) {
    let listed = rows.iter().filter(|row| arguments.lists(row.benchmark.ignored));
    let mut number = 0;
    for row in listed {
        println!("{}: benchmark", row.benchmark.id);
        number += 1;
    }
    if !arguments.terse {
        println!("\n0 tests, {number} benchmarks");
    }
}

/// Runs each benchmark once and says so in the words of the standard test harness. Returns the
/// number of failures.
fn test(rows: &[Row], arguments: &CliArguments) -> usize {
    println!("\nrunning {} tests", rows.len());
    let (mut passed, mut ignored, mut failures) = (0, 0, Vec::new());
    for row in rows {
        let path = &row.benchmark.id;
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

/// Returns whole lines that fit into a terminal if stdout is one.
pub(super) fn in_terminal(lines: &str) -> String {
    let is_terminal = std::io::stdout().is_terminal();
    let mut text = String::new();
    for line in lines.lines() {
        text += &if is_terminal { wrapped(line, TERMINAL_WIDTH) } else { line.to_owned() };
        text.push('\n');
    }
    text
}
