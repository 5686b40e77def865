//! The pages on the documents that this project follows: each line of their tables has a check that
//! what it names exists and does it.
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

/// Runs the checks of a page, of which each line must have one, unless it says that there is no
/// such thing here.
#[track_caller]
fn check(page: &str, checks: &[Check]) {
    let text = fs::read_to_string(repository().join("docs").join(page)).expect("a page");
    let lines: BTreeSet<&str> = text.lines().filter_map(feature).collect();
    let checked: BTreeSet<&str> = checks.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines.difference(&checked).collect::<Vec<_>>(), Vec::<&&str>::new(), "{page}: not checked");
    assert_eq!(checked.difference(&lines).collect::<Vec<_>>(), Vec::<&&str>::new(), "{page}: no such line");
    let features = Features::new();
    for (line, check) in checks {
        println!("{page}: {line}");
        check(&features);
    }
}

/// Returns the first column of a line of a table.
fn feature(line: &str) -> Option<&str> {
    let mut cells = line.strip_prefix("| ")?.split(" | ");
    let (feature, here) = (cells.next()?, cells.next()?);
    let is_head = here.trim_end_matches('|').trim() == "here";
    (!is_head && !here.starts_with("Not here: ")).then_some(feature)
}
