//! Units, batches and throughput.

use super::{assert_same, measured};
use nanobench_tests::Fixture;

/// A call sleeps 4 ms and does 40 units: one takes at least 0.1 ms.
const AT_LEAST: f64 = 100_000.0;
const AT_MOST: f64 = 3_000_000.0;

#[test]
fn a_batch_and_a_scale_divide() {
    let report = measured("units", "units::batch units::scale");
    for (name, batch) in [("batch", 40.0), ("scale", 40.0), ("batch_and_scale", 40.0)] {
        let row = report.row(&format!("units::units::{name}"));
        assert_same(row.batch, batch);
        assert!((AT_LEAST..AT_MOST).contains(&row.median()), "{name}: {} ns", row.median());
    }
    assert_same(report.row("units::units::batch_and_scale").count.unwrap(), 3.0);
}

#[test]
fn batch_and_unit_follow_the_argument() {
    let report = measured("units", "units::following");
    for (name, batch, unit) in [("ab", 2.0, "byte"), ("größe", 5.0, "char")] {
        let row = report.row(&format!("units::units::following/{name}"));
        assert_same(row.batch, batch);
        assert_eq!(row.unit, unit);
        assert!(row.median() >= 1e6, "a unit takes at least 1 ms: {}", row.median());
    }
}

#[test]
fn the_table_shows_the_unit() {
    let run = Fixture::of("units").nanobench("units::batch").run();
    run.exits(0).prints("pixel");
    assert_eq!(measured("units", "units::batch").row("units::units::batch").unit, "pixel");
    assert_eq!(measured("units", "units::bytes").row("units::units::bytes/1000").unit, "op");
}

#[test]
fn throughput_is_the_work_of_a_call_or_operation_over_its_time() {
    let report = measured("units", "bytes several argument looping pausing batch_and_scale --max-time 5ms");
    for (id, expected) in [
        ("bytes/1000", &[("byte", 1_000.0)][..]),
        ("bytes/5000", &[("byte", 5_000.0)]),
        ("several", &[("byte", 8.0), ("char", 6.0), ("item", 1.0)]),
        ("argument/a", &[("byte", 1.0)]),
        ("argument/bcd", &[("byte", 3.0)]),
        ("looping", &[("item", 8.0), ("byte", 8.0)]),
        ("pausing", &[("item", 8.0)]),
        ("batch_and_scale", &[("item", 2.0)]),
    ] {
        let row = report.row(&format!("units::units::{id}"));
        assert_eq!(row.throughput.len(), expected.len(), "{id}: {:?}", row.throughput);
        for (throughput, (unit, amount)) in row.throughput.iter().zip(expected) {
            assert_eq!(throughput.unit, *unit, "{id}");
            assert_same(throughput.amount, *amount);
            assert_same(throughput.per_second, amount * 1e9 / row.median());
        }
    }
}

#[test]
fn the_table_shows_bytes_a_second_in_either_system() {
    // Always a first run, because a comparison has no room for the column.
    let line = |flags: &str| {
        let run = Fixture::of("units").nanobench(&format!("bytes/5000 --max-time 5ms {flags}")).run();
        run.exits(0).row("5000")
    };
    let decimal = line("");
    assert!(decimal.contains("B/s") && !decimal.contains("iB/s"), "{decimal}");
    assert_eq!(line("--units decimal").contains("iB/s"), decimal.contains("iB/s"));
    assert!(line("--units binary").contains("iB/s"));
}

#[test]
fn a_figure_of_a_byte_has_a_rate_of_bytes() {
    let run = Fixture::of("units").nanobench("per_byte --max-time 5ms").run();
    run.exits(0).prints("byte");
    assert!(run.row("per_byte").contains("B/s"), "{run}");
}
