//! Reports made by hand in every format: whole snapshots, and names that mean something to a format.

mod hostile;

use super::{FileFormat, Rendered, github_annotations};
use crate::experiment::{Comparison, FailOn, Failure, Outcome, Reason, Row};
use crate::report::tests::{header, row, rows_compared};
use crate::report::{ComparedRun, Ending, Report, RunOutcome};
use nanobench::model::{Amount, KeyValue};
use nanobench::stats::{Change, Interval};
use nanobench::summary::Summary;
use project::fixtures::id;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use verdicts::{AverageChange, Verdict};

/// Updates the snapshots if it is set.
const UPDATE: &str = "NANOBENCH_UPDATE_SNAPSHOTS";

fn report(run: ComparedRun) -> Report {
    Report { runs: vec![run], scale_to: None, workspace: PathBuf::from("/home/me/repository/rust") }
}

/// A run that is compared with a baseline, and fails its gates.
fn compared() -> Report {
    let gate = vec![
        Failure {
            on: FailOn::Slower,
            id: id("my-crate::first::concat"),
            change: Some(0.2),
            is_on_average: false,
            limit: None,
            has_lost_all_work: false,
        },
        Failure {
            on: FailOn::Removed,
            id: id("my-crate::first::gone"),
            change: None,
            is_on_average: false,
            limit: None,
            has_lost_all_work: false,
        },
    ];
    let outcome =
        RunOutcome { gate: Some(gate), removed: vec![id("my-crate::first::gone")], ..RunOutcome::default() };
    report(ComparedRun { header: header(true), rows: rows_compared(), outcome })
}

/// A run by itself.
fn alone() -> Report {
    let rows = vec![row("concat", &[120], None), row("a::join", &[1_500; 2], None)];
    let ending = Ending::SavedAs { name: "v1 (old)".to_owned(), replaced: None };
    report(ComparedRun {
        header: header(false),
        rows,
        outcome: RunOutcome { ending, ..RunOutcome::default() },
    })
}

/// Renders a report as one text, with the path of each file of a folder above it.
fn text(format: FileFormat, report: &Report) -> String {
    match format.render(report).unwrap() {
        Rendered::Text(text) => text,
        Rendered::Folder(files) => {
            let path = |path: &Path| path.to_string_lossy().replace('\\', "/");
            files.iter().map(|(file, text)| format!("== {}\n{text}", path(file))).collect()
        }
    }
}

#[test]
fn reports_look_as_they_did() {
    for (name, report) in [("alone", alone()), ("compared", compared())] {
        // The fields of JSON are compared with its schema, and the page has tests of its own.
        let is_other =
            |format| !matches!(format, FileFormat::Json | FileFormat::JsonLines | FileFormat::Html);
        for (word, format, _) in FileFormat::ALL.into_iter().filter(|(_, format, _)| is_other(*format)) {
            let text = text(format, &report);
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/report/formats/tests/snapshots");
            let path = folder.join(format!("{name}.{word}.txt"));
            if std::env::var_os(UPDATE).is_some() {
                fs::write(&path, text).unwrap();
                continue;
            }
            let expected = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
            assert!(
                text == expected,
                "{} differs: set {UPDATE}=1 and look at the change\n{text}",
                path.display()
            );
        }
    }
}

#[test]
fn multiples_have_a_column_and_the_row_that_is_one_is_marked() {
    for (mut report, others) in [(alone(), 12.5), (compared(), 50.0 / 120.0)] {
        report.scale_to = Some(report.runs[0].rows[0].benchmark.id.clone());
        let unit = report.scale_to.as_ref().unwrap().to_string();
        let csv = text(FileFormat::Csv, &report);
        let mut csv = csv::Reader::from_reader(csv.as_bytes());
        let titles = csv.headers().unwrap().clone();
        assert!(titles.iter().skip(30).eq(["scaled", "scale_to"]), "{titles:?}");
        let rows: Vec<csv::StringRecord> = csv.records().map(Result::unwrap).collect();
        assert!(rows.iter().all(|row| row[31] == unit), "{rows:?}");
        assert_eq!((&rows[0][0], &rows[0][30]), (&*unit, "1"));
        assert_eq!(rows[1][30].parse::<f64>(), Ok(others), "{rows:?}");
        let markdown = text(FileFormat::Markdown, &report);
        assert!(markdown.contains("scaled: 1.00 is 120 ns, the time of concat\n"), "{markdown}");
        assert!(
            markdown.contains("| benchmark | scaled | ") && markdown.contains("\n|---|--:|--:|"),
            "{markdown}"
        );
        let marked = format!("| <code>{unit}</code> | **1.00** | ");
        assert!(markdown.matches("**1.00**").count() == markdown.matches(&marked).count(), "{markdown}");
        assert!(markdown.contains(&marked), "{markdown}");
    }
}

#[test]
fn corrected_times_have_a_footnote() {
    let mut report = compared();
    let comparison = report.runs[0].rows[0].comparison.as_mut().unwrap();
    let now = comparison.baseline.as_ref().unwrap().median;
    comparison.uncorrected_median = Some(now / 1.25);
    let text = text(FileFormat::Markdown, &report);
    let footnote = "\n&#42; corrected for the core&#39;s clock, which is now 25.0 % slower\n";
    assert!(text.contains(footnote) && text.matches("&#42;").count() > 1, "{text}");
}

#[test]
fn reasons_of_failures_are_in_a_column_of_markdown() {
    let failed = || rows_compared().into_iter().filter(Row::failed);
    for others in [vec![], vec![row("concat", &[120], None)]] {
        let rows = failed().chain(others).collect();
        let run = ComparedRun { header: header(false), rows, outcome: RunOutcome::default() };
        let text = text(FileFormat::Markdown, &report(run));
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
        assert!(lines[0].ends_with("| samples | remark |"), "{text}");
        assert!(lines[2].ends_with(" stopped after 60 s&#92;nmore |"), "{text}");
        assert!(lines.iter().all(|line| line.matches('|').count() == 7), "{text}");
    }
}

#[test]
fn figures_of_varying_samples_have_their_limits() {
    let mut row = row("vary", &[90, 100, 140], None);
    let Outcome::Measured { measurement, summary } = &mut row.outcome else { panic!("no figures") };
    measurement.batch = Some(2);
    measurement.throughput = Some(vec![Amount { name: "byte".into(), value: 64.0 }]);
    measurement.launches[0].samples[0].elapsed = 0;
    *summary = Summary::from_measurement(measurement).unwrap();
    let (median, limits, err) = (summary.median, summary.interval, summary.err * 100.0);
    assert!(limits.low < median && median < limits.high && err > 1.0, "{summary:?}");
    let mut header = header(false);
    header.environment.context = vec![KeyValue { key: " place ".into(), value: " here ".into() }];
    let mut report = report(ComparedRun { header, rows: vec![row], outcome: RunOutcome::default() });

    let json = |format| serde_json::from_str::<Value>(&text(format, &report)).unwrap();
    let latency = &json(FileFormat::BencherMetric)["my-crate::first::vary"]["latency"];
    let expected = json!({"value": median, "lower_value": limits.low, "upper_value": limits.high});
    assert_eq!(*latency, expected);
    let range = format!("± {:.3}", (limits.high - limits.low) / 2.0);
    assert_eq!(json(FileFormat::GithubActionBenchmark)[0]["range"], range);
    let csv = text(FileFormat::Csv, &report);
    let (titles, cells) = csv.split_once('\n').unwrap();
    let place = titles.split(',').position(|title| title == "err_percent").unwrap();
    assert_eq!(cells.split(',').nth(place), Some(&*err.to_string()));
    let pyperf = json(FileFormat::Pyperf);
    let values = |run: usize| pyperf["benchmarks"][0]["runs"][run]["values"].as_array().unwrap().len();
    assert_eq!([values(0), values(1)], [5, 5], "pyperf compares as many values only");
    let loops = &pyperf["benchmarks"][0]["runs"][0]["metadata"]["loops"];
    assert!(loops.as_u64() > Some(0), "{pyperf}");
    let times = pyperf["benchmarks"][0]["runs"][0]["values"].as_array().unwrap();
    assert!(times.iter().all(|time| time.as_f64() > Some(0.0)), "pyperf takes positive values only");
    assert_eq!(pyperf["metadata"]["context_place"], "here", "pyperf takes no spaces around texts");
    let criterion = text(FileFormat::Criterion, &report);
    assert!(criterion.contains("\"Bytes\": 32"), "of an operation: {criterion}");
    report.runs[0].header.saved = Some("last run".to_owned());
    assert!(text(FileFormat::Criterion, &report).contains("/new/benchmark.json"), "nobody named it");
}

#[test]
fn annotations_have_paths_within_the_repository() {
    let annotations = github_annotations(&compared(), Some(Path::new("/home/me/repository")));
    assert!(annotations.starts_with("::error file=rust/benches/first.rs,line=7,"), "{annotations}");
    let elsewhere = github_annotations(&compared(), Some(Path::new("/other")));
    assert!(elsewhere.starts_with("::error file=benches/first.rs,"), "{elsewhere}");
}

#[test]
fn regressions_are_failures_without_gates_too() {
    let mut report = compared();
    report.runs[0].outcome.gate = None;
    let xml = text(FileFormat::Junit, &report);
    assert!(xml.contains("failures=\"1\" errors=\"1\" skipped=\"1\""), "{xml}");
    report.runs[0].outcome.gate = Some(Vec::new());
    let xml = text(FileFormat::Junit, &report);
    assert!(xml.contains("failures=\"0\" errors=\"1\" skipped=\"1\""), "the gates let it pass: {xml}");
}

#[test]
fn failures_name_the_largest_of_the_changes() {
    let mut report = compared();
    let row = report.runs[0].rows.iter_mut().find(|row| row.verdict() == Some(Verdict::Slower)).unwrap();
    let comparison = row.comparison.as_mut().unwrap();
    let change = Change { estimate: 0.75, interval: Interval { low: 0.7, high: 0.8 } };
    comparison.paired.get_or_insert_default().average = Some(AverageChange {
        verdict: Verdict::Slower,
        change,
        p: 0.001,
        sampled: Duration::from_millis(45),
        longest_launch: Duration::from_millis(30),
        samples: [206; 2],
        interrupted: [0; 2],
        waited: [Duration::ZERO; 2],
        counts_waiting: false,
    });
    let xml = text(FileFormat::Junit, &report);
    assert!(xml.contains("message=\"slower: +75.0 % on average\""), "{xml}");
    let annotations = github_annotations(&report, None);
    assert!(annotations.contains("slower than main by 75.0 %25 on average::"), "{annotations}");
}

#[test]
fn a_comment_fits_into_githubs_limit() {
    let name = |index: usize| format!("a_benchmark_with_a_rather_long_name_{index}");
    let rows =
        (0..2_000).map(|index| row(&name(index), &[100], rows_compared()[index % 2].comparison.clone()));
    let run = ComparedRun { header: header(true), rows: rows.collect(), outcome: RunOutcome::default() };
    let comment = text(FileFormat::Markdown, &report(run));
    assert!((35_000..60_100).contains(&comment.len()), "{}", comment.len());
    assert!(comment.contains("more\n"), "{comment}");
}

#[test]
fn the_schema_has_all_fields() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reference/report.schema.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let mut report = compared();
    report.runs.push(compared().runs.remove(0));
    let document: Value = serde_json::from_str(&text(FileFormat::Json, &report)).unwrap();
    assert_described(&document, &[&schema], &schema, "document");
    let events = &schema["$defs"]["event"]["oneOf"];
    for line in text(FileFormat::JsonLines, &report).lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        let number = ["start", "benchmark", "end"].iter().position(|kind| event["event"] == **kind).unwrap();
        assert_described(&event, &[&events[number]], &schema, "event");
    }
}

/// Expects a description of each field below `value` in one of its `schemas`.
pub(in crate::report) fn assert_described(value: &Value, schemas: &[&Value], root: &Value, name: &str) {
    let mut schemas = schemas.to_vec();
    let mut next = 0;
    // Add those that others refer to.
    while let Some(schema) = schemas.get(next).copied() {
        let referred =
            schema["$ref"].as_str().map(|path| root.pointer(path.trim_start_matches('#')).unwrap());
        let parts = ["anyOf", "allOf"].iter().filter_map(|key| schema[*key].as_array()).flatten();
        schemas.extend(referred.into_iter().chain(parts));
        next += 1;
    }
    let below = |keys: &[&str]| -> Vec<&Value> {
        let get = |schema: &&'_ Value| keys.iter().try_fold(*schema, |schema, key| schema.get(key)).is_some();
        schemas
            .iter()
            .filter(|schema| get(schema))
            .map(|schema| keys.iter().fold(*schema, |schema, key| &schema[*key]))
            .collect()
    };
    match value {
        Value::Object(fields) if below(&["additionalProperties"]).is_empty() => {
            for (key, value) in fields {
                let described = below(&["properties", key]);
                assert!(!described.is_empty(), "the schema lacks `{key}` in {name}");
                assert_described(value, &described, root, key);
            }
        }
        Value::Array(values) => {
            let described = below(&["items"]);
            values.iter().for_each(|value| assert_described(value, &described, root, name));
        }
        _ => {}
    }
}

#[test]
fn a_benchmark_that_was_not_run_has_no_figures_in_any_format() {
    let same_code = Comparison {
        verdict: Verdict::Same,
        reason: Some(Reason::SameCode),
        ..rows_compared().swap_remove(0).comparison.unwrap()
    };
    let same_code = Comparison { change: None, paired: None, ..same_code };
    let kept = Row { outcome: Outcome::NotRun, ..row("kept", &[100], Some(same_code)) };
    let report = report(ComparedRun {
        header: header(true),
        rows: vec![kept],
        outcome: RunOutcome { gate: Some(Vec::new()), ..RunOutcome::default() },
    });
    let rendered = |format| text(format, &report);
    let json: Value = serde_json::from_str(&rendered(FileFormat::Json)).unwrap();
    let row = &json["benchmarks"][0];
    assert_eq!((&row["status"], &row["comparison"]["verdict"]), (&"not run".into(), &"same".into()));
    for figure in ["time", "samples", "err", "resolution", "cycles", "launches", "count", "error"] {
        assert!(row[figure].is_null(), "{figure}");
    }
    assert!(row["comparison"]["change"].is_null() && row["comparison"]["baseline_median"].is_number());
    let csv = rendered(FileFormat::Csv);
    assert!(csv.contains("kept,not run,op,,,,,,,,,,,,"), "{csv}");
    let junit = rendered(FileFormat::Junit);
    assert!(junit.contains("<skipped type=\"not run\" message=\"identical code\"/>"), "{junit}");
    let markdown = rendered(FileFormat::Markdown);
    assert!(markdown.contains("1 of 1 benchmark not run: identical code"), "{markdown}");
    assert_eq!(markdown.lines().next(), Some("### Benchmarks"), "they are counted once");
    for (word, format, _) in FileFormat::ALL {
        let is_told = matches!(word, "json" | "json-lines" | "csv" | "junit" | "markdown" | "html");
        assert!(is_told || !rendered(format).contains("kept"), "{word}");
    }
}

#[test]
fn a_baseline_below_resolution_has_a_bound() {
    let rendered = |below_resolution| {
        let mut row = rows_compared().swap_remove(0);
        row.comparison.as_mut().unwrap().baseline.as_mut().unwrap().below_resolution = below_resolution;
        let (header, outcome) = (header(true), RunOutcome::default());
        let report = report(ComparedRun { header, rows: vec![row], outcome });
        [FileFormat::Markdown, FileFormat::Html].map(|format| text(format, &report))
    };
    let [markdown, page] = rendered(false);
    assert!(markdown.contains("<code>my-crate::first::concat</code> | 100 ns |"), "{markdown}");
    assert!(page.contains("\"before\":100.0"), "{page}");
    let [markdown, page] = rendered(true);
    assert!(markdown.contains("<code>my-crate::first::concat</code> | &#60;0.375 ns |"), "{markdown}");
    assert!(page.contains("\"before\":null,\"before_under\":0.375"), "{page}");
}
