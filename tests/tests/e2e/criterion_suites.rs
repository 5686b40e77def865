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
