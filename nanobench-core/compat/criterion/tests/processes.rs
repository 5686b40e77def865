//! The suites of this folder, run as `cargo bench` and `cargo test` run them.

#![expect(clippy::unwrap_used, reason = "a failed test needs no more than a line")]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// Returns an example, which cargo has built beside this test.
fn example(name: &str) -> Command {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().and_then(|deps| deps.parent()).unwrap().join("examples");
    let path = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(path.is_file(), "a test without `--test` builds the examples");
    let mut command = Command::new(path);
    command.env_remove("RUST_BACKTRACE");
    command
}

/// Runs an example with these arguments. Returns what it prints on stdout.
fn stdout(name: &str, arguments: &[&str]) -> String {
    let output = example(name).args(arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name} {arguments:?}: {}\n{errors}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

fn with_mistake(mistake: &str) -> Output {
    example("mistakes").env("MISTAKE", mistake).output().unwrap()
}

fn ids(list: &str) -> Vec<&str> {
    list.lines().filter_map(|line| line.strip_suffix(": benchmark")).collect()
}

#[test]
fn ids_are_listed_in_source_order_as_criterion_prints_them() {
    let list = stdout("suite", &["--list"]);
    let all = ids(&list);
    assert_eq!(
        all[..6],
        [
            "first",
            "of size 1",
            "of size 8",
            "zipdot i32 default zip",
            "std::vec::Vec<u8>/with::colons",
            "results/iter",
        ]
    );
    for id in [
        "ids/sum/10",
        "ids/10 numbers",
        "ids/only a text",
        "of an input/20",
        "inputs NumBatches(3)/iter_batched",
    ] {
        assert!(all.contains(&id), "{id} in {list}");
    }
    assert!(all.contains(&"selected") && !all.contains(&"not selected"), "{list}");
    assert!(ids(&stdout("suite", &["--list", "--ignored"])).is_empty(), "no benchmark is ignored");
    assert!(stdout("suite", &["--help"]).contains("cargo nanobench"));
    assert_eq!(all.len(), all.iter().collect::<BTreeSet<_>>().len(), "{list}");
}

#[test]
fn ids_of_criterion_0_3_leave_out_what_is_repeated() {
    let list = stdout("old", &["--list"]);
    assert_eq!(
        ids(&list),
        [
            "Fibonacci/Loop",
            "Fibonacci/Closure",
            "over inputs/10",
            "over inputs/20",
            "alone",
            "several/one",
            "several/two",
            "with parameters/loop/1",
            "with parameters/loop/2",
            "with parameters/double/1",
            "with parameters/double/2",
        ]
    );
}

#[test]
fn each_benchmark_is_tested_once() {
    for name in ["suite", "old"] {
        let list = stdout(name, &["--list"]);
        let tested = stdout(name, &[]);
        let tested: Vec<&str> = tested.lines().filter_map(|line| line.strip_prefix("Testing ")).collect();
        assert_eq!(tested, ids(&list));
        assert_eq!(stdout(name, &["--test"]).matches("Success").count(), tested.len());
    }
}

#[test]
fn a_filter_selects_what_is_measured() {
    let table = stdout("suite", &["--bench", "iter_custom"]);
    for id in ["results/iter_custom", "async/iter_custom"] {
        assert!(table.contains(id), "{table}");
    }
    assert!(!table.contains("iter_batched"), "{table}");
    let table = stdout("suite", &["--bench", "--exact", "100 ns"]);
    let row = table.lines().find(|line| line.contains("100 ns")).unwrap();
    assert_eq!(row.matches("100 ns").count(), 2, "the time of the benchmark's own clock is taken: {table}");
}

#[test]
fn settings_without_effect_are_named_once() {
    let output = example("suite").args(["--bench", "--exact", "first"]).output().unwrap();
    let remarks = String::from_utf8(output.stderr).unwrap();
    for name in ["with_profiler", "profile_time", "output_directory", "save_baseline", "retain_baseline"] {
        assert_eq!(remarks.matches(&format!("`{name}` has no effect")).count(), 1, "{remarks}");
    }
    assert!(remarks.contains("cargo nanobench --save-baseline saved"), "{remarks}");
    assert!(!remarks.contains("measurement_time"), "{remarks}");
}

#[test]
fn the_time_of_a_profile_names_the_command() {
    let output =
        example("suite").args(["--bench", "--exact", "first", "--profile-time", "5"]).output().unwrap();
    let (table, remarks) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let remark = "`--profile-time` has no effect: run `cargo nanobench profile`";
    assert_eq!(
        (remarks.matches(remark).count(), table.contains("1 benchmark")),
        (1, true),
        "{table}{remarks}"
    );
}

#[test]
fn mistakes_are_panics_with_their_reason() {
    let mistakes = [
        ("the same id twice", "two benchmarks of a group have the id `group/a`"),
        ("no loop", "the benchmark has to call `iter` or another method of its `Bencher`"),
        ("no name of a group", "the name of a group must not be empty"),
        ("no name of a function", "the name of a function must not be empty"),
        ("no function of an input", "unlike `BenchmarkId::from_parameter`"),
        ("a benchmark in another one", "start it outside of the other's closure"),
        ("groups on two threads", "a group was started while another thread runs one"),
    ];
    for (mistake, message) in mistakes {
        let output = with_mistake(mistake);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(message), "{mistake}: {errors}");
    }
}

#[test]
fn ids_are_numbered_across_groups_and_throughputs() {
    for (mistake, tested) in
        [("the same id with another throughput", 2), ("the same id in a second group", 3)]
    {
        let output = with_mistake(mistake);
        assert!(output.status.success(), "{mistake}: {}", String::from_utf8_lossy(&output.stderr));
        let tests = String::from_utf8(output.stdout).unwrap();
        let ids: BTreeSet<&str> = tests.lines().filter(|line| line.starts_with("Testing ")).collect();
        assert_eq!(ids.len(), tested, "{tests}");
    }
}

#[test]
fn flags_of_criterion_are_taken_or_refused_with_advice() {
    let surface = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("surface.txt");
    let surface = fs::read_to_string(surface).unwrap();
    let flags = surface.lines().filter_map(|line| {
        let (status, flag) = line.split_once(" flag ")?;
        Some((status.split(' ').next()?, flag))
    });
    for (status, flag) in flags.filter(|(_, flag)| *flag != "--bench") {
        let output = example("suite").args(["--bench", "--exact", "first", flag]).args(value(flag)).output();
        let output = output.unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        if status == "refused" {
            assert_eq!(output.status.code(), Some(2), "{flag}: {errors}");
            assert!(errors.contains("cargo nanobench"), "{flag}: {errors}");
        } else {
            assert_eq!(output.status.code(), Some(0), "{flag}: {errors}");
        }
    }
}

/// Returns a value of a flag, if it has one.
fn value(flag: &str) -> Option<&'static str> {
    Some(match flag {
        "--baseline" | "--baseline-lenient" | "--load-baseline" | "--save-baseline" | "-b" | "-s" => "old",
        "--color" | "-c" => "never",
        "--confidence-level" | "--significance-level" | "--noise-threshold" => "0.05",
        "--format" => "terse",
        "--measurement-time" | "--warm-up-time" | "--profile-time" => "1",
        "--nresamples" => "2000",
        "--output-format" => "bencher",
        "--plotting-backend" => "plotters",
        "--sample-size" => "10",
        _ => return None,
    })
}
