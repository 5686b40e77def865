//! The documents that this project follows: each line about them has a check that what it names exists
//! and does it.
#![expect(clippy::unwrap_used, reason = "the checks are parts of tests, as functions in tables")]

mod ankerl;
mod hargreaves;
mod measureit;
mod performance_counter;
mod softwx;

use nanobench_tests::{Fixture, Outcome, repository};
use serde_json::Value;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fs;

/// The first column of a line, and the check of it.
type Check = (&'static str, fn(&Features));

/// A fixture with benchmarks for the features, which no check edits.
struct Features {
    fixture: Fixture,
    measured: OnceCell<Value>,
}

impl Features {
    fn new() -> Features {
        Features { fixture: Fixture::of("documents"), measured: OnceCell::new() }
    }

    /// Runs with these arguments.
    fn run(&self, arguments: &str) -> Outcome {
        self.fixture.nanobench(arguments).run()
    }

    /// Returns the document of a brief run of all benchmarks.
    fn measured(&self) -> &Value {
        self.measured.get_or_init(|| {
            let run = self.run("--format json --include-ignored --min-time 1ms --max-time 2ms");
            serde_json::from_str(&run.exits(0).stdout()).expect("a JSON document")
        })
    }

    /// Returns the JSON of a benchmark.
    #[track_caller]
    fn row(&self, path: &str) -> &Value {
        let id = format!("documents::documents::{path}");
        let rows = self.measured()["benchmarks"].as_array().expect("a list");
        rows.iter().find(|row| row["id"] == *id).unwrap_or_else(|| panic!("no row for {id}: {rows:#?}"))
    }
}

/// Returns a number of the JSON document.
#[track_caller]
fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

/// Runs the checks of a document. Each line of its table in `docs/moving/from-others.md` must have one,
/// and each check must be named there or in `docs/internals/five-documents.md`.
#[track_caller]
fn check(document: &str, checks: &[Check]) {
    let read = |page: &str| fs::read_to_string(repository().join("docs").join(page)).expect("a page");
    let (page, index) = (read("moving/from-others.md"), read("internals/five-documents.md"));
    let section = page.split("\n## ").find(|section| section.starts_with(document)).expect("a section");
    let lines: BTreeSet<&str> = section.lines().filter_map(feature).collect();
    let checked: BTreeSet<&str> = checks.iter().map(|(line, _)| *line).collect();
    assert_eq!(
        lines.difference(&checked).collect::<Vec<_>>(),
        Vec::<&&str>::new(),
        "{document}: not checked"
    );
    let is_named = |line: &str| lines.contains(line) || index.contains(&format!("check \"{line}\""));
    let unnamed: Vec<&str> = checked.into_iter().filter(|line| !is_named(line)).collect();
    assert_eq!(unnamed, Vec::<&str>::new(), "{document}: no such line");
    let features = Features::new();
    for (line, check) in checks {
        println!("{document}: {line}");
        check(&features);
    }
}

/// Returns the first column of a line of a table.
fn feature(line: &str) -> Option<&str> {
    let mut cells = line.strip_prefix("| ")?.split(" | ");
    let (feature, here) = (cells.next()?, cells.next()?);
    (here.trim_end_matches('|').trim() != "here").then_some(feature)
}
