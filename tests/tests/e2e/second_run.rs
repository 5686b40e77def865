//! The plain second run: the table of the first one, with a column of the changes since then.

use nanobench_tests::{Fixture, Outcome};
use std::fs;

const CHANGING: &str = "compare::work::changing";
const STEADY: &str = "compare::work::steady";

/// Time for the verdict of a plain run on a busy machine. It ends as soon as it has one.
const ENOUGH: &str = "--budget 60s";

/// Expects the table of a plain run, with or without the column of changes.
#[track_caller]
fn is_plain(run: &Outcome, has_changes: bool) {
    let title = run.exits(0).row("compare");
    assert!(title.contains("time/op") && title.contains("samples"), "{run}");
    assert_eq!(title.contains("change"), has_changes, "{run}");
    run.never_says("change           95 % CI").never_says("more of");
    assert!(run.lines().iter().all(|line| !line.contains("unsure")), "{run}");
}

#[test]
fn only_the_edited_function_has_a_change() {
    let fixture = Fixture::slowed_down("");
    let run = fixture.nanobench(ENOUGH).run();
    is_plain(&run, true);
    run.prints("change: since the last run (");
    assert!(run.row("changing").ends_with("slower"), "{run}");
    if cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        let steady = run.row("steady");
        assert!(!steady.contains("undecided") && !steady.contains("slower"), "{run}");
    }
    assert_eq!(run.lines().iter().filter(|line| line.starts_with("slower  ")).count(), 1, "{run}");
    assert_eq!(run.stdout().matches(" steady ").count(), 1, "one table\n{run}");
}

#[test]
fn a_change_is_decided_side_by_side_and_the_rest_is_not_run() {
    let fixture = Fixture::slowed_down("");
    let blocks = fixture.path("blocks");
    let run = fixture.nanobench("--format json").args(ENOUGH).env("NANOBENCH_BLOCKS", &blocks).run();
    let changing = run.compared(CHANGING);
    assert!(changing.is_side_by_side() && changing.verdict == "slower", "{run}");
    assert!(changing.change.is_some_and(|change| change > 500.0), "twenty times the work\n{run}");
    if cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        let steady = run.compared(STEADY);
        if !steady.is_side_by_side() {
            assert!(steady.verdict == "same" && steady.change.is_none(), "{run}");
            assert_eq!(steady.sentence, "identical code", "{run}");
        }
    }
    assert!(fixture.text("blocks").lines().count() >= 3, "fewer can't show it\n{run}");
}

#[test]
fn many_changed_benchmarks_share_their_processes_and_a_broken_one_takes_none_along() {
    let fixture = Fixture::to_edit("compare");
    let row = |i: usize| format!("#[nanobench]\nfn row_{i}() -> u64 {{\n    spin(STEPS + {i})\n}}\n");
    let rows: String = (0..10).map(row).collect();
    // Two of its processes can't live at once.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let broken = format!(
        r#"
        #[nanobench(fixture = listen)]
        fn broken(_: &std::net::TcpListener) -> u64 {{
            spin(STEPS)
        }}
        fn listen() -> std::net::TcpListener {{
            std::net::TcpListener::bind(("127.0.0.1", {port})).unwrap()
        }}
    "#
    );
    fixture.edit("benches/work.rs", "fn spin(", &format!("{rows}\n{broken}\nfn spin("));
    fixture.nanobench("").run().exits(0);
    fixture.edit("benches/work.rs", "STEPS: u64 = 2_000", "STEPS: u64 = 40_000");
    let blocks = fixture.path("blocks");
    let run = fixture.nanobench("--format json").args(ENOUGH).env("NANOBENCH_BLOCKS", &blocks).run();
    let verdicts = (0..10).map(|i| {
        let compared = run.compared(&format!("compare::work::row_{i}"));
        assert!(compared.is_side_by_side(), "row {i}\n{run}");
        compared.verdict.clone()
    });
    // Beside other tests, there may be no time for all of them.
    let (slower, others): (Vec<_>, Vec<_>) = verdicts.partition(|verdict| verdict == "slower");
    assert!(slower.len() >= 5 && others.iter().all(|verdict| verdict == "unsure"), "{others:?}\n{run}");
    let broken = run.compared("compare::work::broken");
    assert!(!broken.is_side_by_side() && broken.sentence.contains("AddrInUse"), "{run}");
    if cfg!(target_os = "linux") {
        let blocks: Vec<serde_json::Value> =
            fixture.text("blocks").lines().map(|block| serde_json::from_str(block).unwrap()).collect();
        let starts: std::collections::HashSet<String> =
            blocks.iter().map(|block| block["start_time"].to_string()).collect();
        assert!(starts.len() * 4 <= blocks.len(), "{} starts, {} blocks", starts.len(), blocks.len());
    }
}

#[test]
fn a_slow_call_that_changed_is_judged_after_the_others_by_few_calls() {
    let fixture = Fixture::to_edit("compare");
    let slow = r#"
        #[nanobench]
        fn slow() {
            std::thread::sleep(std::time::Duration::from_micros(STEPS * 13));
        }
    "#;
    fixture.edit("benches/work.rs", "fn spin(", &format!("{slow}\nfn spin("));
    fixture.nanobench("--save-baseline before").run().exits(0);
    fixture.edit("benches/work.rs", "STEPS: u64 = 2_000", "STEPS: u64 = 6_000");
    for (name, flags) in [("plain", ENOUGH), ("named", "--baseline before")] {
        let run = fixture.nanobench("--format json").args(flags).env("NANOBENCH_BLOCKS", fixture.path(name));
        let run = run.run();
        let compared = run.compared("compare::work::slow");
        assert!(compared.verdict == "slower" && compared.is_side_by_side(), "{run}");
        let blocks: Vec<serde_json::Value> =
            fixture.text(name).lines().map(|block| serde_json::from_str(block).unwrap()).collect();
        let of_slow = blocks.iter().filter(|block| block["id"] == "work::slow").count();
        let last = blocks.iter().rev().take_while(|block| block["id"] == "work::slow").count();
        assert!(of_slow == last && of_slow <= 8, "{of_slow} blocks, {last} of them at the end\n{run}");
    }
}

#[test]
fn the_same_executable_has_no_column() {
    let fixture = Fixture::of("compare");
    fixture.nanobench("").run().exits(0);
    let run = fixture.nanobench("").run();
    is_plain(&run, false);
    run.prints("identical code since the last run (");
    let run = fixture.nanobench("--format json").run();
    for id in [CHANGING, STEADY] {
        let compared = run.compared(id);
        assert!(compared.change.is_none() && !compared.is_side_by_side(), "{run}");
    }
}

#[test]
fn no_compare_is_a_run_without_any_comparison() {
    let fixture = Fixture::slowed_down("");
    let run = fixture.nanobench("--no-compare").run();
    is_plain(&run, false);
    run.never_says("since the last run");
    fixture.speed_up();
    fixture.write(".config/nanobench.toml", "no-compare = true");
    let run = fixture.nanobench("--format json").run();
    assert!(run.exits(0).json().row(CHANGING).comparison.is_none(), "{run}");
    fixture.nanobench("--no-compare --baseline last").run().fails_with(2, "cannot be used with");
    let run = fixture.nanobench("--baseline last --budget 1ms").run();
    run.exits(0).prints("compared with the last run");
}

#[test]
fn verbose_has_all_columns() {
    let fixture = Fixture::slowed_down("");
    let run = fixture.nanobench("-v").args(ENOUGH).run();
    let title = run.exits(0).row("compare");
    for column in ["time/op", "samples", "change", "last run", "95 % CI", "noise"] {
        assert!(title.contains(column), "{column}\n{run}");
    }
    assert!(run.row("changing").contains(" .. +"), "the interval\n{run}");
}

#[test]
fn a_new_benchmark_says_so() {
    let fixture = Fixture::to_edit("compare");
    fixture.nanobench("").run().exits(0);
    fixture.edit(
        "benches/work.rs",
        "fn spin(",
        "#[nanobench]\nfn added() -> u64 {\n    spin(3_000)\n}\n\nfn spin(",
    );
    let run = fixture.nanobench("").run();
    is_plain(&run, true);
    assert!(run.row("added").ends_with(" new"), "{run}");
}

#[test]
fn benchmarks_that_the_last_run_lacks_altogether_are_not_new() {
    let fixture = Fixture::of("compare");
    fixture.nanobench("steady").run().exits(0);
    let run = fixture.nanobench("changing").run();
    is_plain(&run, false);
    run.never_says(" new");
    fixture.nanobench("").run().exits(0).never_says(" new");
}

#[test]
fn a_benchmark_is_compared_with_the_run_that_measured_it() {
    let fixture = Fixture::slowed_down("");
    let run = fixture.nanobench("steady").run();
    is_plain(&run, true);
    let run = fixture.nanobench(ENOUGH).run();
    assert!(run.exits(0).row("changing").ends_with("slower"), "the filter left it out before\n{run}");
}

#[test]
fn without_executables_only_sure_changes_show() {
    let fixture = Fixture::slowed_down("");
    fs::remove_dir_all(fixture.stored("blobs")).unwrap();
    let run = fixture.nanobench("").run();
    is_plain(&run, true);
    run.prints(
        "whose executables can't run here. Stored figures show only changes by more than a factor of 2",
    );
    assert!(run.row("changing").ends_with("slower"), "{run}");
    assert!(!run.row("steady").ends_with("er"), "{run}");
}

#[test]
fn throughput_and_relations_stay_in_the_one_table() {
    let fixture = Fixture::to_edit("compare");
    fixture.edit("benches/work.rs", "#[nanobench]\nfn changing", "#[nanobench(bytes = 64)]\nfn changing");
    fixture.edit(
        "benches/work.rs",
        "#[nanobench]\nfn steady",
        "#[nanobench(baseline = changing)]\nfn steady",
    );
    fixture.nanobench("").run().exits(0);
    fixture.edit("benches/work.rs", "STEPS: u64 = 2_000", "STEPS: u64 = 40_000");
    let run = fixture.nanobench("").run();
    run.exits(0).prints("byte/s").prints("relative").never_says("more of");
    assert_eq!(run.stdout().matches("steady").count(), 1, "{run}");
    let row = run.row("changing");
    // A busy machine may leave too little time for the verdict.
    let change = ["slower", "unsure"].iter().find_map(|word| row.find(word));
    let change = change.unwrap_or_else(|| panic!("{run}"));
    assert!(row.find("B/s").is_some_and(|throughput| throughput > change), "{run}");
}

#[test]
fn a_budget_is_shared_with_the_comparison() {
    let fixture = Fixture::slowed_down("");
    let run = fixture.nanobench("--budget 20s").run();
    is_plain(&run, true);
    assert!(run.row("changing").ends_with("slower"), "{run}");
}

#[test]
fn a_named_baseline_has_its_own_table_whose_rows_agree() {
    let fixture = Fixture::of("compare");
    fixture.nanobench("--save-baseline main").run().exits(0);
    let run = fixture.nanobench("--baseline main").run();
    for name in ["changing", "steady"] {
        let row = run.exits(0).row(name);
        assert!(row.ends_with("identical code") && !row.contains('%'), "no change\n{run}");
    }
    let run = fixture.nanobench("--baseline main --format json").run();
    let steady = run.compared(STEADY);
    assert!(steady.change.is_none() && steady.sentence == "identical code", "{run}");
}

#[test]
fn small_changes_are_bounds_unless_a_threshold_asks_for_them() {
    let fixture = Fixture::to_edit("compare");
    fixture.nanobench("").run().exits(0);
    // Other machine code, but the same work within 0.1 %.
    fixture.edit("benches/work.rs", "STEPS: u64 = 2_000", "STEPS: u64 = 2_002");
    let run = fixture.nanobench("").run();
    is_plain(&run, true);
    let row = run.row("changing");
    assert!(row.contains("under") || row.ends_with("undecided"), "{run}");
}

#[test]
fn a_heading_never_says_that_nothing_changed_if_a_benchmark_is_missing() {
    let fixture = Fixture::to_edit("compare");
    let listed = "\n#[nanobench(args = std::fs::read_dir(\"rows\").unwrap().map(|file| file.unwrap().file_name()))]\n\
                  fn listed(file: &std::ffi::OsString) -> usize {\n    black_box(file).len()\n}\n";
    fixture.write("benches/work.rs", fixture.text("benches/work.rs") + listed);
    fixture.write("rows/stays", "");
    fixture.write("rows/goes", "");
    fixture.nanobench("").run().exits(0);
    fixture.nanobench("").run().exits(0).prints("identical code since the last run");
    std::fs::remove_file(fixture.path("rows/goes")).unwrap();
    let run = fixture.nanobench("").run();
    run.exits(0).prints("removed  compare::work::listed").never_says("nothing changed");
}
