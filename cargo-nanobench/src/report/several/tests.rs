//! Runs made by hand, side by side.

use super::*;
use crate::experiment::{Comparison, compare_with_stored};
use crate::report::formats::tests::assert_described;
use crate::report::tests::{header, measured, options, row};
use crate::report::{ComparisonMethod, RunOutcome, TableOptions};
use crate::report::{FileFormat, Rendered};
use serde_json::Value;
use std::path::PathBuf;

/// Returns the run of this name: benchmarks with their times in ns.
fn run(name: &str, rows: &[(&str, u64)], base: Option<&[(&str, u64)]>) -> ComparedRun {
    let mut header = header(base.is_some());
    header.saved = Some(name.to_owned());
    if let Some(with) = &mut header.compared_with {
        let (candidate, description) = (name.to_owned(), format!("{name} (1 h ago, 3 benchmarks)"));
        with.method = ComparisonMethod::SavedRuns { candidate, description };
    }
    let comparison = |name: &str, now| {
        let before = base?.iter().find(|(other, _)| *other == name);
        Some(before.map_or_else(Comparison::new_benchmark, |&(_, before)| {
            compare_with_stored(&measured(&[before; 3]), &measured(&[now; 3]), false, 0.0)
        }))
    };
    let rows = rows.iter().map(|&(name, now)| row(name, &[now; 3], comparison(name, now))).collect();
    ComparedRun { header, rows, outcome: RunOutcome::default() }
}

fn three() -> Report {
    let base = [("concat", 100), ("a::join", 1_000), ("a::split", 4_000), ("gone", 50)];
    let next = [("concat", 300), ("a::join", 1_000), ("a::split", 4_000)];
    let simd = [("concat", 100), ("a::join", 250), ("a::split", 1_000), ("added", 70)];
    let runs =
        vec![run("main", &base, None), run("next", &next, Some(&base)), run("simd", &simd, Some(&base))];
    Report { runs, scale_to: None, workspace: PathBuf::new() }
}

fn text(format: FileFormat, report: &Report) -> String {
    match format.render(report).unwrap() {
        Rendered::Text(text) => text,
        Rendered::Folder(_) => panic!("a folder"),
    }
}

fn shown(width: Option<usize>, verbose: bool) -> String {
    let text = table(&three(), TableOptions { width, ..options(verbose) });
    anstream::adapter::strip_str(&text).to_string()
}

#[test]
fn runs_are_columns_with_means_of_groups_and_of_all() {
    let expected = "\
my-crate                   main       next           change       simd           change
  first
    concat               100 ns     300 ns  +200.0 % slower     100 ns     0.0 %
    gone                50.0 ns          -         -                 -         -
    added                     -          -         -           70.0 ns           new
  first::a
    join                1.00 us    1.00 us     0.0 %            250 ns   -75.0 % faster
    split               4.00 us    4.00 us     0.0 %           1.00 us   -75.0 % faster
    geomean of 2        2.00 us    2.00 us     0.0 %            500 ns   -75.0 %

    geomean of all 3     737 ns    1.06 us   +44.2 %            292 ns   -60.3 %
";
    assert_eq!(shown(None, false), expected, "{}", shown(None, false));
}

#[test]
fn narrow_terminals_get_shorter_changes_and_then_several_tables() {
    assert!(shown(Some(80), false).lines().all(|line| line.len() <= 80), "{}", shown(Some(80), false));
    assert_eq!(shown(Some(80), false).matches("main").count(), 1);
    let narrow = shown(Some(60), false);
    assert!(narrow.lines().all(|line| line.len() <= 60), "{narrow}");
    assert_eq!(narrow.matches("main").count(), 2, "{narrow}");
    let verbose = shown(None, true);
    assert!(
        verbose.lines().any(|line| line.contains("+200.0 % (") && line.contains(") slower")),
        "{verbose}"
    );
}

#[test]
fn documents_have_the_figures_and_the_means() {
    let runs = three();
    let document: Value = serde_json::from_str(&text(FileFormat::Json, &runs)).unwrap();
    let schema: Value =
        serde_json::from_str(include_str!("../../../../docs/reference/report.schema.json")).unwrap();
    assert_described(&document, &[&schema], &schema, "document");
    assert_eq!((&document["saved"], &document["baseline"]), (&"main".into(), &Value::Null));
    let others = document["other_runs"].as_array().unwrap();
    assert_eq!([&others[0]["saved"], &others[1]["saved"]], ["next", "simd"]);
    let verdict = |run: usize, function: &str| {
        let benchmarks = others[run]["benchmarks"].as_array().unwrap();
        let one = benchmarks.iter().find(|one| one["id"] == *format!("my-crate::first::{function}"));
        one.map(|one| one["comparison"]["verdict"].clone())
    };
    assert_eq!((verdict(0, "concat"), verdict(0, "gone")), (Some("slower".into()), None));
    assert_eq!(verdict(1, "added"), Some("new".into()));
    let all = document["geomeans"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&all["benchmarks"], &all["group"], &all["changes"][0]),
        (&3.into(), &Value::Null, &Value::Null)
    );
    assert!((all["changes"][1].as_f64().unwrap() - 44.2).abs() < 0.1, "the cube root of 3: {all}");
    let csv = text(FileFormat::Csv, &runs);
    assert_eq!(csv.lines().count(), 1 + 4 + 3 + 4 + 6, "{csv}");
    let markdown = text(FileFormat::Markdown, &runs);
    assert!(markdown.contains("| <code>my-crate::first::concat</code> | 100 ns | 300 ns | +200.0 % **slower** | 100 ns | 0.0 % |"), "{markdown}");
    assert!(markdown.contains("| **geomean of all 3** | "), "{markdown}");
}

#[test]
fn runs_with_the_same_executable_have_identical_code_in_every_form() {
    let mut runs = three();
    for row in &mut runs.runs[1].rows {
        let figures = measured(&[100; 3]);
        row.comparison = Some(compare_with_stored(&figures, &figures, true, 0.0));
    }
    let markdown = text(FileFormat::Markdown, &runs);
    assert!(markdown.contains("| 100 ns | 300 ns | identical code | 100 ns |"), "{markdown}");
    let table = table(&runs, options(false));
    let row = table.lines().find(|line| line.contains("concat")).unwrap();
    assert!(row.contains("300 ns   identical code     100 ns"), "{table}");
    let narrow = super::table(&runs, TableOptions { width: Some(60), ..options(false) });
    assert!(narrow.contains("300 ns  identical\n"), "{narrow}");
}

#[test]
fn changes_and_verdicts_name_their_run() {
    let runs = three();
    let changes: Vec<String> =
        all_changes(&runs, None).iter().map(|line| anstream::adapter::strip_str(line).to_string()).collect();
    assert!(
        changes[0].starts_with("next: slower  my-crate::first::concat   100 ns -> 300 ns   +200.0 %"),
        "{changes:#?}"
    );
    assert!(changes[1].starts_with("simd: faster  "), "{changes:#?}");
    assert_eq!(closing(&runs), ["next: 1 slower, 2 unsure", "simd: 2 faster, 1 unsure, 1 new"]);
    let mut corrected = three();
    corrected.runs[2].rows[0].comparison.as_mut().unwrap().uncorrected_median = Some(80.0);
    let correction =
        "simd: changes, and times with *, are corrected for the core's clock, which is now 25.0 % slower";
    assert_eq!(closing(&corrected)[2], correction);
    assert_eq!(
        heading(&runs)[..3],
        [
            "main (2 h ago, 3f2a91c, 5 benchmarks)",
            "next (1 h ago, 3 benchmarks)",
            "simd (1 h ago, 3 benchmarks)"
        ]
    );
}
