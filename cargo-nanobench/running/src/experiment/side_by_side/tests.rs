//! Runs for which there is no time.

use super::*;
use crate::benchmark_id::BenchmarkId;
use crate::code::{CodeMatch, KnownExecutables};
use crate::experiment::baseline::{Baseline, BaselineExecutable, KnownBenchmark};
use crate::experiment::comparison::Reason;
use crate::experiment::policy::{PairedRuns, SameCode};
use crate::experiment::premises::{Premise, Premises, State, Subject};
use crate::experiment::row::Row;
use crate::experiment::rows::{Observer, Remaining};
use crate::experiment::run_plan::{Need, PlannedBenchmark};
use crate::experiment::suite::Benchmark;
use nanobench::measure::Plan;
use nanobench::model::{BenchmarkSpec, Measurement};
use project::fixtures::id;
use std::collections::BTreeMap;
use std::path::PathBuf;
use verdicts::Rules;

const POLICY: ComparisonPolicy = ComparisonPolicy {
    threshold: None,
    rules: Rules {
        threshold: 0.005,
        resolution: 0.02,
        average_resolution: 0.1,
        precision: None,
        max_passing: None,
        tests_threshold: false,
    },
    paired_runs: PairedRuns::Changed,
    same_code: SameCode::NotRun,
    audited: None,
    pairs_identical: false,
    counts_instructions: false,
    keeps_evidence: false,
};

/// The time of an iteration in the last run, in ns.
const BEFORE: u64 = 1_000;

struct Silent;

impl Observer for Silent {
    fn takes_long(&mut self, _: &Benchmark, _: Duration, _: usize, _: Duration) {}
    fn running(&mut self, _: &Benchmark, _: Remaining) {}
    fn done(&mut self, _: &Row) {}
    fn done_early(&mut self, _: &BTreeMap<usize, Row>) {}
}

fn benchmark(name: &str) -> Benchmark {
    let BenchmarkId { target, row } = id(&format!("my-crate::first::{name}"));
    Benchmark::new(&target, 0, &BenchmarkSpec { id: row, unroll: 1, ..BenchmarkSpec::default() })
}

fn sampled<'a>(benchmark: &Benchmark, known: KnownBenchmark<'a>, code: CodeMatch, now: u64) -> Progress<'a> {
    let planned =
        PlannedBenchmark { baseline: Baseline::Known(known), code: Some(code), need: Need::Comparison };
    let mut progress = Progress::new(benchmark.clone(), planned, Plan::default(), POLICY);
    progress.sample_steady(now);
    progress
}

/// Runs these benchmarks, whose iterations took [`BEFORE`], although there is no time for it. Returns
/// the reasons of their verdicts, and their obstacles.
fn run_without_time(benchmarks: &[(CodeMatch, u64, Premises<'_>)]) -> Vec<(Option<Reason>, bool)> {
    let run = |benchmarks: &mut [Progress<'_>]| {
        let (mut observer, machine_code) = (Silent, KnownExecutables::default());
        let mut rows = Rows::new(&mut observer, &[], &machine_code);
        let codes = BaselineCode::new(machine_code.clone());
        SideBySide::new(&POLICY, codes, None, 1.0).run_changed(
            benchmarks,
            &mut [],
            &mut rows,
            |_, _| Duration::ZERO,
            true,
        );
    };
    reasons_after(run, benchmarks)
}

/// Returns the reasons of the verdicts on these benchmarks, and their obstacles.
fn reasons_after(
    run: impl FnOnce(&mut [Progress<'_>]),
    benchmarks: &[(CodeMatch, u64, Premises<'_>)],
) -> Vec<(Option<Reason>, bool)> {
    let benchmark = benchmark("f");
    let mut before = Progress::new(
        benchmark.clone(),
        PlannedBenchmark { baseline: Baseline::Absent, code: None, need: Need::Figures },
        Plan::default(),
        POLICY,
    );
    before.sample_steady(BEFORE);
    let stored: Measurement = before.measurement().unwrap();
    let executable = PathBuf::from("no executable");
    let mut progress: Vec<Progress<'_>> = benchmarks
        .iter()
        .map(|(code, now, changed)| {
            let known = KnownBenchmark {
                spec: &benchmark.spec,
                measurement: Some(&stored),
                identical: false,
                executable: Some(BaselineExecutable::Stored(&executable)),
                premises: *changed,
            };
            sampled(&benchmark, known, code.clone(), *now)
        })
        .collect();
    run(&mut progress);
    let comparisons = progress.iter().map(|it| it.row().unwrap().comparison.unwrap());
    comparisons.map(|comparison| (comparison.reason, comparison.not_paired.is_some())).collect()
}

#[test]
fn figures_that_stand_out_are_unsure_if_there_is_no_time_for_them() {
    let unchanged = || (CodeMatch::Same, BEFORE, Premises::default());
    let moved = (CodeMatch::Same, 2 * BEFORE, Premises::default());
    let found = run_without_time(&[unchanged(), moved, unchanged(), unchanged()]);
    let reasons: Vec<Option<Reason>> = found.into_iter().map(|(reason, _)| reason).collect();
    assert_eq!(reasons[1], Some(Reason::OtherFigure));
    assert!(!reasons[2..].contains(&reasons[1]) && reasons[0] != reasons[1], "{reasons:?}");
}

#[test]
fn below_resolution_is_the_reason_and_not_a_lack_of_time() {
    let without_work = |code| (code, 0, Premises::default());
    let benchmarks = [without_work(CodeMatch::Differs(None)), without_work(CodeMatch::Same)];
    let found = reasons_after(|_| (), &benchmarks);
    assert_eq!(found, [(Some(Reason::BelowResolution), false), (Some(Reason::SameCode), false)]);
}

#[test]
fn code_that_may_be_the_same_counts_like_the_same() {
    // The first of those with other code would run although there is no time, so it can't.
    let changed = [Premise::new(Subject::Programs, State::Shared(vec!["libplugin.so".to_owned()]))];
    let obstructed = Premises::new(&changed);
    let uncertain = |times: u64, changed| (CodeMatch::Uncertain, times * BEFORE, changed);
    let none = Premises::default();
    let mut benchmarks = vec![uncertain(8, obstructed), uncertain(4, none), uncertain(2, obstructed)];
    benchmarks.resize_with(8, || uncertain(1, none));
    let found = run_without_time(&benchmarks);
    assert_eq!(found[1], (Some(Reason::OtherFigure), false));
    let obstructed = |(reason, has_obstacle): &(Option<Reason>, bool)| {
        *has_obstacle && *reason != Some(Reason::OtherFigure)
    };
    assert!(obstructed(&found[0]) && obstructed(&found[2]), "{found:?}");
    assert_ne!(found[3].0, Some(Reason::OtherFigure));
}

#[test]
fn a_brief_run_uses_layouts_if_code_may_merely_lie_elsewhere() {
    let uses = |code: CodeMatch, change| POLICY.uses_layouts(|| code, change);
    let [half_as_long_again, threefold] = [1.5_f64.ln(), 3.0_f64.ln()].map(Some);
    assert!(uses(CodeMatch::Same, half_as_long_again) && uses(CodeMatch::Uncertain, None));
    assert!(uses(CodeMatch::Same, half_as_long_again.map(|change| -change)));
    assert!(!uses(CodeMatch::Same, threefold), "placement doesn't explain it");
    assert!(!uses(CodeMatch::Differs(None), half_as_long_again));
}
