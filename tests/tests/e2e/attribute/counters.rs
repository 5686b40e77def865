//! Counters of the processor and the operating system.

#[cfg(unix)]
use super::measured;
use nanobench_tests::Fixture;

#[cfg(unix)]
const FRESH: &str = "faults::faults::fresh_pages";
const NOTHING: &str = "faults::faults::nothing";

/// 40 MB are 20 pages of the largest size that Linux uses by default, and 10,240 of the smallest.
#[cfg(unix)]
#[test]
fn touching_fresh_pages_is_counted() {
    let report = measured("faults", "--counters=page-faults,context-switches --max-time 2ms");
    let faults = report.row(FRESH).counter("page-faults").expect("page faults can always be read");
    assert!((20.0..100_000.0).contains(&faults), "{faults} page faults");
    let faults = report.row(NOTHING).counter("page-faults").expect("page faults can always be read");
    assert!(faults < 1.0, "{faults} page faults of nothing");
}

#[cfg(unix)]
#[test]
fn requested_counters_are_columns() {
    let fixture = Fixture::of("faults");
    let run = fixture.nanobench("--max-time 2ms --format json").run();
    let own = run.exits(0).json();
    assert!(own.row(FRESH).counter("page-faults").is_some_and(|faults| faults >= 20.0), "{run}");
    assert_eq!(own.row(NOTHING).counter("page-faults"), None, "another benchmark's attribute");
    let flag = fixture.nanobench("fresh --max-time 2ms --format json --counters=context-switches").run();
    let flag = flag.exits(0).json();
    assert_eq!(flag.row(FRESH).counter("page-faults"), None, "flags override attributes");
    assert!(flag.row(FRESH).counter("context-switches").is_some());
    if own.row(FRESH).counter("cache-misses").is_none() {
        run.says("cannot count here: cache-misses");
    }
    let another = fixture.nanobench("nothing --max-time 2ms").run();
    another.exits(0).never_says("faults/op").never_says("cannot count");
    fixture.nanobench("nothing --max-time 2ms --counters=page-faults").run().exits(0).prints("page-faults");
}

/// Most virtual machines have no such counters, and many kernels restrict them.
#[test]
fn unreadable_counters_are_one_hint_and_no_failure() {
    let run = Fixture::of("faults")
        .nanobench("nothing --max-time 2ms --format json --counters=instructions,page-faults")
        .run();
    let report = run.exits(0).json();
    if report.row(NOTHING).counter("instructions").is_none() {
        let hints: Vec<_> =
            run.stderr().lines().filter(|line| line.contains("instructions")).map(str::to_owned).collect();
        assert_eq!(hints.len(), 1, "{hints:?}\n{run}");
    }
}

#[test]
fn an_unknown_counter_is_a_usage_error() {
    Fixture::of("faults").nanobench("--counters=page-fautls").run().exits(2).says("page-faults");
}
