//! Baselines that are unknown, badly named, damaged, incomplete or of another format cause a clear
//! error, and no file changes.

use nanobench_tests::Fixture;
use std::fs;

/// The field of a record that holds the version of the format.
const FORMAT: &str = "format";

/// A fixture with the baseline `main`.
fn with_baseline() -> Fixture {
    let fixture = Fixture::of("compare");
    fixture.nanobench("--save-baseline main steady").run().exits(0);
    fixture
}

fn of_newer_format() -> Fixture {
    let fixture = with_baseline();
    let path = fixture.baseline("main");
    let mut document: serde_json::Value =
        serde_json::from_slice(&fixture.bytes(&path)).expect("a record is JSON");
    assert!(document[FORMAT].is_u64(), "no {FORMAT}: {document}");
    document[FORMAT] = 999.into();
    fixture.plant("main", document.to_string());
    fixture
}

/// Runs and expects exit code 5, an error with this text, and an unchanged record.
#[track_caller]
fn fails_and_leaves_the_file(fixture: &Fixture, arguments: &str, text: &str) {
    let path = fixture.baseline("main");
    let before = fixture.bytes(&path);
    fixture.nanobench(arguments).run().fails_with(5, text).says("main");
    assert!(before == fixture.bytes(&path), "{arguments} changed the file");
}

#[test]
fn an_unknown_baseline_lists_those_there_are_and_the_nearest() {
    let fixture = with_baseline();
    fixture.nanobench("--save-baseline before-simd steady").run().exits(0);
    for arguments in ["--baseline mian", "baseline show mian", "baseline remove mian"] {
        let run = fixture.nanobench(arguments).run();
        run.fails_with(2, "mian").says("before-simd").says("main");
    }
    fixture
        .nanobench("--baseline mian")
        .run()
        .says_one_of(&["did you mean `main`", "did you mean: cargo nanobench --baseline main"]);
    fixture.nanobench("--baseline Last").run().fails_with(2, "`last` is reserved for the last run");
}

#[test]
fn without_baselines_the_error_says_how_to_save_one() {
    Fixture::of("compare").nanobench("--baseline main").run().fails_with(2, "--save-baseline");
}

#[test]
fn an_unknown_baseline_is_reported_before_anything_is_measured() {
    let fixture = Fixture::of("tally");
    fixture.nanobench("--baseline main").run().fails_with(2, "main");
    assert_eq!(fixture.left("outside"), 0);
}

#[test]
fn a_name_that_is_no_folders_name_is_refused() {
    let fixture = Fixture::of("tally");
    for name in ["../x", "a/b", "", ".", "..", "/tmp/x", "a\\b", "a\nb"] {
        for flag in ["--save-baseline", "--baseline"] {
            let run = fixture.nanobench("").arg(format!("{flag}={name}")).run();
            run.fails_with(2, "name").never_says("panicked");
        }
        for command in ["show", "remove"] {
            let run = fixture.nanobench("baseline").arg(command).arg("--").arg(name).run();
            run.exits(2).says("error: ");
        }
    }
    assert!(!fixture.stored("x").exists() && !fixture.stored("names").exists());
    assert_eq!(fixture.left("outside"), 0, "it measured before it looked at the name");
}

#[test]
fn names_that_people_use_are_taken() {
    let fixture = Fixture::of("compare");
    for name in ["v1.2.3", "before-simd", "main_2"] {
        fixture.nanobench("steady --save-baseline").arg(name).run().exits(0);
        assert!(fixture.baseline(name).is_file());
    }
}

#[test]
fn a_damaged_baseline_is_an_error_that_names_the_file() {
    let fixture = with_baseline();
    let path = fixture.baseline("main");
    let whole = fixture.bytes(&path);
    for damaged in [&whole[..whole.len() / 2], b"", b"not JSON", b"{}", b"[1, 2]", b"\xff\xfe\0"] {
        fixture.write(&path, damaged);
        for arguments in ["--baseline main steady", "baseline show main"] {
            fails_and_leaves_the_file(&fixture, arguments, path.file_name().unwrap().to_str().unwrap());
        }
    }
}

#[test]
fn a_damaged_baseline_is_reported_before_anything_is_measured() {
    let fixture = Fixture::of("tally");
    fixture.plant("main", "{");
    fails_and_leaves_the_file(&fixture, "--baseline main", "main.json");
    assert_eq!(fixture.left("outside"), 0);
}

#[test]
fn a_damaged_baseline_does_not_hide_the_others() {
    let fixture = with_baseline();
    fixture.nanobench("--save-baseline other steady").run().exits(0);
    fixture.write(fixture.baseline("main"), "{");
    let run = fixture.nanobench("baseline list").run();
    assert!(run.exits(0).has_row("main") && run.has_row("other"), "{run}");
    assert!(run.row("main").contains("damaged"), "{run}");
    fixture.nanobench("--baseline other steady").run().exits(0);
}

#[test]
fn a_damaged_baseline_can_be_removed() {
    let fixture = with_baseline();
    fixture.write(fixture.baseline("main"), "{");
    fixture.nanobench("baseline remove main").run().exits(0);
    assert!(!fixture.baseline("main").exists());
}

#[test]
fn a_newer_format_is_an_error_and_never_overwritten() {
    let fixture = of_newer_format();
    fails_and_leaves_the_file(&fixture, "--baseline main steady", "cargo install");
    fails_and_leaves_the_file(&fixture, "baseline show main", "format");
    fails_and_leaves_the_file(&fixture, "--save-baseline main steady", "format");
}

#[test]
fn a_newer_format_is_reported_before_anything_is_measured() {
    let fixture = Fixture::of("tally");
    fixture.plant("main", format!("{{\"{FORMAT}\": 999}}"));
    fails_and_leaves_the_file(&fixture, "--save-baseline main", "later");
    assert_eq!(fixture.left("outside"), 0);
}

#[test]
fn fields_of_a_later_version_are_passed_over() {
    let fixture = with_baseline();
    let path = fixture.baseline("main");
    let text = fixture.text(&path);
    fixture.write(&path, text.replacen('{', "{\"of_another_time\": [1],", 1));
    fixture.nanobench("--baseline main steady").run().exits(0).prints("95 % CI");
}

#[test]
fn a_baseline_without_its_file_is_half_gone() {
    let fixture = with_baseline();
    let path = fixture.baseline("main");
    fs::remove_file(&path).unwrap();
    let run = fixture.nanobench("--baseline main steady").run();
    run.fails_with(5, path.file_name().unwrap().to_str().unwrap()).says("main");
    assert!(fixture.executables("main")[0].is_file(), "what was left of it was touched");
}

#[test]
fn a_baseline_without_its_executables_is_still_compared_with() {
    let fixture = with_baseline();
    fs::remove_dir_all(fixture.stored("blobs")).unwrap();
    let run = fixture.nanobench("--baseline main steady").run();
    run.exits(0).prints("95 % CI").says("executable");
}

#[test]
fn an_unreadable_last_run_is_a_warning_only() {
    let fixture = Fixture::of("compare");
    for (text, reason) in [("{", "is damaged"), (r#"{"format": 1}"#, "an earlier version")] {
        fixture.plant("last", text);
        fixture.nanobench("steady").run().exits(0).says("warning").says("the last run").says(reason);
        fixture.nanobench("steady").run().exits(0).prints("identical code since the last run");
    }
}

#[test]
fn an_older_format_is_an_error_until_the_baseline_is_saved_again() {
    let fixture = Fixture::of("compare");
    fixture.plant("main", format!("{{\"{FORMAT}\": 1}}"));
    for arguments in ["--baseline main steady", "baseline show main"] {
        fails_and_leaves_the_file(&fixture, arguments, "save it again");
    }
    fixture.nanobench("--save-baseline main steady").run().exits(0);
    fixture.nanobench("--baseline main steady").run().exits(0).prints("95 % CI");
}
