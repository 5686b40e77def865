//! Two builds side by side.

use nanobench_tests::{Fixture, Outcome};
use std::fs;

const CHANGING: &str = "compare::work::changing";
const STEADY: &str = "compare::work::steady";

#[test]
fn a_baseline_runs_beside_the_new_build() {
    let fixture = Fixture::slowed_down("--save-baseline main");
    let run = fixture.nanobench("--baseline main --format json").run();
    let changing = run.compared(CHANGING);
    assert_eq!(changing.verdict, "slower", "{run}");
    assert!(changing.is_side_by_side() && changing.pairs.unwrap() >= 6, "three blocks\n{run}");
    assert!(changing.launch_noise.unwrap() < changing.change.unwrap(), "{run}");
    // It may say before in how many layouts.
    let has_change = changing.sentence.contains("; changed by +");
    assert!(changing.sentence.starts_with("slower") && has_change, "{}", changing.sentence);
    let steady = run.compared(STEADY);
    // A busy machine may leave too little time.
    let has_enough = steady.pairs.unwrap() >= 6 || steady.verdict == "unsure";
    assert!(steady.is_side_by_side() && has_enough, "three blocks\n{run}");

    fixture.nanobench("report --output html=page.html").run().exits(0);
    let page = fixture.text("page.html");
    let earlier = "\"earlier\":{\"baseline\":\"main\",\"sentence\":\"slower";
    assert!(page.contains(earlier), "the page of a saved run has the ratios of its comparison");
}

#[test]
fn the_heading_says_how_it_was_compared_and_the_end_how_quiet_it_was() {
    let run = Fixture::slowed_down("--save-baseline main").nanobench("--baseline main").run();
    run.exits(0).prints("side by side with main").prints("noise between processes: at most");
}

// Rust comes with lld there, so there are layouts.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[test]
fn code_that_may_have_moved_runs_as_it_is_linked() {
    let fixture = Fixture::slowed_down("--save-baseline main");
    let run = fixture.nanobench("--baseline main --fail-on placement --format json").run();
    let [changing, steady] = [CHANGING, STEADY].map(|id| run.json().row(id).comparison.unwrap());
    assert!(changing.sentence.contains("layouts differ by"), "{run}");
    assert!(steady.is_side_by_side() && !steady.sentence.contains("layouts differ by"), "{run}");
}

#[test]
fn identical_executables_are_not_run_side_by_side() {
    let fixture = Fixture::of("compare");
    fixture.nanobench("--save-baseline main steady").run().exits(0);
    let run = fixture.nanobench("--baseline main --format json steady").run();
    let steady = run.compared(STEADY);
    assert!(!steady.is_side_by_side() && steady.pairs.is_none(), "{run}");
    assert_eq!(steady.sentence, "identical code", "{run}");
}

#[test]
fn without_its_executables_a_baseline_still_has_its_figures() {
    let fixture = Fixture::slowed_down("--save-baseline main");
    fs::remove_dir_all(fixture.stored("blobs")).unwrap();
    let run = fixture.nanobench("--baseline main --format json").run();
    let steady = run.compared(STEADY);
    assert!(!steady.is_side_by_side(), "{run}");
    assert!(steady.sentence.contains("not side by side: the baseline's executable is gone"), "{run}");
    assert_eq!(run.compared(CHANGING).verdict, "slower", "{run}");
}

#[test]
fn the_flag_wins_over_the_attribute_and_that_over_the_file() {
    let fixture = Fixture::slowed_down_to_edit("--save-baseline main");
    let changing = |flags: &str| {
        let run = fixture.nanobench(&format!("--baseline main --format json {flags} changing")).run();
        run.compared(CHANGING).verdict
    };
    fixture.write(".config/nanobench.toml", "threshold = 5000");
    fixture.edit("benches/work.rs", "#[nanobench]\nfn changing", "#[nanobench(threshold = 5)]\nfn changing");
    assert_eq!(changing(""), "slower");
    fixture.edit("benches/work.rs", "threshold = 5", "threshold = 5000");
    assert_eq!(changing("--threshold 5"), "slower");
}

#[test]
fn no_time_is_no_verdict() {
    let run = Fixture::slowed_down("--save-baseline main")
        .nanobench("--baseline main --budget 1ms --format json")
        .run();
    for id in [CHANGING, STEADY] {
        assert_eq!(run.compared(id).verdict, "unsure", "{run}");
        assert_eq!(run.compared(id).sentence, "unsure: too little time", "{run}");
    }
}

#[test]
fn changes_below_the_threshold_are_not_called() {
    let run = Fixture::slowed_down("--save-baseline main")
        .nanobench("--baseline main --threshold 5000 --format json changing")
        .run();
    // If it is known precisely, it is `same`.
    assert!(["same", "unsure"].contains(&run.compared(CHANGING).verdict.as_str()), "{run}");
}

/// Compares all rows of a fixture with a baseline of the same executable, which is measured
/// nevertheless.
#[track_caller]
fn beside_itself(name: &str, flags: &str) -> Outcome {
    let fixture = Fixture::of(name);
    fixture.nanobench(&format!("--save-baseline main {flags}")).run().exits(0);
    let beside = fixture.nanobench(&format!("--baseline main --budget 3s --format json {flags}"));
    let run = beside.env("NANOBENCH_COMPARE_IDENTICAL", "1").run();
    run.exits(0);
    run
}

#[test]
#[ignore = "takes 15 s; .ci/run does it on request"]
fn every_kind_of_row_runs_beside_the_baselines() {
    for (name, flags) in
        [("threads", ""), ("caches", ""), ("state", ""), ("caches", "--wipe-size 64K,1M walk")]
    {
        let run = beside_itself(name, flags);
        let report = run.json();
        for id in report.ids() {
            let compared =
                report.row(id).comparison.unwrap_or_else(|| panic!("{id} was not compared\n{run}"));
            let is_nothing = compared.sentence.contains("nothing was left to time");
            assert!(compared.is_side_by_side() || is_nothing, "{id}: {}", compared.sentence);
        }
    }
}

#[test]
fn benchmarks_on_several_threads_are_not_bound_to_a_core() {
    let fixture = Fixture::of("threads");
    fixture.nanobench("--save-baseline main meet").run().exits(0);
    let file = fixture.path("blocks");
    let blocks_within = |budget: &str| {
        let beside = fixture.nanobench(&format!("--baseline main --budget {budget} meet"));
        let beside = beside.env("NANOBENCH_COMPARE_IDENTICAL", "1");
        beside.env("NANOBENCH_BLOCKS", file.to_str().unwrap()).run().exits(0);
        fs::read_to_string(&file).unwrap_or_default()
    };
    // A busy machine may need longer for the first block.
    let blocks = ["1s", "10s", "60s"].into_iter().map(blocks_within).find(|blocks| !blocks.is_empty());
    let blocks = blocks.expect("a block within a minute");
    assert!(blocks.lines().all(|block| block.contains("\"core\":null")), "{blocks}");
}

#[test]
fn a_comparison_goes_on_with_its_evidence_until_the_code_is_another() {
    let fixture = Fixture::slowed_down_to_edit("--save-baseline main");
    fixture.nanobench("--more 1s").run().fails_with(4, "there is no comparison to go on with");
    let before = fixture.nanobench("--baseline main --format json changing").run().compared(CHANGING);
    let run = fixture.nanobench("--more 20s --format json changing").run();
    let after = run.compared(CHANGING);
    assert_eq!(after.verdict, "slower", "{run}");
    assert!(after.pairs > before.pairs, "{:?} after {:?}\n{run}", after.pairs, before.pairs);
    let not_compared = "no benchmark that these filters name was compared with main";
    fixture.nanobench("--more 1s steady").run().fails_with(4, not_compared);
    let none_unsure = "the last comparison, with main, left no benchmark unsure";
    fixture.nanobench("--more 1s").run().fails_with(4, none_unsure);
    fixture.edit("benches/work.rs", "STEPS: u64 = 40_000", "STEPS: u64 = 30_000");
    let other_code = "has other code than in the last comparison, with main";
    fixture.nanobench("--more 1s changing").run().says(other_code).never_says("slower");
    fixture.nanobench("--more 1s --fail-on placement").run().fails_with(4, "as they were linked");
    fixture.nanobench("--baseline last changing").run().exits(0);
    fixture.nanobench("--more 1s").run().fails_with(4, "there is no comparison to go on with");
}

#[test]
fn processes_that_need_the_same_port_or_lock_live_one_at_a_time() {
    let fixture = Fixture::to_edit("compare");
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let folder = tempfile::tempdir().unwrap();
    let lock = folder.path().join("lock");
    let rows = format!(
        "\nstatic PORT: std::sync::OnceLock<std::net::TcpListener> = std::sync::OnceLock::new();\n\
         static LOCK: std::sync::OnceLock<std::fs::File> = std::sync::OnceLock::new();\n\n\
         #[nanobench]\nfn serves() -> u64 {{\n    \
         PORT.get_or_init(|| std::net::TcpListener::bind(\"127.0.0.1:{port}\").unwrap());\n    spin(STEPS)\n}}\n\n\
         #[nanobench]\nfn locks() -> u64 {{\n    LOCK.get_or_init(|| {{\n        \
         let file = std::fs::File::create({lock:?}).unwrap();\n        file.try_lock().unwrap();\n        file\n    \
         }});\n    spin(STEPS)\n}}\n"
    );
    fixture.write("benches/work.rs", fixture.text("benches/work.rs") + &rows);
    fixture.nanobench("--save-baseline main").run().exits(0);
    fixture.edit("benches/work.rs", "spin(2_000)", "spin(2_002)");
    let command = "--baseline main serves locks";
    let run = fixture.nanobench(command).run();
    run.exits(0).prints("gives each process a port of its own, or add --one-at-a-time");
    run.prints("with std::process::id() in their names, or add --one-at-a-time");
    run.prints("to compare 2 benchmarks in one process at a time: cargo nanobench ");
    run.prints(&format!("{command} --one-at-a-time"));
    let compared = || {
        let run = fixture.nanobench(&format!("{command} --one-at-a-time --format json")).run();
        ["serves", "locks"].map(|row| {
            let comparison = run.compared(&format!("compare::work::{row}"));
            assert!(comparison.pairs > Some(0), "{comparison:?}\n{run}");
            comparison.verdict
        })
    };
    let unchanged = compared();
    assert!(unchanged.iter().all(|verdict| ["same", "unsure"].contains(&&**verdict)), "{unchanged:?}");
    fixture.edit("benches/work.rs", "STEPS: u64 = 2_000", "STEPS: u64 = 6_000");
    assert_eq!(compared(), ["slower", "slower"]);
}

#[test]
fn a_program_that_holds_a_port_before_its_benchmarks_lives_one_at_a_time() {
    let fixture = Fixture::to_edit("compare");
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let core = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("nanobench-core");
    let criterion = core.join("compat/criterion");
    let manifest = fixture.text("Cargo.toml").replace(
        "[dev-dependencies]\n",
        &format!(
            "[dev-dependencies]\ncriterion = {{ package = \"nanobench-criterion\", path = {criterion:?} }}\n"
        ),
    );
    fixture.write("Cargo.toml", manifest + "\n[[bench]]\nname = \"suite\"\nharness = false\n");
    let suite = format!(
        "fn all(criterion: &mut criterion::Criterion) {{\n    \
         let port = std::net::TcpListener::bind(\"127.0.0.1:{port}\").unwrap();\n    \
         criterion.bench_function(\"addresses\", |b| b.iter(|| (0..10).map(|_| port.local_addr()).last()));\n}}\n\
         criterion::criterion_group!(benches, all);\ncriterion::criterion_main!(benches);\n"
    );
    fixture.write("benches/suite.rs", suite);
    fixture.nanobench("--save-baseline main addresses").run().exits(0);
    fixture.edit("benches/suite.rs", "0..10", "0..40");
    let run = fixture.nanobench("--baseline main addresses").run();
    run.exits(0).prints("AddrInUse").prints("or add --one-at-a-time");
    let run = fixture.nanobench("--baseline main --one-at-a-time --format json addresses").run();
    assert_eq!(run.compared("compare::suite::addresses").verdict, "slower", "{run}");
}
