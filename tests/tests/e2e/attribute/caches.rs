//! Warm and cold caches.

use super::{listed, measured};
use nanobench_tests::Fixture;

/// A miss takes about 80 ns and a hit at most 5, a difference that noise can't hide.
const AT_LEAST: f64 = 2.0;

#[test]
fn both_are_rows_side_by_side() {
    assert_eq!(
        listed("caches", ""),
        [
            "caches::caches::walk",
            "caches::caches::walk/cold",
            "caches::caches::cold_walk/cold",
            "caches::caches::plain_walk"
        ]
    );
}

#[test]
fn a_walk_that_misses_is_slower_cold() {
    let report = measured("caches", "");
    let (warm, cold) = (report.row("caches::caches::walk"), report.row("caches::caches::walk/cold"));
    assert_eq!((warm.cache.as_str(), cold.cache.as_str()), ("warm", "cold"));
    assert!(cold.median() > AT_LEAST * warm.median(), "cold {} ns, warm {} ns", cold.median(), warm.median());
    let alone = report.row("caches::caches::cold_walk/cold").median();
    assert!(alone > AT_LEAST * warm.median(), "cold {alone} ns, warm {} ns", warm.median());
}

#[test]
fn the_flag_comes_before_the_attribute() {
    let walk = "caches::caches::walk";
    assert_eq!(listed("caches", "--cache warm ::walk"), [walk]);
    assert_eq!(listed("caches", "--cache cold ::walk"), ["caches::caches::walk/cold"]);
    let plain = ["caches::caches::plain_walk", "caches::caches::plain_walk/cold"];
    assert_eq!(listed("caches", "--cache both plain"), plain);
    let report = measured("caches", "--cache both plain");
    assert!(report.row(plain[1]).median() > AT_LEAST * report.row(plain[0]).median());
}

#[test]
fn the_wipe_size_can_be_chosen_and_swept() {
    let report =
        measured("caches", "::plain_walk --cache cold --wipe-size 32K,64M --samples 5 --iterations 3");
    let sizes: Vec<f64> = report.ids().iter().map(|id| report.row(id).wipe_size.unwrap()).collect();
    assert_eq!(sizes, [32.0 * 1024.0, 64.0 * 1024.0 * 1024.0]);
    Fixture::of("caches").nanobench("--wipe-size much").run().exits(2);
}

#[test]
fn a_cold_run_ends_in_a_time_that_one_can_wait() {
    Fixture::of("caches").nanobench("--cache both --timeout 30s").run().exits(0);
}
