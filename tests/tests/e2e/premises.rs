//! What a verdict rests on besides the executables: what a benchmark can start, load, list, read or
//! reach. A change of it never passes as the same.

use nanobench_tests::{Fixture, Outcome};

const CHANGING: &str = "compare::work::changing";
/// The analysis of machine code shows what a benchmark can get at.
const IS_ANALYSED: bool = cfg!(all(target_arch = "x86_64", target_os = "linux"));

/// Returns a committed fixture whose benchmark `changing` takes its steps from this text.
fn reading(steps: &str, files: &[(&str, &str)]) -> Fixture {
    let fixture = Fixture::to_edit("compare");
    let steps = format!("let steps: String = {steps}; spin(steps.trim().parse().unwrap())");
    fixture.edit("benches/work.rs", "spin(STEPS)", &steps);
    fixture.edit("benches/work.rs", "const STEPS: u64 = 2_000;", "const STEADY: u64 = 2_000;");
    fixture.edit("benches/work.rs", "spin(2_000)", "spin(STEADY)");
    for (file, text) in files {
        fixture.write(file, text);
    }
    fixture.committed();
    fixture
}

/// Expects that `changing` does not run side by side with the same code.
#[track_caller]
fn is_spared(fixture: &Fixture) {
    fixture.nanobench("--save-baseline main").run().exits(0);
    let run = fixture.nanobench_by_default("--baseline main --format json").run();
    let compared = run.compared(CHANGING);
    assert!(compared.verdict == "same" && !compared.is_side_by_side(), "{run}");
}

/// Expects that `changing` is compared neither with the last run nor with a named one once this was
/// edited, for this reason.
#[track_caller]
fn is_never_the_same(fixture: &Fixture, edit: impl FnOnce(&Fixture), reason: &str) {
    fixture.nanobench("--save-baseline main").run().exits(0);
    edit(fixture);
    // The plain run comes first, as any run becomes the last one.
    let plain = fixture.nanobench("--format json").run();
    for run in [plain, fixture.nanobench_by_default("--baseline main --format json").run()] {
        let compared = run.compared(CHANGING);
        assert!(compared.verdict != "same" && !compared.is_side_by_side(), "{run}");
        assert!(compared.sentence.contains(reason), "{run}");
        assert!(!run.stderr().contains("nothing changed"), "{run}");
    }
    fixture.nanobench("--baseline main --fail-on slower,unsure").run().exits(3);
}

#[test]
fn a_file_of_a_short_name() {
    let fixture = reading("std::fs::read_to_string(\"data/n.db\").unwrap()", &[(".gitignore", "/target\n")]);
    fixture.write("data/n.db", "2000");
    is_spared(&fixture);
    is_never_the_same(&fixture, |fixture| fixture.write("data/n.db", "9000"), "read the new data/n.db");
}

#[test]
fn a_file_that_nobody_looks_at() {
    let fixture = Fixture::to_edit("compare");
    let file = fixture.files().join("steps");
    std::fs::write(&file, "2000").unwrap();
    let fixture = reading(&format!("std::fs::read_to_string({file:?}).unwrap()"), &[]);
    is_spared(&fixture);
    std::fs::write(&file, "90000").unwrap();
    let run = fixture.nanobench_by_default("--baseline main --fail-on slower,unsure").run();
    run.exits(3).prints("the same code, so something else changed").prints("times as long");
    // Side by side, too: both sides get the new one.
    fixture.edit("benches/work.rs", "let steps: String", "black_box(1); let steps: String");
    // Coarse limits, as a load may hide or feign small differences.
    let flags = "--threshold 50 --same-within 50";
    let run = fixture.nanobench_by_default(&format!("--baseline main --format json {flags} changing")).run();
    let compared = run.compared(CHANGING);
    assert!(compared.verdict == "unsure" && compared.sentence.contains("not as stored"), "{run}");
}

#[test]
fn a_folder_that_is_listed() {
    let count = "(std::fs::read_dir(\"data\").unwrap().count() * 1000).to_string()";
    let fixture = reading(count, &[("data/a", ""), ("data/b", "")]);
    let add = |fixture: &Fixture| (0..4).for_each(|i| fixture.write(format!("data/{i}"), ""));
    is_spared(&fixture);
    is_never_the_same(&fixture, add, "list the new folder data");
}

#[test]
fn a_program_that_is_found_at_run_time() {
    let start = "String::from_utf8(std::process::Command::new(std::env::var(\"CARGO_BIN_EXE_steps\").unwrap())\
                 .output().unwrap().stdout).unwrap()";
    let program = |steps: u32| format!("fn main() {{\n    println!(\"{steps}\");\n}}\n");
    let fixture = reading(start, &[("src/bin/steps.rs", &program(2000))]);
    // Starting it takes a millisecond, beside which a few thousand more would be the same.
    let edit = |fixture: &Fixture| fixture.write("src/bin/steps.rs", program(2_000_000));
    is_never_the_same(&fixture, edit, "run the new steps");
    // Beside a revision, each side starts its own.
    let run = fixture.nanobench_by_default("--against HEAD --format json").run();
    let compared = run.compared(CHANGING);
    assert!(compared.is_side_by_side() && compared.verdict != "same", "{run}");
}

const BUILD_SCRIPT: &str = r#"
fn main() {
    println!("cargo:rerun-if-changed=steps.in");
    let folder = std::env::var("OUT_DIR").unwrap();
    std::fs::copy("steps.in", format!("{folder}/steps.txt")).unwrap();
}
"#;

#[test]
fn a_file_of_a_build_script() {
    let read = "std::fs::read_to_string(concat!(env!(\"OUT_DIR\"), \"/steps.txt\")).unwrap()";
    let fixture = reading(read, &[("build.rs", BUILD_SCRIPT), ("steps.in", "2000")]);
    is_spared(&fixture);
    is_never_the_same(&fixture, |fixture| fixture.write("steps.in", "9000"), "out/steps.txt");
    // Beside a revision, each side reads its own.
    let run = fixture.nanobench_by_default("--against HEAD --format json").run();
    let compared = run.compared(CHANGING);
    assert!(!run.json().row(CHANGING).is_not_run() && compared.verdict != "same", "{run}");
}

#[test]
fn a_variable_of_a_revisions_configuration() {
    let configuration = |steps: u32| format!("[env]\nSTEPS_TO_SPIN = \"{steps}\"\n");
    let fixture =
        reading("std::env::var(\"STEPS_TO_SPIN\").unwrap()", &[(".cargo/config.toml", &configuration(2000))]);
    let against = || fixture.nanobench_by_default("--against HEAD --format json").run();
    let unchanged = against();
    assert_eq!(unchanged.json().row(CHANGING).is_not_run(), IS_ANALYSED, "{unchanged}");
    fixture.write(".cargo/config.toml", configuration(9000));
    let run = against();
    let compared = run.compared(CHANGING);
    assert!(compared.is_side_by_side() && compared.verdict == "slower", "{run}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_library_of_a_revisions_build_script() {
    const SCRIPT: &str = r#"
fn main() {
    println!("cargo:rerun-if-changed=work.rs");
    let folder = std::env::var("OUT_DIR").unwrap();
    println!("cargo:rustc-link-search=native={folder}");
    let mut rustc = std::process::Command::new(std::env::var("RUSTC").unwrap());
    rustc.args(["--edition=2024", "--crate-type=cdylib", "-O", "work.rs", "--out-dir", &folder]);
    assert!(rustc.status().unwrap().success());
}
"#;
    const LIBRARY: &str = "#[unsafe(no_mangle)]\npub extern \"C\" fn work() -> u64 {
    (0..2_000u64).fold(1, |sum, i| std::hint::black_box(sum ^ i))\n}\n";
    const BENCH: &str = "#[link(name = \"work\")]\nunsafe extern \"C\" {\n    safe fn work() -> u64;\n}
#[nanobench::nanobench]\nfn changing() -> u64 {\n    work()\n}\n";
    let fixture = Fixture::to_edit("compare");
    let files = [("build.rs", SCRIPT), ("work.rs", LIBRARY), ("benches/work.rs", BENCH)];
    files.iter().for_each(|(file, text)| fixture.write(file, text));
    fixture.committed();
    let against = || fixture.nanobench_by_default("--against HEAD --format json").run();
    let unchanged = against();
    assert!(unchanged.compared(CHANGING).verdict != "slower", "{unchanged}");
    fixture.edit("work.rs", "2_000", "40_000");
    let run = against();
    let compared = run.compared(CHANGING);
    assert!(compared.is_side_by_side() && compared.verdict == "slower", "{run}");
}

#[test]
fn what_calls_of_the_system_lead_to_is_unknown() {
    let connect = "std::net::TcpStream::connect((\"127.0.0.1\", 9)).map_or(2000, |_| 3000).to_string()";
    let fixture = reading(connect, &[]);
    fixture.nanobench("--save-baseline main").run().exits(0);
    let run: Outcome = fixture.nanobench("--baseline main --format json").run();
    assert_eq!(!run.json().row(CHANGING).is_not_run(), IS_ANALYSED, "it runs\n{run}");
}

/// Expects an error if a file is edited with an old time stamp.
#[track_caller]
fn is_outdated(fixture: &Fixture, file: &str, from: &str, to: &str) {
    fixture.nanobench("").run().exits(0);
    fixture.nanobench("").run().exits(0);
    let path = fixture.path(file);
    let now = std::time::SystemTime::now();
    fixture.edit(file, from, to);
    set_modified(&path, now - std::time::Duration::from_secs(3600));
    fixture.nanobench("").run().exits(101).says("cargo clean --profile bench -p compare");
    // `cargo clean` would delete what other tests are running.
    set_modified(&path, std::time::SystemTime::now());
    fixture.nanobench("").run().exits(0);
}

fn set_modified(path: &std::path::Path, time: std::time::SystemTime) {
    let file = std::fs::File::options().write(true).open(path).expect("the file exists");
    file.set_modified(time).expect("the time can be set");
}

#[test]
fn a_source_that_cargo_does_not_look_at_is_an_error() {
    let fixture = Fixture::to_edit("compare");
    is_outdated(&fixture, "benches/work.rs", "STEPS: u64 = 2_000", "STEPS: u64 = 9_000");
}

#[test]
fn so_are_a_build_script_and_what_it_depends_on() {
    let read = "std::fs::read_to_string(concat!(env!(\"OUT_DIR\"), \"/steps.txt\")).unwrap()";
    let fixture = reading(read, &[("build.rs", BUILD_SCRIPT), ("steps.in", "2000")]);
    is_outdated(&fixture, "steps.in", "2000", "9000");
    is_outdated(&fixture, "build.rs", "let folder", "let _steps = 9000;\n    let folder");
}

#[test]
fn a_file_that_the_build_reads_is_no_data() {
    let fixture = reading("std::fs::read_to_string(\"data/n.db\").unwrap()", &[("data/n.db", "2000")]);
    let words = "std::hint::black_box(include_str!(\"words.in\")).split(' ').count()";
    let words = format!("\n#[nanobench]\nfn words() -> usize {{\n    {words}\n}}\n");
    let path = "benches/work.rs";
    fixture.write(path, std::fs::read_to_string(fixture.path(path)).unwrap() + &words);
    fixture.write("benches/words.in", "a few words");
    fixture.committed();
    fixture.nanobench("--save-baseline main").run().exits(0);
    fixture.write("benches/words.in", "other words, and more of them");
    let plain = fixture.nanobench("--format json").run();
    assert!(!plain.compared(CHANGING).sentence.contains("words.in"), "{plain}");
    let run = fixture.nanobench_by_default("--baseline main --format json").run();
    assert_eq!(!run.compared(CHANGING).is_side_by_side(), IS_ANALYSED, "{run}");
    assert!(run.compared("compare::work::words").is_side_by_side(), "{run}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_executable_that_is_replaced_during_a_run_has_no_verdict() {
    let replace = "let path = std::env::current_exe().unwrap(); std::fs::copy(&path, \"copy\").unwrap(); \
                   std::fs::rename(\"copy\", path).unwrap(); \"2000\".to_owned()";
    let fixture = reading(&format!("{{ {replace} }}"), &[]);
    fixture.nanobench("--save-baseline main").run().exits(5).says("another command built");
    assert!(!fixture.nanobench("baseline list").run().stdout().contains("main"));
}

#[test]
fn a_path_of_another_length_explains_no_large_change() {
    let read = "std::fs::read_to_string(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/data/steps.txt\")).unwrap()";
    let fixture = reading(read, &[("data/steps.txt", "2000")]);
    fixture.write("data/steps.txt", "90000");
    // The folder of revisions is deeper than this tree.
    let deep = fixture.files().join("a/deeper/folder/than/that/of/the/working/tree");
    let run =
        fixture.nanobench_by_default("--against HEAD --format json").env("NANOBENCH_CACHE", &deep).run();
    let compared = run.compared(CHANGING);
    assert!(compared.is_side_by_side() && compared.verdict == "slower", "{run}");
    assert!(run.stdout().contains("a path of"), "{run}");
}

#[test]
fn tracked_files_of_a_lost_commit_are_unknown() {
    let path = "format!(\"data/{}.txt\", std::hint::black_box(\"one-third\"))";
    let fixture =
        reading(&format!("std::fs::read_to_string({path}).unwrap()"), &[("data/one-third.txt", "2000")]);
    fixture.nanobench("--save-baseline main").run().exits(0);
    fixture.write("data/one-third.txt", "90000");
    std::fs::remove_dir_all(fixture.path(".git")).unwrap();
    fixture.committed();
    let run = fixture.nanobench_by_default("--baseline main --format json").run();
    let compared = run.compared(CHANGING);
    assert!(compared.verdict != "same" && !compared.is_side_by_side(), "{run}");
    assert!(compared.sentence.contains("git can't tell which files have changed"), "{run}");
    fixture.nanobench("--baseline main --fail-on slower,unsure").run().exits(3);
}
