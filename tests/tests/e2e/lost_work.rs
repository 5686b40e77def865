//! Benchmarks whose work the optimiser removes.

use nanobench_tests::Fixture;

const BENCHES: &str = "
use nanobench::nanobench;
use std::hint::black_box;

#[nanobench]
fn nothing_used() {
    let _ = (0..1_000_u64).map(|n| n * n).sum::<u64>();
}

#[nanobench]
fn constant() -> u64 {
    (0..1_000_u64).map(|n| n * n).sum()
}

#[nanobench(args = [2_u64])]
fn discards(n: u64) {
    let _ = (0..n).map(|n| n * 31 ^ 7).sum::<u64>();
}

#[nanobench]
fn hidden_by_hand() {
    black_box((0..1_000_u64).map(|n| n * n).sum::<u64>());
}

#[nanobench]
fn partly_used() {
    let _ = (0..100_u64).collect::<Vec<_>>();
}

#[nanobench]
fn hidden() -> u64 {
    black_box(1_000_u64) * 3
}
";

#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn lost_work_is_named_with_what_to_do() {
    let fixture = Fixture::to_edit("simple");
    fixture.optimise("simple");
    fixture.write("benches/lost.rs", BENCHES);
    let run = fixture.nanobench("--bench lost").run();
    run.exits(0);
    let unused = "nothing uses its result";
    let constant = "its result is a constant";
    let only_constant = "only a constant is left of its work";
    for (name, doubt) in [
        ("nothing_used", unused),
        ("partly_used", unused),
        ("discards/2", unused),
        ("hidden_by_hand", only_constant),
        ("constant", constant),
    ] {
        assert!(run.stderr().contains(&format!("{name} ({doubt})")), "{name}\n{run}");
        // Whether nothing can be timed may depend on what else runs.
        let row = run.row(name.rsplit('/').next().unwrap_or(name));
        assert!(row.contains("optimised away: not timed") || row.contains('~'), "{name}\n{run}");
    }
    // The saved run has what was found in the machine code.
    let report = fixture.nanobench("report").run();
    let number = |stdout: &str| stdout.matches("optimised away").count();
    assert_eq!(number(&report.exits(0).stdout()), number(&run.stdout()), "{report}{run}");
    // Other doubts, such as a drift, depend on what else runs.
    let row = run.row("hidden");
    for remark in ["optimised away", "nothing uses its result", "its result is a constant"] {
        run.never_says(&format!("hidden ({remark}"));
        assert!(!row.contains(remark), "{run}");
    }
}
