//! Prints the lines above and below the tables of a run, or its JSON document.

use super::options::OutputOptions;
use crate::benchmark_id::BenchmarkId;
use crate::cli::Format;
use crate::commands::error::Error;
use crate::report::{self, ComparedWith, Report, RunHeader};
use crate::warnings::warn;
use crate::{interrupt, output};
use std::io;

/// Prints the heading and the warnings above a table. `previous` is the report of the table before
/// it, which is concluded first; the heading of the whole run is printed above the first table
/// only.
pub(super) fn announce(
    options: &OutputOptions,
    header: &RunHeader,
    previous: Option<&Report>,
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
pub(super) fn finish(
    options: &OutputOptions,
    reports: &[Report],
    scale_to: Option<&BenchmarkId>,
) -> Result<(), Error> {
    let saved = reports.iter().any(|report| report.outcome.ending.is_saved());
    let printed = match (options.format, reports.last()) {
        (Format::Json, _) => print_document(reports, scale_to),
        (Format::Table, Some(last)) => conclude(options, last),
        (Format::Table, None) => Ok(()),
    };
    printed.map_err(|source| Error::Output { source, saved })
}

/// Prints the lines below a table.
fn conclude(options: &OutputOptions, report: &Report) -> io::Result<()> {
    if options.format == Format::Json {
        return Ok(());
    }
    output::print("\n")?;
    output::print_lines(&report::summary(report))?;
    report::warnings(report, options.is_verbose).iter().for_each(warn);
    Ok(())
}

/// Prints the JSON document. Failed gates go to stderr as well, since stdout is often a file.
fn print_document(reports: &[Report], scale_to: Option<&BenchmarkId>) -> io::Result<()> {
    let text = report::json(reports, scale_to).map_err(io::Error::from)?;
    let printed = output::print_json(&text);
    report::gate_lines(reports).for_each(|line| output::note(&line.to_string()));
    printed
}
