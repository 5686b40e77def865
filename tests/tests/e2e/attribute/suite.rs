//! Relations between benchmarks of a run, groups, tags, and ignored benchmarks.

use super::{assert_same, listed, measured};
use nanobench_tests::{Fixture, Relation, Report};

const FEW: &str = "--max-time 2ms";

/// Returns the baseline that a row was compared with, without the package and the target.
fn baseline(report: &Report, name: &str) -> Option<String> {
    let row = report.row(&format!("suite::suite::{name}"));
    let Relation { baseline, relative, interval: (low, high) } = row.relation?;
    assert!(relative > 0.0 && low <= relative && relative <= high, "{name}: {relative} in {low}..{high}");
    Some(baseline.strip_prefix("suite::suite::").expect("of the same target").to_owned())
}

#[test]
fn a_baseline_is_found_by_its_path() {
    let report = measured("suite", FEW);
    for (name, expected) in [
        ("thousand", "hundred"),
        ("new/10", "old/10"),
        ("new/20", "old/20"),
        ("by_path", "inner::fast"),
        ("compared::second", "compared::first"),
    ] {
        assert_eq!(baseline(&report, name).as_deref(), Some(expected), "{name}");
    }
    assert_eq!(baseline(&report, "joined"), None);
}

#[test]
fn a_row_without_a_matching_baseline_row_is_measured_but_not_compared() {
    let run = Fixture::of("suite").nanobench(&format!("old larger --format json {FEW}")).run();
    let report = run.exits(0).json();
    assert_eq!(baseline(&report, "larger/20").as_deref(), Some("old/20"));
    assert!(report.row("suite::suite::larger/30").median() > 0.0);
    assert_eq!(baseline(&report, "larger/30"), None);
    let why = "suite::suite::larger/30 is not compared with its baseline in this run: its baseline `old` has several rows";
    assert!(report.warnings.iter().any(|warning| warning.starts_with(why)), "{:?}", report.warnings);
    let unpaired = |case: &str| report.row(&format!("suite::suite::larger/{case}")).relation_error;
    assert!(
        unpaired("30").is_some_and(|why| why.starts_with("its baseline `old` has several rows")),
        "{run}"
    );
    assert_eq!(unpaired("20"), None);
    let table = Fixture::of("suite").nanobench(&format!("old larger {FEW}")).run();
    table.exits(0).says(why);
}

#[test]
fn the_baseline_of_others_is_100_percent() {
    let run = Fixture::of("suite").nanobench(&format!("hundred thousand {FEW}")).run();
    run.exits(0).prints("relative");
    assert!(run.row("hundred").contains("100.0 %") || run.row("hundred").contains("100 %"), "{run}");
}

#[test]
fn without_a_baseline_there_is_no_relative_column() {
    let run = Fixture::of("suite").nanobench(&format!("suite::joined {FEW}")).run();
    run.exits(0).never_says("relative");
}

#[test]
fn an_unselected_baseline_is_not_measured() {
    let report = measured("suite", &format!("thousand {FEW}"));
    assert_eq!(report.ids(), ["suite::suite::thousand"]);
    assert_eq!(baseline(&report, "thousand"), None);
    let run = Fixture::of("suite").nanobench(&format!("thousand {FEW}")).run();
    assert!(run.exits(0).prints("relative").row("thousand").ends_with(" -"), "{run}");
}

#[test]
fn a_second_run_also_shows_requested_columns() {
    let fixture = Fixture::of("suite");
    fixture
        .nanobench("compared --max-time 2ms")
        .run()
        .exits(0)
        .says("relative")
        .never_says("more of this run");
    let second = fixture.nanobench("compared --max-time 2ms").run();
    let lines = second.exits(0).says("last run").never_says("more of this run").lines();
    assert!(lines.iter().any(|line| line.ends_with("relative")), "{second}");
    assert!(lines.iter().any(|line| line.ends_with("100.0 %")), "{second}");
}

#[test]
fn scaling_to_a_failed_benchmark_is_reported() {
    let run = Fixture::of("failing").nanobench("before --multiples-of panics --max-time 2ms").run();
    run.exits(1).says("cannot show multiples of failing::failing::panics (--multiples-of): it failed");
}

#[test]
fn scale_to_shows_multiples_of_one_benchmark() {
    let report = measured("suite", &format!("hundred thousand old --multiples-of hundred {FEW}"));
    let one = report.row("suite::suite::hundred").median();
    assert_same(report.row("suite::suite::hundred").scaled.unwrap(), 1.0);
    for id in report.ids() {
        let row = report.row(id);
        assert_same(row.scaled.unwrap(), row.median() / one);
    }
    let run = Fixture::of("suite").nanobench(&format!("hundred thousand --multiples-of hundred {FEW}")).run();
    assert!(run.exits(0).row("hundred").contains("1.0"), "{run}");
}

#[test]
fn scale_to_suggests_the_nearest_name() {
    let run = Fixture::of("suite").nanobench("--multiples-of hundrd").run();
    assert!(!run.stderr().is_empty() && run.says("hundred").stdout().is_empty(), "{run}");
    run.exits(2);
}

#[test]
fn members_inherit_from_the_innermost_group() {
    let report = measured("suite", "");
    let row = |name: &str| report.row(&format!("suite::suite::{name}"));
    for (name, samples) in
        [("inner::fast", 12), ("inner::of_its_own", 13), ("inner::deeper::innermost", 14), ("joined", 12)]
    {
        assert_eq!(row(name).samples(), samples, "{name}");
        assert_eq!(row(name).unit, "step", "{name}");
        assert_same(row(name).batch, 5.0);
        assert_eq!(row(name).group.as_deref(), Some("inside"), "{name}");
    }
    assert_eq!(row("hundred").unit, "op");
    assert_same(row("hundred").batch, 1.0);
}

#[test]
fn tags_and_context_add_up() {
    let report = measured("suite", FEW);
    let row = |name: &str| report.row(&format!("suite::suite::{name}"));
    let mut tags = row("inner::of_its_own").tags;
    tags.sort();
    assert_eq!(tags, ["inner", "own", "slow"]);
    assert_eq!(row("joined").tags, ["inner"]);
    assert_eq!(row("hundred").tags, [""; 0]);
    assert_eq!(row("inner::of_its_own").context("kind"), Some("own"));
    assert_eq!(row("inner::of_its_own").context("size"), Some("5"));
    assert_eq!(row("inner::fast").context("place"), Some("inside"));
    assert_eq!(row("hundred").context("place"), None);
}

#[test]
fn tags_select() {
    assert_eq!(listed("suite", "tag:slow"), ["suite::suite::by_path", "suite::suite::inner::of_its_own"]);
    assert_eq!(listed("suite", "tag:own tag:slow inner"), ["suite::suite::inner::of_its_own"]);
    assert_eq!(
        listed("suite", "tag:inner --skip tag:slow"),
        ["suite::suite::inner::fast", "suite::suite::inner::deeper::innermost", "suite::suite::joined"]
    );
    Fixture::of("suite").nanobench("--list tag:slwo").run().fails_with(4, "slow");
}

#[test]
fn ignored_benchmarks_run_only_if_named() {
    assert!(!listed("suite", "").iter().any(|id| id.contains("area")));
    // Parts of a name don't match.
    Fixture::of("suite").nanobench("--list private").run().fails_with(4, "private_area");
    for name in ["private_area", "suite::private_area", "suite::suite::private_area"] {
        assert_eq!(listed("suite", name), ["suite::suite::private_area"], "{name}");
    }
    for name in ["another", "areas", "suite::suite::areas", "areas::another"] {
        assert_eq!(listed("suite", name), ["suite::suite::areas::another"], "{name}");
    }
    assert_eq!(listed("suite", "--ignored tag:slow"), ["suite::suite::areas::another"]);
}

const HIDDEN: [&str; 4] = [
    "suite::suite::reserved::first",
    "suite::suite::reserved::deeper::second",
    "suite::suite::reserved::third",
    "suite::suite::apart",
];

#[test]
fn an_ignored_module_runs_only_if_it_or_its_group_is_named() {
    assert!(!listed("suite", "").iter().any(|id| HIDDEN.contains(&id.as_str())));
    assert_eq!(listed("suite", "hidden"), HIDDEN);
    assert_eq!(listed("suite", "suite::reserved"), HIDDEN[..3]);
    assert_eq!(listed("suite", "reserved::deeper"), HIDDEN[1..2]);
    assert_eq!(listed("suite", "apart"), HIDDEN[3..]);
    Fixture::of("suite").nanobench("--list hidde").run().fails_with(4, "hidden");
    let tests = Fixture::of("suite").cargo("test --benches reserved").run();
    tests.exits(0).says("reserved::nanobench_first ... ignored");
    tests.says("reserved::deeper::nanobench_second ... ignored, twice");
}

#[test]
fn a_verbose_list_describes_the_benchmarks() {
    let lines = listed("suite", "-v suite::reserved");
    assert_eq!(lines[0], HIDDEN[0]);
    assert_eq!(lines[1], "    Adds up a few numbers.");
    assert_eq!(lines[2], "    group: hidden; tags: mine; ignored: runs only if it is named");
    assert_eq!(lines[3], HIDDEN[1]);
    let run = Fixture::of("suite").nanobench("--list --format json hidden").run();
    let document = run.exits(0).stdout();
    assert!(document.contains(HIDDEN[3]) && document.contains("Only the first paragraph"), "{run}");
}
