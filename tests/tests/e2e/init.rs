//! `cargo nanobench init`: from a new package to a first table.

use nanobench_tests::{Fixture, Outcome, repository};

/// Returns a package as `cargo init` makes it, with the profiles and the versions of the fixtures.
fn new_package(kind: &str) -> Fixture {
    let fixture = Fixture::empty();
    fixture.cargo(&format!("init --vcs none --name fresh {kind}")).run().exits(0);
    fixture.lock_versions();
    let manifest = fixture.text("Cargo.toml");
    let profiles = "\n[profile.bench]\nopt-level = 1\ndebug = false\n\n[profile.dev]\ndebug = false\nincremental = false\n";
    fixture.write("Cargo.toml", manifest + profiles);
    fixture
}

fn init(fixture: &Fixture, arguments: &str) -> Outcome {
    let core = repository().join("nanobench-core");
    fixture.nanobench(&format!("init {arguments} --path")).arg(core).run()
}

#[test]
fn init_leads_to_a_table() {
    for kind in ["--lib", "--bin"] {
        let fixture = new_package(kind);
        let run = init(&fixture, "");
        run.exits(0)
            .says("nanobench-core")
            .says("dev-dependenc")
            .says("benches/first.rs")
            .says("cargo nanobench");
        let manifest = fixture.text("Cargo.toml");
        assert!(manifest.contains("[dev-dependencies]") && manifest.contains("nanobench-core"), "{manifest}");
        let run = fixture.nanobench("").run();
        run.exits(0).says("Finished").prints("time/op").prints("first");
        fixture.nanobench("--list").run().exits(0).prints("fresh::first::");
        fixture.cargo("test --benches").run().exits(0).never_says("warning");
    }
}

#[test]
fn init_asks_first_for_an_entry_that_cargo_needs() {
    let fixture = new_package("--lib");
    fixture.edit("Cargo.toml", "[package]", "[package]\nautobenches = false");
    let run = init(&fixture, "");
    run.exits(0).prints("Next: add this entry to Cargo.toml. ");
    run.prints("find the file without it.\n\n[[bench]]\nname = \"first\"\n\nThen: cargo nanobench\n");
}

#[test]
fn from_a_git_repository_a_library_outside_of_it_has_its_full_path() {
    let fixture = new_package("--lib");
    fixture.committed();
    let run = init(&fixture, "");
    run.exits(0).says("by its absolute path").says("replace it in the manifest");
    run.prints("\nnanobench-core = { git = \"");
    init(&fixture, "").exits(0).prints("already depends on nanobench-core.\nOther machines");
    let core = repository().join("nanobench-core");
    let manifest = fixture.text("Cargo.toml");
    assert!(manifest.contains(&format!("path = \"{}\"", core.display()).replace('\\', "/")), "{manifest}");
    fixture.nanobench("--list").run().exits(0).prints("fresh::first::");
}

#[test]
fn init_tells_when_a_normal_dependency_does_not_fit() {
    let fixture = new_package("--lib");
    let core = repository().join("nanobench-core").display().to_string().replace('\\', "/");
    let manifest = fixture.text("Cargo.toml");
    let table = format!("\n[dependencies.nanobench-core]\npath = \"{core}\"\n");
    for (more, advice) in [("", "Everybody who builds"), ("optional = true\n", "only with a feature")] {
        fixture.write("Cargo.toml", format!("{manifest}{table}{more}"));
        init(&fixture, "").exits(0).prints(advice).prints("move it to [dev-dependencies]");
    }
}

#[test]
fn init_keeps_the_lines_of_the_manifest() {
    let fixture = new_package("--lib");
    let before = fixture.text("Cargo.toml") + "\n# A comment of the author's.\n";
    fixture.write("Cargo.toml", &before);
    init(&fixture, "").exits(0);
    let after = fixture.text("Cargo.toml");
    for line in before.lines() {
        assert!(after.lines().any(|kept| kept == line), "{line:?} is gone: {after}");
    }
    assert!(after.contains("nanobench-core"), "{after}");
}

#[test]
fn a_second_init_overwrites_nothing_and_says_so() {
    let fixture = new_package("--lib");
    init(&fixture, "").exits(0);
    fixture.write("benches/first.rs", "// Mine.\n");
    let manifest = fixture.text("Cargo.toml");
    init(&fixture, "").says_one_of(&["already", "exists"]).says("benches/first.rs");
    assert_eq!(fixture.text("benches/first.rs"), "// Mine.\n");
    assert_eq!(fixture.text("Cargo.toml"), manifest);
}

#[test]
fn init_does_not_touch_a_file_of_the_authors() {
    let fixture = new_package("--lib");
    fixture.write("benches/first.rs", "// Mine.\n");
    init(&fixture, "").says("benches/first.rs");
    assert_eq!(fixture.text("benches/first.rs"), "// Mine.\n");
}

#[test]
fn a_package_with_benchmarks_gets_only_the_dependency() {
    const BENCHMARK: &str = "#[nanobench::nanobench]\nfn ported() {}\n";
    let inside = format!("#[cfg(test)]\nmod benches {{\n{BENCHMARK}}}\n");
    for (file, text) in [("benches/own.rs", BENCHMARK), ("src/lib.rs", &inside)] {
        let fixture = new_package("--lib");
        fixture.write(file, text);
        init(&fixture, "").exits(0).prints("Added nanobench-core").prints("benchmarks already");
        assert!(fixture.text("Cargo.toml").contains("nanobench-core"));
        assert!(!fixture.path("benches/first.rs").exists(), "with {file}");
        fixture.nanobench("--list").run().exits(0).prints("ported");
    }
}

#[test]
fn init_writes_a_benchmark_beside_one_that_cargo_does_not_find() {
    let fixture = new_package("--lib");
    fixture.edit("Cargo.toml", "[package]", "[package]\nautobenches = false");
    fixture.write("benches/own.rs", "#[nanobench::nanobench]\nfn ported() {}\n");
    init(&fixture, "").exits(0).prints("Wrote benches/first.rs").prints("Next: add this entry");
}

#[test]
fn init_writes_a_benchmark_beside_those_of_another_tool() {
    let fixture = new_package("--lib");
    fixture.write("benches/own.rs", "#[divan::bench]\nfn own() {}\n\nfn main() {\n    divan::main();\n}\n");
    init(&fixture, "").exits(0).prints("Wrote benches/first.rs");
}

#[test]
fn init_changes_the_selected_package() {
    let fixture = Fixture::to_edit("workspace");
    init(&fixture, "-p plain").exits(0);
    assert!(fixture.path("plain/benches/first.rs").is_file());
    fixture.nanobench("--list -p plain").run().exits(0).prints("plain::first::");
}

#[test]
fn init_in_a_virtual_workspace_asks_which_package() {
    let fixture = Fixture::to_edit("workspace");
    init(&fixture, "").fails_with(2, "-p").says("plain").says("left");
}

#[test]
fn init_with_a_path_that_holds_no_nanobench_is_refused() {
    let fixture = new_package("--lib");
    let manifest = fixture.text("Cargo.toml");
    fixture.nanobench("init --path src").run().fails_with(2, "src");
    assert_eq!(fixture.text("Cargo.toml"), manifest);
    assert!(!fixture.path("benches").exists());
}

#[test]
fn init_outside_of_a_package_reports_the_missing_manifest() {
    init(&Fixture::empty(), "").exits(101).says("could not find `Cargo.toml`");
}
