//! Complexities. The sizes of the input are so far apart that no noise makes one complexity look
//! like another.

use super::measured;
use nanobench_tests::{Fixture, Report};

/// The maximum number of runs. Other programs can slow down one size for the length of a run.
const ATTEMPTS: usize = 5;

/// Repeats a run until the name of the best fit contains this text.
#[track_caller]
fn report(function: &str, best: &str) -> Report {
    let runs = || measured("growth", &format!("growth::growth::{function}"));
    let fits = |report: &Report| report.fits(&format!("growth::growth::{function}"));
    let found = (0..ATTEMPTS).map(|_| runs()).find(|report| fits(report)[0].name.contains(best));
    found.unwrap_or_else(|| panic!("not {best} in {ATTEMPTS} runs; in another one: {:#?}", fits(&runs())))
}

#[track_caller]
fn assert_fits(function: &str, expected: &str) {
    let fits = report(function, expected).fits(&format!("growth::growth::{function}"));
    assert_eq!(fits[0].name, expected);
    assert!(fits[0].coefficient > 0.0, "{fits:#?}");
    assert!(fits.iter().is_sorted_by(|a, b| a.err <= b.err), "not the best first: {fits:#?}");
}

#[test]
fn a_hash_lookup_is_constant() {
    assert_fits("hash_lookup", "O(1)");
}

#[test]
fn bisection_is_logarithmic() {
    assert_fits("bisect", "O(log n)");
}

#[test]
fn a_sum_is_linear() {
    assert_fits("sum", "O(n)");
}

#[test]
fn a_merge_sort_is_in_between() {
    assert_fits("merge_steps", "O(n log n)");
}

#[test]
fn pairs_are_quadratic() {
    assert_fits("pairs", "O(n^2)");
}

#[test]
fn triples_are_cubic() {
    assert_fits("triples", "O(n^3)");
}

#[test]
fn constants_are_sizes_too() {
    assert_fits("constants", "O(n)");
}

#[test]
fn the_users_own_complexity_fits_best_if_it_is_right() {
    let fits = report("root", "sqrt").fits("growth::growth::root");
    assert_eq!(fits.len(), 7, "the six known ones and it: {fits:#?}");
}

#[test]
fn a_size_may_be_computed_from_the_argument_and_a_curve_may_have_a_name() {
    assert_fits("text", "O(n)");
    report("named_root", "O(sqrt n)");
}

/// In nanoseconds times the function of `n`: what `sum` takes over its `n`.
#[test]
fn the_coefficient_is_that_of_the_figures() {
    let report = report("sum", "O(n)");
    let fit = &report.fits("growth::growth::sum")[0];
    let of_largest = report.row("growth::growth::sum/25600").median() / 25_600.0;
    let ratio = fit.coefficient / of_largest;
    assert!((0.5..2.0).contains(&ratio), "{fit:?} for {of_largest} ns");
}

#[test]
fn the_table_has_the_best_ones_below_the_rows() {
    let run = Fixture::of("growth").nanobench("growth::growth::sum").run();
    let lines = run.exits(0).lines();
    let last_row = lines.iter().position(|line| line.split_whitespace().next() == Some("25600"));
    let fit = lines.iter().position(|line| line.contains("O(n)"));
    assert!(last_row.is_some() && last_row < fit, "{run}");
}
