//! The context of results, and defaults from the configuration file.

use super::{assert_same, measured};
use nanobench_tests::Fixture;

const CONFIG: &str = ".config/nanobench.toml";
const HUNDRED: &str = "suite::suite::hundred";
const FAST: &str = "suite::suite::inner::fast";

#[test]
fn a_runs_context_is_kept_with_it() {
    let fixture = Fixture::of("suite");
    let run = fixture
        .nanobench("hundred --max-time 2ms --format json --context machine=laptop")
        .arg("--context")
        .arg("note=two words")
        .run();
    let report = run.exits(0).json();
    assert_eq!(report.context("machine"), Some("laptop"));
    assert_eq!(report.context("note"), Some("two words"));
    Fixture::of("suite").nanobench("--context machine").run().exits(2);
}

#[test]
fn control_characters_are_escaped_in_the_table_only() {
    let note = "a\u{7f}b\u{9b}1mc\u{1b}[31md";
    let fixture = Fixture::of("suite");
    let command = || fixture.nanobench("hundred --max-time 2ms -v --context").arg(format!("note={note}"));
    let run = command().arg("--format").arg("json").run();
    assert_eq!(run.exits(0).json().context("note"), Some(note));
    assert!(run.stdout().chars().all(|letter| !letter.is_control() || letter == '\n'), "{run}");
    let table = command().run();
    table.exits(0).prints("a\\u{7f}b\\u{9b}1mc\\u{1b}[31md");
}

#[test]
fn context_is_kept_in_the_baseline() {
    let fixture = Fixture::of("suite");
    fixture.nanobench("fast --max-time 2ms --context machine=laptop --save-baseline kept").run().exits(0);
    let text = String::from_utf8(std::fs::read(fixture.baseline("kept")).unwrap()).unwrap();
    assert!(text.contains("laptop") && text.contains("inside"), "{text}");
}

/// Returns the numbers of samples of two benchmarks, the second of which has a group with
/// `samples = 12`.
fn samples(config: &str, flags: &str) -> (u64, u64) {
    let fixture = Fixture::of("suite");
    fixture.write(CONFIG, config);
    let report =
        fixture.nanobench(&format!("hundred inner::fast --format json {flags}")).run().exits(0).json();
    (report.row(HUNDRED).samples(), report.row(FAST).samples())
}

#[test]
fn the_file_gives_way_to_attributes_and_these_to_flags() {
    assert_eq!(samples("samples = 17\n", ""), (17, 12));
    assert_eq!(samples("samples = 17\n", "--samples 19"), (19, 19));
    // The options for the number of samples are alternatives.
    assert!(samples("samples = 3\n", "--max-time 2ms").0 >= 10, "the flag over the file");
    assert_eq!(samples("precision = 2.0\nbudget = \"1ms\"\n", "").1, 12, "the attribute over the file");
}

/// Returns the ids that a fixture lists with this configuration.
fn listed(fixture: &str, config: &str, arguments: &str) -> Vec<String> {
    let fixture = Fixture::of(fixture);
    fixture.write(CONFIG, config);
    fixture.nanobench(&format!("--list {arguments}")).run().exits(0).lines()
}

#[test]
fn the_files_caches_and_threads_are_defaults() {
    let both = "cache = \"both\"\nwipe-size = [\"32K\", 65536]\n";
    let of = |rows: &[&str]| rows.iter().map(|row| format!("caches::caches::{row}")).collect::<Vec<_>>();
    let plain = ["plain_walk", "plain_walk/cold 32 KiB", "plain_walk/cold 64 KiB"];
    assert_eq!(listed("caches", both, "plain"), of(&plain));
    let cold = ["cold_walk/cold 32 KiB", "cold_walk/cold 64 KiB"];
    assert_eq!(listed("caches", both, "cold_walk"), of(&cold), "it says which caches, not which size");
    assert_eq!(listed("caches", "cache = \"warm\"\n", "::walk"), of(&["walk", "walk/cold"]));
    assert_eq!(listed("caches", both, "--cache warm plain"), of(&["plain_walk"]));

    let threads = "threads = [2, 5]\n";
    let word = |numbers: &[u64]| -> Vec<String> {
        numbers.iter().map(|number| format!("suite::suite::hundred/threads={number}")).collect()
    };
    assert_eq!(listed("suite", threads, "hundred"), word(&[2, 5]));
    assert_eq!(listed("suite", threads, "hundred --threads 3"), word(&[3]));
    assert_eq!(listed("threads", threads, "meet"), ["threads::threads::meet/threads=3"]);
}

#[test]
fn the_workspaces_file_applies_in_all_folders() {
    let fixture = Fixture::of("workspace");
    fixture.write(CONFIG, "samples = 17\n");
    let run = fixture.nanobench("--format json left").within("left").run();
    let report = run.exits(0).json();
    for id in report.ids() {
        assert_eq!(report.row(id).samples(), 17, "{id}");
    }
}

#[test]
fn errors_in_the_file_show_the_place_and_the_nearest_key() {
    let fixture = Fixture::of("suite");
    for (config, says) in [
        ("sampels = 17\n", "samples"),
        ("\n\nsamples = 0\n", "samples"),
        ("samples = \"many\"\n", "samples"),
        ("samples = \n", "nanobench.toml"),
    ] {
        fixture.write(CONFIG, config);
        let run = fixture.nanobench("hundred").run();
        run.fails_with(2, says).says("nanobench.toml");
    }
    fixture.write(CONFIG, "\n\nsampels = 17\n");
    fixture.nanobench("hundred").run().fails_with(2, "3").says("sampels");
}

#[test]
fn the_attributes_facts_reach_the_table_on_request() {
    let run = Fixture::of("suite").nanobench("inner::of_its_own --max-time 2ms -v").run();
    run.exits(0).says("kind").says("own");
    let report = measured("suite", "inner::of_its_own --max-time 2ms");
    assert_same(report.row("suite::suite::inner::of_its_own").batch, 5.0);
}
