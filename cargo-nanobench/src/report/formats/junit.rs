//! JUnit XML, as Jenkins, GitLab and most test reporters read it: a suite for each target and
//! baseline, a case for each benchmark, and regressions as failures.

use super::rejected;
use crate::baseline::in_sentence;
use crate::benchmark_id::{BenchmarkId, TargetId};
use crate::experiment::{Outcome, Row};
use crate::report::{ComparedRun, Report, answer_text, verdict_text};
use nanobench::model::Measurement;
use nanobench::report::{TimeUnit, escape, time_in_unit};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use std::io;
use verdicts::Verdict;

/// A suite with its cases.
struct Suite<'a> {
    name: String,
    cases: Vec<Case<'a>>,
}

/// A benchmark.
struct Case<'a> {
    id: &'a BenchmarkId,
    /// The time for which it was sampled, in seconds.
    seconds: f64,
    result: CaseResult,
    output: String,
}

/// The result of a case, with the kind, a short and a long text of what is wrong.
enum CaseResult {
    Passed,
    Skipped { kind: &'static str, message: String },
    Failure { kind: &'static str, message: String },
    Error(String),
}

/// Returns the document.
pub(super) fn junit(report: &Report) -> io::Result<String> {
    let suites: Vec<Suite<'_>> = report.runs.iter().flat_map(suites).collect();
    let count = |is: fn(&CaseResult) -> bool| {
        let cases = suites.iter().flat_map(|suite| &suite.cases);
        cases.filter(|case| is(&case.result)).count().to_string()
    };
    let seconds: f64 = suites.iter().flat_map(|suite| &suite.cases).map(|case| case.seconds).sum();
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    writer
        .create_element("testsuites")
        .with_attribute(("name", "nanobench"))
        .with_attribute(("tests", count(|_| true).as_str()))
        .with_attribute(("failures", count(is_failure).as_str()))
        .with_attribute(("errors", count(is_error).as_str()))
        .with_attribute(("time", decimal(seconds).as_str()))
        .write_inner_content(|writer| suites.iter().try_for_each(|suite| write_suite(writer, suite)))?;
    let bytes = writer.into_inner();
    Ok(String::from_utf8_lossy(&bytes).into_owned() + "\n")
}

fn is_failure(result: &CaseResult) -> bool {
    matches!(result, CaseResult::Failure { .. })
}

fn is_error(result: &CaseResult) -> bool {
    matches!(result, CaseResult::Error(_))
}

fn is_skipped(result: &CaseResult) -> bool {
    matches!(result, CaseResult::Skipped { .. })
}

/// Returns a suite for each target, in the order of the run.
fn suites(run: &ComparedRun) -> Vec<Suite<'_>> {
    let with = run.header.compared_with.as_ref();
    let with = with.map(|with| format!(" compared with {}", in_sentence(&with.name))).unwrap_or_default();
    let rows = run.rows.iter().map(|row| case(run, row));
    let missing = run.outcome.missing.iter().map(|id| missing(run, id));
    let mut suites: Vec<(&TargetId, Suite<'_>)> = Vec::new();
    for case in rows.chain(missing) {
        match suites.iter_mut().find(|(target, _)| **target == case.id.target) {
            Some((_, suite)) => suite.cases.push(case),
            None => {
                let name = format!("{}{with}", case.id.target);
                suites.push((&case.id.target, Suite { name, cases: vec![case] }));
            }
        }
    }
    suites.into_iter().map(|(_, suite)| suite).collect()
}

fn case<'a>(run: &ComparedRun, row: &'a Row) -> Case<'a> {
    let comparison = row.comparison.as_ref().filter(|_| !row.failed()).map(verdict_text::sentence);
    let (seconds, figure) = match &row.outcome {
        Outcome::Failed(_) | Outcome::NotRun => (0.0, None),
        Outcome::Measured { measurement, summary } => {
            let unit = row.benchmark.spec.unit.as_deref();
            let (bound, time) = match summary.below_resolution {
                true => ("at most ", summary.resolution),
                false => ("", summary.median),
            };
            let per = unit.unwrap_or("op");
            (
                sampled(measurement),
                Some(format!("{bound}{} per {per}", time_in_unit(time, None, TimeUnit::default()))),
            )
        }
    };
    let output = figure.into_iter().chain(comparison).collect::<Vec<_>>().join("\n");
    Case { id: &row.benchmark.id, seconds, result: result(run, row), output }
}

fn result(run: &ComparedRun, row: &Row) -> CaseResult {
    if let Outcome::Failed(error) = &row.outcome {
        return CaseResult::Error(error.to_string());
    }
    if row.is_not_run() {
        let message = row.comparison.as_ref().map(verdict_text::sentence).unwrap_or_default();
        return CaseResult::Skipped { kind: "not run", message };
    }
    let Some(kind) = rejected_kind(run, row) else { return CaseResult::Passed };
    let by = row.comparison.as_ref().and_then(answer_text::short);
    let by = by.map(|by| format!(": {by}")).unwrap_or_default();
    CaseResult::Failure { kind, message: format!("{kind}{by}") }
}

/// Returns the verdict that makes a row a failure. Without gates, it is `slower`.
fn rejected_kind(run: &ComparedRun, row: &Row) -> Option<&'static str> {
    if run.outcome.gate.is_some() {
        return Some(rejected(run, &row.benchmark.id)?.on.word());
    }
    (row.verdict() == Some(Verdict::Slower)).then_some("slower")
}

fn missing<'a>(run: &ComparedRun, id: &'a BenchmarkId) -> Case<'a> {
    let message = "missing: the baseline has it, but it no longer exists".to_owned();
    let result = match rejected(run, id) {
        Some(_) => CaseResult::Failure { kind: "missing", message },
        None => CaseResult::Skipped { kind: "missing", message },
    };
    Case { id, seconds: 0.0, result, output: String::new() }
}

/// Returns the time of all samples, in seconds.
fn sampled(measurement: &Measurement) -> f64 {
    let launches = measurement.launches.iter();
    let seconds = launches.flat_map(|launch| {
        launch.samples.iter().map(|sample| sample.elapsed as f64 / launch.clock.frequency)
    });
    seconds.sum()
}

fn write_suite(writer: &mut Writer<Vec<u8>>, suite: &Suite<'_>) -> io::Result<()> {
    let count = |is: fn(&CaseResult) -> bool| suite.cases.iter().filter(|case| is(&case.result)).count();
    let seconds: f64 = suite.cases.iter().map(|case| case.seconds).sum();
    writer
        .create_element("testsuite")
        .with_attribute(("name", xml(&suite.name).as_str()))
        .with_attribute(("tests", suite.cases.len().to_string().as_str()))
        .with_attribute(("failures", count(is_failure).to_string().as_str()))
        .with_attribute(("errors", count(is_error).to_string().as_str()))
        .with_attribute(("skipped", count(is_skipped).to_string().as_str()))
        .with_attribute(("time", decimal(seconds).as_str()))
        .write_inner_content(|writer| suite.cases.iter().try_for_each(|case| write_case(writer, case)))?;
    Ok(())
}

fn write_case(writer: &mut Writer<Vec<u8>>, case: &Case<'_>) -> io::Result<()> {
    let (name, class) = (xml(&case.id.row.to_string()), xml(&case.id.target.to_string()));
    writer
        .create_element("testcase")
        .with_attribute(("name", name.as_str()))
        .with_attribute(("classname", class.as_str()))
        .with_attribute(("time", decimal(case.seconds).as_str()))
        .write_inner_content(|writer| {
            let (element, kind, message) = match &case.result {
                CaseResult::Passed => return write_output(writer, &case.output),
                CaseResult::Skipped { kind, message } => ("skipped", *kind, message),
                CaseResult::Failure { kind, message } => ("failure", *kind, message),
                CaseResult::Error(message) => ("error", "failed", message),
            };
            let message = xml(message);
            let element = writer.create_element(element);
            let element = element.with_attribute(("type", kind));
            element.with_attribute(("message", message.as_str())).write_empty()?;
            write_output(writer, &case.output)
        })?;
    Ok(())
}

fn write_output(writer: &mut Writer<Vec<u8>>, output: &str) -> io::Result<()> {
    if !output.is_empty() {
        let lines: Vec<String> = output.lines().map(xml).collect();
        let lines = lines.join("\n");
        writer.create_element("system-out").write_text_content(BytesText::new(&lines))?;
    }
    Ok(())
}

/// Formats seconds without an exponent, which the schemas don't allow.
fn decimal(seconds: f64) -> String {
    format!("{seconds:.3}")
}

/// Escapes the characters that XML can't hold, not even escaped in its own way.
fn xml(text: &str) -> String {
    escape(text).replace('\u{fffe}', "\\u{fffe}").replace('\u{ffff}', "\\u{ffff}")
}
