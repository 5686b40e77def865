//! Cargo's own flags, its messages, and being called by it.

use nanobench_tests::{Fixture, Outcome};
use std::fs;
use std::process::Command;

#[test]
fn features_select_benchmarks() {
    let list = |arguments: &str| {
        let run = Fixture::of("features").nanobench(&format!("--list {arguments}")).run();
        let mut ids = run.exits(0).lines();
        ids.sort();
        ids.iter().map(|id| id.rsplit("::").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(list(""), ["always", "usually"]);
    assert_eq!(list("--no-default-features"), ["always"]);
    assert_eq!(list("--features extra"), ["gated", "always", "at_times", "usually"]);
    assert_eq!(list("-F extra --no-default-features"), ["gated", "always", "at_times"]);
    assert_eq!(list("--all-features"), ["gated", "always", "at_times", "usually"]);
}

#[test]
fn a_build_error_comes_through_as_cargo_prints_it() {
    let fixture = Fixture::to_edit("simple");
    fixture.edit("benches/first.rs", "fn join() -> String", "fn join() -> u64");
    let run = fixture.nanobench("").run();
    run.exits(101)
        .says("error[E0308]: mismatched types")
        .says("--> benches/first.rs:")
        .says("could not compile");
    assert_eq!(run.stdout(), "", "{run}");
}

#[test]
fn a_warning_comes_through_as_cargo_prints_it() {
    let fixture = Fixture::to_edit("simple");
    fixture.edit("benches/first.rs", "mod inner {", "fn never_called() {}\nmod inner {");
    let run = fixture.nanobench("join").run();
    run.exits(0).says("warning: function `never_called` is never used");
}

#[test]
fn an_unknown_package_is_an_error_that_lists_those_there_are() {
    Fixture::of("workspace")
        .nanobench("-p nowhere")
        .run()
        .fails_with(2, "nowhere")
        .says("`left`")
        .says("`plain`");
}

#[test]
fn outside_of_a_package_cargo_reports_the_missing_manifest() {
    Fixture::empty().nanobench("").run().exits(101).says("could not find `Cargo.toml`");
}

#[test]
fn quiet_hides_what_cargo_does_and_verbose_shows_more() {
    let fixture = Fixture::of("simple");
    fixture.nanobench("join").run().exits(0).says("Finished");
    fixture.nanobench("-vv join").run().exits(0).says("Fresh");
}

#[test]
fn quiet_prints_only_results() {
    let fixture = Fixture::of("simple");
    let run = fixture.nanobench("-q --no-warnings --samples 3 join").run();
    let lines = run.exits(0).lines();
    assert_eq!(run.stderr(), "", "{run}");
    assert!(lines[0].starts_with("simple ") && run.has_row("join"), "{run}");
    assert!(lines.last().is_some_and(|line| line.starts_with("1 benchmark in ")), "{run}");
    let report = fixture.nanobench("report -q").run();
    assert_eq!(report.exits(0).lines()[..lines.len() - 1], lines[..lines.len() - 1], "{report}");
    let run = fixture.nanobench("-q --samples 3 --save-baseline main join").run();
    assert!(run.exits(0).lines()[0].contains("last run") && !run.stdout().contains("Saved"), "{run}");
}

#[test]
fn profile_decides_how_it_is_built() {
    let run = Fixture::of("simple").nanobench("--profile dev join").run();
    run.exits(0).says("Finished `dev` profile").row("join");
}

#[test]
fn workspace_packages_are_one_codegen_unit_unless_the_profile_sets_a_number() {
    let fixture = Fixture::to_edit("simple");
    let compiled = |run: &Outcome| {
        let said = run.stderr();
        let mut of_fixture = said.lines().filter(|line| line.contains("--crate-name first"));
        of_fixture.next_back().unwrap_or_else(|| panic!("{run}")).to_owned()
    };
    let run = fixture.nanobench("-vv --list join").run();
    assert!(compiled(&run).contains("codegen-units=1 "), "{run}");
    fixture.write(".cargo/config.toml", "include = [\"ours.toml\"]\n");
    fixture.write(".cargo/ours.toml", "[profile.release.package.simple]\ncodegen-units = 5\n");
    let run = fixture.nanobench("-vv --list join").run();
    assert!(compiled(&run).contains("codegen-units=5 "), "{run}");
    fixture.write(".cargo/ours.toml", "");
    let profile = "[profile.release.package.simple]\ncodegen-units = 3\n\n[package]";
    fixture.edit("Cargo.toml", "[package]", profile);
    let run = fixture.nanobench("-vv --list join").run();
    assert!(compiled(&run).contains("codegen-units=3 "), "{run}");
}

#[test]
fn target_dir_holds_the_store_too() {
    let fixture = Fixture::of("simple");
    fixture.nanobench("--target-dir elsewhere --save-baseline main join").run().exits(0);
    assert!(fixture.path("elsewhere/nanobench/names/main.json").is_file());
    assert!(fixture.path("elsewhere/nanobench/names/last.json").is_file());
    assert!(!fixture.path("target").exists());
}

#[test]
fn cargo_target_dir_is_taken_from_the_environment_too() {
    let fixture = Fixture::of("simple");
    fixture.nanobench("join").env("CARGO_TARGET_DIR", fixture.path("elsewhere")).run().exits(0);
    assert!(fixture.path("elsewhere/nanobench/names/last.json").is_file());
}

#[test]
fn config_reaches_cargo() {
    let fixture = Fixture::of("simple");
    let run = fixture.nanobench("--list join --config").arg("build.target-dir='elsewhere'").run();
    run.exits(0).lists(&["simple::first::join"]);
    assert!(fixture.path("elsewhere").is_dir(), "{run}");
}

#[test]
fn locked_and_offline_reach_cargo() {
    let fixture = Fixture::of("simple");
    fixture.nanobench("--list --offline join").run().exits(0).lists(&["simple::first::join"]);
    fixture.nanobench("--list --locked join").run().exits(0).lists(&["simple::first::join"]);
    fs::remove_file(fixture.path("Cargo.lock")).unwrap();
    fixture.nanobench("--list --locked --offline join").run().exits(101).says("--locked");
}

#[test]
fn jobs_reaches_cargo() {
    Fixture::of("simple").nanobench("--list -j 1 join").run().exits(0).lists(&["simple::first::join"]);
    let run = Fixture::of("simple").nanobench("--list -j none-at-all join").run();
    assert!(!run.stdout().contains("join"), "{run}");
    run.says("none-at-all");
}

#[test]
fn target_builds_for_that_machine() {
    let version = Command::new("rustc").arg("-vV").output().unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    // A harness that speaks the protocol without nanobench-core, so that no dependency is compiled for
    // the target.
    let fixture = Fixture::to_edit("misbehaving");
    let manifest = fixture.text("Cargo.toml");
    let is_dependency = |line: &&str| line.starts_with("nanobench-core");
    let dependency = manifest.lines().find(is_dependency).expect("the fixture has this dependency");
    fixture.edit("Cargo.toml", dependency, "");
    let run = fixture.nanobench(&format!("--target {host} --max-time 20ms")).env("E2E_FAULT", "none");
    run.env("E2E_PROTOCOL", nanobench::protocol::VERSION.to_string()).run().exits(0).row("polite");
    fixture.nanobench("--target no-such-machine").run().exits(101).says("no-such-machine");
}

#[test]
fn installed_it_is_a_subcommand_of_cargo() {
    let fixture = Fixture::of("simple");
    fixture.cargo("nanobench --list join").run().exits(0).lists(&["simple::first::join"]);
    fixture.cargo("nanobench --help").run().exits(0).prints("cargo nanobench");
}

#[test]
fn a_filter_may_be_the_subcommands_own_name() {
    Fixture::of("simple").nanobench("nanobench").run().fails_with(4, "to see all benchmarks");
}
