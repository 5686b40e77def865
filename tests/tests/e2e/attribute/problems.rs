//! Rows that can't run fail with a reason, and the other rows run.

use nanobench_tests::{Fixture, Outcome};
use std::sync::LazyLock;

/// Returns the run of all rows, which is the same for all tests.
fn run() -> &'static Outcome {
    static RUN: LazyLock<Outcome> =
        LazyLock::new(|| Fixture::of("problems").nanobench("--format json --max-time 2ms").run());
    &RUN
}

#[test]
fn rows_that_cannot_run_say_why() {
    let run = run();
    let report = run.exits(1).json();
    for (id, why) in [
        ("without_arguments", &["no arguments", "empty"][..]),
        ("arguments_panic", &["the disk is full"]),
        ("compared_with_no_benchmark", &["`helper` is no benchmark of this target: mark it"]),
        ("one_row_panics/2", &["two is too much"]),
        ("on_threads::of_one_value", &["every = \"sample\""]),
        ("on_threads::of_a_cell/Cell { value: 5 }", &["`Sync`"]),
        ("threads_panic", &["no cores here"]),
    ] {
        let row = report.row(&format!("problems::problems::{id}"));
        assert!(!row.is_ok(), "{id}\n{run}");
        assert!(why.iter().any(|why| row.error().contains(why)), "{id}: {}", row.error());
    }
}

#[test]
fn invalid_values_are_reported_with_their_place() {
    let run = run();
    let report = run.exits(1).json();
    for (id, line, why) in [
        ("on_a_million_threads", "#[nanobench(threads = [1, 2].map", "from 0, for all cores, to"),
        ("less_than_no_bytes/1", "#[nanobench(args = [1], bytes", "can't be -1"),
    ] {
        let source = include_str!("../../../fixtures/problems/benches/problems.rs");
        let line = source.lines().position(|of| of.starts_with(line)).unwrap() + 1;
        let place = format!("benches/problems.rs:{line}:");
        let error = report.row(&format!("problems::problems::{id}")).error().to_owned();
        assert!(error.contains(&place) && error.contains(why), "{error}");
    }
}

#[test]
fn words_have_no_complexity() {
    let run = run();
    let report = run.exits(1).json();
    let why = report.row("problems::problems::complexity_of_words/small").error().to_owned();
    assert!(why.contains("complexity") && why.contains("number"), "{why}");
}

#[test]
fn a_curve_without_a_value_is_left_out_alone() {
    let run = run();
    let report = run.exits(1).json();
    for (function, why) in
        [("curve_without_end", "for 1000 it is -inf"), ("curve_panics", "benches/problems.rs")]
    {
        let function = format!("problems::problems::{function}");
        let fits = report.fits(&function).len();
        assert_eq!(fits, 6, "{run}");
        assert!(report.unfitted(&function).contains(why), "{run}");
        assert!(report.row(&format!("{function}/4000")).is_ok(), "{run}");
    }
    assert!(report.unfitted("problems::problems::curve_panics").contains("the curve ends here"), "{run}");
}

#[test]
fn two_sizes_are_too_few_for_a_complexity() {
    let run = run();
    let report = run.exits(1).json();
    assert!(report.unfitted("problems::problems::two_sizes").contains("three different sizes"), "{run}");
    assert!(report.row("problems::problems::two_sizes/2000").is_ok(), "{run}");
    let table = Fixture::of("problems").nanobench("two_sizes --max-time 2ms").run();
    table.exits(0).prints("not fitted: it needs three different sizes");
}

#[test]
fn the_others_run() {
    let run = run();
    let report = run.exits(1).json();
    for id in ["fine", "one_row_panics/1", "one_row_panics/3"] {
        assert!(report.row(&format!("problems::problems::{id}")).is_ok(), "{id}\n{run}");
    }
}

#[test]
fn the_table_has_a_word_for_each() {
    let run = Fixture::of("problems").nanobench("--max-time 2ms").run();
    run.exits(1).says("the disk is full").says("two is too much");
    assert!(run.row("fine").contains("/s"), "{run}");
}

#[test]
fn labels_that_differ_between_processes_are_reported() {
    let fixture = Fixture::of("problems");
    let nanobench = |flags: &str| fixture.nanobench(&format!("--max-time 2ms {flags}")).run();
    nanobench("by_process fine --save-baseline before").exits(0).never_says("in each process");
    let again = nanobench("by_process fine --baseline before");
    again
        .exits(0)
        .says("rows of problems::problems::by_process have other names in each process")
        .says("`Display`");
    let ended = nanobench("ends_its_process --format json");
    let report = ended.exits(1).json();
    let error = report.row(report.ids()[0]).error().to_owned();
    assert!(error.contains("no longer has a row with this name") && error.contains("`Display`"), "{error}");
}
