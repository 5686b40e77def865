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
    let run =
        Fixture::of("simple").nanobench("join add_up --precision 0.001 --budget 2s --format json").run();
    let report = run.exits(0).json();
    let samples: u64 = report.ids().iter().map(|id| report.row(id).samples()).sum();
    assert!(samples > 300, "2 s hold more than the 200 samples that 25 ms each would be: {samples}\n{run}");
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
