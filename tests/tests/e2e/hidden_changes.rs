//! Large regressions that typical samples, or a comparison of instructions, don't show.

use nanobench_tests::{Comparison, Fixture, Outcome};

/// Saves a baseline of some benchmarks of the fixture `hidden`, and compares the changed build with
/// it.
#[track_caller]
fn changed(flags: &str) -> Outcome {
    let fixture = Fixture::of("hidden");
    fixture.nanobench(&format!("--save-baseline main {flags}")).run().exits(0);
    fixture.nanobench_by_default(&format!("--baseline main --format json --features changed {flags}")).run()
}

/// Expects neither `same` nor `placement`, nor a claim that the code is the same.
#[track_caller]
fn is_known_to_differ(compared: &Comparison, run: &Outcome) {
    assert!(["slower", "unsure"].contains(&compared.verdict.as_str()), "{run}");
    let claims = ["identical code", "same code"];
    assert!(!claims.iter().any(|claim| compared.sentence.contains(claim)), "{run}");
}

#[test]
fn data_and_code_behind_pointers_are_compared() {
    let run = changed("--bench code");
    for name in ["constant", "vtable", "initialiser"] {
        let compared = run.compared(&format!("hidden::code::{name}"));
        assert_eq!(compared.verdict, "slower", "{name}\n{run}");
        is_known_to_differ(&compared, &run);
    }
}

#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn data_and_code_that_no_instruction_names_are_compared() {
    let fixture = Fixture::of("hidden");
    fixture.nanobench("--save-baseline main --bench tables --samples 1").run().exits(0);
    let command = "--baseline main --list --changed --features changed --bench tables";
    let run = fixture.nanobench_by_default(command).run();
    let changed = ["from_the_end", "from_the_end_of_a_static", "collected", "after_other_code"];
    let changed = changed.map(|name| format!("hidden::tables::{name}\n")).concat();
    assert_eq!(run.exits(0).stdout(), changed, "{run}");
}

#[test]
fn slow_launches_are_never_the_same() {
    let launches = changed("--bench costs launches").compared("hidden::costs::launches");
    assert!(["slower", "unsure"].contains(&launches.verdict.as_str()), "{launches:#?}");
}

#[test]
fn an_executable_with_a_changed_library_is_not_the_same() {
    for flags in ["--baseline main", ""] {
        let fixture = Fixture::to_edit("linked");
        fixture.nanobench("--save-baseline main").run().exits(0);
        fixture.edit("library/src/lib.rs", "STEPS: u64 = 2_000", "STEPS: u64 = 40_000");
        let run = fixture.nanobench_by_default(&format!("--format json {flags}")).run();
        let called = run.compared("linked::linked::called");
        assert!(["slower", "unsure"].contains(&called.verdict.as_str()), "{run}");
        assert!(!called.sentence.contains("identical code"), "{run}");
    }
}
