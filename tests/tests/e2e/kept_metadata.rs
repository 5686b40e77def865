//! The answer of `cargo metadata`, which is kept for the next run.

use nanobench_tests::{Fixture, Invocation};
use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::thread;
use std::time::Duration;

/// Makes a cargo that notes its commands in `calls`. The tool gets a home of cargo in which no other
/// cargo writes, as answers about folders that have just changed are not kept.
fn noting_cargo(fixture: &Fixture) -> impl Fn() -> Invocation {
    let home = match env::var("CARGO_HOME") {
        Ok(home) => format!("export CARGO_HOME='{home}'"),
        Err(_) => "unset CARGO_HOME".to_owned(),
    };
    let cargo = env::var("CARGO").expect("cargo runs the tests");
    let script = format!("#!/bin/sh\necho \"$1\" >> \"$E2E_FILES/calls\"\n{home}\nexec '{cargo}' \"$@\"\n");
    fixture.write("noting/cargo", script);
    let file = fixture.path("noting/cargo");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("the fixture is writable");
    let home = fixture.path("noting/home");
    fs::create_dir(&home).expect("the fixture is writable");
    move || fixture.nanobench("--list").env("CARGO", &file).env("CARGO_HOME", &home)
}

#[test]
fn cargo_describes_the_workspace_again_only_after_a_change() {
    let fixture = Fixture::to_edit("compare");
    let list = noting_cargo(&fixture);
    fixture.nanobench("steady").run().exits(0);
    let descriptions = || fixture.lines_left("calls").iter().filter(|call| *call == "metadata").count();
    // Answers about files that have just changed are not kept.
    thread::sleep(Duration::from_secs(4));
    for run in ["the first one asks", "the second one need not ask"] {
        list().run().exits(0).prints("compare::work::steady");
        assert_eq!(descriptions(), 1, "{run}");
    }
    fixture.write("benches/added.rs", fixture.text("benches/work.rs"));
    let run = list().run();
    run.exits(0).prints("compare::work::steady").prints("compare::added::steady");
    assert_eq!(descriptions(), 2, "{run}");
    fixture.edit("Cargo.toml", "[package]", "[package]\nautobenches = false");
    list().run().fails_with(4, "autobenches = false");
}
