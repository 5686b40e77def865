//! Prints the lines above and below the tables of a run, or its document.

use super::options::OutputOptions;
use crate::cli::ReportFormat;
use crate::commands::error::Error;
use crate::commands::outputs::Outputs;
use crate::experiment::{Outcome, Sampling};
use crate::report::{self, ComparedRun, ComparedWith, FileFormat, Rendered, Report, RunHeader, Template};
use crate::style::ERROR;
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
        return announce_lines(options, header, options.is_quiet, &header.warnings);
    };
    conclude(options, previous)?;
    if !interrupt::requested() {
        let warning = header.compared_with.as_ref().and_then(ComparedWith::warning);
        announce_lines(options, header, true, warning.as_slice())?;
    }
    Ok(())
}

fn announce_lines(
    options: &OutputOptions,
    header: &RunHeader,
    is_quiet: bool,
    warnings: &[String],
) -> io::Result<()> {
    // The end of the run reports an stdout that can't be written.
    if options.prints_table() {
        let lines = header.above_rows(is_quiet, options.is_verbose, output::width());
        let _ = output::print_lines(&lines);
    } else if options.prints_lines() {
        let _ = output::print_document(&report::json_start(header)?);
    }
    warnings.iter().for_each(warn);
    Ok(())
}

/// Prints everything that is left to print at the end of a run.
/// Writes it to the other outputs, too.
pub(super) fn finish(
    options: &OutputOptions,
    sampling: &Sampling,
    report: &Report,
    outputs: Outputs,
) -> Result<(), Error> {
    let saved = report.runs.iter().any(|run| run.outcome.ending.is_saved());
    let printed = report.runs.last().map_or(Ok(()), |last| conclude(options, last));
    let printed = printed.and(match (&options.template, options.format) {
        (Some(template), _) => print_rendered(template, report, sampling)?,
        (None, ReportFormat::File(format)) => print_document(format, report)?,
        (None, ReportFormat::Table) => Ok(()),
    });
    if !options.prints_table() {
        // stdout is often a file.
        report::gate_lines(&report.runs).for_each(|line| output::note(&line));
    }
    outputs.write(report).map_err(|error| error.after_saving(saved))?;
    printed.map_err(|source| Error::Output { source, saved })
}

/// Prints the lines below a table, or the last line of a run.
fn conclude(options: &OutputOptions, run: &ComparedRun) -> io::Result<()> {
    if options.prints_table() {
        if run.has_rows(options.is_verbose) {
            output::print("\n")?;
        }
        let changes = report::changes(run, output::width());
        output::print_lines(changes.iter().chain(&report::closing(run, options.is_verbose)))?;
        if !options.is_quiet {
            output::print_lines(&report::saved(run))?;
        }
        report::warnings(run, options.is_verbose).iter().for_each(warn);
    } else if options.prints_lines() {
        output::print_document(&report::json_end(run)?)?;
    }
    Ok(())
}

/// Prints the results by a template. It has no place for failures, so these go to stderr.
fn print_rendered(
    template: &Template,
    report: &Report,
    sampling: &Sampling,
) -> Result<io::Result<()>, Error> {
    let printed = output::print_rendered(&template.render(report, sampling)?);
    for row in report.runs.iter().flat_map(|run| &run.rows) {
        if let Outcome::Failed(error) = &row.outcome {
            let id = escape(&row.benchmark.id.to_string());
            output::report(ERROR, "error", &format!("{id} {}", escape(&error.to_string())));
        }
    }
    Ok(printed)
}

/// Prints the document of a finished run, unless its lines are printed already.
fn print_document(format: FileFormat, report: &Report) -> Result<io::Result<()>, Error> {
    if format == FileFormat::JsonLines {
        return Ok(Ok(()));
    }
    Ok(match format.render(report)? {
        Rendered::Text(text) => output::print_document(&text),
        Rendered::Folder(_) => Ok(()),
    })
}
