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

#[test]
fn the_flag_of_a_benchmark_that_is_not_built_is_named() {
    let fixture = Fixture::to_edit("reasons");
    fixture.write("tests/extra.rs", "#[nanobench::nanobench]\nfn outside() {}\n");
    fixture.nanobench("asm outside").run().fails_with(2, "add --test extra");
}

#[test]
fn the_place_is_in_the_package_of_the_benchmark() {
    let fixture = Fixture::to_edit("compare");
    let manifest = fixture.text("Cargo.toml");
    let of_member = manifest.replace("\"compare\"", "\"another\"");
    fixture.write("another/Cargo.toml", of_member.split("[profile").next().unwrap());
    fixture.write("another/src/lib.rs", "");
    fixture.edit("benches/work.rs", "fn spin(", "#[inline(never)]\nfn spin(");
    fixture.write("another/benches/work.rs", fixture.text("benches/work.rs"));
    fixture.write("Cargo.toml", manifest + "\n[workspace]\nmembers = [\"another\"]\n");
    fixture.nanobench("--save-baseline main --workspace").run().exits(0);
    for (package, file) in [("compare", "benches/work.rs"), ("another", "another/benches/work.rs")] {
        fixture.edit(file, "wrapping_mul(31)", "wrapping_div(black_box(31))");
        let why = format!("why {package}::work::changing --baseline main --no-counts -p {package}");
        fixture.nanobench_by_default(&why).run().exits(0).prints(&format!("  {file}:"));
    }
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
    ("dynamic_calls", "reasons::dynamic_calls, 1 call away", "  it has more indirect calls\n"),
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
        let is_heading = |line: &&str| !line.is_empty() && !line.starts_with(' ');
        let functions = run.stdout().lines().skip(1).filter(is_heading).count();
        assert_eq!(functions, 1, "only one function differs: {run}");
        if benchmark == "method_of_an_object" {
            run.prints(&format!("  src/lib.rs:{}\n", line_after(&fixture, "impl Shape for Round {")));
        }
    }
    let run = fixture.nanobench_by_default("why lost_inlining --baseline main --asm --features slower").run();
    run.exits(0).prints(" more instructions a call (+").prints(" |        call    reasons::digit\n");
    let run = fixture.nanobench_by_default("why lost_inlining --no-counts").run();
    run.exits(0).prints("the code and its data are the same").prints("--baseline NAME, or --against REV");
    for benchmark in ["inlined", "inlined_after_a_pause"] {
        let command = format!("why {benchmark} --baseline main --features slower");
        let run = fixture.nanobench_by_default(&command).run();
        run.exits(0).prints(" more instructions a call (+").prints("), all in the benchmark itself; ");
        run.prints("\nthe benchmark itself: grew from ").never_says("nanobench_engine");
        run.prints("  benches/slower.rs:");
    }
    let run = fixture.nanobench("asm inlined_after_a_pause").run();
    run.exits(0).prints("the timed loop\n").never_says("call_controlled_with");
    gates_count_what_why_counts(&fixture);
}

/// Returns the number of the line after this one.
fn line_after(fixture: &Fixture, line: &str) -> usize {
    let text = fixture.text("src/lib.rs");
    text.lines().position(|found| found == line).expect("the fixture has this line") + 2
}

fn gates_count_what_why_counts(fixture: &Fixture) {
    let flags = "--features slower --baseline main";
    let gate =
        "lost_inlining extra_allocation --fail-on more-instructions --format json --save-baseline main";
    let run = fixture.nanobench_by_default(&format!("{gate} {flags}")).run();
    let document: serde_json::Value = serde_json::from_str(&run.exits(3).stdout()).expect("it is JSON");
    let rows = document["benchmarks"].as_array().expect("a run has benchmarks");
    let allocates =
        |row: &&serde_json::Value| row["id"].as_str().is_some_and(|id| id.ends_with("extra_allocation"));
    let counts = &rows.iter().find(allocates).expect("it was selected")["comparison"]["instructions"];
    let [before, now] = ["before", "now"].map(|side| counts[side].as_f64().expect("it was counted"));
    let why = fixture.nanobench_by_default("why extra_allocation --features slower").run();
    why.exits(0).prints(&format!("{} more instructions a call (", now - before));
    why.prints("compared with main~1\n").prints("it allocates now");
    assert!(
        !why.stderr().contains("as in the last comparison"),
        "the baseline was replaced, but not lost: {why}"
    );
    fixture.nanobench_by_default("baseline remove main~1").run().exits(0);
    let why = fixture.nanobench_by_default("why extra_allocation --no-counts --features slower").run();
    let reason = "not with main as in the last comparison: it was removed or replaced";
    why.exits(0).prints("compared with the previous run\n").says(reason);
}

#[test]
fn why_explains_the_change_of_a_plain_run() {
    let fixture = Fixture::slowed_down("");
    let why = |benchmark: &str| fixture.nanobench_by_default(&format!("why {benchmark}")).run();
    why("changing").exits(0).prints("compared with the last run\n").prints("more instructions a call (+");
    fixture.nanobench("").run().exits(0);
    let explained = |flags: &str| {
        let changing = why("changing");
        // On a loaded machine, the run may not have found by how much.
        let heading = "compare::work::changing, compared with the previous run\n";
        changing.exits(0).prints(heading).prints("more instructions a call (+");
        changing.never_says("measured this code already").never_says("as in the last comparison");
        fixture.nanobench(flags).run().exits(0);
    };
    explained("--samples 2");
    explained("--samples 2 steady");
    explained("--samples 2 --no-compare");
    explained("");
    why("changing").exits(0).prints("compared with the previous run\n");
    why("steady").exits(0).prints("compared with the previous run\n").prints("the same");

    fixture.nanobench_by_default("baseline list").run().exits(0).prints("No baseline exists yet");
    fixture.nanobench_by_default("baseline show last~1").run().exits(0).prints("previous run: saved");
    let changed = fixture.nanobench_by_default("--baseline last~1 --list --changed").run();
    changed.exits(0).prints("changing").never_says("steady");
    fixture.nanobench_by_default("baseline remove last~1").run().exits(0).prints("Removed baseline `last~1`");
    let changing = why("changing");
    changing.exits(0).prints("compared with the last run\n").prints("measured this code already");
}
