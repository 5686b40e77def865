//! Several runs for programs: JSON, CSV and Markdown.

use super::{Line, Mean, SeveralRuns, word};
use crate::benchmark_id::BenchmarkId;
use crate::experiment::Row;
use crate::report::formats::{code, html_text};
use nanobench::report::TimeUnit;
use nanobench::report::{change, escape, time, time_in_unit, without_formula};
use serde::Serialize;
use verdicts::Verdict;

/// The version of the document. New fields keep it; changed and removed fields raise it.
const FORMAT: u64 = 1;

#[derive(Debug, Serialize)]
struct Document<'a> {
    format: u64,
    cargo_nanobench: &'static str,
    /// The names of the runs. The others are compared with the first one.
    runs: Vec<String>,
    benchmarks: Vec<Compared<'a>>,
    /// The geometric means of each group, and of all benchmarks at last.
    geomeans: Vec<GeometricMean<'a>>,
}

/// A benchmark in all runs.
#[derive(Debug, Serialize)]
struct Compared<'a> {
    id: &'a BenchmarkId,
    /// `op` without a unit of the benchmark's own.
    unit: &'a str,
    /// One for each run; `null` where the benchmark has no figure.
    figures: Vec<Option<Figure>>,
}

/// Times are in ns, and changes in percent of the first run's time.
#[derive(Debug, Serialize)]
struct Figure {
    time: f64,
    time_low: f64,
    time_high: f64,
    change: Option<f64>,
    change_low: Option<f64>,
    change_high: Option<f64>,
    verdict: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct GeometricMean<'a> {
    /// `null` for the mean of all benchmarks.
    package: Option<&'a str>,
    group: Option<&'a str>,
    /// The number of benchmarks that all runs have figures of.
    benchmarks: usize,
    times: Vec<f64>,
    changes: Vec<Option<f64>>,
}

/// Returns a JSON document.
pub(crate) fn json(runs: &SeveralRuns) -> serde_json::Result<String> {
    let groups = runs.groups();
    let lines = || groups.iter().flat_map(|group| &group.lines);
    let means = groups.iter().filter_map(|group| Some((Some((group.package, group.name)), group.mean()?)));
    let means = means.chain(Mean::of(lines()).map(|mean| (None, mean)));
    let document = Document {
        format: FORMAT,
        cargo_nanobench: env!("CARGO_PKG_VERSION"),
        runs: runs.names(),
        benchmarks: lines().map(compared).collect(),
        geomeans: means
            .map(|(group, mean)| GeometricMean {
                package: group.map(|(package, _)| package),
                group: group.map(|(_, name)| name),
                benchmarks: mean.benchmarks,
                changes: mean.changes().map(|change| change.map(|change| change * 100.0)).collect(),
                times: mean.times,
            })
            .collect(),
    };
    serde_json::to_string_pretty(&document).map(|text| text + "\n")
}

fn compared<'a>(line: &Line<'a>) -> Compared<'a> {
    Compared {
        id: &line.benchmark.id,
        unit: line.benchmark.spec.unit.as_deref().unwrap_or("op"),
        figures: line.rows.iter().map(|row| figure((*row)?)).collect(),
    }
}

fn figure(row: &Row) -> Option<Figure> {
    let summary = row.resolved()?.1;
    let by = row.comparison.as_ref().and_then(|comparison| comparison.change);
    let known = by.and_then(|by| by.known_interval());
    Some(Figure {
        time: summary.median,
        time_low: summary.interval.low,
        time_high: summary.interval.high,
        change: by.map(|by| by.estimate * 100.0),
        change_low: known.map(|known| known.low * 100.0),
        change_high: known.map(|known| known.high * 100.0),
        verdict: row.verdict().map(Verdict::word),
    })
}

/// Returns comma-separated values: a line for each benchmark in each run, then the geometric means.
pub(crate) fn csv(runs: &SeveralRuns) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([
        "id",
        "run",
        "unit",
        "time_ns",
        "time_low_ns",
        "time_high_ns",
        "change_percent",
        "change_low_percent",
        "change_high_percent",
        "verdict",
    ])?;
    let (groups, names) = (runs.groups(), runs.names());
    let number = |number: Option<f64>| number.map(|number| number.to_string()).unwrap_or_default();
    for Compared { id, unit, figures } in groups.iter().flat_map(|group| &group.lines).map(compared) {
        for (name, figure) in names.iter().zip(figures).filter_map(|(name, figure)| Some((name, figure?))) {
            let cells = [
                escape(&id.to_string()),
                name.clone(),
                escape(unit),
                figure.time.to_string(),
                figure.time_low.to_string(),
                figure.time_high.to_string(),
                number(figure.change),
                number(figure.change_low),
                number(figure.change_high),
                figure.verdict.unwrap_or_default().to_owned(),
            ];
            writer.write_record(cells.map(without_formula))?;
        }
    }
    let of_groups = groups.iter().filter_map(|group| {
        Some((format!("geomean of {} {}", escape(group.package), escape(group.name)), group.mean()?))
    });
    let overall = Mean::of(groups.iter().flat_map(|group| &group.lines));
    for (title, mean) in of_groups.chain(overall.map(|mean| ("geomean of all".to_owned(), mean))) {
        for ((name, time), by) in names.iter().zip(&mean.times).zip(mean.changes()) {
            let mut cells = [const { String::new() }; 10];
            (cells[0], cells[1], cells[3]) = (title.clone(), name.clone(), time.to_string());
            cells[6] = number(by.map(|by| by * 100.0));
            writer.write_record(cells.map(without_formula))?;
        }
    }
    let bytes = writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns a table in Markdown.
pub(crate) fn markdown(runs: &SeveralRuns) -> String {
    let names: Vec<String> = runs.names().iter().map(|name| html_text(name)).collect();
    let others = || names.iter().skip(1);
    let titles: String = others().map(|name| format!(" {name} | change |")).collect();
    let rule: String = others().map(|_| "--:|--:|").collect();
    let mut text = format!("| benchmark | {} |{titles}\n|---|--:|{rule}\n", names[0]);
    let groups = runs.groups();
    for group in &groups {
        for line in &group.lines {
            text += &row(&code(&line.benchmark.id.to_string()), figures(line));
        }
        if let Some(mean) = group.mean().filter(|_| groups.len() > 1) {
            let title = format!("geomean of {} in {}", mean.benchmarks, html_text(group.name));
            text += &row(&title, mean_figures(&mean));
        }
    }
    if let Some(mean) = Mean::of(groups.iter().flat_map(|group| &group.lines)) {
        let title = format!("**geomean of all {}**", mean.benchmarks);
        text += &row(&title, mean_figures(&mean));
    }
    text
}

/// Returns the time and the change in each run.
fn figures(line: &Line<'_>) -> Vec<(String, String)> {
    let unit = line.benchmark.spec.unit.as_deref();
    let of_run = |row: &Option<&Row>| {
        let Some(row) = row else { return Default::default() };
        let figure = figure(row);
        let time = figure.as_ref().map(|figure| time_in_unit(figure.time, unit, TimeUnit::default()));
        let by = figure.and_then(|figure| figure.change).map(|percent| change(percent / 100.0));
        let word = word(row).map(|verdict| match verdict {
            Verdict::Same => verdict.word().to_owned(),
            _ => format!("**{}**", verdict.word()),
        });
        let change = by.into_iter().chain(word).collect::<Vec<_>>().join(" ");
        (time.as_deref().map(html_text).unwrap_or_default(), change)
    };
    line.rows.iter().map(of_run).collect()
}

fn mean_figures(mean: &Mean) -> Vec<(String, String)> {
    let changes = mean.changes().map(|by| by.map(change).unwrap_or_default());
    mean.times.iter().map(|&mean| time(mean)).zip(changes).collect()
}

/// Returns a line whose first run has no change.
fn row(title: &str, figures: Vec<(String, String)>) -> String {
    let mut text = format!("| {title} |");
    for (run, (time, change)) in figures.into_iter().enumerate() {
        text += &format!(" {time} |");
        if run > 0 {
            text += &format!(" {change} |");
        }
    }
    text + "\n"
}
