//! Order and number of calls of `setup`, `reset`, `teardown` and fixtures.

use nanobench_tests::Fixture;

/// Runs a benchmark with samples of 2 calls, and returns the events that it wrote to a file, in
/// order.
fn happened(function: &str, file: &str) -> Vec<String> {
    let fixture = Fixture::of("state");
    fixture.nanobench(&format!("--format json state::state::{function}")).run().exits(0);
    fixture.lines_left(file)
}

/// Splits events at teardowns.
fn between_teardowns(happened: &[String]) -> Vec<&[String]> {
    assert!(happened.last().is_some_and(|word| word.starts_with("teardown")), "{happened:?}");
    let mut parts: Vec<_> = happened.split(|word| word.starts_with("teardown")).collect();
    parts.pop();
    parts
}

#[test]
fn an_input_for_each_call_and_a_teardown_after_each_sample() {
    let happened = happened("every_call", "call");
    let count = |wanted: &str| happened.iter().filter(|word| *word == wanted).count();
    assert_eq!(count("setup"), count("call"), "{happened:?}");
    let parts = between_teardowns(&happened);
    assert!(parts.len() >= 3, "{happened:?}");
    for part in parts {
        assert_eq!(part[0], "setup", "{happened:?}");
        assert_eq!(part.last().unwrap(), "call", "{happened:?}");
    }
}

#[test]
fn a_state_for_each_sample() {
    let happened = happened("every_sample", "sample");
    let parts = between_teardowns(&happened);
    assert!(parts.len() >= 3, "{happened:?}");
    for part in &parts {
        assert_eq!(part[0], "setup", "{happened:?}");
        assert!(part.len() > 1 && part[1..].iter().all(|word| word == "call"), "{happened:?}");
    }
    // Its teardown gets the value as the calls left it.
    let calls: Vec<_> = parts.iter().map(|part| format!("teardown {}", part.len() - 1)).collect();
    let teardowns: Vec<_> = happened.iter().filter(|word| word.starts_with("teardown")).cloned().collect();
    assert_eq!(teardowns, calls);
}

#[test]
fn a_state_for_the_whole_benchmark() {
    let happened = happened("every_benchmark", "benchmark");
    let [calls] = between_teardowns(&happened)[..] else { panic!("not one teardown: {happened:?}") };
    assert_eq!(calls[0], "setup", "{happened:?}");
    assert!(calls.len() > 6 && calls[1..].iter().all(|word| word == "call"), "{happened:?}");
    assert_eq!(happened.last().unwrap(), &format!("teardown {}", calls.len() - 1));
}

#[test]
fn a_failed_teardown_is_reported_once() {
    let fixture = Fixture::to_edit("state");
    let teardown = r#"leave("benchmark", &format!("teardown {}", value.used))"#;
    fixture.edit("benches/state.rs", teardown, r#"panic!("{} calls", value.used)"#);
    let warnings = |arguments: &str| {
        let run = fixture
            .nanobench(&format!("{arguments} every_benchmark"))
            .env("NANOBENCH_COMPARE_IDENTICAL", "1")
            .run();
        run.exits(0).stderr().matches("warning: the teardown of every_benchmark panicked at").count()
    };
    assert_eq!(warnings("--save-baseline base"), 1);
    // The teardowns of all processes fail.
    assert_eq!(warnings("--baseline base"), 1);
    assert_eq!(warnings("--no-warnings"), 0);
}

#[test]
fn a_state_for_each_row_of_its_own() {
    let fixture = Fixture::of("state");
    fixture.nanobench("--format json of_each_row").run().exits(0);
    for file in ["row-1", "row-2"] {
        let happened = fixture.lines_left(file);
        let [calls] = between_teardowns(&happened)[..] else { panic!("not one teardown: {happened:?}") };
        assert_eq!(calls[0], "setup", "{happened:?}");
        assert!(calls[1..].iter().all(|word| word == "call"), "{happened:?}");
    }
}

#[test]
fn reset_before_and_teardown_after_each_sample() {
    let happened = happened("reset", "reset");
    for part in between_teardowns(&happened) {
        assert_eq!(part[0], "reset", "{happened:?}");
        assert!(part.len() > 1 && part[1..].iter().all(|word| word == "call"), "{happened:?}");
    }
}

#[test]
fn a_fixture_is_made_once_for_all_that_use_it() {
    let fixture = Fixture::of("state");
    let report = fixture.nanobench("--format json word --max-time 2ms").run().exits(0).json();
    assert_eq!(report.ids().len(), 5, "{:?}", report.ids());
    assert_eq!(fixture.left("words"), 1);
}

#[test]
fn listing_makes_no_inputs() {
    let fixture = Fixture::of("state");
    fixture.nanobench("--list").run().exits(0);
    for file in ["call", "sample", "benchmark", "reset", "words", "row-1"] {
        assert_eq!(fixture.left(file), 0, "{file}");
    }
}

#[test]
fn a_test_runs_it_once() {
    let fixture = Fixture::of("state");
    fixture.cargo("test --benches").run().exits(0);
    assert_eq!(fixture.lines_left("call"), ["setup", "call", "teardown"]);
    assert_eq!(fixture.lines_left("sample"), ["setup", "call", "teardown 1"]);
    assert_eq!(fixture.lines_left("benchmark"), ["setup", "call", "teardown 1"]);
    assert_eq!(fixture.lines_left("reset"), ["reset", "call", "teardown"]);
    assert_eq!(fixture.lines_left("row-2"), ["setup", "call", "teardown"]);
    assert_eq!(fixture.left("words"), 1);
}
