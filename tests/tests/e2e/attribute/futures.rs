//! Asynchronous functions.

use super::measured;
use nanobench_tests::Fixture;

#[test]
fn futures_are_driven_to_their_end() {
    let report = measured("futures", "--max-time 5ms --skip own_runtime");
    let names = [
        "ready",
        "twice",
        "woken",
        "with_argument/1",
        "with_argument/10",
        "with_input",
        "with_count",
        "with_control",
    ];
    for name in names {
        assert!(report.row(&format!("futures::futures::{name}")).is_ok(), "{name}");
    }
    assert_eq!(report.ids().len(), names.len());
}

#[test]
fn a_runtime_is_made_once_and_drives_them() {
    let fixture = Fixture::of("futures");
    let run = fixture.nanobench("--format json --exact futures::futures::own_runtime").run();
    assert!(run.exits(0).json().row("futures::futures::own_runtime").is_ok(), "{run}");
    assert_eq!((fixture.left("made"), fixture.left("driven")), (1, 1));
}

#[test]
fn a_runtime_may_meet_arguments() {
    let report = measured("futures", "own_runtime_and_argument --max-time 2ms");
    assert_eq!(report.ids().len(), 2);
}

#[test]
fn they_run_as_tests() {
    let run = Fixture::of("futures").cargo("test --benches").run();
    run.exits(0).prints("nanobench_woken ... ok").prints("nanobench_own_runtime ... ok");
}
