//! The tool with the library of the first release, whose packages are kept in `fixtures/library-0.1.0`.

use crate::against::{CHANGING, settle, slow_down};
use nanobench_tests::{Fixture, repository};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Has a fixture depend on the library of the first release.
fn use_first_release(fixture: &Fixture) {
    let packages = ["core", "engine", "macros"].map(|name| format!("nanobench-{name}-0.1.0"));
    for package in &packages {
        let file = repository().join(format!("tests/fixtures/library-0.1.0/{package}.crate"));
        let tar = Command::new("tar").arg("-xzf").arg(file).current_dir(fixture.files()).status();
        assert!(tar.expect("tar is there").success(), "{package} can't be unpacked");
    }
    let core = fixture.files().join(&packages[0]);
    // No registry has them yet.
    let manifest = core.join("Cargo.toml");
    let mut text = fs::read_to_string(&manifest).expect("a package has a manifest");
    for name in ["engine", "macros"] {
        let table = format!("[dependencies.nanobench-{name}]\n");
        assert!(text.contains(&table), "{text}");
        text = text.replace(&table, &format!("{table}path = \"../nanobench-{name}-0.1.0\"\n"));
    }
    fs::write(manifest, text).expect("it was unpacked");
    replace_library(fixture, &repository().join("nanobench-core"), &core);
}

fn replace_library(fixture: &Fixture, from: &Path, to: &Path) {
    let path = |folder: &Path| format!("'{}'", folder.display());
    fixture.edit("Cargo.toml", &path(from), &path(to));
}

#[test]
fn its_benchmarks_are_measured_and_compared() {
    let fixture = Fixture::to_edit("compare");
    use_first_release(&fixture);
    fixture.nanobench("--save-baseline before").run().exits(0).row("steady");
    slow_down(&fixture);
    let run = fixture.nanobench("--baseline before --format json").run();
    assert!(run.exits(0).compared(CHANGING).change.expect("a change") > 100.0, "{run}");
}

#[test]
fn a_revision_that_has_it_is_compared_with_the_current_library() {
    let fixture = Fixture::to_edit("compare");
    use_first_release(&fixture);
    settle(&fixture);
    fixture.committed();
    let core = fixture.files().join("nanobench-core-0.1.0");
    replace_library(&fixture, &core, &repository().join("nanobench-core"));
    slow_down(&fixture);
    let run = fixture.nanobench("--against main --format json").run();
    assert!(run.exits(0).compared(CHANGING).change.expect("a change") > 100.0, "{run}");
}
