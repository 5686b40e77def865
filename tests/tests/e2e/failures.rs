//! Failing benchmarks are failed rows with a reason; the other benchmarks still run.

use nanobench_tests::{Fixture, Outcome};

/// Runs a failing benchmark between two that succeed, and checks everything except the failure's
/// text.
fn run_between_sound_ones(name: &str, arguments: &str) -> (Outcome, String) {
    let ids = ["before", name, "after"].map(|name| format!("failing::failing::{name}")).join(" ");
    let run = Fixture::of("failing").nanobench(&format!("--exact {ids} {arguments}")).run();
    run.exits(1);
    for sound in ["before", "after"] {
        let row = run.row(sound);
        assert!(row.contains("/s") && !row.contains("failed"), "{sound} did not run\n{run}");
    }
    let row = run.row(name);
    (run, row)
}

#[track_caller]
fn holds_one_of(row: &str, words: &[&str], run: &Outcome) {
    assert!(words.iter().any(|word| row.contains(word)), "expected one of {words:?} in {row:?}\n{run}");
}

#[test]
fn a_panic_is_a_row_with_its_place_and_message() {
    let (run, row) = run_between_sound_ones("panics", "");
    holds_one_of(&row, &["panicked at benches/failing.rs:13"], &run);
    holds_one_of(&row, &["the reason for it"], &run);
}

#[test]
fn an_abort_is_a_row() {
    let (run, row) = run_between_sound_ones("aborts", "");
    holds_one_of(&row, &["SIGABRT", "abort"], &run);
}

#[test]
fn an_exit_is_a_row_with_its_code() {
    let (run, row) = run_between_sound_ones("exits", "");
    holds_one_of(&row, &["code 7", "status 7", "exit(7)", "status: 7"], &run);
}

#[test]
fn a_death_is_not_explained_by_another_benchmarks_output() {
    let run =
        Fixture::of("failing").nanobench("panics ::exits --skip quietly").env("RUST_BACKTRACE", "1").run();
    let row = run.exits(1).row("exits");
    assert!(!row.contains("RUST_BACKTRACE"), "{row:?} quotes the panic of another benchmark\n{run}");
}

#[test]
fn an_exit_with_success_is_a_failure_all_the_same() {
    let (run, row) = run_between_sound_ones("exits_quietly", "");
    holds_one_of(&row, &["exit"], &run);
}

#[cfg(unix)]
#[test]
fn a_segfault_is_a_row() {
    let (run, row) = run_between_sound_ones("segfaults", "");
    holds_one_of(&row, &["SIGSEGV", "segmentation"], &run);
}

#[test]
fn endless_benchmarks_are_stopped_after_the_timeout() {
    let (run, row) = run_between_sound_ones("never_ends", "--timeout 2s");
    holds_one_of(&row, &["its timeout"], &run);
    holds_one_of(&row, &["2 s", "2s"], &run);
    assert!(row.contains("raise --timeout, or set `timeout` in its attribute"), "{run}");
}

#[test]
fn a_stopped_benchmark_leaves_no_process() {
    let fixture = Fixture::of("failing");
    let run = fixture.nanobench("never_ends --timeout 1s").run();
    run.exits(1);
    assert_eq!(nanobench_tests::left_running_for(&fixture.files()), Vec::<String>::new(), "{run}");
}

#[test]
fn a_failure_in_the_first_launch_leaves_the_others_their_launches() {
    for (failing, reason) in [("panics", "the reason for it"), ("aborts", "abort")] {
        let flags = "--launches 3 --max-time 2ms";
        let run = Fixture::of("failing").nanobench(&format!("before {failing} vanishes after {flags}")).run();
        run.exits(1);
        for sound in ["before", "after"] {
            assert!(run.row(sound).contains("/s"), "{sound} did not run\n{run}");
        }
        assert!(run.row(failing).contains(reason), "{run}");
        // The abort before it ends the only process that has the row, and else its launch does.
        run.prints("no longer has a row with this name");
    }
}

#[test]
fn json_distinguishes_failed_benchmarks() {
    let run = Fixture::of("failing").nanobench("--format json --skip never_ends --skip prints").run();
    let report = run.exits(1).json();
    let is_ok = |name: &str| report.row(&format!("failing::failing::{name}")).is_ok();
    let all = ["before", "panics", "aborts", "exits", "exits_quietly", "segfaults", "after"];
    let sound: Vec<&str> = all.into_iter().filter(|name| is_ok(name)).collect();
    assert_eq!(sound, ["before", "after"], "{run}");
}

#[test]
fn failing_ones_alone_still_end_with_1() {
    Fixture::of("failing").nanobench("panics").run().exits(1).row("panics");
}

#[test]
fn a_benchmark_that_prints_changes_nothing() {
    let run = Fixture::of("failing").nanobench("prints after").run();
    run.exits(0);
    for name in ["prints", "after"] {
        let row = run.row(name);
        assert!(row.contains("/s") && !row.contains("failed"), "{run}");
    }
}

#[test]
fn a_benchmark_that_prints_leaves_the_json_whole() {
    let run = Fixture::of("failing").nanobench("--format json prints after").run();
    let report = run.exits(0).json();
    assert_eq!(report.ids(), ["failing::failing::prints", "failing::failing::after"]);
    assert!(report.row("failing::failing::prints").is_ok(), "{run}");
}

#[test]
fn two_benchmarks_of_one_name_are_an_error_with_both_places() {
    let run = Fixture::of("duplicates").nanobench("").run();
    run.fails_with(5, "duplicates::twice::same").says("benches/twice.rs:6").says("benches/twice.rs:9");
}

#[cfg(unix)]
#[test]
fn an_older_library_is_an_error_that_says_how_to_update_it() {
    let run = Fixture::of("other-protocol").nanobench("").env("E2E_PROTOCOL", "0").run();
    run.fails_with(5, "nanobench-core").says("cargo update").says("0.0.0");
    run.says("a revision or a baseline keeps its library: name a later one");
}

#[cfg(unix)]
#[test]
fn a_newer_library_is_an_error_that_says_how_to_update_the_tool() {
    let run = Fixture::of("other-protocol").nanobench("").env("E2E_PROTOCOL", "999").run();
    run.fails_with(5, "cargo-nanobench").says("cargo install").says("999.0.0");
}

#[test]
fn a_timeout_that_is_none_is_a_usage_error() {
    Fixture::of("failing").nanobench("--timeout soon before").run().fails_with(2, "soon");
}

#[test]
fn negative_numbers_are_values_and_the_error_says_what_is_wrong_with_them() {
    let fixture = Fixture::of("failing");
    for flag in ["--timeout", "--min-time", "--max-time", "--sample-time", "--budget", "--wait-quiet"] {
        for value in ["-1", "-1s", "-0.5ms"] {
            let run = fixture.nanobench("").args(flag).arg(value).run();
            run.fails_with(2, &format!("invalid value '{value}' for '{flag} <DURATION>'"));
            run.says("greater than zero");
        }
    }
    for (flag, expected) in [
        ("--samples", "expected a whole number, 1 or more"),
        ("--iterations", "expected a whole number, 1 or more"),
        ("--warmup", "expected a whole number, 0 or more"),
        ("--precision", "expected a percentage above 0"),
        ("--threshold", "expected a percentage, 0 or more"),
        ("--threads", "number"),
        ("--wipe-size", "size"),
    ] {
        let run = fixture.nanobench(flag).arg("-1").run();
        run.fails_with(2, &format!("invalid value '-1' for '{flag}")).says(expected);
    }
    fixture.nanobench("baseline prune --keep -1").run().fails_with(2, "expected a whole number, 0 or more");
    fixture.nanobench("baseline prune --older-than -1d").run().fails_with(2, "expected an age");
}

#[test]
fn a_benchmark_that_starts_its_own_executable_does_not_wait_for_the_timeout() {
    let fixture = Fixture::to_edit("compare");
    let restarting = "#[nanobench]\nfn restarting() {
    let executable = std::env::current_exe().unwrap();
    std::process::Command::new(executable).stderr(std::process::Stdio::null()).status().unwrap();
}

fn spin(";
    fixture.edit("benches/work.rs", "fn spin(", restarting);
    let run = fixture.nanobench("restarting --samples 1 --iterations 1 --timeout 50s").run();
    assert!(run.exits(0).row("restarting").contains("/s"), "{run}");
}
