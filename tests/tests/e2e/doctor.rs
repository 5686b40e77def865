//! `cargo nanobench doctor`: the checks of the machine, and the smallest detectable change.

use nanobench_tests::Fixture;
use serde_json::Value;

const CHECKS: [&str; 15] = [
    "governor",
    "turbo",
    "SMT",
    "cores",
    "clock",
    "hardware counters",
    "virtual machine",
    "container",
    "power",
    "ASLR",
    "timer slack",
    "other programs",
    "run queue",
    "steal",
    "power scheme",
];

#[test]
fn the_document_has_all_checks_and_the_noise() {
    // No package is needed.
    let run = Fixture::empty().nanobench("doctor --format json --quiet").run();
    let document: Value = serde_json::from_str(&run.exits(0).stdout()).expect("stdout is one JSON document");
    let checks = document["checks"].as_array().expect("checks are a list");
    let names: Vec<&str> = checks.iter().filter_map(|check| check["name"].as_str()).collect();
    assert_eq!(names, CHECKS, "{run}");
    for check in checks {
        let (status, advice) = (check["status"].as_str(), &check["advice"]);
        match status {
            Some("warning" | "note") => assert!(advice.is_string(), "{check} has no advice"),
            Some("ok" | "unknown") => assert!(advice.is_null(), "{check} needs no advice"),
            _ => panic!("not a status: {check}"),
        }
    }
    let noise = document["noise"].as_array().expect("noise is a list");
    assert_eq!(noise.len(), 2, "{run}");
    for figures in noise {
        let figure = |name: &str| figures[name].as_f64().expect("a figure is a number");
        let (short, long) = (figure("detectable_in_100_ms"), figure("detectable_in_1_s"));
        assert!(figure("floor") > 0.0 && long > 0.0 && short > figure("floor"), "{figures}");
    }
}

#[test]
fn the_table_says_that_nothing_was_changed() {
    let run = Fixture::empty().nanobench("doctor").run();
    run.exits(0).prints("smallest detectable change").prints("Nothing was changed.");
    assert!(
        run.has_row("governor") && run.has_row("ASLR") && run.has_row("chain") && run.has_row("mixed"),
        "{run}"
    );
}
