//! `cargo nanobench doctor`: what disturbs here, and the smallest change that can be seen.

use nanobench_tests::Fixture;
use serde_json::Value;

const LOOKED_AT: [&str; 13] = [
    "governor",
    "turbo",
    "SMT",
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
];

#[test]
fn the_document_names_all_that_was_looked_at_and_what_can_be_seen() {
    // No package is needed.
    let run = Fixture::empty().nanobench("doctor --format json --quiet").run();
    let document: Value = serde_json::from_str(&run.exits(0).stdout()).expect("stdout is one JSON document");
    let findings = document["findings"].as_array().expect("findings are a list");
    let names: Vec<&str> = findings.iter().filter_map(|finding| finding["name"].as_str()).collect();
    assert_eq!(names, LOOKED_AT, "{run}");
    for finding in findings {
        let (state, advice) = (finding["state"].as_str(), &finding["advice"]);
        match state {
            Some("disturbs" | "note") => assert!(advice.is_string(), "{finding} is without advice"),
            Some("fine" | "not known") => assert!(advice.is_null(), "{finding} needs none"),
            _ => panic!("not a state: {finding}"),
        }
    }
    let noise = document["noise"].as_array().expect("noise is a list");
    assert_eq!(noise.len(), 2, "{run}");
    for figures in noise {
        let figure = |name: &str| figures[name].as_f64().expect("a figure is a number");
        let seen = (figure("seen_in_1_s"), figure("seen_in_100_ms"));
        assert!(figure("floor") > 0.0 && seen.0 > 0.0 && seen.1 > figure("floor"), "{figures}");
    }
}

#[test]
fn the_table_says_that_nothing_was_changed() {
    let run = Fixture::empty().nanobench("doctor").run();
    run.exits(0).prints("smallest change seen in 0.1 s").prints("Nothing was changed.");
    assert!(
        run.has_row("governor") && run.has_row("ASLR") && run.has_row("chain") && run.has_row("mixed"),
        "{run}"
    );
}
