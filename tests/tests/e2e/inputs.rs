//! Files and variables that benchmarks read while they run. Both sides of a comparison read today's.

use nanobench_tests::{Fixture, Outcome};

const CHANGING: &str = "compare::work::changing";
const STEADY: &str = "compare::work::steady";

/// `changing` reads its number of steps from this expression.
fn reading(steps: &str) -> Fixture {
    let fixture = Fixture::to_edit("compare");
    let steps = format!("{steps}.unwrap().trim().parse().unwrap()");
    fixture.edit("benches/work.rs", "spin(STEPS)", &format!("spin({steps})"));
    fixture.edit("benches/work.rs", "const STEPS: u64 = 2_000;", "const STEADY: u64 = 2_000;");
    fixture.edit("benches/work.rs", "spin(2_000)", "spin(STEADY)");
    fixture
}

fn reading_a_file() -> Fixture {
    let fixture = reading("std::fs::read_to_string(\"data/steps.txt\")");
    fixture.write("data/steps.txt", "2000\n");
    fixture.write("data/other.txt", "2000\n");
    fixture.write("data/other.md", "2000\n");
    fixture
}

/// Expects that `changing` was not compared because this has changed, but `steady` was.
#[track_caller]
fn is_unsure(run: &Outcome, input: &str) {
    is_not_compared(run, &format!("both sides would read the new {input}, which has changed since"));
}

#[track_caller]
fn is_not_compared(run: &Outcome, reason: &str) {
    let changing = run.compared(CHANGING);
    assert_eq!(changing.verdict, "unsure", "{run}");
    assert!(!changing.is_side_by_side() && changing.sentence.contains(reason), "{run}");
    if cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        assert!(!run.compared(STEADY).sentence.contains("read"), "{run}");
    }
}

#[test]
fn a_changed_file_that_a_benchmark_reads_is_noticed() {
    let fixture = reading_a_file();
    fixture.committed();
    fixture.nanobench("--save-baseline main").run().exits(0);
    fixture.write("data/other.md", "nobody reads it");
    let unchanged = fixture.nanobench_by_default("--baseline main --fail-on slower,unsure").run();
    unchanged.exits(0).prints("gate passed").prints("identical code");
    fixture.write("data/steps.txt", "3000\n");
    let run = fixture.nanobench_by_default("--baseline main --format json").run();
    is_unsure(&run, "data/steps.txt");
    if cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        assert_eq!(run.compared(STEADY).sentence, "identical code", "{run}");
    }
    let gated =
        fixture.nanobench("--baseline main --fail-on slower,unsure,placement --save-on-pass next").run();
    gated.exits(3);
    assert!(!fixture.baseline("next").exists(), "{gated}");
    // With other code, too, both sides read the same file.
    fixture.edit("benches/work.rs", "STEADY: u64 = 2_000", "STEADY: u64 = 2_001");
    is_unsure(&fixture.nanobench("--baseline main --format json").run(), "data/steps.txt");
    fixture.write("data/steps.txt", "2000\n");
    let run = fixture.nanobench("--baseline main --format json").run();
    assert!(!run.compared(CHANGING).sentence.contains("read"), "{run}");
}

#[test]
fn a_changed_file_since_the_last_run_is_noticed() {
    let fixture = reading_a_file();
    fixture.committed();
    fixture.nanobench("").run().exits(0);
    fixture.write("data/steps.txt", "3000\n");
    let run = fixture.nanobench("--format json").run();
    let changing = run.compared(CHANGING);
    assert!(!changing.is_side_by_side() && changing.verdict != "same", "{run}");
    assert!(changing.sentence.contains("data/steps.txt"), "{run}");
    let run = fixture.nanobench("--format json").run();
    assert!(!run.compared(CHANGING).sentence.contains("data/steps.txt"), "the last run read it\n{run}");
}

#[test]
fn a_changed_file_whose_name_a_benchmark_puts_together_is_noticed() {
    let path = "format!(\"data/{}.txt\", std::hint::black_box(\"one-third\"))";
    let fixture = reading(&format!("std::fs::read_to_string({path})"));
    fixture.write("data/one-third.txt", "2000\n");
    fixture.committed();
    fixture.nanobench("--save-baseline main").run().exits(0);
    let compared = || fixture.nanobench_by_default("--baseline main --format json").run();
    assert!(!compared().compared(CHANGING).sentence.contains("read"), "{}", compared());
    fixture.write("data/one-third.txt", "3000\n");
    let run = fixture.nanobench("--format json").run();
    assert!(run.compared(CHANGING).sentence.contains("data/one-third.txt"), "{run}");
    is_unsure(&compared(), "data/one-third.txt");
    fixture.nanobench("--baseline main --fail-on unsure --save-on-pass next").run().exits(3);
    fixture.commit("second");
    is_unsure(&compared(), "data/one-third.txt");
    // The last run has read it as it is.
    let run = fixture.nanobench("--format json").run();
    assert!(!run.compared(CHANGING).sentence.contains("read"), "{run}");
}

#[test]
fn a_changed_file_that_git_does_not_track_is_noticed() {
    let fixture = reading_a_file();
    fixture.edit("benches/work.rs", "spin(STEADY)", "spin(std::fs::read(\"ignored\").map_or(STEADY, |_| 1))");
    fixture.committed();
    fixture.git("rm --cached --quiet data/steps.txt");
    fixture.edit(".gitignore", "/target", "/target\nignored");
    fixture.nanobench("").run().exits(0);
    let changed = || fixture.nanobench("--list --changed").run();
    changed().exits(0).lists(&[]);
    fixture.write("ignored", "1");
    changed().exits(0).lists(&[]);
    fixture.write("data/steps.txt", "3000\n");
    assert!(changed().exits(0).lines().contains(&CHANGING.to_owned()), "{}", changed());
}

#[test]
fn a_program_that_the_build_of_the_run_changes_is_noticed() {
    let started = "std::process::Command::new(env!(\"CARGO_BIN_EXE_steps\")).output().unwrap()";
    let fixture = reading(&format!("String::from_utf8({started}.stdout)"));
    fixture.write("src/bin/steps.rs", "fn main() {\n    println!(\"2000\");\n}\n");
    fixture.nanobench("--save-baseline main").run().exits(0);
    fixture.edit("src/bin/steps.rs", "2000", "3000");
    let run = fixture.nanobench_by_default("--baseline main --format json").run();
    let program = format!("steps{}", std::env::consts::EXE_SUFFIX);
    is_not_compared(&run, &format!("both sides would run the new {program}, which has changed since"));
}

#[test]
fn a_changed_variable_that_a_benchmark_reads_is_noticed() {
    let fixture = reading("std::env::var(\"TWO_STEPS\")");
    let set = |steps: u32| {
        let text = format!("[env]\nTWO_STEPS = \"{steps}\"\nTHREE_STEPS = \"{steps}\"\n");
        fixture.write(".cargo/config.toml", text);
    };
    set(2000);
    fixture.nanobench("--save-baseline main").run().exits(0);
    fixture.nanobench_by_default("--baseline main --fail-on unsure").run().exits(0).prints("not run");
    let with_another =
        fixture.nanobench_by_default("--baseline main --fail-on unsure").env("FOUR_STEPS", "1");
    with_another.run().exits(0).prints("2 of 2 benchmarks not run: identical code");
    let with_allocator =
        fixture.nanobench_by_default("--baseline main --fail-on unsure").env("MALLOC_ARENA_MAX", "1");
    with_allocator.run().exits(3).prints("value of MALLOC_ARENA_MAX");
    set(3000);
    is_unsure(&fixture.nanobench_by_default("--baseline main --format json").run(), "value of TWO_STEPS");
    fixture.nanobench("--baseline main --fail-on unsure").run().exits(3);
    let json = fixture.text(fixture.baseline("main"));
    assert!(json.contains("\"TWO_STEPS\"") && !json.contains("THREE_STEPS"), "{json}");
}
