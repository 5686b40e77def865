//! Baselines over time: previous versions, renaming, pruning, export and import.

use nanobench_tests::{Fixture, Outcome};
use std::fs;
use std::path::PathBuf;

const CHANGING: &str = "compare::work::changing";
const STEADY: &str = "compare::work::steady";

fn save(fixture: &Fixture, name: &str, filter: &str) {
    fixture.nanobench(&format!("--save-baseline {name} {filter}")).run().exits(0);
}

/// Returns the names that `baseline list` prints.
fn names(fixture: &Fixture) -> Vec<String> {
    let run = fixture.nanobench("baseline list").run();
    run.exits(0);
    let rows = run.lines().into_iter().skip(1);
    // An empty line precedes the total.
    rows.map_while(|line| Some(line.split_whitespace().next()?.to_owned())).collect()
}

/// Changes a stored baseline as only another machine or another time would have written it.
fn alter(fixture: &Fixture, name: &str, change: impl FnOnce(&mut serde_json::Value)) {
    let path = fixture.baseline(name);
    let mut document = serde_json::from_slice(&fixture.bytes(&path)).expect("a record is JSON");
    change(&mut document);
    fixture.write(&path, document.to_string());
}

#[track_caller]
fn verdict(run: &Outcome, id: &str) -> String {
    let row = run.exits(0).json().row(id);
    row.comparison.unwrap_or_else(|| panic!("{id} was not compared\n{run}")).verdict
}

#[test]
fn the_previous_version_of_a_baseline_is_kept() {
    let fixture = Fixture::of("compare");
    save(&fixture, "main", "");
    let run = fixture.nanobench("--save-baseline main steady").run();
    run.exits(0).prints("main~1").prints("2 benchmarks").says("lacks 1 benchmark").says("`main~1` has");
    assert_eq!(names(&fixture), ["main", "main~1"]);
    fixture.nanobench("baseline show main~1").run().exits(0).row(CHANGING);
    assert_eq!(verdict(&fixture.nanobench("--baseline main --format json changing").run(), CHANGING), "new");
    let before = fixture.nanobench("--baseline main~1 --format json changing").run();
    assert_ne!(verdict(&before, CHANGING), "new", "{before}");
    fixture.nanobench("--save-baseline main~1 steady").run().fails_with(2, "`~`");
    fixture.nanobench("--baseline main~2 steady").run().fails_with(2, "`~`");
    fixture.nanobench("baseline remove main").run().exits(0).prints("main~1");
    assert_eq!(names(&fixture), ["main~1"]);
    fixture.nanobench("baseline rename main~1 main").run().exits(0);
    assert_eq!(names(&fixture), ["main"]);
    fixture.nanobench("baseline show main").run().exits(0).row(CHANGING);
}

#[test]
fn a_baseline_gets_another_name_and_never_one_that_is_taken() {
    let fixture = Fixture::of("compare");
    save(&fixture, "main", "steady");
    save(&fixture, "main", "steady");
    save(&fixture, "other", "steady");
    fixture.nanobench("baseline rename main other").run().fails_with(2, "`other` already");
    fixture.nanobench("baseline rename mian next").run().fails_with(2, "did you mean `main`");
    fixture.nanobench("baseline rename main a/b").run().fails_with(2, "a/b");
    fixture.nanobench("baseline rename main next").run().exits(0).prints("`next~1`");
    assert_eq!(names(&fixture), ["next", "next~1", "other"]);
    fixture.nanobench("--baseline next steady").run().exits(0).prints("95 % CI");
}

#[test]
fn prune_removes_old_baselines_and_dry_run_lists_them() {
    let fixture = Fixture::of("compare");
    for name in ["old", "middle", "new"] {
        save(&fixture, name, "steady");
    }
    alter(&fixture, "old", |document| document["created"] = "2020-01-01T00:00:00Z".into());
    alter(&fixture, "middle", |document| document["created"] = "2021-01-01T00:00:00Z".into());
    fixture.nanobench("baseline prune").run().fails_with(2, "<--keep <N>|--older-than <AGE>|--revisions>");
    fixture.nanobench("baseline prune --older-than soon").run().exits(2);
    let run = fixture.nanobench("baseline prune --keep 1 --dry-run").run();
    run.exits(0).prints("Would remove baseline `old`").prints("`middle`").never_says("`new`");
    assert_eq!(names(&fixture).len(), 3, "{run}");
    fixture
        .nanobench("baseline prune --keep 2 --older-than 30d")
        .run()
        .exits(0)
        .prints("Removed baseline `old`");
    assert_eq!(names(&fixture), ["middle", "new"]);
    fixture.nanobench("baseline prune --older-than 30d").run().exits(0).prints("`middle`");
    fixture.nanobench("baseline prune --older-than 30d").run().exits(0).prints("nothing to remove");
    assert_eq!(names(&fixture), ["new"]);
}

#[test]
fn a_list_says_date_commit_machine_and_compiler() {
    let fixture = Fixture::of("compare");
    save(&fixture, "main", "steady");
    alter(&fixture, "main", |document| {
        document["created"] = "2024-02-03T12:00:00Z".into();
        document["environment"]["cpu"] = "A CPU".into();
        document["environment"]["rustc"] = serde_json::json!({"version": "rustc 1.99.0 (0 2030-01-01)"});
        document["environment"]["commit"] =
            serde_json::json!({"hash": "0123456789abcdef", "branch": null, "dirty": false});
    });
    let row = fixture.nanobench("baseline list").run().row("main");
    for part in ["2024-02-03", "0123456", "A CPU", "1.99.0", " 1 ", "iB"] {
        assert!(row.contains(part), "no {part:?} in {row:?}");
    }
}

#[test]
fn a_folder_in_place_of_a_name_is_listed_as_an_error() {
    let fixture = Fixture::of("compare");
    save(&fixture, "main", "steady");
    fs::create_dir(fixture.stored("names/stray.json")).unwrap();
    let run = fixture.nanobench("baseline list").run();
    assert!(run.exits(0).row("stray").contains("it is not a regular file"), "{run}");
    fixture.nanobench("--baseline stray steady").run().fails_with(5, "it is not a regular file");
    fixture.nanobench("--save-baseline stray steady").run().fails_with(5, "it is not a regular file");
    fixture.nanobench("--baseline main steady").run().exits(0);
    assert!(fixture.stored("names/stray.json").is_dir());
}

#[test]
fn an_exported_baseline_is_compared_with_where_it_is_imported() {
    let (fixture, other) = (Fixture::of("compare"), Fixture::of("compare"));
    save(&fixture, "main", "");
    let file = fixture.files().join("main.tar.gz");
    let export = |name: &str| fixture.nanobench("baseline export").arg(name).arg(&file).run();
    export("main").exits(0).prints("1 executable");
    export("main").exits(0);
    export("mian").fails_with(2, "did you mean `main`");
    let import = |arguments: &str| other.nanobench("baseline import").arg(&file).args(arguments).run();
    import("").exits(0).prints("`main`").prints("It holds 1 executable").prints("--use-executables");
    save(&other, "ci", "steady");
    import("--name ci").exits(0).prints("ci~1");
    import("--name ci").exits(0).never_says("ci~1");
    assert_eq!(names(&other), ["ci", "ci~1", "main"]);
    other.nanobench("baseline show ci~1").run().exits(0).prints("1 benchmark.");
    let run = other.nanobench("--baseline main --format json").run();
    assert_ne!(verdict(&run, STEADY), "new", "{run}");
    let results = |fixture: &Fixture| {
        let bytes = fixture.bytes(fixture.baseline("main"));
        let document: serde_json::Value = serde_json::from_slice(&bytes).expect("a record is JSON");
        document["benchmarks"].clone()
    };
    assert!(results(&fixture) == results(&other), "it is not what was exported");
}

/// Puts a program before the executable of a baseline, which leaves a note if it runs.
#[cfg(unix)]
fn plant_program(fixture: &Fixture, name: &str) {
    let mut program = b"#!/bin/sh\necho ran >> \"$E2E_FILES/stranger\"\nexit 1\n".to_vec();
    let executable = fixture.executables(name).remove(0);
    program.extend(fixture.bytes(&executable));
    let hash = format!("{:032x}", xxhash_rust::xxh3::xxh3_128(&program));
    alter(fixture, name, |document| {
        let executable = &mut document["executables"][0];
        executable["size"] = program.len().into();
        executable["hash"] = format!("xxh3:{hash}").into();
        // Not those of the program, which names a variable.
        executable["inputs"] = serde_json::Value::Null;
    });
    let pointer = fixture.stored("names").join(format!("{name}.json"));
    let mut names: serde_json::Value = serde_json::from_slice(&fixture.bytes(&pointer)).expect("JSON");
    names["run"]["blobs"] = vec![format!("blobs/{hash}")].into();
    fixture.write(pointer, names.to_string());
    let place = fixture.stored("blobs").join(hash);
    fs::copy(executable, &place).expect("a file that may run");
    fixture.write(place, program);
}

#[cfg(unix)]
#[test]
fn a_strangers_program_runs_only_with_the_flag() {
    let fixture = Fixture::of("compare");
    let file = fixture.files().join("theirs.tar.gz");
    let import = |arguments: &str| {
        let run = fixture.nanobench("baseline import --name theirs").args(arguments).arg(&file).run();
        run.exits(0);
        run
    };
    save(&fixture, "main", "steady");
    let own = fixture.bytes(fixture.baseline("main"));
    let own: serde_json::Value = serde_json::from_slice(&own).expect("a record is JSON");
    plant_program(&fixture, "main");
    let with_data_files = |mut environment: serde_json::Value| {
        environment["data_files"] = own["environment"]["data_files"].clone();
        environment
    };
    // Of this machine, of an unknown one, and of one that says it was saved here.
    for (environment, origin) in [
        (own["environment"].clone(), "run"),
        (with_data_files(serde_json::json!({})), "run"),
        (with_data_files(serde_json::json!({"cpu": own["environment"]["cpu"]})), "trusted_import"),
    ] {
        alter(&fixture, "main", |document| {
            document["environment"] = environment.clone();
            document["origin"] = origin.into();
        });
        fixture.nanobench("baseline export main").arg(&file).run().exits(0);
        import("").prints("It holds 1 executable").prints("runs as you").prints("--use-executables");
        assert!(fixture.nanobench("baseline list").run().row("theirs").contains("imported"));
        fixture.nanobench("baseline show theirs").run().exits(0).prints("don't run here");
        for arguments in ["", "--ignore-environment"] {
            let run = fixture.nanobench("--baseline theirs steady").args(arguments).run();
            assert_eq!(fixture.left("stranger"), 0, "a stranger's program ran\n{run}");
            if environment == own["environment"] {
                run.exits(0).says("theirs was imported").says("--use-executables");
            } else if arguments.is_empty() {
                run.fails_with(5, "theirs");
            }
        }
        fixture.nanobench("baseline remove theirs").run().exits(0);
    }
    import("--use-executables").prints("Comparisons will run its 1 executable, as you");
    assert!(fixture.nanobench("baseline list").run().row("theirs").contains("may run"));
    let run = fixture.nanobench("--baseline theirs steady").run();
    assert!(fixture.left("stranger") > 0, "it doesn't run with the flag\n{run}");
}

#[test]
fn a_baseline_of_another_machine_is_compared_by_its_figures() {
    let fixture = Fixture::of("compare");
    save(&fixture, "main", "");
    alter(&fixture, "main", |document| document["environment"]["os"] = "Another System".into());
    let file = fixture.files().join("main.tar.gz");
    fixture.nanobench("baseline export main").arg(&file).run().exits(0);
    let import = fixture.nanobench("baseline import --name ci").arg(&file).run();
    import.exits(0).prints("another machine").prints("--use-executables");
    let run = fixture.nanobench("--baseline ci steady").run();
    run.exits(0).prints("95 % CI").says("ci is from another machine");
    fixture.nanobench("baseline show ci").run().exits(0).prints("from another machine");
    fixture.nanobench("baseline import --use-executables --name ci").arg(&file).run().exits(0);
    fixture.nanobench("--baseline ci steady").run().exits(0).never_says("another machine");
}

#[test]
fn a_file_that_can_not_be_imported_changes_nothing() {
    let fixture = Fixture::of("compare");
    save(&fixture, "main", "");
    let before = fixture.bytes(fixture.baseline("main"));
    let file = fixture.files().join("main.tar.gz");
    fixture.nanobench("baseline export main").arg(&file).run().exits(0);
    let whole = fs::read(&file).unwrap();
    for bytes in [&whole[..whole.len() / 2], b"no archive", b""] {
        fs::write(&file, bytes).unwrap();
        fixture.nanobench("baseline import").arg(&file).run().fails_with(5, "main.tar.gz");
    }
    fixture.nanobench("baseline export main Cargo.toml").run().fails_with(2, "Cargo.toml");
    assert!(fixture.text("Cargo.toml").contains("[package]"));
    fixture.nanobench("baseline import nowhere.tar.gz").run().fails_with(5, "nowhere.tar.gz");
    assert_eq!(names(&fixture), ["main"]);
    assert!(before == fixture.bytes(fixture.baseline("main")));
}

#[test]
fn saved_runs_are_compared_without_running() {
    let fixture = Fixture::of("tally");
    save(&fixture, "before", "outside");
    save(&fixture, "after", "outside --skip may_panic");
    let calls = fixture.left("outside");
    let run = fixture.nanobench("report after --baseline before").run();
    run.exits(0).prints("Nothing was run. Stored figures show only").prints("95 % CI").row("outside");
    assert!(run.row("removed").ends_with("tally::outside::may_panic"), "{run}");
    let run = fixture.nanobench("report before --baseline after --format json").run();
    let report = run.exits(0).json();
    assert_eq!(report.baseline.as_deref(), Some("after"));
    assert_eq!(report.ids(), ["tally::outside::outside", "tally::outside::may_panic"]);
    assert_eq!(verdict(&run, "tally::outside::may_panic"), "new");
    assert_eq!(verdict(&run, "tally::outside::outside"), "same", "both are the same executable\n{run}");
    // The last run was the second one, which keeps results of the first one.
    let run = fixture.nanobench("report --baseline before").run();
    run.exits(0).prints("last run").never_says("removed");
    assert_eq!(fixture.left("outside"), calls, "something ran");
}

#[test]
fn saved_figures_per_another_unit_or_batch_are_not_compared() {
    let fixture = Fixture::to_edit("compare");
    fixture.edit("benches/work.rs", "#[nanobench]\nfn steady", "#[nanobench(batch = 10)]\nfn steady");
    save(&fixture, "before", "steady");
    fixture.edit("benches/work.rs", "batch = 10", "batch = 100");
    save(&fixture, "after", "steady");
    let run = fixture.nanobench("report after --baseline before --format json").run();
    assert_eq!(verdict(&run, STEADY), "new", "{run}");
}

#[test]
fn comparing_needs_two_saved_runs() {
    let fixture = Fixture::of("compare");
    fixture.nanobench("report --baseline main").run().fails_with(2, "main");
    save(&fixture, "main", "steady");
    fs::remove_file(fixture.stored("names/last.json")).unwrap();
    fixture.nanobench("report --baseline main").run().fails_with(4, "last run");
    fixture.nanobench("report nothing --baseline main").run().fails_with(2, "nothing");
}

#[test]
fn several_baselines_have_a_table_each() {
    let fixture = Fixture::of("compare");
    save(&fixture, "one", "");
    save(&fixture, "two", "steady");
    let run = fixture.nanobench("--baseline one --baseline two").run();
    run.exits(0).prints("compared with one (").prints("side by side with two (");
    assert_eq!(run.lines().iter().filter(|line| line.trim_start().starts_with("steady")).count(), 2, "{run}");
    let run = fixture.nanobench("--baseline one --baseline two --baseline one --format json").run();
    let report = run.exits(0).json();
    let others = report.other_runs;
    assert_eq!(
        (report.baseline.as_deref(), others.len(), others[0].baseline.as_deref()),
        (Some("one"), 1, Some("two"))
    );
    let verdict = |id| others[0].row(id).comparison.unwrap().verdict;
    assert_eq!(verdict(CHANGING), "new");
    assert_ne!(verdict(STEADY), "new");
    fixture.nanobench("--baseline one --baseline none").run().fails_with(2, "none");
}

#[test]
fn a_filter_does_not_make_the_others_new() {
    let fixture = Fixture::of("compare");
    fixture.nanobench("").run().exits(0);
    fixture.slow_down();
    let run = fixture.nanobench("steady").run();
    run.exits(0).prints("since the last run").never_says("changing");
    // The benchmark of the first run still has its executable, and is compared with it side by
    // side.
    let run = fixture.nanobench("--budget 60s").run();
    run.exits(0).prints("1 with figures of earlier runs").never_says("gone or changed");
    assert!(run.row("changing").contains("slower"), "{run}");
    let files = fs::read_dir(fixture.stored("blobs")).unwrap();
    let (link_inputs, executables): (Vec<PathBuf>, Vec<PathBuf>) = files
        .map(|file| file.unwrap().path())
        .partition(|path| path.extension().is_some_and(|end| end == "link"));
    assert_eq!(executables.len(), 2, "those of the last run and of the previous one");
    assert!(link_inputs.len() <= 2, "link inputs of an executable that is gone: {link_inputs:?}");
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        let kept = fs::read(link_inputs.first().expect("link inputs are stored")).unwrap();
        let header = kept.split(|byte| *byte == b'\n').next().unwrap();
        let header: serde_json::Value = serde_json::from_slice(header).unwrap();
        let constants = header["data"]["constants"].as_array().unwrap();
        assert!(constants.len() > 100, "from the map that lld writes, since Rust 1.90: {constants:?}");
    }
}

#[test]
fn rows_that_flags_put_in_the_place_of_others_do_not_make_those_new() {
    let fixture = Fixture::of("compare");
    fixture.nanobench("steady").run().exits(0);
    let run = fixture.nanobench("--threads 2 steady").run();
    run.exits(0).never_says("removed");
    let run = fixture.nanobench("--format json steady").run();
    assert_ne!(verdict(&run, STEADY), "new", "{run}");
}

#[test]
fn deleted_benchmarks_are_not_kept_forever() {
    let fixture = Fixture::to_edit("compare");
    fixture.nanobench("").run().exits(0);
    fixture.edit("benches/work.rs", "fn changing()", "fn renamed()");
    fixture.edit("benches/work.rs", "STEPS: u64 = 2_000", "STEPS: u64 = 2_002");
    assert!(fixture.nanobench("").run().exits(0).row("removed").ends_with(CHANGING));
    fixture.nanobench("").run().exits(0).never_says("removed");
    let renamed = fixture.path("benches/work.rs");
    fs::rename(&renamed, renamed.with_file_name("moved.rs")).expect("the folder is there");
    fixture.nanobench("").run().exits(0);
    let last = fixture.nanobench("baseline show last").run();
    last.exits(0).says("moved").never_says("figures of earlier runs");
}

#[test]
fn a_benchmark_that_fails_once_is_compared_again_when_it_does_not() {
    let fixture = Fixture::of("tally");
    fixture.nanobench("").run().exits(0);
    fixture.nanobench("").env("E2E_PANIC", "1").run().exits(1);
    let run = fixture.nanobench("--format json").run();
    assert_ne!(verdict(&run, "tally::outside::may_panic"), "new", "{run}");
}

#[test]
fn saved_runs_print_the_json_document_of_a_run() {
    let fixture = Fixture::of("compare");
    let told = fixture.nanobench("--save-baseline main --format json").run();
    fixture.plant("broken", "{");
    let list = fixture.nanobench("baseline list --format json").run();
    let list: serde_json::Value = serde_json::from_str(&list.exits(0).stdout()).expect("it is JSON");
    let entry = |name: &str| {
        let all = list["baselines"].as_array().expect("it is a list");
        all.iter()
            .find(|entry| entry["name"] == name)
            .unwrap_or_else(|| panic!("{name} is not in {list}"))
            .clone()
    };
    assert_eq!(
        (&entry("main")["benchmarks"], &entry("main")["error"]),
        (&2.into(), &serde_json::Value::Null)
    );
    assert!(entry("broken")["error"].is_string() && entry("broken")["benchmarks"].is_null(), "{list}");

    let shown = fixture.nanobench("baseline show main --format json").run();
    let (then, now) = (told.exits(0).json(), shown.exits(0).json());
    assert_eq!(then.ids(), now.ids());
    for id in then.ids() {
        assert_eq!(then.row(id).median().to_bits(), now.row(id).median().to_bits(), "{shown}");
        assert!(now.row(id).comparison.is_none(), "{shown}");
    }
}
