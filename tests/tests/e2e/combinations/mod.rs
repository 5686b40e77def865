//! Generated combinations of parameters, results, options, places and editions. All of them are
//! listed, run as tests, and measured.

mod form;
mod input;
mod place;

use nanobench_tests::Fixture;
use place::Place;
use std::sync::LazyLock;

/// The places with their benchmarks, which are the same in each run.
static PLACES: LazyLock<Vec<Place>> = LazyLock::new(|| place::all(&form::all()));

/// A workspace with all of them.
fn generated() -> Fixture {
    let fixture = Fixture::empty();
    for (file, text) in place::files(&PLACES) {
        fixture.write(file, text);
    }
    // The caches of some machines take a tenth of a second to empty.
    fixture.write(".config/nanobench.toml", "cache = \"warm\"\nwipe-size = [\"1MiB\"]\n");
    fixture.lock_versions();
    fixture
}

fn expected_ids() -> Vec<String> {
    let mut ids: Vec<String> = PLACES.iter().flat_map(Place::ids).collect();
    ids.sort();
    ids
}

#[test]
fn they_are_many_and_each_part_is_among_them() {
    let forms: Vec<_> = PLACES.iter().flat_map(|place| &place.forms).collect();
    assert!(forms.len() >= 200, "only {}", forms.len());
    for input in input::ALL {
        assert!(forms.iter().filter(|form| form.input.name == input.name).count() >= 3, "{}", input.name);
    }
    for control in form::CONTROLS {
        assert!(forms.iter().filter(|form| form.control == *control).count() >= 9, "{control:?}");
    }
    for result in form::RESULTS {
        assert!(forms.iter().filter(|form| form.result == *result).count() >= 9, "{result:?}");
    }
    for option in form::OPTIONS {
        assert!(forms.iter().filter(|form| form.option.text == option.text).count() >= 3, "{}", option.text);
    }
}

#[test]
fn all_are_listed_measured_and_right() {
    let fixture = generated();
    let run = fixture.nanobench("--workspace --list").run();
    let mut listed = run.exits(0).lines();
    listed.sort();
    assert_eq!(listed, expected_ids(), "{run}");

    let run = fixture.nanobench("--workspace --format json --samples 2 --sample-time 5us --warmup 0").run();
    let report = run.json();
    let failed = expected_ids().into_iter().filter(|id| !report.row(id).is_ok());
    let failed: Vec<String> = failed.map(|id| format!("{id}: {}\n", report.row(&id).error())).collect();
    assert!(failed.is_empty(), "{}", failed.concat());
    run.exits(0);
}

#[test]
fn all_run_once_as_tests() {
    let run = generated().cargo("test --workspace --lib --benches").run();
    run.exits(0);
    for place in PLACES.iter().filter(|place| place.has_tests()) {
        for form in &place.forms {
            run.prints(&format!("nanobench_{} ... ok", form.function()));
        }
    }
}

#[test]
#[ignore = "takes 15 s; .ci/run does it on request"]
fn cargo_bench_measures_those_with_a_main_of_their_own() {
    let run = generated().cargo("bench -p edition-2024 --bench own").run();
    run.exits(0).prints("time/op").never_says("failed");
}
