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
