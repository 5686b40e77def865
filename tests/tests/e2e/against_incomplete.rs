//! `--against REV` if a clone, the revision's tree or its lockfile lacks something: it is found elsewhere,
//! or the run says so.

use crate::against::{CHANGING, STEADY, settle};
use nanobench_tests::{Fixture, Outcome, own_version};
use std::fs;

#[test]
fn a_path_that_leads_out_of_the_repository_is_named() {
    let fixture = Fixture::to_edit("compare");
    fixture
        .write("../part/Cargo.toml", "[package]\nname = \"part\"\nversion = \"0.0.0\"\nedition = \"2024\"\n");
    fixture.write("../part/src/lib.rs", "");
    fixture.edit("Cargo.toml", "[dev-dependencies]", "[dev-dependencies]\npart = { path = '../part' }");
    fixture.committed();
    let run = fixture.nanobench("--against HEAD").run();
    run.fails_with(5, "the path of its dependency `part` leads out of the repository");
}

#[test]
fn a_patch_that_leads_out_of_the_repository_is_named() {
    let fixture = Fixture::to_edit("compare");
    fixture.write(
        "../itoa/Cargo.toml",
        "[package]\nname = \"itoa\"\nversion = \"1.0.99\"\nedition = \"2024\"\n",
    );
    fixture.write("../itoa/src/lib.rs", "");
    fixture.edit("Cargo.toml", "[dev-dependencies]", "[dev-dependencies]\nitoa = '1'");
    let patch = "[patch.crates-io]\nitoa = { path = '../itoa' }\n\n";
    fixture.edit("Cargo.toml", "[profile.bench]", &format!("{patch}[profile.bench]"));
    fixture.committed();
    let fails = || {
        let run = fixture.nanobench("--against HEAD").run();
        run.fails_with(5, "the path of its dependency `itoa` leads out of the repository");
    };
    fails();
    fixture.edit("Cargo.toml", patch, "");
    fixture.write(".cargo/config.toml", patch);
    fixture.commit("second");
    fails();
}

#[test]
fn packages_outside_of_the_repository_are_named_and_decide_nothing() {
    let fixture = Fixture::to_edit("compare");
    let manifest = format!("[package]\nname = 'part'\n{}\nedition = '2024'\n", own_version());
    fixture.write("../part/Cargo.toml", manifest);
    fixture.write("../part/src/lib.rs", "pub const STEPS: u64 = 2_000;\n");
    let path = fixture.path("../part").canonicalize().unwrap();
    let dependency = format!("[dev-dependencies]\npart = {{ path = '{}' }}", path.display());
    fixture.edit("Cargo.toml", "[dev-dependencies]", &dependency);
    fixture.edit("benches/work.rs", "const STEPS: u64 = 2_000;", "use part::STEPS;");
    settle(&fixture);
    fixture.committed();
    fixture.write("../part/src/lib.rs", "pub const STEPS: u64 = 200_000;\n");
    let run = fixture.nanobench_by_default("--against HEAD --fail-on unsure").run();
    run.exits(3).says("packages outside of the repository").says(&path.display().to_string());
    assert!(run.row("changing").contains("unsure: not side by side: both sides are built from"), "{run}");
}

#[test]
fn a_package_that_was_moved_is_found_by_its_name() {
    let fixture = Fixture::to_edit("compare");
    settle(&fixture);
    fixture.write(
        "other/Cargo.toml",
        "[package]\nname = 'other'\nversion = '0.0.0'\nedition = '2024'\n[workspace]\n",
    );
    fixture.write("other/src/lib.rs", "");
    fixture.committed();
    fs::create_dir_all(fixture.path("crates/compare")).unwrap();
    for moved in ["Cargo.toml", "benches", "src"] {
        fs::rename(fixture.path(moved), fixture.path("crates/compare").join(moved)).unwrap();
    }
    fixture.edit("crates/compare/Cargo.toml", "[profile.bench]\nopt-level = 1\ndebug = false\n", "");
    fixture.write(
        "Cargo.toml",
        "[workspace]\nmembers = ['crates/*']\n[profile.bench]\nopt-level = 1\ndebug = false\n",
    );
    fixture.edit("crates/compare/benches/work.rs", "STEPS: u64 = 2_000", "STEPS: u64 = 40_000");
    let verdicts = |against: &str, folder: &str| {
        let arguments = format!("--against {against} --format json --fail-on slower");
        let run = fixture.nanobench(&arguments).within(folder).run();
        let report = run.exits(3).json();
        [CHANGING, STEADY].map(|id| report.row(id).comparison.expect("it was compared").verdict)
    };
    for folder in ["crates/compare", ""] {
        let [changing, steady] = verdicts("HEAD", folder);
        assert!(changing == "slower" && steady != "new", "{folder}: {changing} {steady}");
    }
    // Another package has its folder now.
    fs::rename(fixture.path("crates/compare"), fixture.path("crates/moved")).unwrap();
    fs::rename(fixture.path("other"), fixture.path("crates/compare")).unwrap();
    fixture.edit("crates/compare/Cargo.toml", "[workspace]", "");
    let [changing, _] = verdicts("HEAD", "crates/moved");
    assert_eq!(changing, "slower");
}

#[test]
fn an_untracked_lockfile_is_mentioned() {
    let fixture = Fixture::of("compare");
    settle(&fixture);
    fixture.committed();
    let says_so = |run: &Outcome| {
        run.stderr().contains("git doesn't track Cargo.lock")
            || run.stdout().contains("git doesn't track Cargo.lock")
    };
    let run = fixture.nanobench_by_default("--against HEAD").run();
    assert!(!says_so(run.exits(0)), "{run}");
    fixture.write(".gitignore", "/target\nCargo.lock\n");
    fixture.git("rm --quiet --cached Cargo.lock");
    fixture.commit("second");
    let run = fixture.nanobench_by_default("--against HEAD").run();
    assert!(says_so(run.exits(0)), "{run}");
}

#[test]
fn submodules_are_checked_out_too_or_named() {
    let (fixture, part) = (Fixture::of("compare"), Fixture::of("empty"));
    part.committed();
    let manifest = fixture.text("Cargo.toml");
    fs::remove_file(fixture.path("Cargo.toml")).unwrap();
    fixture.committed();
    fixture.git(&format!("submodule --quiet add {} part", part.path("").display()));
    let commit = fixture.commit("with-part");
    fixture.write("Cargo.toml", manifest);
    let run = fixture.nanobench("--against main steady").run();
    run.exits(0).never_says("submodule");
    assert!(fixture.tree_of(&commit).join("part/src/lib.rs").is_file(), "{run}");

    fixture.git("submodule --quiet deinit --force part");
    fs::remove_dir_all(fixture.path(".git/modules")).unwrap();
    fs::remove_dir_all(fixture.cache()).unwrap();
    let run = fixture.nanobench("--against main steady").run();
    run.exits(0)
        .says("submodules whose commits aren't in this clone: part.")
        .says("git submodule update --init");
}

#[test]
fn a_shallow_clone_says_what_to_fetch() {
    let fixture = Fixture::of("compare");
    fixture.committed();
    fixture.git("commit --quiet --allow-empty --message second");
    let origin = format!("file://{}", fixture.path("").display());
    fixture.git(&format!("clone --quiet --depth 1 {origin} clone"));
    let run = fixture.nanobench("--against HEAD~1").within("clone").run();
    run.fails_with(2, "HEAD~1").says("shallow").says("git fetch --unshallow");
}

#[test]
fn a_clone_of_one_branch_passes_no_gate_by_its_own_upstream() {
    let fixture = Fixture::of("compare");
    fixture.committed();
    fixture.git("checkout --quiet -b topic");
    fixture.git("commit --quiet --allow-empty --message second");
    fixture.git("checkout --quiet main");
    let origin = format!("file://{}", fixture.path("").display());
    for depth in ["", "--depth 1"] {
        let name = format!("clone{}", depth.len());
        fixture.git(&format!("clone --quiet --single-branch --branch topic {depth} {origin} {name}"));
        let run = fixture.nanobench("--against merge-base --fail-on slower").within(name).run();
        run.fails_with(2, "cannot find the merge base").says("git remote set-head origin --auto");
        assert_eq!(run.stderr().contains("git fetch --unshallow"), !depth.is_empty(), "{run}");
    }
}

#[test]
fn what_a_revision_lacks_and_what_two_processes_cannot_share_is_told() {
    let fixture = Fixture::to_edit("compare");
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let rows = format!(
        "\n#[nanobench]\nfn reads() -> String {{\n    std::fs::read_to_string(\"data/own.txt\").unwrap()\n}}\n\n\
         #[nanobench]\nfn serves() -> u16 {{\n    static PORT: std::sync::OnceLock<std::net::TcpListener> = \
         std::sync::OnceLock::new();\n    let bind = || std::net::TcpListener::bind(\"127.0.0.1:{port}\").unwrap();\n    \
         PORT.get_or_init(bind).local_addr().unwrap().port()\n}}\n"
    );
    fixture.write("benches/work.rs", fixture.text("benches/work.rs") + &rows);
    fixture.write("data/own.txt", "1");
    fixture.write("data/words.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n");
    fixture.write(".gitattributes", "*.bin filter=lfs\n");
    fixture.write("data/.gitignore", "own.txt\n");
    settle(&fixture);
    fixture.committed();
    fixture.edit("benches/work.rs", "STEPS: u64 = 2_000", "STEPS: u64 = 2_002");
    let run = fixture.nanobench("--against main --fail-on slower reads serves").run();
    run.exits(0).says("data/words.bin of the working tree").says("git lfs pull").says("git lfs fetch origin");
    run.prints("has only the files that git tracks").prints("bind port 0");
    run.prints(
        "no gate failed, but 2 benchmarks were not compared (compare::work::reads, compare::work::serves)",
    );
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_written_to_the_repository() {
    let fixture = Fixture::to_edit("compare");
    settle(&fixture);
    fixture.committed();
    let chmod = |mode: &str| {
        let mut command = std::process::Command::new("chmod");
        assert!(command.args(["-R", mode]).arg(fixture.path(".git")).status().unwrap().success());
    };
    chmod("a-w");
    let run = fixture.nanobench_unprivileged("--against main steady").map(nanobench_tests::Invocation::run);
    chmod("u+w");
    if let Some(run) = run {
        run.exits(0).says("building main");
    }
}
