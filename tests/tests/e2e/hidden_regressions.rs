//! Regressions that the typical time of a call doesn't show.

#[cfg(target_os = "linux")]
use super::against::OPENS_A_LIBRARY;
use nanobench_tests::{BusySides, Fixture};
use std::fs;

const CHANGING: &str = "compare::work::changing";

/// Returns a fixture with a baseline `main` whose benchmark `changing` has the body `before`, and
/// the body `after` by now.
fn changed(before: &str, after: &str) -> Fixture {
    let fixture = Fixture::to_edit("compare");
    let write = |body: &str| {
        let source = format!(
            "use nanobench::nanobench;\nuse std::hint::black_box;\n\n#[nanobench]\nfn changing() -> u64 {{\n{body}\n}}\n\n\
             fn spin(steps: u64) -> u64 {{\n    (0..black_box(steps)).fold(1, |sum, i| black_box(sum ^ i))\n}}\n"
        );
        fixture.write("benches/work.rs", source);
    };
    write(before);
    fixture.nanobench("--save-baseline main").run().exits(0);
    write(after);
    fixture
}

/// Returns a body that starts two threads of this body once, and then works.
fn with_threads(body: &str) -> String {
    format!(
        "static STARTED: std::sync::Once = std::sync::Once::new();\n\
         STARTED.call_once(|| (0..2).for_each(|_| drop(std::thread::spawn(|| loop {{ {body} }}))));\n\
         spin(2_000)"
    )
}

/// Returns a body that starts two processes once, each with a child of this script, and then works.
#[cfg(target_os = "linux")]
fn with_processes(script: &str) -> String {
    format!(
        "static STARTED: std::sync::Once = std::sync::Once::new();\n\
         let start = || std::process::Command::new(\"sh\").args([\"-c\", \"({script}) & wait\"]).spawn();\n\
         STARTED.call_once(|| (0..2).for_each(|_| drop(start().unwrap())));\n\
         spin(2_000)"
    )
}

#[cfg(target_os = "linux")]
#[test]
fn threads_and_processes_that_stay_busy_are_noticed_and_never_pass_as_the_same() {
    for after in [with_threads("std::hint::spin_loop()"), with_processes("while :; do :; done")] {
        let fixture = changed("spin(2_000)", &after);
        let run = fixture.nanobench_by_default("--baseline main --format json").run();
        let compared = run.compared(CHANGING);
        assert_eq!(compared.busy_between_calls, Some(BusySides { baseline: false, now: true }), "{run}");
        assert!(["slower", "unsure"].contains(&compared.verdict.as_str()), "{run}");
    }
}

/// Returns a body that takes this many steps, and has another thread take as many for each call.
#[cfg(target_os = "linux")]
fn passes_on(own: u64, steps: u64) -> String {
    format!(
        "use std::sync::mpsc::{{Sender, channel}};\n\
         static POOL: std::sync::OnceLock<Sender<u64>> = std::sync::OnceLock::new();\n\
         let start = || {{\n\
             let (sender, tasks) = channel();\n\
             std::thread::spawn(move || tasks.iter().for_each(|steps| drop(black_box(spin(steps)))));\n\
             sender\n\
         }};\n\
         POOL.get_or_init(start).send({steps}).unwrap();\n\
         spin({own})"
    )
}

#[cfg(target_os = "linux")]
#[test]
fn work_that_is_passed_on_to_another_thread_is_not_faster() {
    let fixture = changed(&passes_on(60_000, 400), &passes_on(20_000, 300_000));
    let run = fixture.nanobench_by_default("--baseline main --format json").run();
    let compared = run.compared(CHANGING);
    assert_eq!(compared.verdict, "unsure", "{run}");
    assert!(compared.sentence.contains("processor time") || compared.sentence.contains("busy"), "{run}");
}

#[test]
fn four_processes_may_take_longer_than_the_timeout_that_one_has_for_a_call() {
    let sleep = |ms: u64| format!("std::thread::sleep(std::time::Duration::from_millis({ms}));\n1");
    let fixture = changed(&sleep(200), &sleep(300));
    let run = fixture.nanobench_by_default("--baseline main --timeout 1s --budget 10s --format json").run();
    // A block has five calls in a row: 1.25 s.
    assert!(run.compared(CHANGING).is_side_by_side(), "{run}");
}

#[test]
fn threads_that_sleep_or_wait_change_nothing() {
    let waiting = "std::thread::park_timeout(std::time::Duration::from_millis(5))";
    let fixture = changed("spin(2_000)", &with_threads(waiting));
    let run = fixture.nanobench_by_default("--baseline main --format json").run();
    let compared = run.compared(CHANGING);
    assert!(compared.is_side_by_side() && compared.pairs.unwrap() >= 6, "{run}");
    assert_eq!(compared.busy_between_calls, Some(BusySides { baseline: false, now: false }), "{run}");
}

/// Builds `work.rs` as a dynamic library.
#[cfg(target_os = "linux")]
const BUILD_SCRIPT: &str = r#"
fn main() {
    println!("cargo:rerun-if-changed=work.rs");
    // Build scripts of the `cc` crate run again when these change.
    for name in ["COMPILER_PATH", "GCC_EXEC_PREFIX", "CPATH"] {
        assert_eq!(std::env::var_os(name), None, "{name}");
    }
    let folder = std::env::var("OUT_DIR").unwrap();
    println!("cargo:rustc-env=FOLDER={folder}");
    println!("cargo:rustc-link-search=native={folder}");
    println!("cargo:rustc-link-arg-benches=-Wl,-rpath,{folder}");
    let mut rustc = std::process::Command::new(std::env::var("RUSTC").unwrap());
    rustc.args(["--edition=2024", "--crate-type=cdylib", "-O", "work.rs", "--out-dir", &folder]);
    assert!(rustc.status().unwrap().success());
}
"#;

/// A dynamic library, and the benchmark that calls it.
#[cfg(target_os = "linux")]
const LIBRARY: [&str; 2] = [
    r#"
const STEPS: u64 = 2_000;

#[unsafe(no_mangle)]
pub extern "C" fn work() -> u64 {
    (0..STEPS).fold(1, |sum, i| std::hint::black_box(sum ^ i))
}
"#,
    r#"
#[link(name = "work")]
unsafe extern "C" {
    fn work() -> u64;
}

#[nanobench::nanobench]
fn changing() -> u64 {
    unsafe { work() }
}
"#,
];

/// Returns a fixture whose benchmark calls a dynamic library, which its build script builds.
#[cfg(target_os = "linux")]
fn with_a_library_of_a_build_script() -> Fixture {
    let fixture = Fixture::to_edit("compare");
    let [library, benchmark] = LIBRARY;
    fixture.write("build.rs", BUILD_SCRIPT);
    fixture.write("work.rs", library);
    fixture.write("benches/work.rs", benchmark);
    fixture
}

#[cfg(target_os = "linux")]
#[test]
fn a_baseline_keeps_the_libraries_that_it_loads() {
    let fixture = with_a_library_of_a_build_script();
    fixture.nanobench("--save-baseline main").run().exits(0);
    let libraries = || {
        let stored = fs::read_dir(fixture.stored("blobs")).unwrap().map(|entry| entry.unwrap().path());
        stored.filter(|path| path.is_dir()).collect::<Vec<_>>()
    };
    assert_eq!(libraries().len(), 1);
    let run = fixture.nanobench_by_default("--baseline main --format json").run();
    assert_eq!(run.compared(CHANGING).sentence, "identical code", "the library is the same, too\n{run}");

    fixture.edit("work.rs", "2_000", "40_000");
    let run = fixture.nanobench_by_default("--baseline main --format json").run();
    let changing = run.compared(CHANGING);
    assert!(changing.is_side_by_side(), "{run}");
    assert_eq!(changing.verdict, "slower", "{run}");
    assert!(changing.change.unwrap() > 100.0, "the baseline runs the old library\n{run}");

    libraries().iter().for_each(|folder| fs::remove_dir_all(folder).unwrap());
    let run = fixture.nanobench_by_default("--baseline main --format json").run();
    assert!(run.compared(CHANGING).sentence.contains("not side by side"), "{run}");
    assert_ne!(run.compared(CHANGING).verdict, "same", "{run}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_changed_library_never_passes_as_the_same_executable() {
    let fixture = with_a_library_of_a_build_script();
    fixture.nanobench("").run().exits(0);
    fixture.edit("work.rs", "2_000", "40_000");
    let run = fixture.nanobench("--format json").run();
    let changing = run.compared(CHANGING);
    assert!(["slower", "unsure"].contains(&changing.verdict.as_str()), "{run}");
    assert!(!changing.sentence.contains("identical code"), "{run}");
    let same_code = changing.sentence.contains("same code");
    let reservation = changing.sentence.contains("same code, but libraries that it loads may differ");
    assert!(!same_code || reservation, "{run}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_library_that_the_build_writes_anew_is_not_the_same_code() {
    let fixture = with_a_library_of_a_build_script();
    let path = r#"CStr::from_bytes_with_nul(concat!(env!("FOLDER"), "/libwork.so\0").as_bytes()).unwrap()"#;
    fixture.write("benches/work.rs", OPENS_A_LIBRARY.replace(r#"c"PATH""#, path));
    fixture.nanobench("--save-baseline main").run().exits(0);
    fixture.edit("work.rs", "2_000", "40_000");
    for build in ["new", "up to date"] {
        let run = fixture.nanobench_by_default("--baseline main --format json").run();
        let changing = run.compared(CHANGING);
        // The stored figures may show it.
        assert!(["slower", "unsure"].contains(&changing.verdict.as_str()), "{build}\n{run}");
        assert!(changing.sentence.contains("both sides would run the new libwork.so"), "{build}\n{run}");
    }
}

#[test]
fn a_rare_expensive_call_is_slower_fails_gates_and_is_not_saved() {
    let rare = "static CALLS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);\n\
                let is_rare = CALLS.fetch_add(1, std::sync::atomic::Ordering::Relaxed) % 2_000 == 1_999;\n\
                spin(if is_rare { 4_000_000 } else { 2_000 })";
    let fixture = changed("spin(2_000)", rare);
    let saved = fixture.bytes(fixture.baseline("main"));
    let run = fixture.nanobench_by_default("--baseline main --format json --fail-above 10%").run();
    let changing = run.exits(3).json().row(CHANGING).comparison.unwrap();
    assert_eq!(changing.verdict, "slower", "{run}");
    assert!(changing.average.unwrap().change.unwrap() > 10.0, "{run}");
    assert_eq!(run.json().held_back().unwrap(), [("slower".to_owned(), CHANGING.to_owned())]);
    let run = fixture.nanobench_by_default("--save-on-pass main").run();
    run.exits(0)
        .prints("Baseline `main` was not replaced (--save-on-pass): 1 slower (compare::work::changing");
    assert!(saved == fixture.bytes(fixture.baseline("main")), "{run}");
}
