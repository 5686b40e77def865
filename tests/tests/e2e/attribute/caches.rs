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
    // Emptying a cache of 480 MB takes seconds beside other tests.
    let report = measured("caches", "--cache both --timeout 250s");
    let warm = report.row("caches::caches::walk");
    assert_eq!(warm.cache, "warm");
    for cold in ["walk/cold", "cold_walk/cold", "plain_walk/cold"] {
        let row = report.row(&format!("caches::caches::{cold}"));
        assert_eq!(row.cache, "cold");
        let times = (row.median(), warm.median());
        assert!(times.0 > AT_LEAST * times.1, "{cold}: {} ns, warm {} ns", times.0, times.1);
    }
}

#[test]
fn the_flag_comes_before_the_attribute() {
    let walk = "caches::caches::walk";
    assert_eq!(listed("caches", "--cache warm ::walk"), [walk]);
    assert_eq!(listed("caches", "--cache cold ::walk"), ["caches::caches::walk/cold"]);
    let plain = ["caches::caches::plain_walk", "caches::caches::plain_walk/cold"];
    assert_eq!(listed("caches", "--cache both plain"), plain);
}

#[test]
fn the_wipe_size_can_be_chosen_and_swept() {
    let report =
        measured("caches", "::plain_walk --cache cold --wipe-size 32K,64M --samples 5 --iterations 3");
    let sizes: Vec<f64> = report.ids().iter().map(|id| report.row(id).wipe_size.unwrap()).collect();
    assert_eq!(sizes, [32.0 * 1024.0, 64.0 * 1024.0 * 1024.0]);
    Fixture::of("caches").nanobench("--wipe-size much").run().exits(2);
}
