//! A run as a JSON object on each line, as results arrive: `start`, a `benchmark` for each row, and
//! `end`. With several baselines, this repeats for each of them.

use super::document::{End, Event, Start};
use super::{benchmark, complexities, description, differences, gate, line, name, warnings};
use crate::experiment::Row;
use crate::report::{ComparedRun, Report, RunHeader};
use serde::Serialize;

/// Returns the lines of a finished run.
pub(in crate::report::formats) fn json_lines(report: &Report) -> serde_json::Result<String> {
    let mut text = String::new();
    for run in &report.runs {
        text += &json_start(&run.header)?;
        let scale = report.scale(run);
        for row in &run.rows {
            text += &json_row(&run.header, row, scale)?;
        }
        text += &json_end(run)?;
    }
    Ok(text)
}

/// Returns the line before the first row.
pub(crate) fn json_start(header: &RunHeader) -> serde_json::Result<String> {
    let (description, differences) = (description(header), differences(header));
    event("start", header, Start { description, differences, warnings: &header.warnings })
}

/// Returns the line of a row. `scale`: the row that figures are multiples of.
pub(crate) fn json_row(header: &RunHeader, row: &Row, scale: Option<&Row>) -> serde_json::Result<String> {
    event("benchmark", header, benchmark(row, header, scale))
}

/// Returns the line after the last row.
pub(crate) fn json_end(run: &ComparedRun) -> serde_json::Result<String> {
    let ComparedRun { header, rows, outcome } = run;
    let end = End {
        warnings: warnings(header, outcome),
        complexity: complexities(rows),
        missing: &outcome.missing,
        interrupted: run.is_interrupted(),
        gate: gate(outcome),
    };
    event("end", header, end)
}

fn event(event: &'static str, header: &RunHeader, fields: impl Serialize) -> serde_json::Result<String> {
    line(&Event { event, baseline: name(header), fields })
}
