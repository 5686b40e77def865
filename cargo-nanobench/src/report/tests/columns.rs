//! Columns that only some rows have.

use super::*;
use crate::experiment::{Relation, Sampling};
use crate::report::SortKey;
use nanobench::model::{
    Allocations, Amount, CacheState, ComplexityInput, Counts, CustomCurve, KeyValue, Overhead, Overheads,
    RowId, RunConditions, ThroughputUnit,
};
use nanobench::stats::Interval;

/// Returns a row of `function` with this case and time in ns.
fn case(function: &str, case: &str, now: u64, benchmark: BenchmarkSpec) -> Row {
    let benchmark = BenchmarkSpec { id: row_id(&format!("{function}/{case}")), ..benchmark };
    Row { benchmark: found_as(&benchmark), ..row("", &[now], None) }
}

fn with(benchmark: BenchmarkSpec, measured: impl FnOnce(&mut Measurement), now: u64) -> Row {
    let mut measurement = super::measured(&[now]);
    measured(&mut measurement);
    let summary = Summary::from_measurement(&measurement).unwrap();
    let benchmark = found_as(&benchmark);
    Row {
        benchmark,
        outcome: Outcome::Measured { measurement, summary },
        comparison: None,
        earlier_comparison: None,
        relation: None,
    }
}

/// Rows of `sort` over these sizes, in ns.
fn sorts(times: [(u32, u64); 4]) -> Vec<Row> {
    let row = |(n, time): (u32, u64)| {
        let n = f64::from(n);
        let custom = Some(CustomCurve { name: "|n| n.sqrt()".into(), value: Some(n.sqrt()), problem: None });
        let complexity = Some(ComplexityInput { n, label: Some(0), custom });
        case("sort", &n.to_string(), time, BenchmarkSpec { complexity, ..BenchmarkSpec::default() })
    };
    times.map(row).to_vec()
}

#[test]
fn cases_are_nested_and_complexities_below_them() {
    let mut rows = vec![row("concat", &[21], None)];
    rows.extend(sorts([(100, 1_030), (1_000, 14_900), (10_000, 231_000), (100_000, 2_700_000)]));
    rows.push(row("remove", &[16], None));
    let expected = "\
my-crate             time/op     err%        op/s  samples
  first
    concat           21.0 ns    0.0 %    47.6 M/s        9
    sort
      100            1.03 us    0.0 %     971 k/s        9
      1000           14.9 us    0.0 %    67.1 k/s        9
      10000           231 us    0.0 %    4.33 k/s        9
      100000         2.70 ms    0.0 %      370 /s        9
      O(n log n)   coefficient 1.59 ns, err 5.6 %; next O(n), err 36.0 %
    remove           16.0 ns    0.0 %    62.5 M/s        9
";
    assert_eq!(table(&header(false), &rows, options(false)), expected);
    assert_eq!(table(&header(false), &rows, options(true)).matches("coefficient").count(), 7);
}

#[test]
fn functions_with_fixed_sizes_have_a_complexity_below_their_group() {
    let fixed = |name: &str, n: f64, time| {
        let complexity = Some(ComplexityInput { n, label: None, custom: None });
        let group = Some("growth".to_owned());
        with(BenchmarkSpec { id: row_id(name), complexity, group, ..BenchmarkSpec::default() }, |_| {}, time)
    };
    let mut rows = vec![fixed("a", 10.0, 100), fixed("b", 100.0, 1_000)];
    let mut between = sorts([(100, 1_030), (1_000, 14_900), (10_000, 231_000), (100_000, 2_700_000)]);
    between.truncate(3);
    between.iter_mut().for_each(|row| row.benchmark.group = rows[0].benchmark.group.clone());
    rows.extend(between);
    rows.push(fixed("c", 1_000.0, 10_000));
    rows.push(row("remove", &[16], None));
    let expected = "\
my-crate             time/op     err%        op/s  samples
  first::growth
    a                 100 ns    0.0 %    10.0 M/s        9
    b                1.00 us    0.0 %    1.00 M/s        9
    sort
      100            1.03 us    0.0 %     971 k/s        9
      1000           14.9 us    0.0 %    67.1 k/s        9
      10000           231 us    0.0 %    4.33 k/s        9
      O(n log n)   coefficient 1.58 ns, err 6.3 %; next O(n), err 30.3 %
    c                10.0 us    0.0 %     100 k/s        9
    O(n)           coefficient 10.0 ns, err 0.0 %; next O(n log n), err 37.8 %
  first
    remove           16.0 ns    0.0 %    62.5 M/s        9
";
    assert_eq!(table(&header(false), &rows, options(false)), expected);
    let document: serde_json::Value = serde_json::from_str(&document(header(false), &rows, None)).unwrap();
    let of =
        |index: usize| (&document["complexity"][index]["function"], &document["complexity"][index]["scope"]);
    assert_eq!(of(0), (&"my-crate::first::growth".into(), &"group".into()));
    assert_eq!(of(1), (&"my-crate::first::sort".into(), &"function".into()));
}

#[test]
fn units_and_throughput() {
    let bytes = BenchmarkSpec {
        id: row_id("hash"),
        unit: Some("byte".into()),
        batch: Some(1_000),
        throughput: Some(vec![ThroughputUnit::Byte, ThroughputUnit::Item]),
        ..BenchmarkSpec::default()
    };
    let amount = |name: &str, value| Amount { name: name.into(), value };
    let measured = |measurement: &mut Measurement| {
        measurement.batch = Some(1_000);
        measurement.throughput = Some(vec![amount("byte", 1_000.0), amount("item", 5.0)]);
    };
    let threads = BenchmarkSpec {
        id: RowId {
            conditions: RunConditions { threads: Some(4), ..RunConditions::default() },
            ..row_id("count")
        },
        ..BenchmarkSpec::default()
    };
    let rows = [with(bytes, measured, 400), with(threads, |_| {}, 100)];
    let expected = "\
my-crate                time/op     err%           op/s  samples
  first                                                               byte/s      item/s
    hash          0.400 ns/byte    0.0 %      2.50 GB/s        9   2.50 GB/s    12.5 M/s
    count
      threads=4          100 ns    0.0 %       40.0 M/s        9           -           -
";
    assert_eq!(table(&header(false), &rows, options(false)), expected);
    let binary = table(
        &header(false),
        &rows,
        TableOptions { units: Units { bytes: Bytes::Binary, ..Units::default() }, ..options(false) },
    );
    assert!(binary.contains("2.33 GiB/s"), "{binary}");
}

#[test]
fn comparison_in_the_run_and_multiples() {
    let relation = |baseline: &str, relative| Relation {
        baseline: id(&format!("my-crate::first::{baseline}")),
        pairs: 9,
        relative,
        interval: Interval { low: relative - 0.01, high: relative + 0.01 },
    };
    let compared =
        BenchmarkSpec { id: row_id("fast"), baseline: Some(row_id("slow")), ..BenchmarkSpec::default() };
    let mut rows = [row("slow", &[120], None), with(compared, |_| {}, 60), row("other", &[30], None)];
    rows[0].relation = Some(relation("slow", 1.0));
    rows[1].relation = Some(relation("slow", 2.01));
    let other = id("my-crate::first::other");
    let scaled = TableOptions { scale_to: Some(&other), ..options(false) };
    let expected = "\
my-crate             time/op     err%        op/s  samples    scaled
  first                                                               relative
    slow              120 ns    0.0 %    8.33 M/s        9      4.00   100.0 %
    fast             60.0 ns    0.0 %    16.7 M/s        9      2.00   201.0 %
    other            30.0 ns    0.0 %    33.3 M/s        9      1.00         -
";
    assert_eq!(table(&header(false), &rows, scaled), expected);
    let text = document(header(false), &rows, Some(&other));
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["benchmarks"][1]["relation"]["baseline"], "my-crate::first::slow");
    assert!((document["benchmarks"][1]["relation"]["relative"].as_f64().unwrap() - 201.0).abs() < 1e-9);
    assert_eq!(document["benchmarks"][0]["scaled"], 4.0);
    assert_eq!(document["benchmarks"][2]["relation"], serde_json::Value::Null);
}

#[test]
fn titles_of_a_group_with_a_long_name_stay_on_its_line() {
    let module = "a_module_with_a_long_name";
    let compared = |module: &str| {
        let baseline = Some(row_id("slow"));
        let benchmark =
            BenchmarkSpec { id: row_id(&format!("{module}::fast")), baseline, ..BenchmarkSpec::default() };
        with(benchmark, |_| {}, 60)
    };
    let longer = "x".repeat(60);
    let rows = [compared(module), compared(&longer)];
    let blank = " ".repeat(60);
    let expected = format!(
        "\
my-crate             time/op     err%        op/s  samples
  first::a_module_with_a_long_name                          relative
    fast             60.0 ns    0.0 %    16.7 M/s        9         -
  first::{longer}
{blank}relative
    fast             60.0 ns    0.0 %    16.7 M/s        9         -
"
    );
    assert_eq!(table(&header(false), &rows, options(false)), expected);
    let side_by_side = Some(side_by_side(Verdict::Same, 60, 0.004, None));
    let rows = [Row { comparison: side_by_side, ..compared(module) }];
    let compared = table(&header(true), &rows, options(false));
    assert!(compared.contains("long_name\n    fast"), "no blank line for titles: {compared}");
}

#[test]
fn rows_with_another_unit_have_no_multiple() {
    let per = |path: &str, unit: Option<&str>, time| {
        let benchmark =
            BenchmarkSpec { id: row_id(path), unit: unit.map(str::to_owned), ..BenchmarkSpec::default() };
        with(benchmark, |_| {}, time)
    };
    let rows = [per("one", None, 30), per("copy", Some("byte"), 60), per("call", Some("op"), 90)];
    let one = id("my-crate::first::one");
    let shown = table(&header(false), &rows, TableOptions { scale_to: Some(&one), ..options(false) });
    let last = |name: &str| shown.lines().find(|line| line.contains(name)).unwrap().split_whitespace().last();
    assert_eq!([last("one"), last("copy"), last("call")], [Some("1.00"), Some("-"), Some("3.00")], "{shown}");
    let document: serde_json::Value =
        serde_json::from_str(&document(header(false), &rows, Some(&one))).unwrap();
    assert_eq!(document["benchmarks"][1]["scaled"], serde_json::Value::Null);
}

/// Rows with a baseline in the run, of which the second is compared with another run, and has a
/// unit.
fn of_both_kinds() -> Vec<Row> {
    let relation = Relation {
        baseline: id("my-crate::first::slow"),
        pairs: 9,
        relative: 2.01,
        interval: Interval { low: 2.0, high: 2.02 },
    };
    let benchmark = BenchmarkSpec {
        id: row_id("fast/Vec<alloc::string::String>/1000"),
        baseline: Some(row_id("slow")),
        unit: Some("pixel".into()),
        ..BenchmarkSpec::default()
    };
    let mut rows = vec![row("slow", &[120], None), with(benchmark, |_| {}, 60), row("other", &[30], None)];
    rows[1].relation = Some(relation);
    for (row, now) in rows.iter_mut().zip([120, 60, 30]) {
        row.comparison = Some(side_by_side(Verdict::Same, now, 0.004, None));
    }
    rows[2].benchmark = found_as(&BenchmarkSpec { id: row_id("deep::other"), ..BenchmarkSpec::default() });
    rows
}

#[test]
fn in_a_comparison_columns_of_this_run_are_in_a_second_table() {
    let expected = "\
my-crate                                    main             now  relative    change              95 %
  first
    slow                                  100 ns          120 ns    83.3 %   +20.0 %  (+19.6 .. +20.4)  same, within 20.4 %
    fast
      Vec<alloc::string::String>/1000     100 ns   60.0 ns/pixel   166.7 %   -40.0 %  (-40.4 .. -39.6)  same, within 40.5 %
  first::deep
    other                                 100 ns         30.0 ns   333.3 %   -70.0 %  (-70.4 .. -69.6)  same, within 70.4 %

more of this run:
my-crate
  first                                relative
    fast
      Vec<alloc::string::String>/1000   201.0 %
";
    assert_eq!(table(&header(true), &of_both_kinds(), options(false)), expected);
}

#[test]
fn the_noise_floor_of_each_row_is_there_for_those_who_ask() {
    let rows = of_both_kinds();
    let of = |verbose| table(&header(true), &rows, options(verbose));
    let (_, below) =
        of(true).split_once("more of this run:").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    assert!(below.lines().nth(1).unwrap().contains("noise floor"), "{below}");
    for name in ["slow", "other"] {
        let line = below.lines().find(|line| line.contains(name)).unwrap();
        assert!(line.contains("0.4 %"), "{below}");
    }
    assert!(!of(false).contains("noise floor"));
    let alone: Vec<Row> = rows.iter().map(|row| Row { comparison: None, ..row.clone() }).collect();
    assert!(!table(&header(false), &alone, options(true)).contains("noise floor"));
}

#[test]
fn a_narrow_terminal_gets_fewer_columns_and_shorter_names_and_whole_figures() {
    let expected = "\
my-crate                           main             now    change              95 %
  first
    slow                         100 ns          120 ns   +20.0 %  (+19.6 .. +20.4)  same, within 20.4 %
    fast
      Vec<all..:String>/1000     100 ns   60.0 ns/pixel   -40.0 %  (-40.4 .. -39.6)  same, within 40.5 %
";
    let at =
        |width| table(&header(true), &of_both_kinds(), TableOptions { width: Some(width), ..options(false) });
    assert!(at(103).starts_with(expected), "{}", at(103));
    let expected = "\
my-crate                       main             now    change
  first
    slow                     100 ns          120 ns   +20.0 %  same, within 20.4 %
    fast
      Vec<a..tring>/1000     100 ns   60.0 ns/pixel   -40.0 %  same, within 40.5 %
";
    assert!(at(81).starts_with(expected), "{}", at(81));
    let all = table(&header(true), &of_both_kinds(), options(false));
    assert!(all.starts_with(&at(130)), "the optional columns are in a second table, if at all");
    let expected = [
        "my-crate                                    main             now  relative    change              95 %   \
         faster | slower \n",
        "  first\n",
        "    slow                                  100 ns          120 ns    83.3 %   +20.0 %  (+19.6 .. +20.4)  \
         \x20    :  |  :   =   same, within 20.4 %\n",
    ]
    .concat();
    assert!(at(160).starts_with(&expected), "{}", at(160));
}

#[test]
fn columns_in_tables_of_their_own_take_no_room_from_the_others() {
    let counters = Some(["page-faults", "instructions", "branch-misses"].map(str::to_owned).to_vec());
    let spec = BenchmarkSpec { id: row_id("hash"), counters, ..BenchmarkSpec::default() };
    let counted = |measurement: &mut Measurement| {
        let counters = vec![Amount { name: "instructions".into(), value: 80.0 }];
        measurement.counts = Some(Counts { iterations: 10, allocations: None, counters: Some(counters) });
    };
    let rows = [with(spec, counted, 100)];
    let at = |width| table(&header(false), &rows, TableOptions { width: Some(width), ..options(false) });
    let expected = "\
my-crate             time/op     err%        op/s  samples
  first
    hash              100 ns    0.0 %    10.0 M/s        9

more of this run:
my-crate          instructions
  first
    hash                     8
";
    assert_eq!(at(60), expected);
    assert!(at(120).lines().next().is_some_and(|titles| titles.ends_with("branch-misses")), "{}", at(120));
}

#[test]
fn a_narrow_plain_table_does_without_columns_that_matter_less() {
    let spec = |name: &str| BenchmarkSpec {
        id: row_id(name),
        throughput: Some(vec![ThroughputUnit::Byte]),
        ..BenchmarkSpec::default()
    };
    let of = |measurement: &mut Measurement| {
        measurement.throughput = Some(vec![Amount { name: "byte".into(), value: 1_000.0 }]);
    };
    let rows = [with(spec("hash"), of, 400), with(spec("a_name_of_middling_length"), of, 30)];
    let at = |width| {
        let header = RunHeader { counts_allocations: BTreeSet::from([0]), ..header(false) };
        let table = table(&header, &rows, TableOptions { width: Some(width), ..options(false) });
        assert_eq!(table.matches("hash").count(), 1, "{table}");
        assert!(table.lines().all(|line| line.chars().count() <= width), "{width}\n{table}");
        let titles = table.lines().take(2).flat_map(str::split_whitespace);
        titles.filter(|title| !["my-crate", "first", "time/op"].contains(title)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(at(200), "err% op/s samples byte/s allocs bytes peak");
    assert_eq!(at(110), "err% op/s samples byte/s allocs bytes peak");
    assert_eq!(at(100), "err% samples byte/s allocs bytes peak");
    assert_eq!(at(86), "err% byte/s allocs bytes peak", "the name is shortened");
    assert_eq!(at(72), "byte/s allocs bytes peak");
    assert_eq!(at(64), "byte/s allocs bytes");
    assert_eq!(at(56), "byte/s allocs");
    assert_eq!(at(44), "allocs");
    let of_comparison =
        |width| table(&header(true), &of_both_kinds(), TableOptions { width, ..options(false) });
    assert!(of_comparison(None).contains("more of this run"));
    assert!(!of_comparison(Some(200)).contains("more of this run"));
}

#[test]
fn rows_below_resolution_still_show_counts() {
    let counted = |measurement: &mut Measurement| {
        let allocations =
            Allocations { allocations: 10, deallocations: 0, reallocations: 0, bytes: 240, peak: 24 };
        measurement.counts = Some(Counts { iterations: 10, allocations: Some(allocations), counters: None });
        measurement.launches.iter_mut().for_each(|launch| launch.empty_loop = 1_000.0);
    };
    let rows = [with(BenchmarkSpec { id: row_id("short"), ..BenchmarkSpec::default() }, counted, 100)];
    let header = |compared| RunHeader { counts_allocations: BTreeSet::from([0]), ..header(compared) };
    let expected = "\
my-crate             time/op     err%        op/s  samples
  first                                                     allocs    bytes     peak
    short                  -        -           -        -       1     24 B     24 B
                   under 1.50 us, like an empty benchmark
";
    assert_eq!(table(&header(false), &rows, options(false)), expected);
    let beside = table(&header(true), &rows, options(false));
    assert!(
        beside.contains("    short          under 1.50 us, like an empty benchmark")
            && beside.contains("1     24 B"),
        "{beside}"
    );
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

#[test]
fn statistics_are_columns() {
    let counted = |measurement: &mut Measurement| measurement.batch = Some(2);
    let rows = [with(BenchmarkSpec { id: row_id("parse"), ..BenchmarkSpec::default() }, counted, 100)];
    let has_statistics = TableOptions {
        columns: RequestedColumns { statistics: true, ..RequestedColumns::default() },
        ..options(false)
    };
    let expected = "\
my-crate             time/op     err%        op/s  samples       mean         sd        min        max            median, 95 %     ops   elapsed   count  scale
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
    let spec = BenchmarkSpec { id: row_id("f"), complexity, samples: Some(9), ..BenchmarkSpec::default() };
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
fn times_have_the_unit_that_is_chosen_and_a_mark_if_samples_vary() {
    let rows = [row("steady", &[100], None), row("varies", &[100, 100, 200, 300], None)];
    let units = Units { time: TimeUnit::Us, ..Units::default() };
    let expected = "\
my-crate                 time/op     err%        op/s  samples
  first
    steady              0.100 us    0.0 %    10.0 M/s        9
    varies             ~0.150 us   50.0 %    6.67 M/s       36
";
    assert_eq!(table(&header(false), &rows, TableOptions { units, ..options(false) }), expected);
    assert!(table(&header(false), &rows, options(false)).contains("   ~150 ns"));
    let comparison = side_by_side(Verdict::Unsure, 150, 0.0, None);
    let compared = [row("varies", &[100, 100, 200, 300], Some(comparison))];
    assert!(table(&header(true), &compared, options(false)).contains(" ~150 ns "));
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
fn rows_are_sorted_within_their_groups() {
    let mut rows =
        vec![row("b::slow", &[300], None), row("b::fast", &[100], None), row("a::f", &[900], None)];
    rows.extend(sorts([(100, 2_000), (1_000, 50), (10_000, 3_000), (100_000, 70)]));
    let order = |key| {
        let mut rows = rows.clone();
        crate::report::sort(&mut rows, key);
        rows.iter().map(|row| row.benchmark.name()).collect::<Vec<_>>().join(" ")
    };
    let sizes = "sort/100 sort/1000 sort/10000 sort/100000";
    assert_eq!(order(SortKey::Name), format!("fast slow f {sizes}"));
    assert_eq!(order(SortKey::Time), "fast slow f sort/1000 sort/100000 sort/100 sort/10000");
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
fn cold_rows_follow_warm_rows_and_a_sweep_shows_cache_sizes() {
    let cold = |size: u64, time| {
        let conditions = RunConditions { cache: CacheState::Cold, wipe_size: Some(size), threads: None };
        let id = RowId { conditions, ..row_id("walk") };
        let benchmark = BenchmarkSpec { id, wipe_size: Some(size), ..BenchmarkSpec::default() };
        with(benchmark, |_| {}, time)
    };
    let rows = [row("walk", &[100], None), cold(16 << 10, 101), cold(32 << 10, 150), cold(64 << 10, 151)];
    let expected = "\
my-crate              time/op     err%        op/s  samples
  first
    walk               100 ns    0.0 %    10.0 M/s        9
      cold 16 KiB      101 ns    0.0 %    9.90 M/s        9
      cold 32 KiB      150 ns    0.0 %    6.67 M/s        9
      cold 64 KiB      151 ns    0.0 %    6.62 M/s        9
      caches        one ends at about 32.0 KiB (time x 1.49)
";
    assert_eq!(table(&header(false), &rows, options(false)), expected);
}

#[test]
fn context_is_shown_to_those_who_ask() {
    let pair = |key: &str, value: &str| KeyValue { key: key.into(), value: value.into() };
    let context = Some(vec![pair("input", "a\x1b[31m"), pair("size", "5")]);
    let rows =
        [with(BenchmarkSpec { id: row_id("parse"), context, ..BenchmarkSpec::default() }, |_| {}, 100)];
    let mut header = header(false);
    header.environment.context = vec![pair("machine", "idle")];
    assert_eq!(header.heading(true, None)[1], "context: machine=idle");
    assert_eq!(header.heading(false, None).len(), 1);
    assert!(table(&header, &rows, options(true)).contains("      context      input=a\\u{1b}[31m, size=5\n"));
    assert!(!table(&header, &rows, options(false)).contains("input"));
    let document: serde_json::Value = serde_json::from_str(&document(header, &rows, None)).unwrap();
    assert_eq!(
        (&document["context"]["machine"], &document["benchmarks"][0]["context"]["size"]),
        (&"idle".into(), &"5".into())
    );
}
