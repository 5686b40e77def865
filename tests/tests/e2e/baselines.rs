//! Baselines: saving, comparing, listing, showing, removing.

use nanobench_tests::{Comparison, Fixture, Report};
use std::process::Command;

const CHANGING: &str = "compare::work::changing";
const STEADY: &str = "compare::work::steady";
const VERDICTS: [&str; 4] = ["faster", "slower", "same", "unsure"];

#[track_caller]
fn compared(report: &Report, id: &str) -> Comparison {
    report.row(id).comparison.unwrap_or_else(|| panic!("{id} was not compared"))
}

#[test]
fn a_saved_baseline_holds_its_samples_its_surroundings_and_its_executables() {
    let fixture = Fixture::of("compare");
    let run = fixture.nanobench("--save-baseline main").run();
    run.exits(0).says("main").row("steady");
    let text = fixture.text(fixture.baseline("main"));
    let rustc = Command::new("rustc").arg("-V").output().unwrap();
    let rustc = String::from_utf8(rustc.stdout).unwrap();
    let version = rustc.split_whitespace().nth(1).unwrap();
    for part in ["changing", "steady", version, std::env::consts::OS, "bench", "iterations"] {
        assert!(text.contains(part), "the baseline does not hold {part:?}: {text}");
    }
    let executables = fixture.executables("main");
    assert!(!executables.is_empty() && executables.iter().all(|path| path.is_file()), "{executables:?}");
}

#[test]
fn a_saved_baseline_knows_its_commit() {
    let fixture = Fixture::of("compare");
    let git = |arguments: &str| {
        let name = ["-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false"];
        let mut command = Command::new("git");
        command.args(name).args(arguments.split_whitespace()).current_dir(fixture.path(""));
        let output = command.output().expect("git runs");
        assert!(output.status.success(), "git {arguments}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    git("init --quiet");
    // Build output isn't added: SIGBUS ends git if a file shrinks while it reads it.
    git("add Cargo.toml benches src");
    git("commit --quiet --message first");
    let commit = git("rev-parse HEAD");
    fixture.nanobench("--save-baseline main steady").run().exits(0);
    let text = fixture.text(fixture.baseline("main"));
    assert!(text.contains(&commit[..7]), "the baseline does not hold {commit}: {text}");
    fixture.nanobench("baseline show main").run().exits(0).prints(&commit[..7]);
}

#[test]
fn twenty_times_the_work_is_slower_and_relative_says_about_5_percent() {
    let fixture = Fixture::of("compare");
    fixture.nanobench("--save-baseline main").run().exits(0);
    fixture.slow_down();
    let run = fixture.nanobench("--baseline main --format json").run();
    let changing = compared(&run.exits(0).json(), CHANGING);
    assert_eq!(changing.verdict, "slower", "{run}");
    assert!(
        (1.0..25.0).contains(&changing.relative.unwrap()),
        "relative is {} %\n{run}",
        changing.relative.unwrap()
    );
    let (low, high) = changing.interval.unwrap();
    assert!(0.0 < low && low <= changing.change.unwrap() && changing.change.unwrap() <= high, "{run}");
    let product = changing.relative.unwrap() * (100.0 + changing.change.unwrap());
    assert!((9_900.0..10_100.0).contains(&product), "relative and change contradict each other\n{run}");
}

#[test]
fn a_twentieth_of_the_work_is_faster() {
    let fixture = Fixture::of("compare");
    fixture.slow_down();
    fixture.nanobench("--save-baseline main").run().exits(0);
    fixture.speed_up();
    let run = fixture.nanobench("--baseline main --format json changing").run();
    let changing = compared(&run.exits(0).json(), CHANGING);
    assert_eq!(changing.verdict, "faster", "{run}");
    assert!(changing.relative.unwrap() > 400.0 && changing.change.unwrap() < 0.0, "{run}");
}

#[test]
fn the_table_says_times_change_and_verdict() {
    let fixture = Fixture::of("compare");
    fixture.nanobench("--save-baseline main").run().exits(0);
    fixture.slow_down();
    let run = fixture.nanobench("--baseline main").run();
    run.exits(0).prints("main").prints("95 % CI").prints("change");
    let row = run.row("changing");
    assert!(row.contains("slower") && row.contains('%') && row.contains('+'), "{row:?}\n{run}");
    assert!(VERDICTS.iter().any(|verdict| run.row("steady").contains(verdict)), "{run}");
    run.prints("1 slower");
}

#[test]
fn without_flags_a_run_is_compared_with_the_last_one() {
    let fixture = Fixture::of("compare");
    let run = fixture.nanobench("--format json steady").run();
    assert!(run.exits(0).json().row(STEADY).comparison.is_none(), "{run}");
    assert!(fixture.baseline("last").is_file());
    let run = fixture.nanobench("--format json steady").run();
    let steady = compared(&run.exits(0).json(), STEADY);
    assert!(VERDICTS.contains(&steady.verdict.as_str()), "{run}");
    fixture.nanobench("steady").run().exits(0).prints("identical code since the last run");
}

#[test]
fn comparing_leaves_the_baseline_as_it_was() {
    let fixture = Fixture::of("compare");
    fixture.nanobench("--save-baseline main steady").run().exits(0);
    let before = fixture.bytes(fixture.baseline("main"));
    fixture.nanobench("--baseline main").run().exits(0);
    assert!(before == fixture.bytes(fixture.baseline("main")));
}

#[test]
fn both_flags_compare_and_then_save() {
    let fixture = Fixture::of("compare");
    fixture.nanobench("--save-baseline main steady").run().exits(0);
    let run = fixture.nanobench("--baseline main --save-baseline next --format json steady").run();
    compared(&run.exits(0).json(), STEADY);
    assert!(fixture.baseline("next").is_file());
    fixture.nanobench("--baseline next steady").run().exits(0).prints("95 % CI");
}

#[test]
fn a_baseline_can_be_compared_with_and_replaced_at_once() {
    let fixture = Fixture::of("compare");
    fixture.nanobench("--save-baseline main changing").run().exits(0);
    fixture.slow_down();
    let both = "--baseline main --save-baseline main --format json changing";
    let run = fixture.nanobench(both).run();
    assert_eq!(compared(&run.exits(0).json(), CHANGING).verdict, "slower", "{run}");
    let run = fixture.nanobench(both).run();
    let now = compared(&run.exits(0).json(), CHANGING);
    assert_eq!((now.verdict.as_str(), now.change), ("same", None), "the baseline was not replaced\n{run}");
}

#[test]
fn benchmarks_missing_from_the_baseline_are_new() {
    let fixture = Fixture::of("compare");
    fixture.nanobench("--save-baseline main steady").run().exits(0);
    let run = fixture.nanobench("--baseline main").run();
    assert!(run.exits(0).row("changing").contains("new"), "{run}");
    let run = fixture.nanobench("--baseline main --format json").run();
    assert_eq!(compared(&run.exits(0).json(), CHANGING).verdict, "new", "{run}");
}

#[test]
fn removed_benchmarks_are_missing() {
    let fixture = Fixture::to_edit("compare");
    fixture.nanobench("--save-baseline main").run().exits(0);
    fixture.edit("benches/work.rs", "fn changing()", "fn renamed()");
    fixture.edit("benches/work.rs", "STEPS: u64 = 2_000", "STEPS: u64 = 2_002");
    let run = fixture.nanobench("--baseline main changing renamed").run();
    assert!(run.exits(0).row("renamed").contains("new"), "{run}");
    assert!(run.row("removed").ends_with(CHANGING), "{run}");
    run.never_says("no benchmark matches");
}

#[test]
fn filtered_benchmarks_are_not_missing() {
    let fixture = Fixture::of("compare");
    fixture.nanobench("--save-baseline main").run().exits(0);
    let run = fixture.nanobench("--baseline main steady").run();
    assert!(run.exits(0).has_row("steady") && !run.has_row("changing"), "{run}");
    run.never_says("removed");
}

#[test]
fn list_names_each_baseline_and_says_how_to_make_the_first() {
    let fixture = Fixture::of("compare");
    fixture.nanobench("baseline list").run().exits(0).says("--save-baseline");
    fixture.nanobench("--save-baseline main steady").run().exits(0);
    fixture.nanobench("--save-baseline before-simd steady").run().exits(0);
    let run = fixture.nanobench("baseline list").run();
    assert!(run.exits(0).has_row("main") && run.has_row("before-simd"), "{run}");
}

#[test]
fn show_prints_the_table_of_a_baseline_and_where_it_was_made() {
    let fixture = Fixture::of("compare");
    fixture.nanobench("--save-baseline main").run().exits(0);
    let run = fixture.nanobench("baseline show main").run();
    run.exits(0).prints("rustc");
    for id in [CHANGING, STEADY] {
        assert!(run.row(id).contains(" us "), "{run}");
    }
}

#[test]
fn remove_takes_one_baseline_away_and_leaves_the_others() {
    let fixture = Fixture::of("compare");
    fixture.nanobench("--save-baseline main steady").run().exits(0);
    fixture.nanobench("--save-baseline other steady").run().exits(0);
    fixture.nanobench("baseline remove main").run().exits(0).says("main");
    assert!(!fixture.baseline("main").exists());
    assert!(fixture.baseline("other").is_file());
}

#[test]
fn baselines_are_found_from_a_members_folder() {
    let fixture = Fixture::of("workspace");
    fixture.nanobench("--save-baseline main -p left").run().exits(0);
    assert!(fixture.nanobench("baseline list").within("right").run().exits(0).has_row("main"));
    let run = fixture.nanobench("--baseline main").within("left").run();
    run.exits(0).prints("95 % CI");
}
