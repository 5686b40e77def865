//! A run from its first sample to its last line.

use super::keeping::{earlier, stored};
use crate::baseline::{Saved, Staged};
use crate::cli::{InFile, RunArgs};
use crate::experiment::{Found, Observer, Row, Sampling, Solo, Suite};
use crate::output;
use crate::report::{self, Closing, Facts, Progress, Shown, TableReport};
use crate::session::Treatment;
use std::io;

/// What is asked for and what is known of it.
pub(super) struct Measuring<'a> {
    pub(super) args: &'a RunArgs,
    pub(super) file: &'a InFile,
    pub(super) facts: &'a Facts,
    pub(super) treatment: &'a Treatment,
    /// Id of the benchmark that the others are shown as multiples of.
    pub(super) scale_to: Option<&'a str>,
}

impl<'a> Measuring<'a> {
    /// Measures all that is selected, and shows each row as it comes. Fewer rows where Ctrl-C came.
    pub(super) fn measure(&self, suite: &mut Suite, saved: Option<&Saved>, staged: &Staged<'_>) -> Vec<Row> {
        let selected = suite.benchmarks.clone();
        let verbose = self.args.cargo.common.verbose > 0;
        let shown = Shown { verbose, bytes: self.args.output.bytes(), scale_to: self.scale_to };
        let mut table = self.args.output.is_table().then(|| TableReport::new(self.facts, &selected, shown));
        if table.is_some() {
            // What can't be printed is found out at the end of the run, with the rest.
            let _ = output::print(&(self.facts.heading(verbose).join("\n") + "\n\n"));
        }
        for warning in self.facts.warnings.iter().filter(|_| self.args.output.warns()) {
            anstream::eprintln!("warning: {warning}");
        }
        let progress = Progress::new(selected.len(), self.args.cargo.common.quiet);
        let sampling = Sampling { flags: &self.args.sampling, file: self.file.sampling() };
        let solo = Solo { sampling, treatment: self.treatment, comparing: saved.is_some() };
        let earlier = earlier(saved, suite);
        let stored = |found: &Found| saved.and_then(|saved| stored(saved, staged, &earlier, found));
        // Multiples can be shown when there is what they are multiples of.
        let as_they_come = if self.scale_to.is_none() { table.as_mut() } else { None };
        let rows = solo.run(suite, stored, &mut Screen { table: as_they_come, progress: &progress });
        if let Some(table) = &mut table {
            progress.print(&self.rest(table, &rows, suite));
        }
        rows
    }

    /// What the table has to say when all rows are there.
    fn rest(&self, table: &mut TableReport<'a>, rows: &[Row], suite: &Suite) -> String {
        let mut lines = String::new();
        if let Some(id) = self.scale_to {
            if let Some(row) = rows.iter().find(|row| row.benchmark.id == id) {
                table.scale_to(row);
            }
            lines.extend(rows.iter().map(|row| table.row(row)));
        }
        lines += &table.finish();
        lines.extend(suite.broken.iter().map(|(id, why)| table.broken(id, why)));
        lines
    }

    /// Prints what is said at the end.
    pub(super) fn conclude(&self, rows: &[Row], closing: &Closing) -> io::Result<()> {
        if !self.args.output.is_table() {
            let document = report::json(self.facts, rows, closing, self.scale_to).map_err(io::Error::from)?;
            return output::print(&document);
        }
        output::print(&format!("\n{}\n", report::summary(rows, closing).join("\n")))?;
        for doubt in report::doubts(rows).iter().filter(|_| self.args.output.warns()) {
            anstream::eprintln!("warning: {doubt}");
        }
        Ok(())
    }
}

/// The progress line, and the table above it where there is one.
struct Screen<'a, 'b> {
    table: Option<&'a mut TableReport<'b>>,
    progress: &'a Progress,
}

impl Observer for Screen<'_, '_> {
    fn running(&mut self, found: &Found) {
        self.progress.running(&found.id);
    }

    fn done(&mut self, row: &Row) {
        if let Some(table) = &mut self.table {
            self.progress.print(&table.row(row));
        }
        self.progress.one_more();
    }
}
