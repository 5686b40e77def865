//! JUnit XML, as Jenkins, GitLab and most test reporters read it: a suite for each target and
//! baseline, a case for each benchmark, and regressions as failures.

use super::rejected;
use crate::baseline::in_sentence;
use crate::benchmark_id::{BenchmarkId, TargetId};
use crate::experiment::{Outcome, Row};
use crate::report::statistics::elapsed;
use crate::report::{ComparedRun, Report, answer_text, verdict_text};
use nanobench::report::{escape, time};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use std::io;
use verdicts::Verdict;

/// A target that is compared with a baseline or with none.
struct Suite<'a> {
    target: &'a TargetId,
    name: String,
    cases: Vec<Case<'a>>,
}

/// A benchmark.
struct Case<'a> {
    id: &'a BenchmarkId,
    /// The time for which it was sampled, in seconds.
    seconds: f64,
    problem: Option<Problem>,
    output: String,
}

/// The reason why a case has not passed.
struct Problem {
    /// `skipped`, `failure` or `error`.
    element: &'static str,
    kind: &'static str,
    message: String,
}

/// Returns the document.
pub(super) fn junit(report: &Report) -> io::Result<String> {
    let suites: Vec<Suite<'_>> = report.runs.iter().flat_map(suites).collect();
    let all = numbers("nanobench", suites.iter().flat_map(|suite| &suite.cases));
    // The schemas count skipped cases in suites only.
    let all = all.iter().filter(|(key, _)| *key != "skipped");
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    writer
        .create_element("testsuites")
        .with_attributes(all.map(|(key, value)| (*key, value.as_str())))
        .write_inner_content(|writer| suites.iter().try_for_each(|suite| write_suite(writer, suite)))?;
    let bytes = writer.into_inner();
    Ok(String::from_utf8_lossy(&bytes).into_owned() + "\n")
}

/// Returns the attributes of a suite: its name, and the numbers of its cases.
fn numbers<'c>(name: &str, cases: impl Iterator<Item = &'c Case<'c>>) -> [(&'static str, String); 6] {
    let cases: Vec<&Case<'_>> = cases.collect();
    let with = |element| {
        let is_one = |case: &&&Case<'_>| case.problem.as_ref().is_some_and(|it| it.element == element);
        cases.iter().filter(is_one).count().to_string()
    };
    let seconds = cases.iter().map(|case| case.seconds).sum();
    [
        ("name", xml(name)),
        ("tests", cases.len().to_string()),
        ("failures", with("failure")),
        ("errors", with("error")),
        ("skipped", with("skipped")),
        ("time", decimal(seconds)),
    ]
}

/// Returns a suite for each target, in the order of the run.
fn suites(run: &ComparedRun) -> Vec<Suite<'_>> {
    let with = run.header.baseline().map(|name| format!(" compared with {}", in_sentence(name)));
    let with = with.unwrap_or_default();
    let rows = run.rows.iter().map(|row| case(run, row));
    let removed = run.outcome.removed.iter().map(|id| removed(run, id));
    let mut suites: Vec<Suite<'_>> = Vec::new();
    for case in rows.chain(removed) {
        let target = &case.id.target;
        match suites.iter_mut().find(|suite| suite.target == target) {
            Some(suite) => suite.cases.push(case),
            None => suites.push(Suite { target, name: format!("{target}{with}"), cases: vec![case] }),
        }
    }
    suites
}

fn case<'a>(run: &ComparedRun, row: &'a Row) -> Case<'a> {
    let comparison = row.comparison.as_ref().filter(|_| !row.failed()).map(verdict_text::sentence);
    let figure = row.measured().map(|(_, summary)| {
        let figure = match summary.below_resolution {
            true => format!("at most {}", time(summary.resolution)),
            false => time(summary.median),
        };
        format!("{figure} per {}", row.unit())
    });
    let seconds = row.measured().map_or(0.0, |(measurement, _)| elapsed(measurement) / 1e9);
    let output = figure.into_iter().chain(comparison).collect::<Vec<_>>().join("\n");
    Case { id: &row.benchmark.id, seconds, problem: problem(run, row), output }
}

/// Returns why a row has not passed. Without gates, `slower` is a failure.
fn problem(run: &ComparedRun, row: &Row) -> Option<Problem> {
    let comparison = row.comparison.as_ref();
    let (element, kind, message) = match &row.outcome {
        Outcome::Failed(error) => ("error", "failed", error.to_string()),
        Outcome::NotRun => ("skipped", "not run", comparison.map(verdict_text::sentence).unwrap_or_default()),
        Outcome::Measured { .. } => {
            let kind = match &run.outcome.gate {
                Some(_) => rejected(run, &row.benchmark.id)?.on.word(),
                None => row.verdict().filter(|verdict| *verdict == Verdict::Slower)?.word(),
            };
            let by = comparison.and_then(answer_text::short).map(|by| format!(": {by}"));
            ("failure", kind, kind.to_owned() + &by.unwrap_or_default())
        }
    };
    Some(Problem { element, kind, message })
}

fn removed<'a>(run: &ComparedRun, id: &'a BenchmarkId) -> Case<'a> {
    let message = "removed: the baseline has it, but it no longer exists".to_owned();
    let element = if rejected(run, id).is_some() { "failure" } else { "skipped" };
    let problem = Some(Problem { element, kind: "removed", message });
    Case { id, seconds: 0.0, problem, output: String::new() }
}

fn write_suite(writer: &mut Writer<Vec<u8>>, Suite { name, cases, .. }: &Suite<'_>) -> io::Result<()> {
    let numbers = numbers(name, cases.iter());
    writer
        .create_element("testsuite")
        .with_attributes(numbers.iter().map(|(key, value)| (*key, value.as_str())))
        .write_inner_content(|writer| cases.iter().try_for_each(|case| write_case(writer, case)))?;
    Ok(())
}

fn write_case(
    writer: &mut Writer<Vec<u8>>,
    Case { id, seconds, problem, output }: &Case<'_>,
) -> io::Result<()> {
    let (name, class) = (xml(&id.row.to_string()), xml(&id.target.to_string()));
    writer
        .create_element("testcase")
        .with_attribute(("name", name.as_str()))
        .with_attribute(("classname", class.as_str()))
        .with_attribute(("time", decimal(*seconds).as_str()))
        .write_inner_content(|writer| {
            if let Some(Problem { element, kind, message }) = problem {
                let element = writer.create_element(*element).with_attribute(("type", *kind));
                element.with_attribute(("message", xml(message).as_str())).write_empty()?;
            }
            if !output.is_empty() {
                let lines = output.lines().map(xml).collect::<Vec<_>>().join("\n");
                writer.create_element("system-out").write_text_content(BytesText::new(&lines))?;
            }
            Ok(())
        })?;
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
