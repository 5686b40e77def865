//! A report as comma-separated values (RFC 4180): a line for each benchmark and run, with cells of its
//! record.

use super::RenderError;
use crate::benchmark_id::BenchmarkId;
use crate::report::record::Record;
use crate::report::several::{self, Mean};
use crate::report::{ComparedRun, Report};
use nanobench::report::{escape, without_formula};
use serde::Serialize;
use serde_json::{Value, json};
use std::ops::Range;

/// The titles of the columns, and the places of their cells in a [`Line`].
const COLUMNS: [(&str, &str); 30] = [
    ("id", "/id"),
    ("status", "/status"),
    ("unit", "/unit"),
    ("time_ns", "/time/median"),
    ("time_low_ns", "/time/interval/0"),
    ("time_high_ns", "/time/interval/1"),
    ("mean_ns", "/time/mean"),
    ("sd_ns", "/time/sd"),
    ("min_ns", "/time/min"),
    ("max_ns", "/time/max"),
    ("err_percent", "/err"),
    ("cycles", "/cycles"),
    ("samples", "/samples"),
    ("launches", "/launches"),
    ("run", "/run"),
    ("baseline", "/baseline"),
    ("baseline_time_ns", "/comparison/baseline_median"),
    ("change_percent", "/comparison/change"),
    ("change_low_percent", "/comparison/interval/0"),
    ("change_high_percent", "/comparison/interval/1"),
    ("average_change_percent", "/comparison/average/change"),
    ("average_change_low_percent", "/comparison/average/interval/0"),
    ("average_change_high_percent", "/comparison/average/interval/1"),
    ("verdict", "/comparison/verdict"),
    ("comparison", "/comparison/sentence"),
    ("error", "/error"),
    ("group", "/group"),
    ("tags", "/tags"),
    ("file", "/file"),
    ("line", "/line"),
];
/// The places of the figures, which mean nothing below resolution.
const FIGURES: Range<usize> = 3..14;
/// The columns of `--multiples-of`: the multiple, and the id of the benchmark that is 1.
const SCALED: [(&str, &str); 2] = [("scaled", "/scaled"), ("scale_to", "/scale_to")];

/// A line of the table: the cells of a row, and those that it shares with others.
#[derive(Serialize)]
struct Line<'a, T> {
    /// The name of the saved run.
    run: Option<&'a str>,
    baseline: Option<&'a str>,
    scale_to: Option<&'a BenchmarkId>,
    #[serde(flatten)]
    cells: T,
}

/// Returns the table of all runs. Cells without a value are empty.
pub(super) fn csv(report: &Report) -> Result<String, RenderError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let columns = || COLUMNS.iter().chain(report.scale_to.iter().flat_map(|_| &SCALED));
    writer.write_record(columns().map(|(title, _)| title))?;
    for line in lines(report) {
        let line = line?;
        let has_figures = line["status"] != "below resolution";
        let cells = columns().enumerate().map(|(index, (_, place))| {
            let is_known = has_figures || !FIGURES.contains(&index);
            line.pointer(place).filter(|_| is_known).map(text).unwrap_or_default()
        });
        writer.write_record(cells.map(without_formula))?;
    }
    let bytes = writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the lines of all runs, then the geometric means of several runs.
fn lines(report: &Report) -> impl Iterator<Item = serde_json::Result<Value>> {
    let of_run = |run: &'_ ComparedRun| {
        let scale = report.scale(run);
        let records = run.rows.iter().map(|row| line(report, run, Record::new(row, &run.header, scale)));
        let removed = run.outcome.removed.iter();
        let removed = removed.map(|id| line(report, run, json!({"id": id, "status": "removed"})));
        records.chain(removed).collect::<Vec<_>>()
    };
    let means = several::means(report).into_iter().flat_map(|mean| {
        let title = match (mean.package, mean.group) {
            (Some(package), Some(group)) => format!("geomean of {package} {group}"),
            _ => "geomean of all".to_owned(),
        };
        let Mean { times, changes, .. } = mean;
        let of_run = |(run, (time, change))| {
            let (time, comparison) = (json!({"median": time}), json!({"change": change}));
            line(report, run, json!({"id": title, "time": time, "comparison": comparison}))
        };
        report.runs.iter().zip(times.into_iter().zip(changes)).map(of_run).collect::<Vec<_>>()
    });
    report.runs.iter().flat_map(of_run).chain(means)
}

fn line(report: &Report, run: &ComparedRun, cells: impl Serialize) -> serde_json::Result<Value> {
    let (run, baseline) = (run.header.saved.as_deref(), run.header.baseline());
    serde_json::to_value(Line { run, baseline, scale_to: report.scale_to.as_ref(), cells })
}

/// Returns the text of a cell. Numbers have no exponents, and no needless decimals.
fn text(cell: &Value) -> String {
    match cell {
        Value::Null => String::new(),
        Value::String(text) => escape(text),
        Value::Array(cells) => cells.iter().map(text).collect::<Vec<_>>().join(" "),
        Value::Number(number) if number.is_f64() => number.as_f64().unwrap_or(f64::NAN).to_string(),
        other => other.to_string(),
    }
}
