//! Prints the lines above and below the tables of a run, or its JSON document.

use super::options::OutputOptions;
use crate::cli::Format;
use crate::commands::error::Error;
use crate::report::{self, ComparedRun, ComparedWith, Report, RunHeader};
use crate::warnings::warn;
use crate::{interrupt, output};
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
    if options.format == Format::Table {
        // The end of the run reports an stdout that can't be written.
        let _ = output::print_lines(heading.iter().chain([&String::new()]));
    }
    warnings.iter().for_each(warn);
}

/// Prints everything that is left to print at the end of a run.
pub(super) fn finish(options: &OutputOptions, report: &Report) -> Result<(), Error> {
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
    if options.format == Format::Json {
        return Ok(());
    }
    output::print("\n")?;
    output::print_lines(&report::summary(run))?;
    report::warnings(run, options.is_verbose).iter().for_each(warn);
    Ok(())
}

/// Prints the JSON document. Failed gates go to stderr as well, since stdout is often a file.
fn print_document(report: &Report) -> io::Result<()> {
    let text = report::json(report).map_err(io::Error::from)?;
    let printed = output::print_json(&text);
    report::gate_lines(report).for_each(|line| output::note(&line.to_string()));
    printed
}
