//! Benchmarks whose code is that of their baseline don't run.

use nanobench_tests::Fixture;

const CHANGING: &str = "compare::work::changing";
const STEADY: &str = "compare::work::steady";

#[test]
fn an_identical_executable_needs_no_run() {
    let fixture = Fixture::of("compare");
    fixture.nanobench("--save-baseline main").run().exits(0);
    let run = fixture.nanobench_by_default("--baseline main --fail-on slower,unsure,new").run();
    run.exits(0).prints("2 of 2 benchmarks not run: identical code").prints("gate passed");
    let json = fixture.nanobench_by_default("--baseline main --format json steady").run();
    assert!(json.exits(0).json().row(STEADY).is_not_run(), "{json}");
    assert_eq!(json.compared(STEADY).sentence, "identical code", "{json}");
    assert_eq!(json.compared(STEADY).verdict, "same", "{json}");
    let list = fixture.nanobench_by_default("--baseline main --list --changed").run();
    assert_eq!(list.exits(0).says("no selected benchmark has changed").stdout(), "", "{list}");
    fixture.nanobench_by_default("--baseline main --list").run().fails_with(2, "add --changed");
    fixture.nanobench_by_default("--changed").run().exits(0).prints("not run");
    // What is saved under a name is measured.
    let run = fixture.nanobench_by_default("--baseline main --save-baseline next --format json steady").run();
    assert!(!run.exits(0).json().row(STEADY).is_not_run(), "{run}");
}

#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn labels_of_new_benchmarks_change_no_other_row() {
    let fixture = Fixture::to_edit("compare");
    fixture.optimise("compare");
    let add = |types: &[&str]| {
        let rows = types.iter().map(|ty| {
            format!(
                "#[nanobench(args = [10, 20])]\nfn with_{ty}(n: {ty}) -> u64 {{\n    spin(n.into())\n}}\n"
            )
        });
        fixture.edit("benches/work.rs", "fn spin(", &format!("{}\nfn spin(", rows.collect::<String>()));
    };
    add(&["u64"]);
    fixture.nanobench("--save-baseline main").run().exits(0);
    add(&["u8", "u16", "u32"]);
    let list = fixture.nanobench_by_default("--baseline main --list --changed").run();
    list.exits(0).prints("work::with_u8/10").never_says("with_u64");
}

#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn only_benchmarks_with_other_code_run() {
    let fixture = Fixture::slowed_down_to_edit("--save-baseline main");
    let list = fixture.nanobench_by_default("--baseline main --list --changed").run();
    assert_eq!(list.exits(0).stdout(), format!("{CHANGING}\n"), "{list}");
    let run = fixture.nanobench_by_default("--baseline main").run();
    run.exits(0).prints("1 of 2 benchmarks not run: identical code").never_says(" steady ");
    // The last run has the baseline's figures of the other.
    fixture.nanobench("baseline show last").run().exits(0).prints("steady");
    let run = fixture.nanobench_by_default("--baseline main --format json").run();
    let rows = run.exits(0).json();
    assert!(rows.row(STEADY).is_not_run() && !rows.row(CHANGING).is_not_run(), "{run}");
    assert!(
        run.compared(STEADY).sentence == "identical code" && run.compared(STEADY).pairs.is_none(),
        "{run}"
    );
    assert_eq!(run.compared(CHANGING).verdict, "slower", "{run}");
    // Another number of calls in each iteration is other work.
    fixture.edit("benches/work.rs", "#[nanobench]\nfn steady", "#[nanobench(unroll = 2)]\nfn steady");
    let list = fixture.nanobench_by_default("--baseline main --list --changed").run();
    assert!(list.exits(0).stdout().contains(STEADY), "{list}");
}
