//! A run as comma-separated values (RFC 4180): a line for each benchmark and baseline.

use crate::experiment::{Comparison, Outcome, Row};
use crate::report::{ComparedRun, Report, verdict_text};
use nanobench::report::{escape, without_formula};

const TITLES: [&str; 29] = [
    "id",
    "status",
    "unit",
    "time_ns",
    "time_low_ns",
    "time_high_ns",
    "mean_ns",
    "sd_ns",
    "min_ns",
    "max_ns",
    "err_percent",
    "cycles",
    "samples",
    "launches",
    "baseline",
    "baseline_time_ns",
    "change_percent",
    "change_low_percent",
    "change_high_percent",
    "average_change_percent",
    "average_change_low_percent",
    "average_change_high_percent",
    "verdict",
    "comparison",
    "error",
    "group",
    "tags",
    "file",
    "line",
];

/// Returns the table of all runs. Cells without a value are empty.
pub(super) fn csv(report: &Report) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let titles_of_scale = report.scale_to.iter().flat_map(|_| ["scaled", "scale_to"]);
    writer.write_record(TITLES.into_iter().chain(titles_of_scale))?;
    for run in &report.runs {
        for row in &run.rows {
            let cells = cells(run, row).into_iter().chain(scaled(report, run, Some(row)));
            writer.write_record(cells.map(without_formula))?;
        }
        for id in &run.outcome.missing {
            let mut cells = [const { String::new() }; TITLES.len()];
            cells[0] = escape(&id.to_string());
            cells[1] = "missing".to_owned();
            cells[14] = baseline(run);
            let cells = cells.into_iter().chain(scaled(report, run, None));
            writer.write_record(cells.map(without_formula))?;
        }
    }
    let bytes = writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the cells of `--scale-to`: the multiple, and the id of the benchmark that is 1.
fn scaled(report: &Report, run: &ComparedRun, row: Option<&Row>) -> impl Iterator<Item = String> {
    let multiple = row.zip(report.scale(run)).and_then(|(row, scale)| row.multiple_of(scale));
    let multiple = multiple.map(|multiple| multiple.to_string()).unwrap_or_default();
    report.scale_to.iter().flat_map(move |id| [multiple.clone(), escape(&id.to_string())])
}

fn baseline(run: &ComparedRun) -> String {
    run.header.compared_with.as_ref().map(|with| escape(&with.name)).unwrap_or_default()
}

fn cells(run: &ComparedRun, row: &Row) -> [String; TITLES.len()] {
    let spec = &row.benchmark.spec;
    let (status, error) = match &row.outcome {
        Outcome::Failed(error) => ("failed", error.to_string()),
        Outcome::Measured { summary, .. } if summary.below_resolution => ("below resolution", String::new()),
        Outcome::Measured { .. } => ("ok", String::new()),
        Outcome::NotRun => ("not run", String::new()),
    };
    let resolved = row.resolved();
    let now = |figure: fn(&nanobench::summary::Summary) -> f64| {
        resolved.map(|(_, summary)| figure(summary).to_string()).unwrap_or_default()
    };
    let comparison = row.comparison.as_ref();
    let change = comparison.and_then(|comparison| comparison.change);
    let interval = change.and_then(|change| change.known_interval());
    let average = comparison.and_then(Comparison::average).map(|average| average.change);
    let percent = |share: Option<f64>| share.map(|share| (share * 100.0).to_string()).unwrap_or_default();
    let before = comparison.and_then(|comparison| comparison.baseline.as_ref());
    [
        escape(&row.benchmark.id.to_string()),
        status.to_owned(),
        escape(spec.unit.as_deref().unwrap_or("op")),
        now(|summary| summary.median),
        now(|summary| summary.interval.low),
        now(|summary| summary.interval.high),
        now(|summary| summary.mean),
        now(|summary| summary.sd),
        now(|summary| summary.min),
        now(|summary| summary.max),
        percent(resolved.map(|(_, summary)| summary.err)),
        resolved.and_then(|(_, summary)| summary.cycles).map(|cycles| cycles.to_string()).unwrap_or_default(),
        resolved.map(|(_, summary)| summary.samples.to_string()).unwrap_or_default(),
        resolved.map(|(measurement, _)| measurement.launches.len().to_string()).unwrap_or_default(),
        baseline(run),
        before.map(|before| before.median.to_string()).unwrap_or_default(),
        percent(change.map(|change| change.estimate)),
        percent(interval.map(|interval| interval.low)),
        percent(interval.map(|interval| interval.high)),
        percent(average.map(|average| average.estimate)),
        percent(average.map(|average| average.interval.low)),
        percent(average.map(|average| average.interval.high)),
        row.verdict().map(|verdict| verdict.word().to_owned()).unwrap_or_default(),
        comparison.map(|comparison| escape(&verdict_text::sentence(comparison))).unwrap_or_default(),
        escape(&error),
        escape(spec.group.as_deref().unwrap_or_default()),
        escape(&spec.tags.as_deref().unwrap_or_default().join(" ")),
        escape(&spec.file),
        spec.line.to_string(),
    ]
}
