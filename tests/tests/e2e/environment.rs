//! Comparisons between builds and machines: differences are shown, stored figures of another
//! machine refused.

use nanobench_tests::Fixture;
use serde_json::{Value, json};
use std::fs;

/// Returns a fixture with the baseline `main`, edited to come from another environment.
fn measured_otherwise(field: &str, value: Value) -> Fixture {
    let fixture = Fixture::of("tally");
    fixture.nanobench("--save-baseline main may_panic").run().exits(0);
    for path in [fixture.baseline("main"), fixture.baseline("last")] {
        let mut document: Value =
            serde_json::from_slice(&fixture.bytes(&path)).expect("baseline.json is JSON");
        document["environment"][field] = value.clone();
        fixture.write(&path, document.to_string());
    }
    fixture
}

const BUILDS: [(&str, &str, &str); 4] = [
    ("profile", r#""dev""#, "profile bench, before dev"),
    ("features", r#"["simd"]"#, "features none, before simd"),
    ("rustflags", r#"["-C", "target-cpu=native"]"#, "RUSTFLAGS none, before -C target-cpu=native"),
    ("target", r#""x86_64-unknown-linux-other""#, "before x86_64-unknown-linux-other"),
];

#[test]
fn a_baseline_of_another_build_is_compared_and_the_difference_shown() {
    for (field, value, words) in BUILDS {
        let fixture = measured_otherwise(field, serde_json::from_str(value).unwrap());
        let run = fixture.nanobench("--baseline main may_panic").run();
        run.exits(0).prints("main was built or measured differently").prints(words);
    }
}

#[test]
fn a_last_run_of_another_build_is_compared_and_the_difference_shown() {
    let fixture = measured_otherwise("profile", json!("dev"));
    let run = fixture.nanobench("may_panic").run();
    run.exits(0).prints("last run was built or measured differently");
    let run = fixture.nanobench("may_panic").run();
    run.exits(0).prints("identical code since the last run").never_says("built or measured differently");
}

#[test]
fn gates_judge_a_comparison_with_another_build() {
    let fixture = measured_otherwise("features", json!(["simd"]));
    let run = fixture.nanobench("--baseline main --fail-on removed,failed may_panic").run();
    run.exits(0).says("gate passed").says("features none, before simd");
}

#[test]
fn a_last_run_of_another_machine_without_executables_is_left_out_with_a_warning() {
    let fixture = measured_otherwise("cpu", json!("Another CPU"));
    fs::remove_dir_all(fixture.stored("blobs")).unwrap();
    let run = fixture.nanobench("may_panic").run();
    run.exits(0).says("not compared with the last run: processor").never_says("95 % CI");
}

#[test]
fn another_processor_matters_to_stored_figures_only() {
    let fixture = measured_otherwise("cpu", json!("Another CPU"));
    let run = fixture.nanobench("--baseline main may_panic").run();
    run.exits(0).prints("95 % CI").says("before Another CPU");
    fs::remove_dir_all(fixture.stored("blobs")).unwrap();
    let run = fixture.nanobench("--baseline main outside").run();
    run.fails_with(5, "can't compare with baseline `main`: it was built or measured differently");
    run.says("before Another CPU").says("--ignore-environment").says("save a baseline on this machine");
    assert_eq!(fixture.left("outside"), 0, "it measured first\n{run}");
    fixture.nanobench("--baseline main --ignore-environment may_panic").run().exits(0).prints("95 % CI");
}

#[test]
fn saved_runs_of_different_machines_are_not_compared() {
    let fixture = measured_otherwise("cpu", json!("Another CPU"));
    fixture.nanobench("--save-baseline here may_panic").run().exits(0);
    let run = fixture.nanobench("report here --baseline main").run();
    run.fails_with(5, "before Another CPU").says("--ignore-environment");
    fixture.nanobench("report here --baseline main --ignore-environment").run().exits(0).prints("95 % CI");
}

#[test]
fn another_compiler_is_shown() {
    let fixture = measured_otherwise("rustc", json!({"version": "rustc 1.0.0"}));
    let run = fixture.nanobench("--baseline main may_panic").run();
    run.exits(0).prints("95 % CI").says("before rustc 1.0.0");
}

#[test]
fn different_profile_settings_are_shown() {
    let fixture = Fixture::to_edit("compare");
    fixture.nanobench("--save-baseline main steady").run().exits(0);
    fixture.nanobench("baseline show main").run().exits(0).prints("debug=false opt-level=1");
    // The same in other words, so that nothing is compiled again.
    fixture.edit("Cargo.toml", "debug = false\n\n[profile.dev]", "debug = 0\n\n[profile.dev]");
    let run = fixture.nanobench("--baseline main steady").run();
    let words = "profile's settings debug=0 opt-level=1, before debug=false opt-level=1";
    run.exits(0).prints("95 % CI").prints(words);
    let run = fixture.nanobench("--baseline last --config profile.bench.debug=false steady").run();
    run.exits(0).prints("debug=false opt-level=1, before debug=0 opt-level=1");
    let variable = fixture.nanobench("--baseline main steady").env("CARGO_PROFILE_BENCH_DEBUG", "false");
    variable.run().exits(0).prints("95 % CI").never_says("profile's settings");
}

#[test]
fn old_baselines_without_profile_settings_are_compared() {
    let fixture = measured_otherwise("profile_settings", Value::Null);
    let run = fixture.nanobench("--baseline main may_panic").run();
    run.exits(0).prints("95 % CI").never_says("profile's settings");
}

#[test]
fn other_features_are_compared_with_verdicts_and_the_difference_shown() {
    let fixture = Fixture::of("features");
    fixture.nanobench("--save-baseline main always").run().exits(0);
    let run = fixture.nanobench("--baseline main --features extra always --format json").run();
    let report = run.exits(0).json();
    assert_eq!(report.differences, ["features extra, before none"], "{run}");
    for id in report.ids() {
        let compared = report.row(id).comparison.unwrap_or_else(|| panic!("{id} is not compared\n{run}"));
        let verdicts = ["faster", "slower", "same", "unsure", "placement", "new"];
        assert!(verdicts.contains(&compared.verdict.as_str()), "{id}: {}\n{run}", compared.verdict);
    }
    let run = fixture.nanobench("--baseline main --profile dev always").run();
    run.exits(0).prints("95 % CI").prints("profile dev, before bench");
    fixture.nanobench("--baseline main always").run().exits(0).never_says("built or measured differently");
}
