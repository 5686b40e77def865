//! The last run as a baseline: `last`.

use nanobench_tests::Fixture;
use std::fs;

const CHANGING: &str = "compare::work::changing";
const STEADY: &str = "compare::work::steady";

#[test]
fn it_runs_beside_the_new_build_and_the_new_one_takes_its_place() {
    let fixture = Fixture::slowed_down("");
    let run = fixture.nanobench("--baseline last --format json").run();
    assert!(run.compared(STEADY).is_side_by_side(), "whatever its figures look like\n{run}");
    let changing = run.compared(CHANGING);
    assert!(changing.is_side_by_side() && changing.verdict == "slower", "{run}");
    assert_eq!(run.json().baseline.as_deref(), Some("last run"));
    let run = fixture.nanobench("--baseline last --format json changing").run();
    let sentence = run.compared(CHANGING).sentence;
    assert!(sentence.contains("identical code"), "nothing has changed since: {sentence}");
    let run = fixture.nanobench("--baseline last changing").run();
    run.exits(0).prints("identical code");
}

#[test]
fn a_filter_leaves_the_others_their_own_executables() {
    let fixture = Fixture::slowed_down("");
    fixture.nanobench("--baseline last steady").run().exits(0).prints("side by side with");
    let run = fixture.nanobench("--baseline last --format json changing").run();
    let changing = run.compared(CHANGING);
    assert!(changing.is_side_by_side() && changing.verdict == "slower", "{run}");
}

#[test]
fn its_report_has_the_order_of_a_full_run_whatever_was_measured_last() {
    let fixture = Fixture::to_edit("growth");
    fixture.nanobench("--samples 1 bisect sum pairs").run().exits(0);
    let report = || fixture.nanobench("report --format json").run().exits(0).json();
    let full = report();
    let measured_again = ["pairs", "sum/1600 sum/100", "bisect/16 pairs/32 --sort name"];
    for filters in measured_again {
        fixture.nanobench(&format!("--samples 1 --no-compare {filters}")).run().exits(0);
        assert_eq!(report().ids(), full.ids(), "after {filters}");
    }
    fixture.edit("benches/growth.rs", "rotate_left(7)", "rotate_left(9)");
    fixture.nanobench("--samples 1 sum/400").run().exits(0);
    for name in ["last", "last~1"] {
        let report = fixture.nanobench(&format!("report {name} --format json")).run().exits(0).json();
        assert_eq!(report.ids(), full.ids(), "{name}");
        assert!(!report.fits("growth::growth::sum").is_empty(), "the sizes are of several runs: {report:#?}");
    }
    let table = fixture.nanobench("report").run();
    table.exits(0).prints("coefficient").never_says("not fitted");
}

#[test]
fn it_can_be_compared_and_saved_in_the_same_run() {
    let fixture = Fixture::slowed_down_to_edit("");
    fixture.nanobench("--save-baseline main steady").run().exits(0);
    fixture.edit("benches/work.rs", "STEPS: u64 = 40_000", "STEPS: u64 = 60_000");
    let flags = "--baseline main --baseline last --baseline last --save-baseline next --format json steady";
    let run = fixture.nanobench(flags).run();
    let report = run.exits(0).json();
    let others = report.other_runs;
    assert_eq!(
        (report.baseline.as_deref(), others.len(), others[0].baseline.as_deref()),
        (Some("main"), 1, Some("last run"))
    );
    assert!(others[0].row(STEADY).comparison.is_some_and(|steady| steady.is_side_by_side()), "{run}");
    fixture.nanobench("report next --baseline last").run().exits(0).prints("last run").row("steady");
    let run = fixture.nanobench("report next last --baseline main").run();
    assert_eq!(run.exits(0).row("compare").matches("change").count(), 2, "{run}");
    run.prints("main (").prints("last run (").row("steady");
    let run = fixture.nanobench("report next last --baseline main --format json").run();
    assert!(run.exits(0).prints(STEADY).stdout().contains("\"geomeans\": []"), "{run}");
    let run = fixture.nanobench("report next --baseline main --format markdown").run();
    run.exits(0).prints("### Benchmarks");
}

#[test]
fn without_a_last_run_nothing_is_measured() {
    let fixture = Fixture::of("tally");
    for arguments in ["--baseline last outside", "baseline show last", "baseline export last out.tar.gz"] {
        fixture.nanobench(arguments).run().fails_with(2, "there is no last run yet").says("measure first");
    }
    assert_eq!(fixture.left("outside"), 0);
}

#[test]
fn a_requested_last_run_of_another_profile_is_compared() {
    let fixture = Fixture::of("compare");
    fixture.nanobench("--profile dev steady").run().exits(0);
    let run = fixture.nanobench("--baseline last steady").run();
    run.exits(0).prints("side by side with").says("profile bench, before dev");
}

#[test]
fn the_last_run_can_be_shown_and_exported_but_not_renamed() {
    let fixture = Fixture::of("compare");
    fixture.nanobench("steady").run().exits(0);
    fixture.nanobench("baseline show last").run().exits(0).prints("last run: saved").row(STEADY);
    fixture.nanobench("baseline export last last.tar.gz").run().exits(0).prints("Exported the last run");
    fixture.nanobench("baseline import last.tar.gz").run().fails_with(5, "--name NAME");
    fixture.nanobench("baseline import last.tar.gz --name main").run().exits(0);
    fixture.nanobench("report main --baseline last").run().exits(0).row("steady");
    for (arguments, says) in [
        ("baseline remove last", "the next run replaces it"),
        ("baseline rename last next", "export last FILE"),
        ("baseline rename main last", "`last` is reserved for the last run"),
        ("baseline import last.tar.gz --name last", "`last` is reserved for the last run"),
        ("--save-baseline last", "`last` is reserved for the last run"),
        ("--save-on-pass last", "`last` is reserved for the last run"),
    ] {
        fixture.nanobench(arguments).run().fails_with(2, says);
    }
    assert!(fixture.baseline("last").is_file() && fixture.baseline("main").is_file());
    assert_eq!(fs::read_dir(fixture.stored("names")).unwrap().count(), 2);
}
