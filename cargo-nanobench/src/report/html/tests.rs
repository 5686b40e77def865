//! Pages of reports that are made by hand.

use super::*;
use crate::earlier_comparison::{EarlierComparison, Ratios};
use crate::environment::Environment;
use crate::experiment::{Benchmark, Comparison, MeasureError, Outcome, PairedDetails, Reason, Row};
use crate::report::{
    ComparedRun, ComparedWith, ComparisonMethod, RunHeader, RunOutcome, UnusableExecutables,
};
use nanobench::model::{BenchmarkSpec, ClockInfo, ComplexityInput, Launch, Measurement, Sample};
use nanobench::stats::{Change, Interval};
use nanobench::summary::Summary;
use project::fixtures::{id, row_id};
use serde_json::Value;
use std::collections::{BTreeSet, HashSet};
use std::process::Command;
use std::sync::Arc;
use verdicts::{Question, Verdict};

/// Texts that would end an element, a string or a line, or control a terminal or the direction of
/// the text.
const HOSTILE: &str =
    "</script><script>alert(1)</script><b>&amp;\"'`${x}]]>--><!--\u{1b}[31m\u{202e}\u{2028}\n@data@";

fn measured(time: u64, samples: u64) -> Measurement {
    let clock = ClockInfo {
        name: "os".into(),
        frequency: 1e9,
        resolution: 20.0,
        read_cost: 25.0,
        ..ClockInfo::default()
    };
    let sample = |round: u64| Sample {
        iterations: 1_000,
        elapsed: (time + round % 3) * 1_000,
        segments: 1,
        reference: 20_000,
        round,
    };
    let samples: Vec<Sample> = (0..samples).map(sample).collect();
    let launch = Launch { clock, segment_cost: 0.0, empty_loop: 0.25, samples };
    Measurement { count: 1, unroll: 1, launches: vec![launch; 2], ..Measurement::default() }
}

fn paired(before: u64, now: u64, verdict: Verdict) -> Comparison {
    let estimate = now as f64 / before as f64 - 1.0;
    let around = |center: f64| (0..16).map(|i| center + (f64::from(i) - 7.5) / 2_000.0).collect();
    let samples = measured(before, 40);
    Comparison {
        baseline: Summary::from_measurement(&samples),
        baseline_samples: Some(Arc::new(samples)),
        change: Some(Change {
            estimate,
            interval: Interval { low: estimate - 0.002, high: estimate + 0.002 },
        }),
        uncorrected_median: None,
        verdict,
        reason: None,
        not_paired: None,
        instructions: None,
        premises: Vec::new(),
        paired: Some(PairedDetails {
            question: Question::Typical,
            typical: verdict,
            p: Some(0.0001),
            launch_noise: Some(0.003),
            pairs: 32,
            ratios: Ratios { changes: around(estimate), aa: around(0.0) },
            ..PairedDetails::default()
        }),
    }
}

fn earlier() -> EarlierComparison {
    let ratios = Ratios { changes: vec![0.3; 9], aa: vec![-0.001; 11] };
    EarlierComparison {
        baseline: HOSTILE.into(),
        sentence: HOSTILE.into(),
        change: Some(0.3),
        interval: Some([0.29, 0.31]),
        launch_noise: Some(0.002),
        ratios,
    }
}

fn row(spec: BenchmarkSpec, time: u64, comparison: Option<Comparison>) -> Row {
    let spec = BenchmarkSpec { file: "benches/first.rs".into(), line: 2, unroll: 1, ..spec };
    let measurement = measured(time, 40);
    let summary = Summary::from_measurement(&measurement).unwrap();
    let benchmark = Benchmark::new(&id("my-crate::first::f").target, 0, &spec);
    Row {
        benchmark,
        outcome: Outcome::Measured { measurement, summary },
        comparison,
        earlier_comparison: None,
        relation: None,
    }
}

/// Returns a row that is named by a text as it is.
fn named(name: &str, label: Option<&str>) -> BenchmarkSpec {
    let mut row = row_id("f");
    row.function = name.to_owned();
    row.labels = label.into_iter().map(str::to_owned).collect();
    BenchmarkSpec { id: row, ..BenchmarkSpec::default() }
}

/// Returns a benchmark of each kind: changed, failed, with conditions, with sizes, and hostile.
fn kinds() -> Vec<Row> {
    let spec = |name: &str| BenchmarkSpec { id: row_id(name), ..BenchmarkSpec::default() };
    let hostile = BenchmarkSpec {
        description: HOSTILE.into(),
        unit: Some(HOSTILE.into()),
        tags: Some(vec![HOSTILE.into()]),
        group: Some(HOSTILE.into()),
        ..named(HOSTILE, Some(HOSTILE))
    };
    let mut rows = vec![row(hostile, 130, Some(paired(100, 130, Verdict::Slower)))];
    for (label, n, time) in [("10", 10.0, 100), ("100", 100.0, 1_000), ("1000", 1_000.0, 9_900)] {
        let complexity = Some(ComplexityInput { n, label: Some(0), custom: None });
        let spec = BenchmarkSpec { complexity, ..named("sort", Some(label)) };
        let mut row = row(spec, time, Some(paired(time, time, Verdict::Same)));
        row.earlier_comparison = Some(earlier());
        rows.push(row);
    }
    for (name, time) in [("walk", 200), ("walk/cold", 900), ("walk/threads=2", 300)] {
        rows.push(row(spec(name), time, Some(paired(time, time - 20, Verdict::Faster))));
    }
    rows.push(row(spec("added"), 70, Some(Comparison::new_benchmark())));
    rows.push(row(spec("empty"), 0, None));
    rows.push(Row {
        outcome: Outcome::Failed(MeasureError::Problem(HOSTILE.into()).into()),
        comparison: Some(Comparison::failed(Some(&measured(100, 9)))),
        ..row(spec("spin"), 1, None)
    });
    rows
}

fn report(rows: Vec<Row>) -> Report {
    let with = ComparedWith {
        name: HOSTILE.into(),
        description: HOSTILE.into(),
        differences: vec![HOSTILE.into()],
        unusable: UnusableExecutables::None,
        method: ComparisonMethod::SideBySide,
        only_counts: false,
        same_code: false,
    };
    let environment = Environment { cpu: Some(HOSTILE.into()), cores: Some(2), ..Environment::default() };
    let header = RunHeader {
        environment,
        clock: None,
        empty_loop: None,
        overheads: None,
        samples_planned_by: None,
        saved: None,
        compared_with: Some(with),
        counts_allocations: BTreeSet::new(),
        baselines: HashSet::new(),
        instructions_counted_by: None,
        warnings: vec![HOSTILE.into()],
    };
    let added = rows.iter().map(|row| &row.benchmark.id).find(|id| id.row.function == "added").cloned();
    let run = ComparedRun { header, rows, outcome: RunOutcome::default() };
    Report { runs: vec![run], scale_to: added, workspace: std::path::PathBuf::new() }
}

/// Returns the page of these rows, in a workspace with the source of all of them.
fn page(rows: Vec<Row>) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("benches")).unwrap();
    let source = "// </script>\n#[nanobench]\nfn f() -> &'static str { \"</script><b>\" }\n";
    std::fs::write(folder.path().join("benches/first.rs"), source).unwrap();
    html(&report(rows), folder.path()).unwrap()
}

/// Returns the text of the element with the data.
fn data_of(page: &str) -> &str {
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    rest.split_once("</script>").unwrap().0
}

#[test]
fn no_text_of_a_benchmark_becomes_markup() {
    let page = page(kinds());
    assert_eq!(page.matches("<script").count(), 2, "the data and the script");
    assert_eq!(page.matches("</script").count(), 2);
    let json = data_of(&page);
    assert!(!json.contains(['<', '\n', '\u{1b}']), "{json}");
    let data: Value = serde_json::from_str(json).unwrap();
    let benchmark = &data["document"]["benchmarks"][0];
    assert_eq!(benchmark["description"], HOSTILE);
    assert_eq!(data["runs"][0]["benchmarks"][0]["name"], format!("{HOSTILE}/{HOSTILE}"));
    assert_eq!(data["document"]["baseline"], HOSTILE);
    assert!(data["sources"][0]["text"].as_str().unwrap().contains("</script><b>"));
}

#[test]
fn the_page_has_standard_deviations_and_multiples() {
    let data: Value = serde_json::from_str(data_of(&page(kinds()))).unwrap();
    let document = &data["document"];
    assert_eq!(document["scale_to"], "my-crate::first::added");
    let of = |name: &str| {
        let rows = document["benchmarks"].as_array().unwrap();
        rows.iter().find(|row| row["id"] == format!("my-crate::first::{name}")).unwrap()
    };
    assert_eq!(of("added")["scaled"], 1.0);
    assert!(of("walk")["scaled"].as_f64().unwrap() > 2.0, "{}", of("walk"));
    assert!(of("walk")["time"]["sd"].as_f64().unwrap() > 0.0, "{}", of("walk"));
}

#[test]
fn the_page_loads_nothing() {
    let page = page(kinds());
    let without_data = page.replace(data_of(&page), "");
    // The name of a namespace is no address to load from.
    let without_data = without_data.replace("http://www.w3.org/2000/svg", "");
    for loading in ["://", "url(", "@import", " src=", "fetch(", "import(", "XMLHttpRequest", "innerHTML"] {
        assert!(!without_data.contains(loading), "{loading}");
    }
    assert!(without_data.contains("default-src 'none'"));
}

#[test]
fn many_samples_are_thinned_and_few_are_not() {
    let listed = |samples: u64| {
        let mut row = row(named("f", None), 100, None);
        let measurement = measured(100, samples);
        let summary = Summary::from_measurement(&measurement).unwrap();
        row.outcome = Outcome::Measured { measurement, summary };
        let page = page(vec![row]);
        let data: Value = serde_json::from_str(data_of(&page)).unwrap();
        let samples = &data["runs"][0]["benchmarks"][0]["samples"];
        let launches = samples["launches"].as_array().unwrap().clone();
        (
            launches.iter().map(|launch| launch.as_array().unwrap().len()).collect::<Vec<_>>(),
            samples["every"].clone(),
        )
    };
    assert_eq!(listed(300), (vec![300, 300], 1.into()));
    assert_eq!(listed(1_000), (vec![250, 250], 4.into()));
}

#[test]
fn the_page_has_what_is_the_same_if_nothing_was_compared() {
    let reason = Some(Reason::SameExecutable);
    let same = Comparison { reason, paired: None, change: None, ..paired(100, 560, Verdict::Same) };
    let rows = vec![row(named("f", None), 100, Some(same)), kinds().swap_remove(1)];
    let data: Value = serde_json::from_str(data_of(&page(rows))).unwrap();
    let of_row = |row: usize, key: &str| &data["runs"][0]["benchmarks"][row][key];
    assert_eq!((of_row(0, "is_identical"), of_row(1, "is_identical")), (&true.into(), &false.into()));
    for key in ["before", "baseline_samples"] {
        assert_eq!(of_row(0, key), &Value::Null, "two times would look like a change");
        assert_ne!(of_row(1, key), &Value::Null);
    }
}

/// Opens the page of 1,000 benchmarks in Chromium, which `NANOBENCH_CHROMIUM` names.
#[test]
#[ignore = "needs Chromium"]
fn the_page_works_in_a_browser() {
    let mut rows = kinds();
    let verdicts = [(Verdict::Same, 100), (Verdict::Slower, 104), (Verdict::Faster, 93)];
    for (number, (verdict, now)) in (rows.len()..1_000).zip(verdicts.into_iter().cycle()) {
        let spec = BenchmarkSpec {
            id: row_id(&format!("group{}::f{number}", number / 50)),
            ..BenchmarkSpec::default()
        };
        rows.push(row(spec, now, Some(paired(100, now, verdict))));
    }
    let driver = format!("<script>{}</script>\n</head>", include_str!("tests/drive.js"));
    let page = page(rows).replacen("</head>", &driver, 1);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    std::fs::write(&file, page).unwrap();
    let program = std::env::var_os("NANOBENCH_CHROMIUM").unwrap_or_else(|| "chromium".into());
    let output = Command::new(program)
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--enable-logging=stderr",
        ])
        .args(["--disable-background-networking", "--virtual-time-budget=60000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg(format!("file://{}", file.display()))
        .output()
        .unwrap();
    let (dom, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let (_, result) = dom.split_once("id=\"result\">").unwrap_or_else(|| panic!("no result:\n{log}"));
    let found: Value = serde_json::from_str(&decoded(result.split('<').next().unwrap())).unwrap();
    assert_eq!(found["errors"], Value::Array(Vec::new()));
    assert!(!log.contains("CONSOLE"), "{log}");
    check(&found);
}

/// Checks what the driver found.
fn check(found: &Value) {
    let shown = "</script><script>alert(1)</script><b>&amp;\"'`${x}]]>--><!--\\u{1b}[31m\\u{202e}\\u{2028}\\u{a}@data@";
    let name = format!("{shown}/{shown}");
    assert_eq!(found["rows"], 1_000);
    let titles = ["Scaled", "Spread", "Mean", "Std. dev.", "Fastest", "Slowest"];
    let shown: Vec<&str> = found["titles"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(shown.ends_with(&titles), "{shown:?}");
    assert_eq!((&found["deviations"], &found["hidden"]), (&998.into(), &false.into()), "two have no figures");
    assert_eq!(found["unit"], serde_json::json!(["1.00"]), "the row that is 1.00 is marked");
    assert!(found["facts"].as_array().unwrap().contains(&"Standard deviation".into()), "{}", found["facts"]);
    assert_eq!(found["names"][0], name, "hidden characters are shown by their number");
    assert_eq!(found["order"], "now");
    assert!(found["sorted"][0].as_str().unwrap().ends_with("::sort/1000"), "{}", found["sorted"][0]);
    assert_eq!(found["searched"].as_array().unwrap().len(), 11, "f17 and f170 to f179");
    assert_eq!(found["status"], "11 of 1,000 benchmarks");
    assert_eq!(found["verdicts"].as_array().unwrap().len(), 1);
    assert!(found["slower"].as_u64().unwrap() > 300);
    assert_eq!(found["opened"][0], "sort/1000");
    assert_eq!(found["next"][0], "sort/100");
    let sections = found["sections"].as_array().unwrap();
    for section in [
        "Why this verdict",
        "When it was measured",
        "Distribution of the samples",
        "Samples in the order of time",
        "Source",
    ] {
        assert!(sections.iter().any(|found| found == section), "{section} is missing: {sections:?}");
    }
    assert!(sections.iter().any(|found| found.as_str().unwrap().contains("O(n) fits best")), "{sections:?}");
    let has_hint = |part: &str| {
        found["hints"].as_array().unwrap().iter().any(|hint| hint.as_str().unwrap().contains(part))
    };
    for part in ["curve at 1000: ", "sort/100: 1.00 µs", " % of the samples", "+0.1 %"] {
        assert!(has_hint(part), "{part}: {}", found["hints"]);
    }
    let plots = found["plots"].as_array().unwrap();
    assert_eq!(plots.len(), 5, "{plots:?}");
    let has_noise = |plot: &Value| plot.as_str().unwrap().ends_with(", noise between processes 0.3 %.");
    assert!(plots.iter().any(has_noise), "{plots:?}");
    assert!(found["source"][0].as_str().unwrap().contains("</script><b>"));
    assert_eq!(found["back"], 1_000);
    assert_eq!(found["left"], "my-crate::first::sort/100", "the focus is where it was");
    assert_eq!((&found["nonsense"], &found["elements"]), (&Value::Bool(false), &0.into()));
    assert_eq!(found["overlaps"], Value::Array(Vec::new()), "texts in plots");
    assert_eq!(found["resources"], Value::Array(Vec::new()), "nothing is loaded");
}

/// Decodes the `%..` of a component of an address.
fn decoded(text: &str) -> String {
    let mut pieces = text.split('%');
    let mut bytes = pieces.next().unwrap_or_default().as_bytes().to_vec();
    for piece in pieces {
        let (code, rest) = piece.split_at(2);
        bytes.push(u8::from_str_radix(code, 16).unwrap());
        bytes.extend(rest.as_bytes());
    }
    String::from_utf8(bytes).unwrap()
}
