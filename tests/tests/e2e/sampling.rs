//! Numbers and lengths of samples, and warnings about doubtful figures.

use nanobench_tests::Fixture;

#[test]
fn a_fixed_number_of_samples_is_kept() {
    let run = Fixture::of("simple").nanobench("join fixed --samples 3 --iterations 2 --format json").run();
    let report = run.exits(0).json();
    for id in report.ids() {
        assert_eq!(report.row(id).samples(), 3, "{id}\n{run}");
    }
}

#[test]
fn a_fixed_number_of_iterations_is_kept() {
    let run = Fixture::of("simple").nanobench("join fixed --samples 9 --iterations 500 --format json").run();
    let report = run.exits(0).json();
    for id in report.ids() {
        let iterations = report.row(id).iterations.unwrap();
        assert_eq!((iterations.min, iterations.max), (500, 500), "{id}\n{run}");
    }
}

// The number of samples that fit into a time depends on the machine. These numbers leave a margin
// of at least a factor of five.

#[test]
fn more_time_is_more_samples() {
    let samples = |flags: &str| {
        let run = Fixture::of("simple").nanobench(&format!("join --format json {flags}")).run();
        run.exits(0).json().row("simple::first::join").samples()
    };
    assert!(samples("--precision 100 --min-time 1ms") >= 10, "ten are the least");
    assert!(samples("--precision 100 --min-time 100ms --sample-time 100us") > 100);
}

#[test]
fn a_budget_is_spent_where_precision_is_worst() {
    let fixture = Fixture::of("simple");
    let samples_within = |budget: &str| -> u64 {
        let flags = format!("join add_up --precision 0.001 --budget {budget} --format json");
        let run = fixture.nanobench(&flags).run();
        let report = run.exits(0).json();
        report.ids().iter().map(|id| report.row(id).samples()).sum()
    };
    // 25 ms each would be 200 samples. A busy machine may take fewer in 2 s.
    assert!(["2s", "10s", "60s"].into_iter().any(|budget| samples_within(budget) > 300));
}

#[test]
fn verbose_shows_cycles() {
    let fixture = Fixture::of("simple");
    assert!(fixture.nanobench("join -v").run().exits(0).lines().join("\n").contains("cycles/op"));
    let plain = fixture.nanobench("join").run();
    plain.exits(0).never_says("cycles/op");
}

#[test]
fn no_warnings_silences_all_warnings() {
    let fixture = Fixture::of("simple");
    // A pause around almost nothing: most of the measured time is the clock's cost.
    fixture.nanobench("paused").run().exits(0);
    for run in [
        fixture.nanobench("--no-warnings").run(),
        fixture.nanobench("").env("NANOBENCH_SUPPRESS_WARNINGS", "1").run(),
    ] {
        run.exits(0).never_says("warning:");
    }
}

#[test]
fn bad_numbers_are_usage_errors() {
    let fixture = Fixture::of("simple");
    for flag in
        ["--samples 0", "--iterations 0", "--precision 0", "--max-time 0", "--budget soon", "--samples x"]
    {
        fixture.nanobench(flag).run().exits(2);
    }
}

#[test]
fn the_clock_can_be_chosen() {
    let run = Fixture::of("simple").nanobench("join --timer os").run();
    run.exits(0).says("clock os");
}

#[test]
fn a_benchmark_that_runs_into_its_timeout_keeps_its_samples() {
    let run = Fixture::of("sleeping").nanobench("too_many_samples stuck_later --format json").run();
    let report = run.exits(0).json();
    for (name, planned) in [("too_many_samples", 100_000), ("stuck_later", 1_000)] {
        let row = report.row(&format!("sleeping::sleeping::limited::{name}"));
        assert!(row.is_ok() && (1..planned).contains(&row.samples()), "{name}: {run}");
        assert!(row.median() >= 1e6, "{name}: {run}");
    }
    assert_eq!(run.stdout().matches("stopped by its timeout of 2 s, after ").count(), 2, "{run}");
    let table = Fixture::of("sleeping").nanobench("stuck_later").run();
    table.exits(0).says("stuck_later (stopped by its timeout of 2 s, after ").says("raise --timeout");
}

#[test]
fn unoptimised_builds_are_reported_however_they_come_about() {
    let fixture = Fixture::of("simple");
    let with = |config: &str| fixture.nanobench(&format!("join --max-time 2ms --config {config}")).run();
    let unoptimised = "is built without optimisation";
    let of_package = with("profile.bench.package.simple.opt-level=0");
    of_package.exits(0).says("the target `first` is built without optimisation");
    with("profile.bench.package.inventory.opt-level=0").exits(0).says("`inventory` is built without");
    // It only runs at compile time.
    with("profile.bench.package.syn.opt-level=0").exits(0).never_says(unoptimised);
    fixture.nanobench("join --max-time 2ms").run().exits(0).never_says(unoptimised);
}

#[test]
fn flags_override_the_times_of_attributes() {
    let fixture = Fixture::of("sleeping");
    let report = |flags: &str| fixture.nanobench(&format!("{flags} --format json")).run().exits(0).json();
    let own = report("for_a_while").row("sleeping::sleeping::limited::for_a_while").samples();
    assert!(own > 1_000, "300 ms of samples of 1 us, and any precision: {own}");
    let fixed = report("for_a_while --samples 7").row("sleeping::sleeping::limited::for_a_while").samples();
    assert_eq!(fixed, 7);
    let few = fixture.nanobench("too_many_samples --samples 20 --timeout 10m --format json").run();
    let row = few.exits(0).json().row("sleeping::sleeping::limited::too_many_samples");
    assert_eq!(row.samples(), 20);
    few.never_says("timeout");
}
