//! Prints the lines above and below the tables of a run, or its JSON document.

use super::options::{OutputOptions, RunOptions};
use crate::cli::Format;
use crate::commands::error::Error;
use crate::experiment::{Outcome, Sampling};
use crate::report::{self, ComparedRun, ComparedWith, Report, RunHeader, Template};
use crate::warnings::warn;
use crate::{interrupt, output};
use nanobench::report::escape;
use std::io;

/// Prints the heading and the warnings above a table. `previous` is the report of the table before
/// it, which is concluded first; the heading of the whole run is printed above the first table
/// only.
pub(super) fn announce(
    options: &OutputOptions,
    header: &RunHeader,
    previous: Option<&ComparedRun>,
) -> io::Result<()> {
    let Some(previous) = previous else {
        announce_lines(options, &header.heading(options.is_verbose), &header.warnings);
        return Ok(());
    };
    conclude(options, previous)?;
    if !interrupt::requested() {
        let warning = header.compared_with.as_ref().and_then(ComparedWith::warning);
        announce_lines(options, &header.comparison(), warning.as_slice());
    }
    Ok(())
}

fn announce_lines(options: &OutputOptions, heading: &[String], warnings: &[String]) {
    if options.prints_table() {
        // The end of the run reports an stdout that can't be written.
        let _ = output::print_lines(heading.iter().chain([&String::new()]));
    }
    warnings.iter().for_each(warn);
}

/// Prints everything that is left to print at the end of a run.
pub(super) fn finish(options: &RunOptions, report: &Report) -> Result<(), Error> {
    let RunOptions { output: options, sampling, .. } = options;
    if let Some(template) = &options.template {
        return print_rendered(template, report, sampling);
    }
    let saved = report.runs.iter().any(|run| run.outcome.ending.is_saved());
    let printed = match (options.format, report.runs.last()) {
        (Format::Json, _) => print_document(report),
        (Format::Table, Some(last)) => conclude(options, last),
        (Format::Table, None) => Ok(()),
    };
    printed.map_err(|source| Error::Output { source, saved })
}

/// Prints the lines below a table.
fn conclude(options: &OutputOptions, run: &ComparedRun) -> io::Result<()> {
    if !options.prints_table() {
        return Ok(());
    }
    output::print("\n")?;
    output::print_lines(&report::summary(run))?;
    report::warnings(run, options.is_verbose).iter().for_each(warn);
    Ok(())
}

/// Prints the results by a template. It has no place for failures, so these go to stderr.
fn print_rendered(template: &Template, report: &Report, sampling: &Sampling) -> Result<(), Error> {
    let rendered = template.render(report, sampling)?;
    let printed = output::print_rendered(&rendered);
    for row in report.runs.iter().flat_map(|run| &run.rows) {
        if let Outcome::Failed(error) = &row.outcome {
            let id = escape(&row.benchmark.id.to_string());
            warn(format!("{id} {}", escape(&error.to_string())));
        }
    }
    report::gate_lines(report).for_each(|line| output::note(&line.to_string()));
    let saved = report.runs.iter().any(|run| run.outcome.ending.is_saved());
    printed.map_err(|source| Error::Output { source, saved })
}

/// Prints the JSON document. Failed gates go to stderr as well, since stdout is often a file.
fn print_document(report: &Report) -> io::Result<()> {
    let text = report::json(report).map_err(io::Error::from)?;
    let printed = output::print_json(&text);
    report::gate_lines(report).for_each(|line| output::note(&line.to_string()));
    printed
}
