//! A suite for divan, of which only the line in Cargo.toml was changed.

use nanobench_tests::Fixture;

const ROWS: &str = include_str!("../../fixtures/divan/rows.txt");
const EDITED: &str = "divan-suite::0-constructs::edited";

#[test]
fn each_construct_has_its_rows() {
    let fixture = Fixture::of("divan");
    let list = fixture.nanobench("--list").run();
    assert_eq!(list.exits(0).stdout(), ROWS, "{list}");
    // The ids of the executable itself lack the package and the target, and ignored rows are listed.
    let of_main = ROWS.lines().filter_map(|row| row.strip_prefix("divan-suite::0-constructs::"));
    let list = fixture.cargo("bench --bench 0-constructs -- --list --format terse").run();
    let listed = list.exits(0).lines();
    let missing = of_main.filter(|row| !listed.contains(&format!("{row}: benchmark")));
    assert_eq!(missing.collect::<Vec<_>>(), [""; 0], "{list}");
    assert!(listed.contains(&"groups::ignored::one: benchmark".to_owned()), "{list}");
}

#[test]
fn cargo_bench_and_cargo_test_run_the_suite() {
    let fixture = Fixture::of("divan");
    let bench = fixture.cargo("bench --bench 0-constructs").run();
    for setting in ["min_time", "skip_ext_time", "sample_count", "counters of cycles"] {
        bench.says(&format!("accepted without effect: {setting}\n"));
    }
    bench.exits(0).prints("107 benchmarks").prints("samples_with_bencher");
    assert!(bench.stdout().lines().any(|line| line.contains("refs") && line.contains("B/s")), "{bench}");
    let test = fixture.cargo("test --bench 0-constructs").run();
    test.exits(0).prints("test result: ok. 107 passed; 0 failed; 3 ignored");
    // Filters may be paths as divan prints them.
    let filter = "0_constructs::generic::types::i32 --exact";
    let one = fixture.cargo(&format!("bench --bench 0-constructs -- {filter}")).run();
    one.exits(0).prints("\n1 benchmark\n");
}

#[test]
fn help_and_wrong_variables_end_the_suite() {
    let fixture = Fixture::of("divan");
    fixture.cargo("bench --bench 0-constructs -- --help").run().exits(0).prints("the arguments of divan");
    let bench = fixture.cargo("bench --bench 0-constructs").env("DIVAN_SAMPLE_COUNT", "x").run();
    bench.says("DIVAN_SAMPLE_COUNT can't be `x`");
    assert!(bench.exits_with_failure() && !bench.stderr().contains("default harness"), "{bench}");
}

#[test]
fn counters_are_the_throughput() {
    let run = Fixture::of("divan").nanobench("--bench 0-constructs --format json").run();
    let json = run.exits(0).json();
    let amounts = |row: &str| {
        let row = json.row(&format!("divan-suite::0-constructs::{row}"));
        let amounts = row.throughput.iter().map(|amount| format!("{} {}", amount.amount, amount.unit));
        amounts.collect::<Vec<String>>().join(", ")
    };
    assert_eq!(amounts("bencher::values"), "3 item, 12 byte");
    assert_eq!(amounts("bencher::refs"), "5 char, 7 byte", "of inputs");
    assert_eq!(amounts("bencher::counted_as"), "5 item");
    assert_eq!(amounts("arguments::iterator/4"), "4 item");
    assert_eq!(amounts("arguments::samples_with_bencher/long"), "11 byte");
    assert_eq!(amounts("groups::counted::items"), "20 item, 160 byte", "of the group");
    assert_eq!(amounts("groups::counted::own_items"), "1 item, 160 byte");
    assert_eq!(amounts("groups::counted::deeper::own_bytes"), "3 byte, 20 item");
    assert_eq!(amounts("options::several_counters"), "2 byte, 2 char, 1 item");
}

#[test]
fn a_main_by_hand_keeps_its_settings() {
    let fixture = Fixture::of("divan");
    let bench = fixture.cargo("bench --bench by_hand").run();
    bench.exits(0).prints("counted").prints("ignored").prints("2 benchmarks").says("main went on");
    bench.says("accepted without effect: Divan::color\n").says("accepted without effect: min_time\n");
    let json = fixture.nanobench("--bench by_hand --format json counted").run();
    assert_eq!(json.exits(0).json().row("divan-suite::by_hand::counted").samples(), 2, "{json}");
}

/// Each line of the table of divan's public items about a flag or a variable.
#[test]
fn flags_and_variables_of_divan_are_accepted() {
    let table = include_str!("../../../nanobench-core/compat/divan/tests/surface.txt");
    let fixture = Fixture::of("divan");
    let (mut flags, mut accepted) = (String::new(), Vec::new());
    let mut run = fixture.cargo("bench --bench 0-constructs -- edited/threads=1").env("DIVAN_SORTR", "name");
    for line in table.lines() {
        let (status, item) = line.split_once(' ').unwrap_or_default();
        let (name, value) = item.split_once('=').unwrap_or((item, ""));
        if name.starts_with("DIVAN_") {
            run = run.env(name, value);
        } else if name.starts_with("--") && !["--test", "--list", "--ignored"].contains(&name) {
            flags += &format!(" {name} {value}");
            accepted.extend((status == "accepted" && !value.is_empty()).then(|| name.to_owned()));
        }
    }
    let run = run.args(&flags).run();
    run.exits(0).prints("1 benchmark");
    accepted.retain(|flag| flag != "--color" && flag != "--cycles-count");
    assert!(accepted.len() >= 6, "{accepted:?}");
    for flag in accepted {
        run.says_one_of(&[&flag[2..], &flag[2..].replace('-', "_")]);
    }
    let wrong = fixture.cargo("bench --bench 0-constructs -- --sample-size x").run();
    wrong.says("error: `--sample-size` can't be `x`").exits_with_failure();
}

#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn only_the_edited_benchmark_runs() {
    let fixture = Fixture::to_edit("divan");
    fixture.optimise("divan-suite");
    let save = fixture.nanobench("--save-baseline main").run();
    save.exits(0).prints("Saved as baseline `main`");
    fixture.edit("benches/0-constructs/main.rs", "divan_suite::sum(50)", "divan_suite::sum(5_000)");
    let list = fixture.nanobench_by_default("--baseline main --list --changed").run();
    // Nobody finds a function within another one by its path.
    assert_eq!(
        list.exits(0).stdout(),
        format!("divan-suite::0-constructs::hostile::inner\n{EDITED}\n"),
        "{list}"
    );
    let run = fixture.nanobench_by_default("--baseline main --format json").run();
    let json = run.exits(0).json();
    assert!(json.row("divan-suite::0-constructs::bencher::shared").is_not_run(), "{run}");
    assert!(json.row("divan-suite::0-constructs::generic::types_and_args/HashSet<u64>/20").is_not_run());
    assert_eq!(run.compared(EDITED).verdict, "slower", "{run}");
}
