//! Whole renderings of rows made by hand.

use super::{
    Charset, ComparedRun, ComparedWith, ComparisonMethod, Ending, LastRun, Report, RequestedColumns,
    RunHeader, RunOutcome, TableOptions, TableReport, UnusableExecutables, changes, closing, doubts, json,
    markdown, saved, warnings,
};
use crate::benchmark_id::BenchmarkId;
use crate::disturbance::Disturbance;
use crate::environment::Environment;
use crate::experiment::{
    Benchmark, Comparison, FailOn, Failure, MeasureError, NotPaired, Outcome, PairedDetails, Reason,
    Relation, Row, compare_with_stored,
};
use crate::experiment::{Premise, State, Subject};
use nanobench::model::{
    Amount, BenchmarkSpec, ClockInfo, Counts, Launch, Measurement, Sample, ThroughputUnit,
};
use nanobench::report::{Bytes, TimeUnit, Units};
use nanobench::stats::{Change, Interval};
use nanobench::summary::Summary;
use project::fixtures::{id, row_id};
use std::collections::BTreeSet;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use verdicts::{AverageChange, Question, Verdict};

mod below;
mod change_lines;
mod columns;
mod doubtful;
mod heading;
mod statistics;
mod width;

fn found(name: &str) -> Benchmark {
    found_as(&BenchmarkSpec { id: row_id(name), ..BenchmarkSpec::default() })
}

fn found_as(benchmark: &BenchmarkSpec) -> Benchmark {
    let place = BenchmarkSpec { file: "benches/first.rs".into(), line: 7, unroll: 1, ..benchmark.clone() };
    Benchmark::new(&id("my-crate::first::f").target, 0, &place)
}

/// Launches of samples that all take this many ns an operation, give or take one.
pub(super) fn measured(nanoseconds: &[u64]) -> Measurement {
    let clock = ClockInfo {
        name: "os".into(),
        frequency: 1e9,
        resolution: 20.0,
        read_cost: 25.0,
        cycles_per_link: Some(4),
    };
    let sample =
        |time| Sample { iterations: 1_000, elapsed: time * 1_000, segments: 1, reference: 20_000, round: 0 };
    let launch = |&time: &u64| {
        let samples = [time - 1, time, time, time, time, time, time, time, time + 1].map(sample).to_vec();
        Launch { clock: clock.clone(), segment_cost: 0.0, empty_loop: 0.25, samples }
    };
    Measurement {
        count: 1,
        unroll: 1,
        launches: nanoseconds.iter().map(launch).collect(),
        ..Measurement::default()
    }
}

pub(super) fn row(name: &str, now: &[u64], comparison: Option<Comparison>) -> Row {
    let measurement = measured(now);
    let summary = Summary::from_measurement(&measurement).unwrap();
    Row {
        benchmark: found(name),
        outcome: Outcome::Measured { measurement, summary },
        comparison,
        relation: None,
        earlier_comparison: None,
    }
}

/// Returns a row of this benchmark, whose measurement is changed first.
fn with(benchmark: BenchmarkSpec, change: impl FnOnce(&mut Measurement), now: u64) -> Row {
    let mut measurement = measured(&[now]);
    change(&mut measurement);
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

/// Makes a measurement one that takes less than an empty loop of 1 us, on a core as slow.
fn make_short(measurement: &mut Measurement) {
    for launch in &mut measurement.launches {
        launch.empty_loop = 1_000.0;
        launch.samples.iter_mut().for_each(|sample| sample.reference = 48_000_000);
    }
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

/// Returns a comparison of 100 ns with `now`, whose interval extends by `width` to either side.
pub(super) fn side_by_side(verdict: Verdict, now: u64, width: f64, left: Option<Duration>) -> Comparison {
    let estimate = now as f64 / 100.0 - 1.0;
    let interval = Interval { low: estimate - width, high: estimate + width };
    Comparison {
        baseline: Summary::from_measurement(&measured(&[100; 5])),
        change: Some(Change { estimate, interval }),
        baseline_samples: None,
        uncorrected_median: None,
        verdict,
        reason: None,
        not_paired: None,
        instructions: None,
        premises: Vec::new(),
        paired: Some(PairedDetails {
            threshold: 0.005,
            launch_noise: Some(0.0031),
            pairs: 24,
            time_to_decide: left,
            ..PairedDetails::default()
        }),
    }
}

pub(super) fn rows_compared() -> Vec<Row> {
    let stored = |before: u64, now: u64, identical| {
        Some(compare_with_stored(&measured(&[before]), &measured(&[now]), identical, 0.005))
    };
    let failed = Comparison::failed(Some(&measured(&[100])));
    vec![
        row("concat", &[120; 5], Some(side_by_side(Verdict::Slower, 120, 0.2, None))),
        row("format", &[50; 5], Some(side_by_side(Verdict::Faster, 50, 0.5, None))),
        row("push", &[100; 5], Some(side_by_side(Verdict::Same, 100, 0.004, None))),
        row(
            "split",
            &[101; 5],
            Some(side_by_side(Verdict::Unsure, 101, 0.03, Some(Duration::from_millis(2_300)))),
        ),
        row("join", &[103], stored(100, 103, true)),
        row("sort", &[110], stored(100, 110, false)),
        row("added", &[70], Some(Comparison::new_benchmark())),
        Row {
            benchmark: found("spin"),
            outcome: Outcome::Failed(MeasureError::Problem("stopped after 60 s\nmore".into()).into()),
            comparison: Some(failed),
            relation: None,
            earlier_comparison: None,
        },
    ]
}

pub(super) fn header(compared: bool) -> RunHeader {
    let environment = Environment { cpu: Some("A CPU".into()), cores: Some(2), ..Environment::default() };
    let clock = ClockInfo {
        name: "tsc".into(),
        frequency: 2.6e9,
        resolution: 20.0,
        read_cost: 25.4,
        ..ClockInfo::default()
    };
    let with = ComparedWith {
        name: "main".into(),
        description: "2 h ago, 3f2a91c, 5 benchmarks".into(),
        differences: Vec::new(),
        unusable: UnusableExecutables::None,
        method: ComparisonMethod::SideBySide,
        only_counts: false,
        same_code: false,
    };
    RunHeader {
        environment,
        clock: Some(clock),
        empty_loop: Some(0.345),
        overheads: None,
        samples_planned_by: None,
        saved: None,
        compared_with: compared.then_some(with),
        counts_allocations: BTreeSet::new(),
        baselines: HashSet::new(),
        instructions_counted_by: None,
        warnings: Vec::new(),
    }
}

pub(super) fn options(verbose: bool) -> TableOptions<'static> {
    TableOptions {
        verbose,
        units: Units::default(),
        columns: RequestedColumns { cycles: verbose, ..RequestedColumns::default() },
        scale_to: None,
        width: None,
        charset: Charset::Ascii,
    }
}

fn report(compared: bool, rows: &[Row], outcome: RunOutcome) -> ComparedRun {
    ComparedRun { header: header(compared), rows: rows.to_vec(), outcome }
}

/// The table, without styles.
fn table(header: &RunHeader, rows: &[Row], options: TableOptions<'_>) -> String {
    let selected: Vec<Benchmark> = rows.iter().map(|row| row.benchmark.clone()).collect();
    let mut table = TableReport::new(header, &selected, options);
    if let Some(row) = rows.iter().find(|row| Some(&row.benchmark.id) == options.scale_to) {
        table.scale_to(row);
    }
    let text: String = rows.iter().map(|row| table.row(row)).collect();
    let text = text + &table.finish() + &table.extra_columns(rows);
    anstream::adapter::strip_str(&text).to_string()
}

/// Heading, table and closing lines, without styles.
fn text(report: &ComparedRun, verbose: bool) -> String {
    let outcome = [changes(report, None), closing(report, verbose), saved(report)].concat().join("\n");
    let ComparedRun { header, rows, .. } = report;
    let text = format!(
        "{}\n\n{}\n{outcome}\n",
        header.heading(verbose, None)[1..].join("\n"),
        table(header, rows, options(verbose))
    );
    anstream::adapter::strip_str(&text).to_string()
}

/// The JSON document of a run by itself.
fn document(header: RunHeader, rows: &[Row], scale_to: Option<&BenchmarkId>) -> String {
    let run = ComparedRun { header, rows: rows.to_vec(), outcome: RunOutcome::default() };
    json(&Report { runs: vec![run], scale_to: scale_to.cloned(), workspace: PathBuf::new() }).unwrap()
}

#[test]
fn a_run_by_itself() {
    let rows = [row("concat", &[120], None), row("a_rather_long_name", &[1_500], None)];
    let outcome = RunOutcome {
        elapsed: Duration::from_millis(340),
        ending: Ending::SavedAsLastRun,
        ..RunOutcome::default()
    };
    let expected = "

my-crate                   time/op     err%        op/s  samples    distribution   cycles/op
  first
    concat                  120 ns    0.0 %    8.33 M/s        9  |      #     |         288
    a_rather_long_name     1.50 us    0.0 %     667 k/s        9  |      #     |      3.60 k

2 benchmarks in 0.3 s.
Saved as the last run: the next run is compared with it. To keep it as a baseline: cargo nanobench --save-baseline main
";
    assert_eq!(text(&report(false, &rows, outcome), true), expected);
}

#[test]
fn a_run_beside_a_baseline() {
    let outcome = RunOutcome {
        elapsed: Duration::from_secs(1),
        ending: Ending::SavedAs { name: "my main".into(), replaced: None },
        removed: vec![id("my-crate::first::gone")],
        ..RunOutcome::default()
    };
    let expected = "side by side with main (2 h ago, 3f2a91c, 5 benchmarks)

my-crate               main        now    change           95 % CI
  first
    concat           100 ns     120 ns   +20.0 %    (0.0 .. +40.0)  slower
    format           100 ns    50.0 ns   -50.0 %   (-100.0 .. 0.0)  faster
    push             100 ns     100 ns     0.0 %    (-0.4 .. +0.4)  same (any change is under 0.4 %)
    split            100 ns     101 ns    +1.0 %    (-2.0 .. +4.0)  unsure: needs about 3 s more
    join                  -     103 ns         -                    not compared: identical code
    sort             100 ns     110 ns   +10.0 %  (+10.0 .. +10.0)  unsure
    added                 -    70.0 ns         -                    new
    spin           failed: stopped after 60 s ...

slower  my-crate::first::concat   100 ns -> 120 ns   +20.0 % (0.0 .. +40.0, 95 % CI)
faster  my-crate::first::format   100 ns -> 50.0 ns   -50.0 % (-100.0 .. 0.0, 95 % CI)
8 benchmarks in 1.0 s: 1 failed, 1 slower, 1 faster, 1 same, 2 unsure, 1 new, 1 identical code; 1 removed; noise between processes: at most 0.4 %.
removed  my-crate::first::gone
Saved as baseline `my main`. To compare with it: cargo nanobench --baseline \"my main\"
";
    assert_eq!(text(&report(true, &rows_compared(), outcome), false), expected);
}

#[test]
fn the_document_has_the_same_figures() {
    let text = document(header(true), &rows_compared(), None);
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    let row = |index: usize| &document["benchmarks"][index];
    assert_eq!(document["format"], 5);
    assert_eq!(document["baseline"], "main");
    assert_eq!(row(0)["id"], "my-crate::first::concat");
    assert_eq!(row(0)["time"]["median"], 120.0);
    assert_eq!(row(0)["comparison"]["verdict"], "slower");
    assert!((row(1)["comparison"]["relative"].as_f64().unwrap() - 200.0).abs() < 1e-9);
    assert_eq!(row(0)["comparison"]["method"], "side by side");
    assert_eq!(row(0)["comparison"]["pairs"], 24);
    assert!((row(2)["comparison"]["bound"].as_f64().unwrap() - 0.4).abs() < 1e-9);
    assert_eq!(row(3)["comparison"]["seconds_to_decide"], 2.3);
    assert_eq!(row(4)["comparison"]["reason"], "identical code");
    assert!(row(4)["comparison"]["method"].is_null() && row(4)["comparison"]["change"].is_null());
    assert_eq!(row(6)["comparison"]["verdict"], "new");
    assert_eq!(row(7)["status"], "failed");
    assert_eq!(row(7)["error"], "failed: stopped after 60 s\nmore");
    assert!(row(7)["time"].is_null());
}

#[test]
fn the_document_has_the_gate_and_the_other_runs() {
    let gate = vec![Failure {
        on: FailOn::Slower,
        id: id("a::b::sort"),
        change: Some(0.25),
        is_on_average: false,
        limit: None,
        has_lost_all_work: false,
    }];
    let report = |gate| ComparedRun {
        header: header(true),
        rows: rows_compared(),
        outcome: RunOutcome { gate, warnings: vec!["busy".to_owned()], ..RunOutcome::default() },
    };
    let text = json(&Report {
        runs: vec![report(Some(gate)), report(None)],
        scale_to: None,
        workspace: PathBuf::new(),
    })
    .unwrap();
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["gate"]["passed"], false);
    assert_eq!(
        document["gate"]["failures"],
        serde_json::json!([{"kind": "slower", "id": "a::b::sort", "change": 25.0}])
    );
    assert_eq!(document["other_runs"][0]["baseline"], "main");
    assert_eq!(document["other_runs"][0]["benchmarks"], document["benchmarks"]);
    assert!(document["other_runs"][0]["gate"].is_null());
    assert_eq!(document["other_runs"][0]["warnings"], serde_json::json!(["busy"]));
    assert!(document["against"].is_null());
}

#[test]
fn a_row_that_is_not_compared_says_why() {
    let mut comparison = compare_with_stored(&measured(&[100; 5]), &measured(&[110; 5]), false, 0.005);
    let changed = State::Shared(vec!["data/steps.txt".into()]);
    let changed = vec![Premise::new(Subject::NamedFiles, changed)];
    comparison.not_paired = Some(Arc::new(NotPaired::Changed(changed)));
    let unoptimized = Comparison {
        reason: Some(Reason::UnoptimizedLoop),
        ..side_by_side(Verdict::Unsure, 110, 0.02, None)
    };
    let rows = [
        row("a", &[110; 5], Some(comparison.clone())),
        row("b", &[110; 5], Some(comparison.clone())),
        row("c", &[110; 5], Some(unoptimized)),
    ];
    let mut run = report(true, &rows, RunOutcome::default());
    run.header.compared_with.as_mut().unwrap().method = ComparisonMethod::LastRun(LastRun::SideBySide);
    let text = table(&run.header, &rows, options(false));
    let lines: Vec<&str> = text.lines().skip(2).map(str::trim).collect();
    assert!(lines[0].ends_with(" not compared") && lines[2].ends_with(" not compared"), "{text}");
    let why = "why: both sides would read the new data/steps.txt, which has changed since";
    assert_eq!((lines[1], lines[4]), (why, "why: timed code is not optimised"), "{text}");
    assert_eq!(text.matches("why:").count(), 2, "{text}");
    let mut report = Report { runs: vec![run], scale_to: None, workspace: PathBuf::new() };
    let page = markdown(&report);
    assert!(page.contains("not compared: both sides would read"), "{page}");
    // Stored figures may show a change nevertheless.
    let change = Change { estimate: 1.5, interval: Interval { low: 1.4, high: 1.6 } };
    let slower = Comparison { verdict: Verdict::Slower, change: Some(change), ..comparison };
    report.runs[0].rows = vec![row("a", &[250; 5], Some(slower))];
    let text = table(&report.runs[0].header, &report.runs[0].rows, options(false));
    assert!(text.contains("+150.0 % slower\n      why: not side by side: both sides would read"), "{text}");
}
