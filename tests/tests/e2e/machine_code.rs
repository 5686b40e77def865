//! The machine code of benchmarks, and the reasons of changes in it.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use nanobench_tests::Fixture;

#[test]
fn the_machine_code_of_a_benchmark_is_listed() {
    let fixture = Fixture::of("reasons");
    let run = fixture.nanobench("asm slower_callee").run();
    let run = run.exits(0);
    run.prints("the timed loop\n").prints("; reasons::slower_callee\n");
    run.prints("reasons::slower_callee: ").prints(" 1 call away\n").prints("call    reasons::middle\n");
    run.prints("reasons::middle: ").prints(" 2 calls away\n");
    run.prints("also called\n  reasons::deep: ").never_says("division");
    let run = fixture.nanobench("asm slower_callee --depth 3 --source").run();
    run.exits(0).prints("    reasons::slower_callee(&VALUES)\n").prints("CARGO_PROFILE_BENCH_DEBUG=");
    run.prints("\nreasons::deep: ").prints(" 3 calls away\n");
    fixture.nanobench("asm slower").run().fails_with(2, "no benchmark is called `slower`");
    let run = fixture.nanobench_by_default("asm division --baseline none").run();
    assert!(run.stderr().contains("none") && run.stdout().is_empty(), "{run}");
}

/// The benchmarks of the fixture, with the function that differs and the kind of difference.
const REASONS: [(&str, &str, &str); 11] = [
    ("more_work", "reasons::more_work, 1 call away: grew", " instructions\n"),
    ("lost_inlining", "reasons::lost_inlining, 1 call away", "  reasons::digit is no longer inlined there\n"),
    ("extra_allocation", "reasons::extra_allocation, 1 call away", "  it allocates now\n"),
    ("slower_callee", "reasons::deep, 3 calls away", " instructions\n"),
    ("division", "reasons::division, 1 call away", "  it has more divisions\n"),
    ("bounds_checks", "reasons::bounds_checks, 1 call away", "  it has more bounds checks\n"),
    (
        "other_data",
        "reasons::other_data, 1 call away: has the same code",
        "  its data reasons::STEPS differ\n",
    ),
    ("dynamic_calls", "reasons::dynamic_calls, 1 call away", "  it has more dynamic calls\n"),
    ("scalar_loop", "reasons::scalar_loop, 1 call away", "  it is no longer vectorised\n"),
    (
        "method_of_an_object",
        "<reasons::Round as reasons::Shape>::area, reached from the set-up: grew",
        "  it has more divisions\n",
    ),
    ("another_callee", "reasons::another_callee, 1 call away", "  it calls reasons::slow_root now\n"),
];

#[test]
fn why_names_the_function_and_the_kind_of_difference() {
    let fixture = Fixture::of("reasons");
    fixture.nanobench("--save-baseline main --samples 1 --no-compare").run().exits(0);
    for (benchmark, function, kind) in REASONS {
        let command = format!("why {benchmark} --baseline main --no-counts --features slower");
        let run = fixture.nanobench_by_default(&command).run();
        run.exits(0).prints(function).prints(kind).prints("  src/lib.rs:");
        let functions = run.stdout().lines().filter(|line| line.starts_with("  src/lib.rs:")).count();
        assert_eq!(functions, 1, "only one function differs: {run}");
    }
    let run = fixture.nanobench_by_default("why lost_inlining --baseline main --asm --features slower").run();
    run.exits(0).prints(" more instructions a call (+").prints(" |        call    reasons::digit\n");
    let run = fixture.nanobench_by_default("why lost_inlining --no-counts").run();
    run.exits(0).prints("the code and its data are the same").prints("--baseline NAME, or --against REV");
    gates_count_what_why_counts(&fixture);
}

fn gates_count_what_why_counts(fixture: &Fixture) {
    let flags = "--features slower --baseline main";
    let gate = "lost_inlining extra_allocation --fail-on more-instructions --format json";
    let run = fixture.nanobench_by_default(&format!("{gate} {flags}")).run();
    let document: serde_json::Value = serde_json::from_str(&run.exits(3).stdout()).expect("it is JSON");
    let rows = document["benchmarks"].as_array().expect("a run has benchmarks");
    let allocates =
        |row: &&serde_json::Value| row["id"].as_str().is_some_and(|id| id.ends_with("extra_allocation"));
    let counts = &rows.iter().find(allocates).expect("it was selected")["comparison"]["instructions"];
    let [before, now] = ["before", "now"].map(|side| counts[side].as_f64().expect("it was counted"));
    let why = fixture.nanobench_by_default(&format!("why extra_allocation {flags}")).run();
    why.exits(0).prints(&format!("{} more instructions a call (", now - before));
    let why = fixture.nanobench_by_default("why extra_allocation --no-counts --features slower").run();
    why.exits(0).prints("compared with main\n").prints("it allocates now");
}
