//! Benchmarks that measure their own time.

use super::{assert_same, listed, measured};
use nanobench_tests::Fixture;

#[test]
fn the_figure_is_the_time_that_the_function_returns() {
    let report = measured("manual", "simulated everywhere prepared --max-time 2ms");
    for (id, nanoseconds) in [
        ("simulated", 3_000.0),
        ("everywhere/threads=2", 3_000.0),
        ("everywhere/cold/threads=2", 3_000.0),
        ("prepared/10", 10_000.0),
        ("prepared/20", 20_000.0),
    ] {
        let row = report.row(&format!("manual::manual::{id}"));
        let rounded = (row.median() - nanoseconds).abs() < nanoseconds / 1_000.0;
        assert!(rounded, "{id}: {} ns: nothing is subtracted", row.median());
        assert_eq!(row.allocations, None, "{id}: nobody knows what belongs to the time");
    }
    assert_same(report.row("manual::manual::prepared/20").throughput[0].amount, 20.0);
    assert_same(report.row("manual::manual::simulated").throughput[0].amount, 8.0);
}

#[test]
fn a_clock_may_be_slow_or_stand_still() {
    let report = measured("manual", "slow --max-time 2ms");
    assert_same((report.row("manual::manual::slow").median() / 1e6).round(), 1_000.0);
    let run = Fixture::of("manual").nanobench("stopped --max-time 2ms").run();
    run.exits(0).prints("the function returns a time of 0");
}

#[test]
fn builds_are_compared_by_the_times_that_the_function_returns() {
    assert!(listed("manual", "").contains(&"manual::manual::simulated".to_owned()));
    let fixture = Fixture::to_edit("manual");
    fixture.nanobench("--save-baseline main simulated --max-time 2ms").run().exits(0);
    fixture.edit("benches/manual.rs", "from_micros(3)", "from_micros(6)");
    let run = fixture.nanobench("--baseline main --format json simulated --max-time 2ms").run();
    let compared = run.compared("manual::manual::simulated");
    assert_eq!(compared.verdict, "slower", "{run}");
    assert!((compared.change.unwrap() - 100.0).abs() < 0.1, "{run}");
}
