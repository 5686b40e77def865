//! Arguments, types and constants: the rows, their labels, and the inputs of each call.

use super::{listed, measured};
use nanobench_tests::Fixture;
use std::sync::LazyLock;

/// Returns the cases of a function of the fixture, in the order of the listing.
fn cases(function: &str) -> Vec<String> {
    static IDS: LazyLock<Vec<String>> = LazyLock::new(|| listed("inputs", "--include-ignored"));
    let id = format!("inputs::rows::{function}/");
    IDS.iter().filter_map(|listed| listed.strip_prefix(&id)).map(str::to_owned).collect()
}

#[test]
fn each_argument_is_a_row_with_an_id_of_its_own() {
    assert_eq!(cases("sort"), ["10", "100", "1000"]);
    assert_eq!(cases("range"), ["1", "2", "3"]);
    assert_eq!(cases("words"), ["one", "two words"]);
    assert_eq!(cases("iterator"), ["a", "b", "c"]);
}

#[test]
fn a_row_is_named_by_display_else_by_debug_else_by_its_place() {
    assert_eq!(cases("by_display"), ["displayed"]);
    assert_eq!(cases("by_debug"), ["Some(1)", "None"]);
    assert_eq!(cases("by_number"), ["#0", "#1"]);
}

#[test]
fn a_label_replaces_the_text_of_the_argument() {
    assert_eq!(cases("labelled"), ["1 KiB", "tab\\t", "tab\\t#2"]);
    assert_eq!(listed("inputs", "labelled/1").len(), 1);
}

#[test]
fn no_two_rows_have_the_same_name() {
    assert_eq!(cases("same"), ["same", "same#2", "other", "same#3"]);
}

#[test]
fn a_name_is_short_and_on_one_line() {
    let all = cases("long");
    for long in &all {
        assert_eq!(long.chars().count(), 60, "{long}");
        assert!(long.starts_with("xxx") && long.contains("x.."), "{long}");
    }
    assert!(
        all[0] != all[1] && !all[1].contains('#'),
        "each has a name of its own, wherever it stands: {all:?}"
    );
    assert_eq!(cases("control"), ["tab\\there"]);
}

#[test]
fn types_and_constants_make_rows_in_all_combinations() {
    assert_eq!(cases("collect"), ["Vec<u64>", "VecDeque<u64>", "BTreeSet<u64>"]);
    assert_eq!(cases("fill"), ["4", "16"]);
    assert_eq!(cases("pairs").len(), 2);
    let combined = [
        "Vec<u64>/1/10",
        "Vec<u64>/1/20",
        "Vec<u64>/2/10",
        "Vec<u64>/2/20",
        "VecDeque<u64>/1/10",
        "VecDeque<u64>/1/20",
        "VecDeque<u64>/2/10",
        "VecDeque<u64>/2/20",
    ];
    assert_eq!(cases("combined"), combined);
}

#[test]
fn a_custom_name_precedes_the_case() {
    assert_eq!(cases("renamed"), ["1"]);
}

#[test]
fn filters_select_rows() {
    assert_eq!(listed("inputs", "--exact inputs::rows::sort/100"), ["inputs::rows::sort/100"]);
    assert_eq!(listed("inputs", "sort/100"), ["inputs::rows::sort/100", "inputs::rows::sort/1000"]);
    assert_eq!(listed("inputs", "sort --skip /100"), ["inputs::rows::sort/10"]);
}

/// The functions assert that their input is new and has the expected value.
#[test]
fn every_row_is_measured_and_each_call_gets_an_input_of_its_own() {
    let report = measured("inputs", "--max-time 2ms");
    let mut all = listed("inputs", "");
    all.sort();
    let mut ids = report.ids();
    ids.sort_unstable();
    assert_eq!(ids, all);
    for id in ids {
        assert!(report.row(id).is_ok(), "{id}");
    }
    assert_eq!(report.row("inputs::rows::sort/1000").case.as_deref(), Some("1000"));
    assert_eq!(
        report.row("inputs::rows::sort/1000").description,
        "Each call gets numbers that are not sorted yet."
    );
}

#[test]
fn every_row_runs_once_as_a_test() {
    let run = Fixture::of("inputs").cargo("test --benches").run();
    run.exits(0).prints("nanobench_sort ... ok").prints("nanobench_ignored ... ignored");
}

#[test]
fn rows_of_a_function_are_listed_below_its_name() {
    let run = Fixture::of("inputs").nanobench("sort range --max-time 2ms").run();
    let lines = run.exits(0).lines();
    let place = |word: &str| {
        let found = lines.iter().position(|line| line.split_whitespace().next() == Some(word));
        found.unwrap_or_else(|| panic!("no line starts with {word}\n{run}"))
    };
    assert!(
        place("sort") < place("10") && place("10") < place("100") && place("100") < place("1000"),
        "{run}"
    );
    assert!(place("1000") < place("range"), "{run}");
}

#[test]
fn a_run_of_rows_is_compared_with_the_last_one() {
    let fixture = Fixture::of("inputs");
    fixture.nanobench("sort range --max-time 2ms").run().exits(0);
    let report = fixture.nanobench("sort --format json --max-time 2ms").run().exits(0).json();
    let compared = report.row("inputs::rows::sort/100").comparison.expect("it was there before");
    assert_ne!(compared.verdict, "new");
}

#[test]
fn ignored_rows_run_only_if_named() {
    let ignored = ["inputs::rows::inner::ignored/1", "inputs::rows::inner::ignored/2"];
    assert!(!listed("inputs", "").iter().any(|id| id.contains("ignored")));
    assert_eq!(listed("inputs", "ignored"), ignored);
    assert_eq!(listed("inputs", "inputs::rows::inner"), ignored);
    assert_eq!(listed("inputs", "inputs::rows::inner::ignored/2"), ignored[1..]);
}
