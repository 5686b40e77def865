//! A program that passes its benchmarks, run by `cargo bench`, `cargo test`, nextest or by hand.

use super::program::Passed;
use crate::harness::cli_arguments::CliArguments;
use crate::harness::rows::RequestedConditions;
use crate::harness::standalone::{Printer, wrong_arguments};
use crate::measure::Bencher;
use crate::time::Clock;

/// A process without the tool.
pub(super) struct Alone {
    arguments: CliArguments,
    conditions: RequestedConditions,
    is_unoptimized: bool,
    /// The table, once it has begun.
    printer: Option<Printer>,
    /// The number of benchmarks so far.
    number: usize,
}

impl Alone {
    /// Reads the arguments of the process. Ends it if they are wrong.
    pub(super) fn begin(is_unoptimized: bool, arguments: Result<Vec<String>, String>) -> Alone {
        let arguments = arguments.and_then(CliArguments::parse).unwrap_or_else(|error| {
            wrong_arguments(&error);
            std::process::exit(2)
        });
        let conditions =
            if arguments.bench { RequestedConditions::default() } else { RequestedConditions::warm() };
        Alone { arguments, conditions, is_unoptimized, printer: None, number: 0 }
    }

    pub(super) fn conditions(&self) -> &RequestedConditions {
        &self.conditions
    }

    /// Takes a benchmark: lists, measures or tests it.
    ///
    /// # Panics
    /// Panics if the benchmark does.
    pub(super) fn pass(&mut self, passed: &Passed<'_>) {
        let id = &passed.benchmark.id;
        if !self.arguments.selects(&passed.benchmark) || !self.arguments.runs(false) {
            return;
        }
        self.number += 1;
        if self.arguments.list {
            println!("{id}: benchmark");
        } else if self.arguments.bench {
            let is_unoptimized = self.is_unoptimized;
            self.printer.get_or_insert_with(|| Printer::begin(is_unoptimized)).measure(passed);
        } else {
            println!("Testing {id}");
            passed.run(&mut Bencher::new(Clock::os(), 1, 1, 1).with_throughput());
            println!("Success");
        }
    }

    /// Prints what follows the last benchmark.
    pub(super) fn end(&mut self) {
        if self.arguments.list && !self.arguments.terse {
            println!("\n0 tests, {} benchmarks", self.number);
        }
        match self.printer.take() {
            Some(printer) => printer.end(),
            None if self.arguments.bench && !self.arguments.list => {
                println!("{}", self.arguments.no_match_message([].iter()));
            }
            None => {}
        }
    }
}
