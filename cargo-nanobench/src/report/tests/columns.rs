//! Columns that only some rows have.

use super::*;
use crate::code::TimedLoop;
use crate::report::SortKey;
use nanobench::model::{
    Allocations, CacheState, ComplexityInput, CustomCurve, KeyValue, RowId, RunConditions,
};
use nanobench::stats::Interval;

/// Returns a row of `function` with this case and time in ns.
fn case(function: &str, case: &str, now: u64, benchmark: BenchmarkSpec) -> Row {
    let benchmark = BenchmarkSpec { id: row_id(&format!("{function}/{case}")), ..benchmark };
    Row { benchmark: found_as(&benchmark), ..row("", &[now], None) }
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
my-crate                 time/op     err%           op/s  samples
  first                                                                byte/s      item/s
    hash           0.400 ns/byte    0.0 %      2.50 GB/s        9   2.50 GB/s    12.5 M/s
    count
      threads=4           100 ns    0.0 %       40.0 M/s        9           -           -
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

#[test]
fn in_a_comparison_columns_of_this_run_are_in_a_second_table() {
    let expected = "\
my-crate                                    main              now    change           95 % CI
  first
    slow                                  100 ns           120 ns   +20.0 %  (+19.6 .. +20.4)  same (any change is under 20.4 %)
    fast
      Vec<alloc::string::String>/1000     100 ns    60.0 ns/pixel   -40.0 %  (-40.4 .. -39.6)  same (any change is under 40.5 %)
  first::deep
    other                                 100 ns          30.0 ns   -70.0 %  (-70.4 .. -69.6)  same (any change is under 70.4 %)

more of this run:
my-crate
  first                                relative
    fast
      Vec<alloc::string::String>/1000   201.0 %
";
    assert_eq!(table(&header(true), &of_both_kinds(), options(false)), expected);
}

#[test]
fn the_launch_noise_of_each_row_is_there_for_those_who_ask() {
    let rows = of_both_kinds();
    let of = |verbose| table(&header(true), &rows, options(verbose));
    let (_, below) =
        of(true).split_once("more of this run:").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    assert!(below.lines().nth(1).unwrap().contains("noise"), "{below}");
    for name in ["slow", "other"] {
        let line = below.lines().find(|line| line.contains(name)).unwrap();
        assert!(line.contains("0.4 %"), "{below}");
    }
    assert!(!of(false).contains("noise"));
    let alone: Vec<Row> = rows.iter().map(|row| Row { comparison: None, ..row.clone() }).collect();
    assert!(!table(&header(false), &alone, options(true)).contains("noise"));
}

#[test]
fn rows_below_resolution_still_show_counts() {
    let counted = |measurement: &mut Measurement| {
        let allocations =
            Allocations { allocations: 10, deallocations: 0, reallocations: 0, bytes: 240, peak: 24 };
        measurement.counts = Some(Counts { iterations: 10, allocations: Some(allocations), counters: None });
        make_short(measurement);
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
fn rows_below_resolution_without_other_figures_take_one_line() {
    let throughput = Some(vec![ThroughputUnit::Byte]);
    let spec = |name, throughput| BenchmarkSpec { id: row_id(name), throughput, ..BenchmarkSpec::default() };
    let once = BenchmarkSpec { takes_count: true, ..spec("once", None) };
    let mut once = with(once, make_short, 100);
    once.benchmark.timed_loop = Some(TimedLoop::Constant);
    let rows =
        [with(spec("hash", throughput), |_| {}, 100), with(spec("short", None), make_short, 100), once];
    let text = table(&header(false), &rows, options(false));
    assert!(text.contains("    short          under 1.50 us, like an empty benchmark"), "{text}");
    assert!(text.contains("like an empty benchmark; does it do its work `count` times?"), "{text}");
}

#[test]
fn times_have_the_unit_that_is_chosen_and_a_mark_if_they_are_in_doubt() {
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
    let spec = BenchmarkSpec { id: row_id("stopped"), unit: Some("byte".into()), ..BenchmarkSpec::default() };
    let stopped = with(spec, |measurement| measurement.timed_out = Some(1_000_000_000), 400);
    let narrow = TableOptions { width: Some(40), ..options(false) };
    let stopped = table(&header(false), &[stopped], narrow);
    assert!(stopped.contains(" ~400 ns/byte"), "by its timeout: {stopped}");
    let comparison = side_by_side(Verdict::Unsure, 150, 0.0, None);
    let compared = [row("varies", &[100, 100, 200, 300], Some(comparison))];
    assert!(table(&header(true), &compared, options(false)).contains(" ~150 ns "));
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
fn cold_rows_follow_warm_rows_and_a_sweep_names_no_cache() {
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
    assert!(table(&header, &rows, options(true)).contains("      context: input=a\\u{1b}[31m, size=5\n"));
    assert!(!table(&header, &rows, options(false)).contains("input"));
    let document: serde_json::Value = serde_json::from_str(&document(header, &rows, None)).unwrap();
    assert_eq!(
        (&document["context"]["machine"], &document["benchmarks"][0]["context"]["size"]),
        (&"idle".into(), &"5".into())
    );
}
