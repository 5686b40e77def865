//! Benchmarks without the subcommand: as tests under `cargo test` and `cargo nextest`, and with
//! their own `main`.

use nanobench_tests::Fixture;

#[test]
fn cargo_test_runs_each_benchmark_once() {
    let fixture = Fixture::of("tally");
    let run = fixture.cargo("test --benches").run();
    run.exits(0).prints("nanobench_outside ... ok").prints("nanobench_ignored ... ignored");
    assert_eq!(
        (fixture.left("outside"), fixture.left("inside"), fixture.left("ignored")),
        (1, 1, 0),
        "{run}"
    );
}

#[test]
fn cargo_test_runs_benchmarks_of_the_library() {
    let fixture = Fixture::of("tally");
    fixture.cargo("test").run().exits(0).prints("benchmarks::nanobench_inside ... ok");
    assert_eq!(fixture.left("inside"), 1);
}

#[test]
fn cargo_test_fails_when_a_benchmark_panics() {
    let run = Fixture::of("tally").cargo("test --benches").env("E2E_PANIC", "1").run();
    run.exits(101).says("told to panic").prints("nanobench_may_panic ... FAILED");
}

#[test]
fn cargo_test_runs_an_ignored_benchmark_on_request() {
    let fixture = Fixture::of("tally");
    fixture.cargo("test --benches -- --ignored").run().exits(0);
    assert_eq!((fixture.left("outside"), fixture.left("ignored")), (0, 1));
}

#[test]
#[ignore = "needs cargo-nextest; .ci/run runs it"]
fn nextest_runs_each_benchmark_once() {
    let fixture = Fixture::of("tally");
    fixture.cargo("nextest run --benches").run().exits(0);
    assert_eq!((fixture.left("outside"), fixture.left("inside"), fixture.left("ignored")), (1, 1, 0));
}

#[test]
#[ignore = "needs cargo-nextest; .ci/run runs it"]
fn nextest_fails_when_a_benchmark_panics() {
    let fixture = Fixture::of("tally");
    fixture.cargo("nextest run --benches").env("E2E_PANIC", "1").run().exits(100).says("told to panic");
}

#[test]
#[ignore = "needs cargo-nextest; .ci/run runs it"]
fn nextest_runs_a_target_with_a_main_of_its_own() {
    let fixture = Fixture::of("own-main");
    fixture.cargo("nextest run --benches").run().exits(0);
    assert_eq!(fixture.left("tally"), 1);
}

#[test]
#[ignore = "needs cargo-nextest; .ci/run runs it"]
fn nextest_measures_a_target_with_a_main_of_its_own() {
    let fixture = Fixture::of("own-main");
    let run =
        fixture.cargo("nextest bench --bench timing tally").env("NEXTEST_EXPERIMENTAL_BENCHMARKS", "1").run();
    run.exits(0).says("time/op");
    assert!(fixture.left("tally") > 1, "{run}");
}

#[test]
fn the_subcommand_runs_a_target_with_a_main_of_its_own() {
    let run = Fixture::of("own-main").nanobench("--bench timing").run();
    run.exits(0);
    for name in ["sum", "tally", "may_panic"] {
        assert!(run.row(name).contains("/s"), "{run}");
    }
    Fixture::of("own-main").nanobench("--list sum").run().exits(0).lists(&["own-main::timing::sum"]);
}

#[test]
fn cargo_bench_prints_the_table_of_a_target_with_a_main_of_its_own() {
    let run = Fixture::of("own-main").cargo("bench --bench timing").run();
    run.exits(0).prints("time/op").prints("err%");
    for name in ["sum", "tally", "may_panic"] {
        assert!(run.row(name).contains("/s"), "{run}");
    }
}

/// The table shows the results of all attributes.
#[test]
fn cargo_bench_shows_all_columns() {
    let fixture = Fixture::of("own-main");
    let run = fixture.cargo("bench --bench columns").run();
    run.exits(0).prints("coefficient ").prints("kind=loop").prints("with several threads");
    // After the name of the group, or on a separate line if the name is too long.
    let columns = |group: &str| {
        let mut lines = run.lines().into_iter();
        let line = lines.find(|line| line.split_whitespace().next() == Some(group));
        let line = line.unwrap_or_else(|| panic!("{group}\n{run}"));
        let beside: Vec<String> = line.split_whitespace().skip(1).map(str::to_owned).collect();
        let mut below = || lines.next().unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        if beside.is_empty() { below() } else { beside }
    };
    assert_eq!(columns("columns"), ["byte/s", "allocs", "bytes", "peak"]);
    assert_eq!(columns("columns::compared"), ["relative", "allocs", "bytes", "peak"]);
    let parallel = ["item/s", "allocs", "bytes", "peak", "page-faults"];
    assert_eq!(columns("columns::parallel"), parallel[..if cfg!(unix) { 5 } else { 4 }]);
    let filled = run.row("filled");
    assert!(filled.contains("ns/pixel") && filled.contains("pixel/s") && filled.contains("B/s"), "{run}");
    assert!(filled.contains("0.100") && filled.contains("1.00 kB"), "a tenth of an allocation: {run}");
    let of_sum = run.stdout().split("twice").next().unwrap_or_default().matches("100.0 %").count();
    assert_eq!(of_sum, 3, "a baseline beside itself: {run}");
    let (last, compared) = (run.stdout().find("  last "), run.stdout().find("columns::compared"));
    assert!(
        last.is_some() && last < compared,
        "what stands in no module is not under the heading of one: {run}"
    );
    run.prints("sampled_once (1 sample): a single sample")
        .prints("stopped (stopped by its timeout of 0.02 s");
    let filled = fixture.cargo("bench --bench columns -- filled sampled_once");
    let filled =
        filled.env("NANOBENCH_CONFIG", "epochs=3,nonsense=1").env("NANOBENCH_SUPPRESS_WARNINGS", "1");
    let run = filled.run();
    assert_eq!(
        run.exits(0).row("filled").split("pixel/s").nth(1).unwrap().split_whitespace().next(),
        Some("3")
    );
    run.says("`nonsense=1`: unknown key").never_says("a single sample");
    let mut endless = fixture.cargo("bench --bench columns").env("NANOBENCH_ENDLESS", "filled").start();
    endless.wait_until("the benchmark runs", |running| {
        running.stderr_so_far().contains("NANOBENCH_ENDLESS set: running 'filled' endlessly")
    });
}

#[test]
fn cargo_bench_passes_a_filter_to_a_main_of_its_own() {
    let run = Fixture::of("own-main").cargo("bench -- sum").run();
    run.exits(0).row("sum");
    assert!(!run.has_row("tally"), "{run}");
}

#[test]
fn an_own_main_measures_ignored_benchmarks_if_named() {
    let fixture = Fixture::of("own-main");
    fixture.cargo("bench --bench timing -- slow").run().exits(0).row("slow");
    assert!(fixture.left("slow") > 0);
    let fixture = Fixture::of("own-main");
    fixture
        .cargo("bench --bench timing -- slo")
        .run()
        .exits(0)
        .prints("marked #[ignore]")
        .never_says("time/op");
    assert_eq!(fixture.left("slow"), 0);
    fixture.cargo("test --bench timing -- slow").run().exits(0).prints("slow ... ignored");
}

#[test]
fn an_own_main_suggests_the_nearest_name() {
    let run = Fixture::of("own-main").cargo("bench --bench timing -- tlaly").run();
    run.exits(0).prints("did you mean `tally`?").never_says("time/op");
}

#[test]
fn an_own_main_refuses_other_formats() {
    let run = Fixture::of("own-main").cargo("bench --bench timing -- --format json").run();
    run.exits(2).says("cargo nanobench --format json").never_says("time/op");
}

#[test]
fn cargo_bench_fails_when_a_benchmark_panics() {
    let run = Fixture::of("own-main").cargo("bench").env("E2E_PANIC", "1").run();
    assert!(!run.exits(101).row("may_panic").contains("/s"), "{run}");
    assert!(run.row("sum").contains("/s"), "{run}");
}

#[test]
fn cargo_test_runs_each_benchmark_of_a_main_of_its_own_once() {
    let fixture = Fixture::of("own-main");
    let run = fixture.cargo("test --benches").run();
    run.exits(0).never_says("time/op");
    assert_eq!(fixture.left("tally"), 1, "{run}");
}

#[test]
fn cargo_test_fails_when_a_benchmark_of_a_main_of_its_own_panics() {
    Fixture::of("own-main")
        .cargo("test --benches")
        .env("E2E_PANIC", "1")
        .run()
        .exits(101)
        .says("told to panic");
}

#[test]
fn a_panic_while_making_rows_is_reported_once() {
    let own_main = |command| Fixture::of("own-main").cargo(command).env("E2E_NO_CORES", "1").run();
    let run = own_main("bench --bench timing");
    let row = run.exits(101).row("on_threads").to_owned();
    assert!(row.contains("failed: its `threads` panicked at benches/timing.rs:"), "{run}");
    let said = [run.stdout(), run.stderr()].map(|text| text.matches("no cores here").count());
    assert_eq!(said, [1, 0], "{run}");
    own_main("bench --bench timing -- sum").exits(0).never_says("no cores here");
    own_main("test --bench timing -- --list").exits(0).never_says("no cores here");
}

#[test]
fn cargo_test_runs_the_benchmarks_of_a_workspace() {
    let fixture = Fixture::of("workspace");
    fixture.cargo("test -p left --benches").run().exits(0).prints("nanobench_only_left ... ok");
}

#[test]
fn a_benchmark_alone_brings_no_warning_to_an_ordinary_build() {
    let fixture = Fixture::to_edit("targets");
    for command in ["check --all-targets", "build --all-targets"] {
        fixture.cargo(command).run().exits(0).never_says("warning:");
    }
}
