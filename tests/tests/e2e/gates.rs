//! Exit codes for CI, and a baseline that moves forward only if the gates pass.

use nanobench_tests::{Fixture, Outcome};

const CHANGING: &str = "compare::work::changing";

/// Returns a fixture whose `changing` is slower than in the baseline `main`.
fn slower() -> Fixture {
    Fixture::slowed_down("--save-baseline main")
}

/// Returns the kinds of gate failures in the JSON document.
fn held_back(run: &Outcome) -> Vec<String> {
    let failures = run.json().held_back().unwrap_or_else(|| panic!("no gate\n{run}"));
    failures.into_iter().map(|(kind, _)| kind).collect()
}

#[test]
fn something_slower_ends_with_3_and_a_line_that_says_by_how_much() {
    let fixture = slower();
    let run = fixture.nanobench("--baseline main --fail-on slower").run();
    let lines = run.exits(3).lines();
    let line = lines.iter().find(|line| line.starts_with("gate failed")).expect("a line about the gate");
    assert!(line.contains("1 slower") && line.contains(CHANGING) && line.contains(" +"), "{line}\n{run}");
    let run = fixture.nanobench("report --baseline main --fail-on slower --format json").run();
    assert_eq!(held_back(run.exits(3)), ["slower"], "two saved runs have the same gates\n{run}");
    for gate in ["--fail-on slower", "--fail-above 5"] {
        fixture.nanobench(&format!("report {gate}")).run().exits(2).says("--baseline <NAME>");
    }
}

#[test]
fn without_a_gate_or_below_its_limit_something_slower_is_no_failure() {
    let fixture = slower();
    let run = fixture.nanobench("--baseline main changing").run();
    run.exits(0).prints("slower").never_says("gate failed");
    let flags = "--fail-on slower --fail-above 100000%";
    let run = fixture.nanobench(&format!("--baseline main --format json {flags} changing")).run();
    assert!(held_back(run.exits(0)).is_empty(), "{run}");
    let run = fixture.nanobench("--baseline main --format json --fail-above 5% changing").run();
    assert_eq!(held_back(run.exits(3)), ["slower"]);
}

#[test]
fn new_and_missing_benchmarks_fail_their_gates() {
    let fixture = Fixture::to_edit("compare");
    fixture.nanobench("--save-baseline main").run().exits(0);
    fixture.edit("benches/work.rs", "fn changing()", "fn renamed()");
    fixture.edit("benches/work.rs", "STEPS: u64 = 2_000", "STEPS: u64 = 2_002");
    let run = fixture.nanobench("--baseline main --format json --fail-on missing,new").run();
    assert_eq!(held_back(run.exits(3)), ["removed", "new"]);
    let run = fixture.nanobench("--baseline main --fail-on removed").run();
    run.exits(3).prints("gate failed: 1 removed (compare::work::changing)");
    fixture.nanobench("--fail-on maybe").run().exits(2).says("slower");
}

#[test]
fn failed_benchmarks_exit_with_1_and_are_named_by_the_gate() {
    let fixture = Fixture::of("tally");
    fixture.nanobench("--save-baseline main").run().exits(0);
    let run = fixture.nanobench("--baseline main --fail-on failed").env("E2E_PANIC", "1").run();
    run.exits(1).prints("gate failed: 1 failed (tally::outside::may_panic)");
    let run = fixture.nanobench("--baseline main --fail-on slower").env("E2E_PANIC", "1").run();
    run.exits(1).prints("no gate failed, but 1 benchmark did").never_says("gate passed");
}

#[test]
fn a_benchmark_that_failed_on_both_sides_is_not_new() {
    let fixture = Fixture::of("tally");
    fixture.nanobench("--save-baseline main").env("E2E_PANIC", "1").run().exits(1);
    let run = fixture.nanobench("--baseline main --format json").env("E2E_PANIC", "1").run();
    let compared = run.exits(1).json().row("tally::outside::may_panic").comparison;
    assert_eq!(compared.expect("there is a baseline").verdict, "failed", "{run}");
}

#[test]
fn gates_without_anything_to_compare_with_say_so() {
    let fixture = Fixture::of("compare");
    let run = fixture.nanobench("--fail-on slower steady").run();
    run.exits(0)
        .says("nothing to compare with")
        .prints("no gate failed, as there was nothing to compare with")
        .never_says("gate passed");
    let run = Fixture::of("compare").nanobench("--fail-on slower --no-warnings steady").run();
    run.exits(0).never_says("warning:");
}

#[test]
fn save_on_pass_replaces_the_baseline_only_if_all_passes() {
    let fixture = Fixture::to_edit("compare");
    // The first run has no baseline, so its gates pass.
    fixture.nanobench("--save-on-pass main").run().exits(0).prints("Saved as baseline `main`");
    let first = fixture.bytes(fixture.baseline("main"));
    // Without time, no comparison can be decided.
    fixture.edit("benches/work.rs", "STEPS: u64 = 2_000", "STEPS: u64 = 4_000");
    let run = fixture.nanobench("--save-on-pass main --budget 1ms changing").run();
    run.exits(0).prints("Baseline `main` was not replaced (--save-on-pass): 1 unsure");
    fixture.edit("benches/work.rs", "STEPS: u64 = 4_000", "STEPS: u64 = 40_000");
    let run = fixture.nanobench("--save-on-pass main changing").run();
    run.exits(0)
        .prints("1 slower")
        .prints("was not replaced (--save-on-pass): 1 slower (compare::work::changing");
    assert!(first == fixture.bytes(fixture.baseline("main")), "{run}");
    let run = fixture.nanobench("--save-on-pass main --fail-on slower changing").run();
    run.exits(3).prints("Baseline `main` was not replaced");
    let run = fixture.nanobench("--baseline main --save-on-pass next --fail-on slower changing").run();
    run.exits(3).prints("Baseline `next` was not saved (--save-on-pass)").never_says("(--save-on-pass): ");
    fixture.edit("benches/work.rs", "STEPS: u64 = 40_000", "STEPS: u64 = 200");
    let run = fixture.nanobench("--save-on-pass main --fail-on slower changing").run();
    run.exits(0).prints("gate passed").prints("Saved as baseline `main`").prints("main~1");
    assert!(first != fixture.bytes(fixture.baseline("main")), "{run}");
    assert!(first == fixture.bytes(fixture.baseline("main~1")), "{run}");
}

#[test]
fn save_on_pass_keeps_the_baseline_if_a_benchmark_fails() {
    let fixture = Fixture::of("tally");
    fixture.nanobench("--save-on-pass main").run().exits(0);
    let run = fixture.nanobench("--save-on-pass main").env("E2E_PANIC", "1").run();
    run.exits(1).prints("Baseline `main` was not replaced");
    fixture.nanobench("--save-on-pass a --save-baseline b").run().exits(2);
}

#[test]
fn each_of_several_baselines_is_a_gate() {
    let fixture = slower();
    fixture.nanobench("--save-baseline slow changing").run().exits(0);
    let run =
        fixture.nanobench("--baseline slow --baseline main --fail-on slower --format json changing").run();
    let report = run.exits(3).json();
    assert_eq!(report.held_back(), Some(Vec::new()), "{run}");
    assert_eq!(report.other_runs[0].held_back().map(|failures| failures.len()), Some(1), "{run}");
}
