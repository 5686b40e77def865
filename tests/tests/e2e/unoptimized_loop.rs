//! Builds in which crates take the compiled functions of others: the timed code is optimised
//! nevertheless, or nothing is compared.

use nanobench_tests::Fixture;

const WARNING: &str = "an empty loop takes";

/// Returns the fixture `compare` with the usual optimisation.
fn optimized() -> Fixture {
    let fixture = Fixture::to_edit("compare");
    fixture.optimise("compare");
    fixture
}

#[test]
fn flags_that_share_code_leave_the_empty_loop_optimised_unless_the_profile_says_otherwise() {
    let fixture = optimized();
    let run = |args: &str| fixture.nanobench(args).env("RUSTFLAGS", "-Clink-dead-code").run();
    run("").exits(0).never_says(WARNING).never_says("like an empty benchmark");
    fixture.edit("benches/work.rs", "STEPS: u64 = 2_000", "STEPS: u64 = 6_000");
    let unoptimized = run("--config profile.bench.package.nanobench-engine.opt-level=0");
    unoptimized.exits(0).says(WARNING).says("nothing is compared").never_says("slower");
    if cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        assert!(unoptimized.row("changing").ends_with("not compared"), "{unoptimized}");
        unoptimized.prints("why: timed code is not optimised");
    }
}

#[test]
fn timed_code_of_a_procedural_macro_is_optimised_unlike_its_dependencies() {
    let fixture = optimized();
    let manifest = fixture.text("Cargo.toml") + "[lib]\nproc-macro = true\n";
    fixture.write("Cargo.toml", manifest);
    let benchmark = fixture.text("benches/work.rs").replace("//!", "//");
    fixture.write("src/lib.rs", format!("#[cfg(test)]\nmod work {{\n{benchmark}\n}}\n"));
    let run = fixture.nanobench("--lib").run();
    run.exits(0).never_says(WARNING).never_says("like an empty benchmark");
    run.row("changing");
}
