//! Measuring the selected benchmarks, with each row printed as it is done.

use super::disturbance;
use super::options::{MeasuringOptions, OutputOptions};
use super::row_warnings;
use crate::benchmark_id::BenchmarkId;
use crate::environment::load::LoadCounters;
use crate::experiment::{Benchmark, Gate, Observer, Remaining, Row, RunPlan, Suite, SuiteRunner};
use crate::load_beside::LoadBeside;
use crate::report::{
    Charset, Command, ComparedRun, Ending, Progress, RunHeader, RunOutcome, TableOptions, TableReport,
};
use crate::warnings::warn;
use crate::{interrupt, output, report};
use nanobench::report::{escape, time as format_time};
use std::collections::BTreeMap;
use std::env;
use std::io;
use std::time::{Duration, Instant};

/// Measures and prints rows.
pub(super) struct Measurer<'a> {
    pub(super) options: &'a MeasuringOptions,
    pub(super) output: &'a OutputOptions,
    /// Id of the benchmark of which all figures are shown as multiples.
    pub(super) scale_to: Option<&'a BenchmarkId>,
    /// The command that repeats the run.
    pub(super) command: Command,
}

impl Measurer<'_> {
    /// Measures the suite by its plan, and returns the rows with their gates and disturbances.
    pub(super) fn measure(
        &self,
        suite: &mut Suite,
        header: RunHeader,
        missing: Vec<BenchmarkId>,
        runner: &SuiteRunner<'_>,
        plan: RunPlan<'_>,
    ) -> ComparedRun {
        let gate = Gate::new(&self.options.gates);
        if !gate.is_open() && header.compared_with.is_none() {
            warn("there is nothing to compare with: gates can only fail because of failed benchmarks");
        }
        let beside = self.options.beside.map(LoadBeside::start);
        let (start, load) = (Instant::now(), LoadCounters::read());
        let rows = self.show(suite, &header, runner, plan);
        let elapsed = start.elapsed();
        // A load that was requested is no disturbance.
        let load = load.filter(|_| beside.is_none());
        drop(beside);
        let interrupted = interrupt::requested();
        let failures = gate.failures(&rows, &missing);
        // An interrupted run can fail a gate, but not pass it.
        let is_judged = !gate.is_open() && (!interrupted || !failures.is_empty());
        let disturbance = disturbance::find(load, suite, &rows, self.options.wait_quiet.is_some());
        let warnings = row_warnings::all(suite, &rows, &missing, self.scale_to, interrupted);
        let not_reached = suite.benchmarks.len() - rows.len();
        let outcome = RunOutcome {
            elapsed,
            unlisted_executables: suite.unlisted.len(),
            disturbance,
            warnings,
            gate: is_judged.then_some(failures),
            removed: missing,
            ending: if interrupted { Ending::Interrupted { not_reached } } else { Ending::NotSaved },
            command: self.command,
            typed: Command::typed(env::args_os()),
        };
        ComparedRun { header, rows, outcome }
    }

    /// Prints each row as it arrives. After Ctrl-C, there are fewer rows than
    /// benchmarks.
    fn show(
        &self,
        suite: &mut Suite,
        header: &RunHeader,
        runner: &SuiteRunner<'_>,
        plan: RunPlan<'_>,
    ) -> Vec<Row> {
        let selected = suite.benchmarks.clone();
        let output = self.output;
        let table_options = TableOptions {
            verbose: output.is_verbose,
            units: output.units,
            columns: output.columns,
            scale_to: self.scale_to,
            width: output::width(),
            charset: Charset::of_stdout(),
        };
        let table = output.prints_table().then(|| TableReport::new(header, &selected, table_options));
        let lines = output.prints_lines().then_some(header);
        let is_streamed = table.is_some() || lines.is_some();
        let may_be_torn = is_streamed && output::stdout_may_share_the_screen();
        let progress = Progress::new(selected.len(), output.is_quiet || may_be_torn);
        // Multiples can only be shown once their base is measured, and the order is known at the end.
        let is_delayed = self.scale_to.is_some() || output.sort.is_some();
        let mut screen = Screen { table, lines, progress, is_delayed, unreported: selected.len() };
        let mut rows = runner.run(suite, plan, &mut screen);
        if let Some(key) = output.sort {
            report::sort(&mut rows, key);
        }
        if is_delayed {
            let scale = rows.iter().find(|row| Some(&row.benchmark.id) == self.scale_to);
            let scale_line = screen.table.as_mut().zip(scale).map(|(table, row)| table.scale_to(row));
            scale_line.iter().for_each(|line| screen.progress.print(line));
            rows.iter().for_each(|row| screen.print(row, scale));
        }
        if let Some(table) = &mut screen.table {
            let mut lines = table.finish();
            lines.extend(suite.unlisted.iter().map(|executable| table.unlisted(executable)));
            screen.progress.print(&(lines + &table.extra_columns(&rows)));
        }
        rows
    }
}

/// Returns the announcement of this time for benchmarks whose calls take long. `name`, `call`: the slowest
/// one, and the time of its call.
fn takes_long(name: &str, call: Duration, number: usize, time: Duration) -> String {
    let (others, whose) = match number - 1 {
        0 => (String::new(), "its verdict"),
        others => (format!(", and {others} more take long"), "their verdicts"),
    };
    format!(
        "`{}` takes {} a call{others}: about {:.0} s for {whose} (Ctrl-C ends the run with what is known)",
        escape(name),
        format_time(call.as_nanos() as f64),
        time.as_secs_f64()
    )
}

/// The progress, and the table or the lines above it if there are any.
struct Screen<'a> {
    table: Option<TableReport<'a>>,
    /// The header of the run, if rows are printed as JSON lines.
    lines: Option<&'a RunHeader>,
    progress: Progress,
    /// Rows are not printed before the end.
    is_delayed: bool,
    /// The number of benchmarks that have no row yet.
    unreported: usize,
}

impl Screen<'_> {
    /// Prints a row. The end of the run reports an stdout that can't be written.
    fn print(&mut self, row: &Row, scale: Option<&Row>) {
        if let Some(table) = &mut self.table {
            self.progress.print(&table.row(row));
        }
        if let Some(header) = self.lines {
            let line = report::json_row(header, row, scale).map_err(io::Error::from);
            let _ = line.and_then(|line| self.progress.print_document(&line));
        }
    }
}

impl Observer for Screen<'_> {
    fn running(&mut self, benchmark: &Benchmark, remaining: Remaining) {
        self.progress.running(&benchmark.id.to_string(), remaining);
    }

    fn takes_long(&mut self, slowest: &Benchmark, call: Duration, number: usize, time: Duration) {
        self.progress.take_longer();
        output::note(&takes_long(&slowest.name(), call, number, time));
    }

    fn done(&mut self, row: &Row) {
        self.unreported = self.unreported.saturating_sub(1);
        self.progress.set_benchmarks_left(self.unreported);
        if !self.is_delayed {
            self.print(row, None);
        }
    }

    fn done_early(&mut self, rows: &BTreeMap<usize, Row>) {
        self.progress.set_benchmarks_left(self.unreported.saturating_sub(rows.len()));
        let fitting = self.progress.max_lines();
        let table = self.table.as_ref().filter(|_| fitting > 0 && !self.is_delayed);
        // They are printed in their place later.
        if let Some(mut table) = table.cloned() {
            self.progress.show(&rows.values().take(fitting).map(|row| table.row(row)).collect::<String>());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_long_is_announced_with_its_time() {
        let second = Duration::from_secs(1);
        assert_eq!(
            takes_long("solve", 4 * second, 1, 80 * second),
            "`solve` takes 4.00 s a call: about 80 s for its verdict (Ctrl-C ends the run with what is known)"
        );
        let two = takes_long("a\u{1b}", 300 * second / 1000, 2, 12 * second);
        assert!(
            two.starts_with("`a\\u{1b}` takes 300 ms a call, and 1 more take long: about 12 s for their")
        );
    }
}
