//! The answer of `cargo metadata`, which is kept for the next run.

use nanobench_tests::Fixture;
use std::fs;

#[test]
fn a_run_that_began_with_an_old_description_begins_anew() {
    let fixture = Fixture::to_edit("compare");
    fixture.nanobench("steady").run().exits(0);
    let list = || fixture.nanobench("--list").run();
    list().exits(0).prints("compare::work::steady");
    let kept = fixture.stored("metadata");
    let before = fixture.text(&kept);
    fixture.write("benches/added.rs", fixture.text("benches/work.rs"));
    list().exits(0).prints("compare::work::steady").prints("compare::added::steady");
    assert_ne!(fixture.text(&kept), before);
    let run = fixture.nanobench("--bench added --list").run();
    run.exits(0).prints("compare::added::steady");
    fs::rename(fixture.path("benches/added.rs"), fixture.path("benches/renamed.rs")).unwrap();
    list().exits(0).prints("compare::renamed::steady").never_says("added");
    // The name of the target is the manifest's.
    fixture.edit(
        "Cargo.toml",
        "[package]",
        "[[bench]]\nname = \"other\"\npath = \"benches/work.rs\"\n\n[package]",
    );
    fixture.nanobench("--bench other --list").run().exits(0).prints("compare::other::steady");
    fixture.edit("Cargo.toml", "[package]", "[package]\nautobenches = false");
    list().exits(0).prints("compare::other::steady");
    // Another's file is no answer.
    fs::write(&kept, "damaged").unwrap();
    list().exits(0).prints("compare::other::steady");
}
