//! A suite for criterion, of which only the line in Cargo.toml was changed.

use nanobench_tests::{Fixture, Outcome};

const GROUPS: [&str; 6] = [
    "criterion-suite::groups::sums/of numbers/10",
    "criterion-suite::groups::sums/of numbers/20",
    "criterion-suite::groups::sums/std::vec::Vec<u64>/a b",
    "criterion-suite::groups::first",
    "criterion-suite::groups::second",
    "criterion-suite::groups::first/#2",
];
const BY_HAND: [&str; 3] = [
    "criterion-suite::by_hand::left",
    "criterion-suite::by_hand::hand/panics",
    "criterion-suite::by_hand::hand/after",
];

#[test]
fn a_listing_calls_no_closure() {
    let fixture = Fixture::of("criterion");
    let list = fixture.nanobench("--list").run();
    list.exits(0).lists(&[&BY_HAND[..], &GROUPS].concat());
    assert_eq!((fixture.left("passes"), fixture.left("closures")), (1, 0), "{list}");
}

/// A `main` that takes a while, and whose rows are the lines of a data file and of one elsewhere.
const NAMED_BY_FILES: &str = r#"
use criterion::Criterion;
use std::fs::{self, File};
use std::io::Write;

fn main() {
    let folder = std::env::var("E2E_FILES").unwrap();
    let passes = File::options().create(true).append(true).open(format!("{folder}/passes"));
    writeln!(passes.unwrap(), "main").unwrap();
    let mut c = Criterion::default().configure_from_args();
    std::thread::sleep(std::time::Duration::from_millis(120));
    for file in ["rows.txt".to_owned(), format!("{folder}/elsewhere")] {
        for row in fs::read_to_string(file).unwrap().lines() {
            c.bench_function(row, |b| b.iter(|| criterion_suite::sum(&[1, 2, 3])));
        }
    }
}
"#;

#[test]
fn a_listing_that_took_long_is_kept_until_something_changes() {
    let fixture = Fixture::to_edit("criterion");
    fixture.write("benches/by_hand.rs", NAMED_BY_FILES);
    fixture.write("rows.txt", "left\n");
    let elsewhere = fixture.files().join("elsewhere");
    std::fs::write(&elsewhere, "there\n").unwrap();
    let measured = |names: &[&str], passes: usize| {
        let before = fixture.left("passes");
        let run = fixture.nanobench("--bench by_hand --format json").run();
        let report = run.exits(0).json();
        let ids: Vec<String> = names.iter().map(|name| format!("criterion-suite::by_hand::{name}")).collect();
        assert_eq!(report.ids(), ids, "{run}");
        assert_eq!(fixture.left("passes") - before, passes, "{run}");
    };
    measured(&["left", "there"], 2);
    measured(&["left", "there"], 1);
    fixture.write("rows.txt", "left\nright\n");
    measured(&["left", "right", "there"], 2);
    measured(&["left", "right", "there"], 1);
    // Nobody looks at this file.
    std::fs::write(&elsewhere, "before\nthere\nafter\n").unwrap();
    let run = fixture.nanobench("--bench by_hand --bench groups sums").run();
    for name in ["before", "after"] {
        run.says(&format!(
            "criterion-suite::by_hand::{name} is not in the kept list of its suite: run again"
        ));
    }
    measured(&["left", "right", "before", "there", "after"], 2);
    std::fs::write(&elsewhere, "here\n").unwrap();
    let run = fixture.nanobench("--bench by_hand").run();
    run.exits(1).prints("the program ended, or panicked, before it passed a benchmark of this id");
    measured(&["left", "right", "here"], 2);
    std::fs::write(&elsewhere, "elsewhere\n").unwrap();
    fixture.nanobench("--bench by_hand --list").run().exits(0).prints("by_hand::elsewhere");
    measured(&["left", "right", "elsewhere"], 2);
    std::fs::write(&elsewhere, "last\n").unwrap();
    fixture.nanobench("--bench by_hand last").run().exits(4);
    fixture.nanobench("--bench by_hand last").run().exits(0).prints("1 benchmark");
}

#[test]
fn rows_are_measured_in_one_pass_in_their_order() {
    let fixture = Fixture::of("criterion");
    let run = fixture.nanobench("--bench by_hand --bench groups --format json").run();
    let report = run.exits(0).json();
    assert_eq!(report.ids(), [&BY_HAND[..], &GROUPS].concat(), "{run}");
    assert!(report.benchmarks.iter().all(|row| row.is_ok() && row.samples() > 1), "{run}");
    assert_eq!(report.row(GROUPS[1]).group.as_deref(), Some("sums"));
    assert_eq!(report.row(GROUPS[1]).throughput[0].amount, 20.0, "{run}");
    assert_eq!(fixture.left("passes"), 2, "one lists, one measures");
    let mut closures = fixture.lines_left("closures");
    closures.dedup();
    assert_eq!(closures, ["left", "panics", "after"]);
}

#[test]
fn filters_match_any_part_of_an_id() {
    let fixture = Fixture::of("criterion");
    for (filter, listed) in [
        ("of numbers/1", &GROUPS[..1]),
        ("Vec<u64>/a b", &GROUPS[2..3]),
        ("/groups::first/", &[GROUPS[3], GROUPS[5]]),
        ("sums", &GROUPS[..3]),
    ] {
        fixture.nanobench("--list").arg(filter).run().exits(0).lists(listed);
    }
    let run = fixture.nanobench("--format json").arg("of numbers/20").run();
    assert_eq!(run.exits(0).json().ids(), [GROUPS[1]]);
}

#[test]
fn a_row_that_panics_is_one_failure() {
    let fixture = Fixture::of("criterion");
    let run = fixture.nanobench("--bench by_hand --format json").env("E2E_PANICS", "1").run();
    let report = run.exits(1).json();
    assert!(report.row(BY_HAND[1]).error().contains("on request"), "{run}");
    assert!(report.row(BY_HAND[0]).is_ok() && report.row(BY_HAND[2]).is_ok(), "{run}");
}

#[test]
fn cargo_bench_measures_lists_and_tests() {
    let fixture = Fixture::of("criterion");
    let bench = |arguments: &str| fixture.cargo(&format!("bench --bench groups -- {arguments}")).run();
    let table = bench("");
    table.exits(0).prints("6 benchmarks").prints("of numbers/20").prints("std::vec::Vec<u64>/a b");
    let list = bench("--list");
    for id in GROUPS {
        let id = id.strip_prefix("criterion-suite::groups::").unwrap_or(id);
        assert!(list.exits(0).lines().contains(&format!("{id}: benchmark")), "{list}");
    }
    assert_eq!(bench("--test").exits(0).stdout().matches("Success").count(), 6);
    assert_eq!(listed(&bench("--list numbers/2")), ["sums/of numbers/20"]);
    assert_eq!(listed(&bench("--list --exact first")), ["first"]);
    assert_eq!(listed(&bench("--list ^sums.*/20$|sec+ond")), ["sums/of numbers/20", "second"]);
    bench("(numbers|second)").exits(0).prints("cargo nanobench '/(numbers|second)/'");
    bench("--sample-size 10 --measurement-time 1 --noplot --verbose second").exits(0).prints("1 benchmark");
}

#[test]
fn flags_about_baselines_name_the_line_to_type() {
    let fixture = Fixture::of("criterion");
    for (flag, line) in [
        ("--save-baseline main", "cargo nanobench --save-baseline main"),
        ("--baseline main", "cargo nanobench --baseline main"),
        ("--load-baseline main", "cargo nanobench report main"),
    ] {
        let bench = fixture.cargo(&format!("bench --bench groups -- {flag}")).run();
        bench.says(line);
        assert!(bench.exits_with_failure() && bench.stderr().contains("(exit status: 2)"), "{flag}: {bench}");
    }
}

/// The input is made in the function of a group, so the rows of this group differ.
#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn an_edited_input_concerns_its_group() {
    let fixture = Fixture::to_edit("criterion");
    fixture.optimise("criterion-suite");
    fixture
        .nanobench("--bench groups --save-baseline main")
        .run()
        .exits(0)
        .prints("Saved as baseline `main`");
    fixture.edit("benches/groups.rs", "vec![black_box(3); 20]", "vec![black_box(3); 2_000]");
    fixture.edit("benches/groups.rs", "sum(black_box(&numbers))", "sum(black_box(&numbers)) + 1");
    let command =
        |more: &str| fixture.nanobench_by_default(&format!("--bench groups --baseline main{more}")).run();
    command(" --list --changed").exits(0).lists(&GROUPS[..3]);
    let run = command(" --format json");
    let report = run.exits(0).json();
    for (index, id) in GROUPS.into_iter().enumerate() {
        assert_eq!(report.row(id).is_not_run(), index >= 3, "{id}\n{run}");
    }
    assert_eq!(run.compared(GROUPS[2]).verdict, "slower", "{run}");
    command(" first").exits(0).prints("identical code");
    let why = fixture.nanobench("why --baseline main --no-counts").arg(GROUPS[0]).run();
    why.exits(0).prints("sums");
    fixture
        .nanobench("why --baseline main --no-counts")
        .arg(GROUPS[4])
        .run()
        .exits(0)
        .prints("the code and its data are the same");
}

/// A path leads to the packages in place of other libraries, as to nanobench-core.
#[test]
fn a_suite_is_compared_with_a_revision() {
    for name in ["criterion", "divan"] {
        let fixture = Fixture::to_edit(name);
        fixture.committed();
        let run = fixture.nanobench_by_default("--against HEAD --list --changed").run();
        assert!(!run.exits(0).stderr().contains("outside of the repository"), "{run}");
    }
}

/// Returns the ids in a listing as criterion prints it.
fn listed(list: &Outcome) -> Vec<String> {
    let id = |line: String| line.strip_suffix(": benchmark").map(str::to_owned);
    list.exits(0).lines().into_iter().filter_map(id).collect()
}
