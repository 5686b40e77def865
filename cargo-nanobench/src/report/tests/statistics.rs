//! Columns with statistics and counts.

use super::*;
use crate::experiment::Sampling;
use nanobench::model::{Allocations, ComplexityInput, Overhead, Overheads, SamplingOptions};

#[test]
fn statistics_are_columns() {
    let counted = |measurement: &mut Measurement| measurement.batch = Some(2);
    let rows = [with(BenchmarkSpec { id: row_id("parse"), ..BenchmarkSpec::default() }, counted, 100)];
    let has_statistics = TableOptions {
        columns: RequestedColumns { statistics: true, ..RequestedColumns::default() },
        ..options(false)
    };
    let expected = "\
my-crate             time/op     err%        op/s  samples       mean         sd        min        max         median, 95 % CI     ops   elapsed   count  scale
  first
    parse            50.0 ns    0.0 %    20.0 M/s        9    50.0 ns   0.250 ns    49.5 ns    50.5 ns      50.0 ns .. 50.0 ns  18.0 k    900 us       1      2
";
    assert_eq!(table(&header(false), &rows, has_statistics), expected);
    let narrow = table(&header(false), &rows, TableOptions { width: Some(80), ..has_statistics });
    assert!(narrow.lines().all(|line| line.len() <= 80), "{narrow}");

    let single = |measurement: &mut Measurement| {
        measurement.launches.truncate(1);
        measurement.launches[0].samples.truncate(1);
    };
    let rows = [with(BenchmarkSpec { id: row_id("parse"), ..BenchmarkSpec::default() }, single, 100)];
    let table = table(&header(false), &rows, has_statistics);
    assert!(table.contains("ns          -  "), "a single sample has no standard deviation\n{table}");
}

#[test]
fn launches_and_first_calls_are_columns() {
    let first_calls =
        |measurement: &mut Measurement| measurement.first_calls = Some(vec![900.0, 2_000.0, 1_000.0]);
    let one = with(BenchmarkSpec { id: row_id("one"), ..BenchmarkSpec::default() }, first_calls, 100);
    let rows = [one, row("three", &[100, 110, 104], None)];
    let columns = RequestedColumns { launches: true, first_call: true, ..RequestedColumns::default() };
    let expected = "\
my-crate             time/op     err%        op/s  samples  first call  launch%                launches
  first
    one               100 ns    0.0 %    10.0 M/s        9     1.00 us        -                       -
    three             104 ns    4.0 %    9.62 M/s       27           -    4.0 %        100 ns .. 110 ns
";
    assert_eq!(table(&header(false), &rows, TableOptions { columns, ..options(false) }), expected);
    let document: serde_json::Value = serde_json::from_str(&document(header(false), &rows, None)).unwrap();
    let [one, three] = [&document["benchmarks"][0], &document["benchmarks"][1]];
    assert_eq!(one["first_call"]["median"], 1_000.0);
    assert_eq!((&one["first_call"]["max"], &one["first_call"]["processes"]), (&2_000.0.into(), &3.into()));
    assert_eq!(three["launch_medians"], serde_json::json!([100.0, 110.0, 104.0]));
    assert!(three["raw"].is_null());
}

#[test]
fn a_document_has_the_samples_and_their_plan_if_they_are_requested() {
    let complexity = Some(ComplexityInput { n: 64.0, ..ComplexityInput::default() });
    let sampling = Some(SamplingOptions { samples: Some(9), ..SamplingOptions::default() });
    let spec = BenchmarkSpec { id: row_id("f"), complexity, sampling, ..BenchmarkSpec::default() };
    let rows = [with(spec, |measurement| measurement.count = 2, 100)];
    let header = RunHeader { samples_planned_by: Some(Sampling::default()), ..header(false) };
    let document: serde_json::Value = serde_json::from_str(&document(header, &rows, None)).unwrap();
    let f = &document["benchmarks"][0];
    assert_eq!((&f["n"], &f["raw"]["plan"]["samples"]), (&64.0.into(), &9.into()));
    let launch = &f["raw"]["launches"][0];
    assert_eq!((&launch["clock"]["frequency"], &launch["segment_cost"]), (&1e9.into(), &0.0.into()));
    assert_eq!(launch["samples"][0]["iterations"], 1_000);
    assert_eq!(launch["samples"][0]["elapsed"], 99_000);
    assert_eq!(launch["samples"][0]["time"], 49.5);
    assert_eq!(launch["samples"].as_array().unwrap().len(), 9);
}

#[test]
fn the_loop_over_the_count_can_be_taken_out() {
    let spec =
        |name, takes_count| BenchmarkSpec { id: row_id(name), takes_count, ..BenchmarkSpec::default() };
    let batched = |measurement: &mut Measurement| measurement.batch = Some(2);
    let rows = [
        with(spec("counts", true), |_| {}, 100),
        with(spec("counts_pairs", true), batched, 100),
        with(spec("plain", false), |_| {}, 100),
    ];
    let cost = |median| Overhead { median, low: median / 2.0, high: median * 2.0 };
    let overheads = Overheads { empty_loop: cost(0.25), count_loop: cost(0.5), time_control: cost(24.0) };
    let header = || RunHeader { overheads: Some(overheads), ..header(false) };
    let table = table(
        &header(),
        &rows,
        TableOptions {
            columns: RequestedColumns { without_loop: true, ..RequestedColumns::default() },
            ..options(false)
        },
    );
    let net: Vec<&str> = table.lines().skip(2).map(|line| line.split("  ").last().unwrap().trim()).collect();
    assert_eq!(net, ["99.5 ns", "49.8 ns", "-"], "{table}");
    assert!(!header().heading(false, None).join("").contains("overheads"));
    let line = "overheads: empty loop 0.250 ns (0.125 .. 0.500), count 0.500 ns (0.250 .. 1.00), \
                TimeControl 24.0 ns (12.0 .. 48.0)";
    assert!(header().heading(true, None)[1].contains(line), "{:?}", header().heading(true, None));
    let document: serde_json::Value = serde_json::from_str(&document(header(), &rows, None)).unwrap();
    assert_eq!(document["overheads"]["count_loop"]["median"], 0.5);
    let nets = [0, 1, 2].map(|index| document["benchmarks"][index]["time"]["net"].clone());
    assert_eq!(nets, [99.5.into(), 49.75.into(), serde_json::Value::Null]);
}

#[test]
fn ratios_of_counters_are_columns_if_both_are_counted() {
    let counted = |measurement: &mut Measurement| {
        let counter = |name: &str, value| Amount { name: name.into(), value };
        let counters = vec![
            counter("cycles", 400.0),
            counter("instructions", 1_000.0),
            counter("branches", 200.0),
            counter("branch-misses", 3.0),
        ];
        measurement.counts = Some(Counts { iterations: 10, allocations: None, counters: Some(counters) });
    };
    let rows = |names: &[&str]| {
        let counters = Some(names.iter().map(|&name| name.to_owned()).collect());
        [with(BenchmarkSpec { id: row_id("parse"), counters, ..BenchmarkSpec::default() }, counted, 100)]
    };
    let all = rows(&["cycles", "instructions", "branches", "branch-misses"]);
    let expected = "\
my-crate             time/op     err%        op/s  samples  cycles  instructions  branches  branch-misses    IPC   miss%
  first
    parse             100 ns    0.0 %    10.0 M/s        9      40           100        20          0.300   2.50   1.5 %
";
    assert_eq!(table(&header(false), &all, options(false)), expected);
    let one_each = table(&header(false), &rows(&["cycles", "branches"]), options(false));
    assert!(!one_each.contains("IPC") && !one_each.contains("miss%"), "{one_each}");
    let document: serde_json::Value = serde_json::from_str(&document(header(false), &all, None)).unwrap();
    let parse = &document["benchmarks"][0];
    assert_eq!((&parse["instructions_per_cycle"], &parse["branch_miss_rate"]), (&2.5.into(), &1.5.into()));
}

#[test]
fn counts_are_per_operation() {
    let counted = |measurement: &mut Measurement| {
        measurement.count = 2;
        let allocations =
            Allocations { allocations: 60, deallocations: 40, reallocations: 10, bytes: 24_000, peak: 4_096 };
        let counters = vec![Amount { name: "page-faults".into(), value: 5.0 }];
        measurement.counts =
            Some(Counts { iterations: 10, allocations: Some(allocations), counters: Some(counters) });
    };
    let counters = Some(vec!["page-faults".to_owned()]);
    let named = |path: &str| BenchmarkSpec {
        id: row_id(path),
        counters: counters.clone(),
        ..BenchmarkSpec::default()
    };
    let mut rows = [with(named("grow"), counted, 200), with(named("plain"), |_| {}, 100)];
    let header = RunHeader { counts_allocations: BTreeSet::from([0]), ..header(false) };
    let expected = "\
my-crate             time/op     err%        op/s  samples  page-faults
  first                                                                  allocs    bytes     peak
    grow              100 ns    0.0 %    10.0 M/s        9        0.250       3  1.20 kB  4.10 kB
    plain             100 ns    0.0 %    10.0 M/s        9            -       -        -        -
";
    assert_eq!(table(&header, &rows, options(false)), expected);
    assert!(table(&header, &rows, options(true)).contains("reallocs"));
    let document: serde_json::Value = serde_json::from_str(&document(header, &rows, None)).unwrap();
    let grow = &document["benchmarks"][0];
    assert_eq!(
        (&grow["allocations"]["bytes"], &grow["allocations"]["peak"]),
        (&1_200.0.into(), &4_096.into())
    );
    assert_eq!(grow["counters"]["page-faults"], 0.25);
    assert!(document["benchmarks"][1]["allocations"].is_null());
    rows[1].benchmark.spec.counters = None;
    let of_one = table(&self::header(false), &rows, options(false));
    assert!(of_one.contains("page-faults\n    grow"), "the group's own column: {of_one}");
}
