//! Benchmarks that have another name in their baseline.

use crate::against::{CHANGING, settle};
use nanobench_tests::{Fixture, Outcome};

const RENAMED: &str = "compare::work::renamed";
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
const OFFER: &str = "`renamed` was `changing`? Their machine code is equal";
const WORK: &str = "benches/work.rs";

/// Returns a fixture with a commit and a baseline, both called `main`.
fn with_baseline() -> Fixture {
    let fixture = Fixture::to_edit("compare");
    settle(&fixture);
    fixture.committed();
    fixture.nanobench("--save-baseline main").run().exits(0);
    fixture
}

/// Runs the fixture compared with the baseline, and with the revision.
fn compared_with_both(fixture: &Fixture, flags: &str) -> [Outcome; 2] {
    let run =
        |other: &str| fixture.nanobench_by_default(&format!("--{other} main --format json {flags}")).run();
    ["baseline", "against"].map(run)
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[test]
fn a_function_with_the_code_of_the_only_missing_one_is_compared_with_it() {
    let fixture = with_baseline();
    fixture.edit(WORK, "fn changing()", "fn renamed()");
    for run in compared_with_both(&fixture, "--fail-on removed,new") {
        run.exits(0).says(OFFER);
        assert_eq!(run.compared(RENAMED).verdict, "same", "{run}");
    }
    fixture.nanobench("--against main steady").run().exits(0).never_says(OFFER);
    // The last run has its figures by the new name.
    fixture.nanobench("").run().exits(0).never_says(OFFER).never_says("removed").never_says(" new");
    // Both have the same code, so none of them is the only one.
    fixture.edit(WORK, "fn steady()", "fn resteady()");
    for run in compared_with_both(&fixture, "") {
        run.exits(0).never_says(OFFER);
        assert_eq!(run.compared(RENAMED).verdict, "new", "{run}");
    }
}

#[test]
fn was_names_the_former_function_for_good() {
    let fixture = with_baseline();
    fixture.edit(WORK, "#[nanobench]\nfn changing()", "#[nanobench(was = \"changing\")]\nfn renamed()");
    fixture.edit(WORK, "STEPS: u64 = 2_000", "STEPS: u64 = 40_000");
    for run in compared_with_both(&fixture, "--fail-on removed,new") {
        run.exits(0).never_says("Their machine code is equal");
        let compared = run.compared(RENAMED);
        assert!(compared.verdict == "slower" && compared.is_side_by_side(), "{run}");
    }
    let run = fixture.nanobench("report --baseline main").run();
    run.exits(0).never_says("removed").row("renamed");
    assert!(!run.row("renamed").contains("new"), "{run}");
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    fixture
        .nanobench_by_default("why renamed --baseline main")
        .run()
        .exits(0)
        .prints("compare::work::renamed");
    // What gets the former name is new.
    let new = "#[nanobench]\nfn changing() -> u64 {\n    spin(7)\n}\n\n";
    fixture.edit(WORK, "fn spin(", &format!("{new}fn spin("));
    for run in compared_with_both(&fixture, "") {
        assert_eq!(run.compared(CHANGING).verdict, "new", "{run}");
    }
    fixture.edit(WORK, new, "");
    // A baseline that has the present name needs no other.
    fixture.nanobench("--save-baseline main").run().exits(0);
    let run = fixture.nanobench_by_default("--baseline main --format json").run();
    assert_eq!(run.exits(0).compared(RENAMED).verdict, "same", "{run}");
    assert!(!run.json().ids().contains(&CHANGING), "{run}");
}
