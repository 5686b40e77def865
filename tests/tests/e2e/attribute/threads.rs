//! Benchmarks on several threads at once.

use super::{assert_same, listed, measured};
use nanobench_tests::Fixture;

#[test]
fn each_number_of_threads_is_a_row() {
    let rows: Vec<String> = ["a", "b"]
        .iter()
        .flat_map(|arg| [1, 2, 4].map(|threads| format!("threads::threads::rows/{arg}/threads={threads}")))
        .collect();
    assert_eq!(listed("threads", "::rows"), rows);
}

#[test]
fn the_numbers_are_any_expression() {
    let rows = [2, 3].map(|threads| format!("threads::threads::computed/one/threads={threads}"));
    assert_eq!(listed("threads", "::computed"), rows);
}

#[test]
fn arguments_are_shared_if_their_type_allows_it() {
    assert_eq!(listed("threads", "shareable --threads 2"), ["threads::threads::shareable/one/threads=2"]);
}

/// Each call waits for those of the other threads.
#[test]
fn all_run_at_once() {
    let report = measured("threads", "meet");
    let row = report.row("threads::threads::meet/threads=3");
    assert!(row.is_ok());
    assert_same(row.threads, 3.0);
    assert_eq!(row.samples(), 3);
    assert_eq!(row.context("meets"), Some("three"));
}

#[test]
fn the_total_is_that_of_all_threads() {
    let report = measured("threads", "::sleep");
    for threads in [1.0, 4.0] {
        let row = report.row(&format!("threads::threads::sleep/threads={threads}"));
        let [throughput] = &row.throughput[..] else { panic!("not one throughput") };
        assert_eq!(throughput.unit, "item");
        assert_same(throughput.amount, 10.0);
        assert_same(throughput.per_second, threads * 10.0 * 1e9 / row.median());
        // Each of them sleeps half a millisecond.
        assert!(row.median() >= 500_000.0, "{} ns", row.median());
    }
}

#[test]
fn a_panic_in_one_ends_all() {
    let run = Fixture::of("threads").nanobench("one_panics --format json").env("E2E_PANIC", "1").run();
    let report = run.exits(1).json();
    let row = report.row("threads::threads::one_panics/threads=2");
    assert!(row.error().contains("told to panic"), "{}", row.error());
}

#[test]
fn the_flag_gives_the_numbers_of_all() {
    assert_eq!(
        listed("threads", "plain rows/a --threads 1,3"),
        [
            "threads::threads::rows/a/threads=1",
            "threads::threads::rows/a/threads=3",
            "threads::threads::plain/threads=1",
            "threads::threads::plain/threads=3"
        ]
    );
    assert!(
        measured("threads", "plain --threads 2 --max-time 2ms")
            .row("threads::threads::plain/threads=2")
            .is_ok()
    );
    let cores = std::thread::available_parallelism().unwrap();
    assert_eq!(listed("threads", "plain --threads 0"), [format!("threads::threads::plain/threads={cores}")]);
    Fixture::of("threads").nanobench("--threads -1").run().exits(2);
}

#[test]
fn they_run_as_tests() {
    Fixture::of("threads").cargo("test --benches").run().exits(0).prints("nanobench_rows ... ok");
}
