//! Tables in terminals of different widths.

use super::*;
use crate::code::ChangedFunction;
use crate::report::cells::interval;
use nanobench::stats::Interval;

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
fn a_narrow_terminal_gets_fewer_columns_and_shorter_names_and_whole_figures() {
    let expected = "\
my-crate                           main              now    change           95 % CI
  first
    slow                         100 ns           120 ns   +20.0 %  (+19.6 .. +20.4)  same (under 20.4 %)
    fast
      Vec<all..:String>/1000     100 ns    60.0 ns/pixel   -40.0 %  (-40.4 .. -39.6)  same (under 40.5 %)
";
    let at =
        |width| table(&header(true), &of_both_kinds(), TableOptions { width: Some(width), ..options(false) });
    assert!(at(110).starts_with(expected), "{}", at(110));
    let expected = "\
my-crate                       main              now    change
  first
    slow                     100 ns           120 ns   +20.0 %  same (under 20.4 %)
    fast
      Vec<a..tring>/1000     100 ns    60.0 ns/pixel   -40.0 %  same (under 40.5 %)
";
    assert!(at(88).starts_with(expected), "{}", at(88));
    let all = table(&header(true), &of_both_kinds(), options(false));
    assert!(all.starts_with(&at(135)), "the optional columns are in a second table, if at all");
    let expected = [
        "my-crate                                    main              now    change           95 % CI   \
         faster | slower \n",
        "  first\n",
        "    slow                                  100 ns           120 ns   +20.0 %  (+19.6 .. +20.4)  \
         \x20    :  |  :  =    same (any change is under 20.4 %)\n",
    ]
    .concat();
    assert!(at(160).starts_with(&expected), "{}", at(160));
}

#[test]
fn a_change_without_a_verdict_fits_into_80_columns() {
    let change = Change { estimate: 0.578, interval: Interval { low: 0.54, high: 0.61 } };
    let undecided = Comparison { change: Some(change), ..side_by_side(Verdict::Unsure, 158, 0.02, None) };
    let mut header = header(true);
    header.compared_with.as_mut().unwrap().method = ComparisonMethod::LastRun(LastRun::SideBySide);
    for name in ["a", "a_name_of_18_chars", "a_longer_name_of_24_chars"] {
        let rows = [row(name, &[158; 5], Some(undecided.clone()))];
        let table = table(&header, &rows, TableOptions { width: Some(80), ..options(false) });
        assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
        assert!(table.ends_with("  +57.8 % undecided\n"), "{table}");
        assert!(table.lines().next().unwrap().ends_with("           change"), "{table}");
    }
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
fn groups_with_room_keep_the_columns_that_wider_groups_do_without() {
    let spec = |name, throughput| BenchmarkSpec { id: row_id(name), throughput, ..BenchmarkSpec::default() };
    let both = Some(vec![ThroughputUnit::Char, ThroughputUnit::Byte]);
    let rows = [
        with(spec("wide::text", both), |_| {}, 100),
        with(spec("narrow::bytes", Some(vec![ThroughputUnit::Byte])), |_| {}, 100),
    ];
    let titles = |width| {
        let table = table(&header(false), &rows, TableOptions { width: Some(width), ..options(false) });
        let of = |group: &str| {
            let line = table.lines().find(|line| line.contains(group)).unwrap();
            line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
        };
        [of("first::wide"), of("first::narrow")]
    };
    assert_eq!(titles(80), ["char/s byte/s", "byte/s"]);
    assert_eq!(titles(48), ["char/s", "byte/s"]);
    assert_eq!(titles(30), ["", ""]);
}

#[test]
fn a_narrow_interval_has_another_decimal() {
    let text = |low, high| interval(&Interval { low, high });
    assert_eq!(text(0.042, 0.053), "(+4.2 .. +5.3)");
    assert_eq!(text(0.0907, 0.0912), "(+9.07 .. +9.12)");
    assert_eq!(text(-0.0003, 0.0004), "(-0.03 .. +0.04)");
    assert_eq!(text(0.0, 0.0004), "(0.00 .. +0.04)");
    // Other figures don't have more decimals, either.
    assert_eq!(text(-0.00002, 0.00004), "(0.0 .. 0.0)");
    assert_eq!(text(0.1, 0.1), "(+10.0 .. +10.0)");
}

#[test]
fn a_few_long_names_are_on_lines_of_their_own_instead_of_costing_all_rows_a_column() {
    let long = "x".repeat(50);
    let named = |names: &[&str]| -> Vec<Row> { names.iter().map(|name| row(name, &[100], None)).collect() };
    let at = |names: &[&str]| {
        table(&header(false), &named(names), TableOptions { width: Some(80), ..options(false) })
    };
    let expected = format!(
        "\
my-crate             time/op     err%        op/s  samples
  first
    a                 100 ns    0.0 %    10.0 M/s        9
    b                 100 ns    0.0 %    10.0 M/s        9
    c                 100 ns    0.0 %    10.0 M/s        9
    {long}
                      100 ns    0.0 %    10.0 M/s        9
"
    );
    assert_eq!(at(&["a", "b", "c", &long]), expected);
    let titles = |names: &[&str]| at(names).lines().next().unwrap_or_default().to_owned();
    assert!(!titles(&["a", "b", &long]).contains("op/s"), "every third name is long");
}

#[test]
fn reasons_begin_right_after_their_names() {
    let mut comparison = side_by_side(Verdict::Slower, 150, 0.2, None);
    let changed = ChangedFunction::fixture("my_crate::numbers::parse", [10, 20], Vec::new());
    comparison.paired.as_mut().unwrap().changed_functions = vec![changed];
    let rows = [row("parse", &[150], Some(comparison))];
    for width in [None, Some(120), Some(50)] {
        let table = table(&header(true), &rows, TableOptions { width, ..options(false) });
        assert!(table.contains("\n      why: my_crate::numbers"), "{table}");
    }
    let options = TableOptions { width: Some(50), ..options(true) };
    let table = table(&header(true), &rows, options);
    for line in ["      sampled: in 24 pairs", "      why:     my_crate::numbers"] {
        assert!(table.contains(line), "{table}");
    }
}
