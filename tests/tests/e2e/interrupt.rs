//! Ctrl-C prints the results so far, and leaves neither child processes nor incomplete files.
#![cfg(unix)]

use nanobench_tests::{Fixture, Outcome, Running, held_up, left_running_for, says_it_waits, started_for};
use std::fs;

#[test]
fn ctrl_c_prints_partial_results_and_leaves_no_child() {
    let fixture = Fixture::of("gate");
    let running = held_up(&fixture, "");
    assert!(cfg!(not(target_os = "linux")) || started_for(&fixture.files()).len() > 1);
    running.interrupt();
    let run = running.finish();
    assert!(run.exits(130).row("quick").contains("/s"), "{run}");
    assert!(!run.has_row("later"), "{run}");
    assert_eq!(left_running_for(&fixture.files()), Vec::<String>::new(), "{run}");
}

#[test]
fn ctrl_c_to_the_whole_group_ends_the_same() {
    let fixture = Fixture::of("gate");
    let running = held_up(&fixture, "");
    running.interrupt_group();
    let run = running.finish();
    assert!(run.exits(130).row("quick").contains("/s"), "{run}");
    assert_eq!(left_running_for(&fixture.files()), Vec::<String>::new(), "{run}");
}

#[test]
fn ctrl_c_leaves_no_half_saved_baseline() {
    let fixture = Fixture::of("gate");
    let running = held_up(&fixture, "--save-baseline main");
    running.interrupt();
    running.finish().exits(130);
    for folder in ["names", "runs", "blobs"] {
        let left = fs::read_dir(fixture.stored(folder)).map_or(0, Iterator::count);
        assert_eq!(left, 0, "something is left in {folder}");
    }
}

#[test]
fn an_interrupted_run_names_no_other_targets() {
    const HINT: &str = "add --test more";
    let fixture = Fixture::to_edit("gate");
    fixture.write("tests/more.rs", "#[nanobench::nanobench]\nfn more() -> u64 {\n    1\n}\n");
    fixture.nanobench("--list").run().exits(0).says(HINT);
    let running = held_up(&fixture, "");
    running.interrupt();
    running.finish().exits(130).never_says(HINT);
}

#[test]
fn ctrl_c_leaves_an_older_baseline_as_it_was() {
    let fixture = Fixture::of("gate");
    fixture.nanobench("--save-baseline main quick").run().exits(0);
    let before = fixture.bytes(fixture.baseline("main"));
    let running = held_up(&fixture, "--save-baseline main");
    running.interrupt();
    running.finish().exits(130);
    assert!(before == fixture.bytes(fixture.baseline("main")));
    fixture.nanobench("--baseline main quick").run().exits(0).prints("95 % CI");
}

#[test]
fn ctrl_c_sets_the_lock_free() {
    let fixture = Fixture::of("gate");
    let running = held_up(&fixture, "");
    running.interrupt();
    running.finish().exits(130);
    fixture.nanobench("later").run().exits(0).row("later");
}

#[test]
fn ctrl_c_ends_the_waiting_for_another_run() {
    let fixture = Fixture::of("gate");
    let _first = held_up(&fixture, "");
    let mut second = fixture.nanobench("later").start();
    second.wait_until("it says that it waits", |second| says_it_waits(&second.stderr_so_far()));
    second.interrupt();
    second.finish().exits(130);
}

#[test]
fn ctrl_c_ends_the_build() {
    // In a terminal, cargo gets the signal, too, but a signal to the tool alone doesn't reach it.
    for interrupt in [Running::interrupt_group, Running::interrupt] {
        let fixture = Fixture::to_edit("gate");
        let script = "fn main() { std::thread::sleep(std::time::Duration::from_secs(200)); }";
        fixture.write("build.rs", script);
        let mut running = fixture.nanobench("quick").start();
        running.wait_until("the build script runs", |running| {
            let processes = started_for(&fixture.files());
            let is_started = processes.iter().any(|process| process.contains("build-script-build"));
            let is_not_told = cfg!(not(target_os = "linux"));
            running.stderr_so_far().contains("Compiling gate") && (is_started || is_not_told)
        });
        interrupt(&running);
        let run = running.finish();
        run.exits(130);
        assert_eq!(left_running_for(&fixture.files()), Vec::<String>::new(), "{run}");
    }
}

#[test]
fn ctrl_c_leaves_whole_json() {
    let fixture = Fixture::of("gate");
    let running = held_up(&fixture, "--format json --fail-on slower");
    running.interrupt();
    let run = running.finish();
    let report = run.exits(130).json();
    assert!(report.row("gate::gate::quick").is_ok(), "{run}");
    assert_eq!(report.held_back(), None, "what was not run has passed no gate\n{run}");
}

/// Presses Ctrl-C once the paired run has measured a block. At this resolution, it continues for
/// seconds.
fn interrupted_in_its_duel(fixture: &Fixture, arguments: &str) -> Outcome {
    let blocks = fixture.path("blocks");
    let call = fixture.nanobench(&format!("--same-within 0.0001 --format json {arguments}"));
    let mut running = call.env("NANOBENCH_BLOCKS", &blocks).start();
    running.wait_until("a block was measured", |_| blocks.exists());
    running.interrupt();
    running.finish()
}

#[test]
fn ctrl_c_in_a_paired_run_reports_results_so_far() {
    let fixture = Fixture::of("compare");
    fixture.nanobench("--save-baseline main").run().exits(0);
    fixture.slow_down();
    let before = fixture.bytes(fixture.baseline("main"));
    let run = interrupted_in_its_duel(&fixture, "--baseline main --save-baseline main");
    let report = run.exits(130).json();
    for id in ["compare::work::changing", "compare::work::steady"] {
        assert_eq!(report.row(id).comparison.expect("it is told").verdict, "unsure", "{run}");
    }
    assert!(before == fixture.bytes(fixture.baseline("main")), "{run}");
}

#[test]
fn ctrl_c_with_against_reports_the_rest_as_unsure() {
    let fixture = Fixture::to_edit("gate");
    fixture.committed();
    fixture.edit("benches/gate.rs", "sum_up_to(100)", "sum_up_to(101)");
    let running = held_up(&fixture, "--against main");
    running.interrupt();
    let run = running.finish();
    assert!(run.exits(130).row("quick").contains("unsure: not side by side: interrupted"), "{run}");
    run.prints("2 benchmarks not run");
    let run = interrupted_in_its_duel(&fixture, "--against main quick later");
    for id in ["gate::gate::quick", "gate::gate::later"] {
        let compared = run.exits(130).json().row(id).comparison.expect("it is told");
        assert_eq!(compared.verdict, "unsure", "{run}");
    }
}
