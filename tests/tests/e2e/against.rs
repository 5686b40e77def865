//! `--against REV`: the working tree compared with another revision, which is built in a separate
//! worktree.

use nanobench_tests::{Fixture, Outcome, git, held_up, own_version, says_it_waits};
use std::fs;
use std::path::Path;

pub(crate) const CHANGING: &str = "compare::work::changing";
pub(crate) const STEADY: &str = "compare::work::steady";

/// Makes `changing` twenty times as much work.
pub(crate) fn slow_down(fixture: &Fixture) {
    fixture.edit("benches/work.rs", "STEPS: u64 = 2_000", "STEPS: u64 = 40_000");
}

/// Removes from the lockfile the packages that the fixture doesn't need, as its first build would.
/// Works offline, with only those crates downloaded that this machine's builds need.
pub(crate) fn settle(fixture: &Fixture) {
    fixture.cargo("update --workspace --offline --quiet").run().exits(0);
}

/// Presses Ctrl-C while the other side is checked out or built. The next run must not take the
/// incomplete tree or build for a complete one.
#[cfg(unix)]
fn interrupted_while_building(fixture: &Fixture) {
    let mut running = fixture.nanobench("--against main").start();
    running
        .wait_until("it builds the other side", |running| running.stderr_so_far().contains("building main"));
    running.interrupt_group();
    running.finish().exits(130).never_says("doesn't build");
    assert_eq!(fixture.git("worktree list").lines().count(), 1);
}

#[test]
fn uncommitted_work_is_compared_and_the_other_build_is_kept() {
    let fixture = Fixture::to_edit("compare");
    fixture.edit(
        "benches/work.rs",
        "#[nanobench]\nfn steady",
        "#[nanobench]\nfn gone() {}\n\n#[nanobench]\nfn steady",
    );
    settle(&fixture);
    let commit = fixture.committed();
    slow_down(&fixture);
    fixture.edit("benches/work.rs", "fn gone() {}", "fn added() -> u64 {\n    spin(3)\n}");
    // A package that was outside of any workspace then must not join one now.
    fixture.edit("Cargo.toml", "[dev-dependencies]", "[workspace]\n\n[dev-dependencies]");
    // The same in other words, so that no dependency is compiled again.
    fixture.edit("Cargo.toml", "opt-level = 1\ndebug = false", "opt-level = 1\ndebug = 0");

    #[cfg(unix)]
    interrupted_while_building(&fixture);
    let run = fixture.nanobench("--against main --format json --fail-on slower,removed").run();
    let report = run.exits(3).json();
    assert_eq!(report.against.as_deref(), Some(commit.as_str()), "{run}");
    let held_back = report.held_back().expect("there are gates");
    for (kind, id) in [("slower", CHANGING), ("removed", "compare::work::gone")] {
        assert!(held_back.contains(&(kind.to_owned(), id.to_owned())), "{kind} {id}\n{run}");
    }
    let verdict = |id| report.row(id).comparison.expect("it was compared").verdict;
    assert_eq!(verdict(CHANGING), "slower", "{run}");
    assert_ne!(verdict(STEADY), "new", "{run}");
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    {
        let functions = report.row(CHANGING).comparison.expect("it was compared").changed_functions;
        assert!(functions.first().is_some_and(|nearest| nearest.distance <= 1), "{functions:?}\n{run}");
    }
    for id in [CHANGING, STEADY] {
        let compared = report.row(id).comparison.expect("it was compared");
        assert!(compared.is_side_by_side(), "{id}\n{run}");
        // A busy machine may leave too little time for code that is the same.
        if id == STEADY && compared.verdict == "unsure" {
            continue;
        }
        assert!(compared.pairs >= Some(6), "{id}\n{run}");
        assert!(
            compared.launch_noise.unwrap() > 0.0 && compared.sentence.contains("noise between processes"),
            "{id}\n{run}"
        );
        // Rust comes with lld there.
        #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
        assert!(compared.sentence.contains("layouts differ by"), "{id}\n{run}");
    }
    assert_eq!(verdict("compare::work::added"), "new", "{run}");
    assert!(!report.ids().contains(&"compare::work::gone"), "{run}");

    // Runs as in a git hook, in which git sets the repository by variables.
    let run =
        fixture.nanobench("--against main").env("GIT_DIR", "elsewhere").env("GIT_INDEX_FILE", "x").run();
    run.exits(0)
        .prints(&format!("main is {} (built before), run side by side with the working tree", &commit[..7]));
    run.says("profile's settings debug=0 opt-level=1, before debug=false opt-level=1");
    run.never_says("`git status` failed");
    assert!(
        run.row("changing").contains("slower") && run.row("removed").ends_with("compare::work::gone"),
        "{run}"
    );

    assert_eq!(fs::read_dir(fixture.stored("names")).unwrap().count(), 0, "something was saved");
    let changed = fixture.git("status --porcelain --untracked-files=no");
    assert_eq!(
        changed.split_whitespace().collect::<Vec<_>>(),
        ["M", "Cargo.toml", "M", "benches/work.rs"],
        "in the user's tree"
    );
}

#[test]
fn a_member_of_a_workspace_below_the_top_of_the_repository() {
    let fixture = Fixture::of("workspace");
    settle(&fixture);
    let top = fixture.path("..");
    git(&top, "init --quiet --initial-branch main");
    git(&top, "add --all");
    git(&top, "commit --quiet --message first");
    // As the action for GitHub does it, whose scripts need Bash.
    let command = if cfg!(unix) {
        fixture.action("HEAD", "--format\njson")
    } else {
        fixture.nanobench("--against HEAD --format json")
    };
    let run = command.within("left").run();
    let report = run.exits(0).json();
    if cfg!(unix) {
        let output = fixture.text("job/output");
        let folder = output.lines().find_map(|line| line.strip_prefix("folder=")).expect("a folder");
        let text = |file: &str| fs::read_to_string(Path::new(folder).join(file)).expect(file);
        assert!(output.ends_with("exit-code=0\n"), "{output}");
        assert_eq!(text("report.md"), fixture.text("job/summary.md"));
        assert!(text("report.json").starts_with('{') && text("report.html").starts_with("<!DOCTYPE html>"));
    }
    assert!(report.ids().iter().all(|id| id.starts_with("left::")), "{run}");
    assert!(
        report.ids().iter().all(|id| report.row(id).comparison.is_some_and(|row| row.verdict != "new")),
        "{run}"
    );
    let same = "both sides are built from the same code";
    assert!(report.warnings.iter().any(|warning| warning.contains(same)), "{run}");
}

#[test]
fn each_side_has_its_own_settings_and_both_have_those_above_the_working_tree() {
    let fixture = Fixture::to_edit("compare");
    let variables = |own: &str| format!("[env]\nNANOBENCH_OWN = \"{own}\"\nNANOBENCH_ABOVE = \"own\"\n");
    fixture.write("../.cargo/config.toml", "[env]\nNANOBENCH_OWN = \"-\"\nNANOBENCH_FAR = \"far\"\n");
    fixture.write(".cargo/config.toml", variables("then"));
    let variables_of = "[\"OWN\", \"FAR\", \"ABOVE\", \"IGNORED\", \"ADDED\"].map(|name| \
                        std::env::var(format!(\"NANOBENCH_{name}\")).unwrap_or_default()).join(\"-\")";
    let rows = format!("#[nanobench::nanobench(args = [{variables_of}])]\nfn with(_: &String) {{}}\n");
    fixture.write("benches/work.rs", rows);
    fixture.write("benches/.cargo/config.toml", "[env]\nNANOBENCH_IGNORED = \"ignored\"\n");
    settle(&fixture);
    fixture.committed();
    fixture.write(".gitignore", "/target\n/benches/.cargo\n");
    fixture.git("rm --cached --quiet -r benches/.cargo");
    fixture.commit("second");
    fixture.write(".cargo/config.toml", variables("now") + "NANOBENCH_ADDED = \"added\"\n");
    // Elsewhere, so that cargo doesn't find the settings above the working tree by itself.
    let cache = Fixture::empty();
    let run =
        fixture.nanobench("--against main").within("benches").env("NANOBENCH_CACHE", cache.path("")).run();
    run.exits(0).prints(" now-far-own-ignored-added ");
    assert!(run.exits(0).row("removed").ends_with("with/then-far-own-ignored-"), "{run}");
}

#[test]
fn only_packages_of_the_tree_are_compiled_again_and_those_always() {
    let fixture = Fixture::to_edit("compare");
    let manifest = format!("[package]\nname = 'part'\n{}\nedition = '2024'\n", own_version());
    fixture.write("part/Cargo.toml", manifest);
    fixture.write("part/src/lib.rs", "fn unused() {}\npub const STEPS: u64 = 2_000;\n");
    let dependencies = "[dev-dependencies]\npart = { path = 'part' }\nitoa = '1'";
    fixture.edit("Cargo.toml", "[dev-dependencies]", &format!("[workspace]\n\n{dependencies}"));
    fixture.edit("benches/work.rs", "const STEPS: u64 = 2_000;", "use part::STEPS;");
    settle(&fixture);
    let first = fixture.committed();
    fixture.edit("part/src/lib.rs", "2_000", "40_000");
    fixture.commit("second");
    fixture.write("unread.txt", "");
    let second = fixture.commit("third");
    let compiled = |run: &Outcome| {
        let stderr = run.stderr();
        let of_revision = stderr.split_once("building ").expect("it builds the revision").1;
        let lines = of_revision.lines().filter_map(|line| line.trim().strip_prefix("Compiling "));
        let mut names: Vec<_> = lines.filter_map(|line| Some(line.split(' ').next()?.to_owned())).collect();
        names.sort();
        names
    };
    let run = fixture.nanobench("--against HEAD --list --changed").run();
    run.exits(0).says("no selected benchmark has changed");
    assert_eq!(compiled(&run), ["compare", "part"], "{run}");
    // The other side compiles nothing, so the revision's warning would be the only one.
    let run = fixture.nanobench("--against HEAD~2 --format json --fail-on slower").run();
    assert_eq!(run.exits(3).json().row(CHANGING).comparison.expect("it was compared").verdict, "slower");
    assert_eq!(compiled(&run), ["compare", "part"], "{run}");
    let building = run.stderr();
    assert!(!building.split_once("building ").unwrap().1.contains("`unused`"), "{run}");
    let run = fixture.nanobench("--against HEAD~2 --list --changed -v").run();
    assert!(run.stderr().split_once("building ").unwrap().1.contains("`unused`"), "{run}");

    let doctor = fixture.nanobench("doctor").run();
    doctor.exits(0).prints("other revisions").prints("2 builds in ");
    let prune = |arguments: &str| fixture.nanobench(&format!("baseline prune {arguments}")).run();
    prune("--keep 1 --dry-run")
        .exits(0)
        .prints(&format!("Would remove the build of revision {}", &second[..7]));
    prune("--older-than 1d").exits(0).prints("nothing to remove");
    prune("--keep 1").exits(0).prints(&format!("Removed the build of revision {}", &second[..7]));
    assert!(fixture.tree_of(&first).is_dir());
    fixture.nanobench("--save-baseline main steady").run().exits(0);
    let list = fixture.nanobench("baseline list").run();
    list.exits(0).prints("\nTotal: ").prints("1 build of --against: ").prints("prune --revisions");
    let list = fixture.nanobench("baseline list --format json").run();
    let list: serde_json::Value = serde_json::from_str(&list.exits(0).stdout()).expect("JSON");
    assert!(list["revisions"]["builds"] == 1 && list["revisions"]["size"].as_u64() > Some(0), "{list}");
    prune("--revisions --keep 1").exits(0).prints("nothing to remove");
    prune("--revisions").exits(0).prints("Removed the build").never_says("baseline `main`");
    assert!(fixture.baseline("main").is_file());
    assert_eq!(fs::read_dir(fixture.cache()).expect("the cache").count(), 0);
}

#[test]
fn identical_executables_run_side_by_side_if_files_differ() {
    let fixture = Fixture::to_edit("compare");
    let read = "#[nanobench::nanobench(setup = || std::fs::read(\"data.txt\").unwrap())]\n\
                fn bytes(data: &Vec<u8>) -> u64 {\n    data.iter().map(|&b| std::hint::black_box(u64::from(b))).sum()\n}\n";
    fixture.write("benches/work.rs", read);
    fixture.write("data.txt", "x".repeat(2_000));
    settle(&fixture);
    fixture.committed();
    let run = fixture.nanobench("--against main").run();
    run.exits(0).says("both sides are built from the same code").row("bytes");
    assert!(run.row("bytes").contains("identical code"), "{run}");
    fixture.write("benches/work.rs", format!("{read}// Built from.\n"));
    let run = fixture.nanobench("--against main").run();
    assert!(run.exits(0).row("bytes").contains("identical code"), "{run}");
    fixture.write("unread.rs", "// No build has seen this, so a benchmark may.");
    fixture.git("add unread.rs");
    let run = fixture.nanobench("--against main").run();
    assert!(!run.exits(0).row("bytes").contains("identical code"), "{run}");
    fixture.write("data.txt", "x".repeat(40_000));
    let run = fixture.nanobench("--against main --format json --fail-on slower").run();
    let compared = run.exits(3).json().row("compare::work::bytes").comparison.expect("it was compared");
    assert!(compared.is_side_by_side() && compared.verdict == "slower", "{run}");
    // They run as copies.
    assert!(!compared.sentence.contains("layouts differ by"), "{}", compared.sentence);
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    assert!(
        compared.sentence.contains(": same code, but files that it may read differ"),
        "{}",
        compared.sentence
    );
}

#[test]
fn rows_that_cannot_be_compared_say_why() {
    let fixture = Fixture::to_edit("compare");
    fixture.edit("benches/work.rs", "    spin(2_000)", "    panic!(\"then\")");
    fixture.edit("benches/work.rs", "#[nanobench]\nfn changing", "#[nanobench(batch = 10)]\nfn changing");
    fixture.committed();
    fixture.edit("benches/work.rs", "    panic!(\"then\")", "    spin(2_000)");
    fixture.edit("benches/work.rs", "batch = 10", "batch = 100");
    let run = fixture.nanobench("--against main --format json --samples-in-json").run();
    let compared = |id| run.exits(0).json().row(id).comparison.expect("it was compared");
    assert_eq!(compared(CHANGING).verdict, "new", "{run}");
    let document: serde_json::Value = serde_json::from_str(&run.stdout()).unwrap();
    assert!(document["benchmarks"][0]["raw"]["plan"].is_object(), "{run}");
    assert!(compared(CHANGING).sentence.contains("unit changed: not compared"), "{run}");
    assert_eq!(compared(STEADY).verdict, "unsure", "{run}");
    assert!(compared(STEADY).sentence.contains("in the baseline's executable: failed: panicked at"), "{run}");
}

#[test]
fn a_revision_that_does_not_build_ends_with_cargos_code_and_words() {
    let fixture = Fixture::to_edit("compare");
    fixture.edit("benches/work.rs", "fn changing() -> u64 {", "fn changing() -> Nonsense {");
    fixture.committed();
    fixture.edit("benches/work.rs", "Nonsense", "u64");
    let run = fixture.nanobench("--against HEAD").run();
    run.fails_with(101, "HEAD (").says("doesn't build").says("Nonsense");
}

#[test]
fn a_revision_without_nanobench_has_nothing_to_compare_with() {
    let fixture = Fixture::to_edit("compare");
    let benches = fixture.text("benches/work.rs");
    fixture.write("benches/work.rs", "fn main() {}\n");
    fixture.committed();
    fixture.write("benches/work.rs", benches);
    let run = fixture.nanobench("--against main").run();
    run.exits(0).says("has no benchmarks to compare with").says("it has no benchmarks.");
    assert!(run.row("changing").ends_with("new") && run.row("steady").ends_with("new"), "{run}");
}

#[test]
fn an_executable_that_dies_makes_no_benchmark_new() {
    let fixture = Fixture::to_edit("compare");
    let dying =
        "#[nanobench(args = dies())]\nfn dying(_: u64) {}\nfn dies() -> [u64; 1] { std::process::abort() }\n";
    let benches = fixture.text("benches/work.rs");
    fixture.write("benches/work.rs", benches.clone() + dying);
    fixture.committed();
    fixture.write("benches/work.rs", benches);
    let run = fixture.nanobench("--against main steady --fail-on unsure").run();
    run.exits(3).says("compare::work of main").says("died");
    assert!(run.row("steady").contains("unsure: not side by side: the baseline's executable died"), "{run}");
}

#[test]
fn a_revision_without_the_package_has_nothing_to_compare_with() {
    let fixture = Fixture::of("compare");
    let manifest = fixture.text("Cargo.toml");
    fs::remove_file(fixture.path("Cargo.toml")).unwrap();
    fixture.committed();
    fixture.write("Cargo.toml", manifest);
    let run = fixture.nanobench("--against main steady").run();
    run.exits(0).says("it has no Cargo.toml");
    assert!(run.row("steady").ends_with("new"), "{run}");
}

/// A benchmark that opens the library at `c"PATH"` for each call.
#[cfg(target_os = "linux")]
pub(crate) const OPENS_A_LIBRARY: &str = r#"
use nanobench::nanobench;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::transmute;

unsafe extern "C" {
    fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

#[nanobench]
fn changing() -> u64 {
    let path: &CStr = c"PATH";
    unsafe {
        let work: extern "C" fn() -> u64 = transmute(dlsym(dlopen(path.as_ptr(), 2), c"work".as_ptr()));
        work()
    }
}
"#;

#[cfg(target_os = "linux")]
#[test]
fn a_library_of_a_dependency_that_both_sides_open_is_not_compared() {
    let fixture = Fixture::to_edit("compare");
    let manifest = "[package]\nname = 'plug'\nversion = '0.0.0'\nedition = '2024'\n\n\
                    [lib]\ncrate-type = ['cdylib']\n";
    fixture.write("plug/Cargo.toml", manifest);
    let library = "#[unsafe(no_mangle)]\npub extern \"C\" fn work() -> u64 {\n    STEPS\n}\n\n\
                   const STEPS: u64 = 1;\n";
    fixture.write("plug/src/lib.rs", library);
    let with_plug = "[workspace]\n\n[dev-dependencies]\nplug = { path = 'plug' }";
    fixture.edit("Cargo.toml", "[dev-dependencies]", with_plug);
    let path = fixture.build_directory().join("release/deps/libplug.so");
    fixture.write("benches/work.rs", OPENS_A_LIBRARY.replace("PATH", path.to_str().unwrap()));
    settle(&fixture);
    fixture.committed();
    fixture.edit("plug/src/lib.rs", "STEPS: u64 = 1", "STEPS: u64 = 2");
    let run = fixture.nanobench("--against HEAD --format json").run();
    let changing = run.exits(0).json().row(CHANGING).comparison.expect("it was compared");
    assert_eq!(changing.verdict, "unsure", "{run}");
    assert!(
        path.is_file() && changing.sentence.contains("libplug.so of the working tree, which may"),
        "{run}"
    );
}

#[test]
fn an_unknown_revision_is_a_usage_error_before_the_build() {
    let fixture = Fixture::of("compare");
    fixture.nanobench("--against main").run().fails_with(5, "--against needs a git repository");
    fixture.committed();
    fixture.nanobench("--against mian").run().fails_with(2, "`mian`").says("did you mean `main`?");
    fixture.nanobench("--against=--help").run().fails_with(2, "there is no revision");
    assert!(!fixture.path("target").exists(), "it built first");
    for flag in ["--baseline", "--save-baseline", "--save-on-pass"] {
        fixture.nanobench(&format!("--against main {flag} main")).run().fails_with(2, flag);
    }
}

#[cfg(unix)]
#[test]
fn a_second_run_waits_before_it_makes_a_tree() {
    let fixture = Fixture::of("gate");
    fixture.committed();
    let _first = held_up(&fixture, "");
    let mut second = fixture.nanobench("--against main").start();
    second.wait_until("it says that it waits", |second| says_it_waits(&second.stderr_so_far()));
    assert!(!fixture.cache().exists());
    second.interrupt();
    second.finish().exits(130);
    assert_eq!(fixture.git("worktree list").lines().count(), 1);
}
