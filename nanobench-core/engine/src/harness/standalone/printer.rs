//! The table of benchmarks that become known one after another.

use super::bench::{doubts, heading, styles};
use super::columns::GroupColumns;
use super::in_terminal;
use super::measuring::{Measured, measure_alone};
use crate::configuration::Configuration;
use crate::fitness;
use crate::harness::runnable::Runnable;
use crate::measure::Engine;
use crate::model::BenchmarkSpec;
use crate::report::{self, FIGURE_COLUMNS, LongerNames, NameFit, Table};
use std::env;
use std::path::Path;

/// The width of names, of which nobody knows the longest.
const NAME_WIDTH: usize = 32;
/// The number of digits of the hash that cargo adds to the name of an executable.
const HASH_DIGITS: usize = 16;

/// A table to which benchmarks are added.
pub(in crate::harness) struct Printer {
    engine: Engine,
    table: Table,
    target: String,
    measured: Vec<(BenchmarkSpec, Measured)>,
}

impl Printer {
    /// Prints what comes before the first benchmark.
    pub(in crate::harness) fn begin(is_unoptimized: bool) -> Printer {
        let engine = Engine::new();
        print!("{}", in_terminal(&heading(&engine)));
        if !fitness::is_suppressed() {
            print!("{}", fitness::warnings(is_unoptimized));
        }
        println!();
        let longer = LongerNames::OnOwnLine(usize::MAX);
        let fit = NameFit { max_width: NAME_WIDTH, longer, ..NameFit::default() };
        let widest = "-".repeat(NAME_WIDTH - 4);
        let table = Table::new(&FIGURE_COLUMNS, [("", &*widest)], fit).with_styles(styles());
        Printer { engine, table, target: target_name(), measured: Vec::new() }
    }

    /// Measures a benchmark, and prints its row.
    ///
    /// # Panics
    /// Panics if the benchmark does.
    pub(in crate::harness) fn measure(&mut self, row: &dyn Runnable) {
        let benchmark = row.benchmark();
        let result = measure_alone(&self.engine, row, &Configuration::from_environment());
        let place = match &benchmark.group {
            Some(group) => format!("{}::{group}", self.target),
            None => self.target.clone(),
        };
        let columns = GroupColumns::new(&[benchmark], false);
        print!("{}", columns.headings(&mut self.table, &place, benchmark));
        let cells = result.as_ref().map_err(String::as_str);
        let name = Table::row_name(&benchmark.id);
        print!("{}", columns.row(&self.table, benchmark, &name, cells, None));
        match result {
            Ok(measured) => self.measured.push((benchmark.clone(), measured)),
            // Its message is printed.
            Err(panic) => std::panic::resume_unwind(Box::new(panic)),
        }
    }

    /// Prints what follows the last benchmark.
    pub(in crate::harness) fn end(self) {
        println!("\n{}", report::counted(self.measured.len(), "benchmark"));
        if !fitness::is_suppressed() {
            for line in doubts(self.measured.iter().map(|(benchmark, measured)| (benchmark, measured))) {
                print!("{}", in_terminal(&line));
            }
        }
    }
}

/// Returns the name of the target, without the hash that cargo adds to it.
fn target_name() -> String {
    let executable = env::args_os().next().unwrap_or_default();
    let stem = Path::new(&executable).file_stem().unwrap_or_default().to_string_lossy();
    match stem.rsplit_once('-') {
        Some((name, hash)) if hash.len() == HASH_DIGITS => name.to_owned(),
        _ => stem.into_owned(),
    }
}
