//! Changes are found, and unchanged work is soon known to be the same.

use super::files::{Effects, Files, SuiteFiles};
use super::noise::{NOISES, Noise};
use super::scenarios::{OTHER_CODE, SAME_CODE, UNKNOWN_CODE};
use super::simulated::{Hidden, Simulated};
use super::suite::{Decided, Suite};
use crate::effort::Effort;
use crate::rules::Rules;
use crate::statistics as stats;
use crate::verdict::Verdict;
use std::time::Duration;

/// Runs a suite of these benchmarks.
fn suite(effort: Effort, rules: &Rules, benchmarks: Vec<Simulated>) -> Vec<Decided> {
    let suite = Suite::new(effort, rules, benchmarks);
    if effort == Effort::Brief { suite.with_own_figures().run() } else { suite.run() }
}

/// Returns the median of the numbers of blocks.
fn blocks(decided: &[Decided]) -> f64 {
    stats::median(&decided.iter().map(|decided| f64::from(decided.blocks)).collect::<Vec<f64>>())
}

fn share(decided: &[Decided], verdict: Verdict) -> f64 {
    let number = decided.iter().filter(|decided| decided.verdict == verdict).count();
    number as f64 / decided.len() as f64
}

/// Returns the rules of a brief run without a threshold of its own.
fn brief_rules() -> Rules {
    Rules { threshold: 0.02, tests_threshold: true, ..Rules::default() }
}

#[test]
fn a_regression_of_1_percent_is_found_in_time() {
    assert_regression_is_found(3);
}

#[test]
#[ignore = "takes minutes: for whoever changes the rule"]
fn a_regression_of_1_percent_is_found_in_time_in_1_000_runs() {
    assert_regression_is_found(1_000);
}

#[track_caller]
fn assert_regression_is_found(runs: u64) {
    // Launches of formatting and copying differ by 0.5 %, launches of sorting and hash maps by 1.5 %.
    for (scale, max_blocks, min_share) in [(0.002, 8.0, 0.99), (0.005, 12.0, 0.97), (0.012, 40.0, 0.9)] {
        let changed = |run: u64| {
            let mut all = vec![Simulated::new(Noise::Normal, scale, 0.01, run)];
            all.extend((0..11).map(|i| Simulated::new(Noise::Normal, 0.002, 0.0, run * 100 + i)));
            suite(OTHER_CODE, &Rules::default(), all).remove(0)
        };
        let changed: Vec<Decided> = (0..runs).map(changed).collect();
        let (found, blocks) = (share(&changed, Verdict::Slower), blocks(&changed));
        println!("{scale}: {found} found, {blocks} blocks");
        assert_eq!(share(&changed, Verdict::Faster), 0.0);
        assert!(found >= min_share && blocks <= max_blocks, "{scale}: {found} in {blocks} blocks");
    }
}

#[test]
fn unchanged_work_is_the_same_soon() {
    for (effort, max_blocks) in [(SAME_CODE, 12.0), (UNKNOWN_CODE, 18.0), (OTHER_CODE, 36.0)] {
        let benchmarks =
            |run: u64| (0..10).map(|i| Simulated::new(Noise::Normal, 0.01, 0.0, run * 10 + i)).collect();
        let decided: Vec<_> =
            (0..4).flat_map(|run| suite(effort, &Rules::default(), benchmarks(run))).collect();
        let (same, blocks) = (share(&decided, Verdict::Same), blocks(&decided));
        assert!(same >= 39.0 / 40.0 && blocks <= max_blocks, "{effort:?}: {same} in {blocks} blocks");
    }
}

#[test]
fn slow_launches_of_both_sides_leave_it_the_same() {
    for effort in [SAME_CODE, UNKNOWN_CODE, OTHER_CODE] {
        for one_in in [4.0, 10.0] {
            let benchmark = |seed: u64| Simulated::new(Noise::SlowLaunches(one_in), 0.005, 0.0, seed);
            let decided = suite(effort, &Rules::default(), (0..20).map(benchmark).collect());
            let same = share(&decided, Verdict::Same);
            assert!(same >= 0.8, "{effort:?}, one in {one_in}: {same}");
        }
    }
}

#[test]
fn a_small_change_beside_slow_launches_of_both_sides_is_found() {
    let benchmark = |seed: u64| Simulated::new(Noise::SlowLaunches(4.0), 0.005, 0.02, seed);
    let decided = suite(OTHER_CODE, &Rules::default(), (0..20).map(benchmark).collect());
    assert!(share(&decided, Verdict::Slower) >= 0.9, "{}", share(&decided, Verdict::Slower));
    assert!(blocks(&decided) <= 30.0, "{}", blocks(&decided));
}

#[test]
fn a_large_regression_is_found_although_files_take_seconds() {
    let is_found = |run: &u64| {
        let effects = Effects { place: 0.005, cost: Duration::from_secs(2), ..Effects::default() };
        let row = Simulated::new(Noise::Normal, 0.03, 2.5_f64.ln(), *run);
        let files = SuiteFiles::new(Files::Copies, effects, *run);
        let decided = Suite::with_files(OTHER_CODE, &Rules::default(), vec![row], files).run().remove(0);
        decided.verdict == Verdict::Slower && decided.spent < Duration::from_secs(3)
    };
    assert_eq!((0..10).filter(is_found).count(), 10);
}

#[test]
fn without_a_threshold_any_change_that_is_shown_is_reported() {
    let slower = |effect: f64, threshold: f64| {
        let benchmarks = (0..20).map(|seed| Simulated::new(Noise::Normal, 0.000_1, effect, seed)).collect();
        let rules = Rules { threshold, ..Rules::default() };
        share(&suite(OTHER_CODE, &rules, benchmarks), Verdict::Slower)
    };
    assert_eq!([slower(0.001, 0.0), slower(0.001, Rules::default().threshold)], [1.0, 0.0]);
    assert_eq!(slower(0.0, 0.0), 0.0);
}

#[test]
fn a_change_of_exactly_the_threshold_is_not_called() {
    assert_threshold_is_not_called(40);
}

#[test]
#[ignore = "takes minutes: for whoever changes the rule"]
fn a_change_of_exactly_the_threshold_is_not_called_in_1_000_runs() {
    assert_threshold_is_not_called(1_000);
}

/// Tests a threshold that somebody has set. At most one in 100 such changes may be called.
#[track_caller]
fn assert_threshold_is_not_called(runs: u64) {
    for effort in [SAME_CODE, OTHER_CODE, Effort::Brief] {
        for (threshold, noise) in [(0.01, Noise::Normal), (0.05, Noise::Heavy), (0.2, Noise::Normal)] {
            let rules = Rules { threshold, tests_threshold: true, ..Rules::default() };
            let is_called = |seed: &u64| {
                let change = if seed.is_multiple_of(3) { -threshold.ln_1p() } else { threshold.ln_1p() };
                let benchmark = Simulated::new(noise, 0.005, change, *seed);
                suite(effort, &rules, vec![benchmark])[0].is_called()
            };
            let called = (0..runs).filter(is_called).count() as u64;
            println!("{effort:?}, {threshold}, {noise:?}: {called} of {runs} called");
            assert!(called <= runs.div_ceil(100), "{effort:?}, {threshold}, {noise:?}: {called} of {runs}");
        }
    }
}

#[test]
fn a_brief_run_finds_clear_changes_with_few_launches() {
    for (change, verdict, expected_blocks) in [(0.3, Verdict::Slower, 4.0), (-0.3, Verdict::Faster, 6.0)] {
        let decided = |run: u64| {
            let clear = |i: usize| Simulated::new(NOISES[i], 0.012, change, run * 10 + i as u64);
            suite(Effort::Brief, &brief_rules(), (0..4).map(clear).collect())
        };
        let decided: Vec<_> = (0..20).flat_map(decided).collect();
        assert_eq!(share(&decided, verdict), 1.0, "{change}");
        assert_eq!(blocks(&decided), expected_blocks, "of four launches, {change}");
    }
}

#[test]
fn a_brief_run_calls_little_faster_that_has_slow_launches() {
    // They are three times as slow, so the others save less than they add.
    let hidden = Hidden::Launches { one_in: 4.0, slowdown: 2.0 };
    let decide = |seed: u64| {
        let benchmark = Simulated::new(Noise::Normal, 0.02, -0.4, seed).hiding(hidden);
        suite(Effort::Brief, &brief_rules(), vec![benchmark]).remove(0)
    };
    let decided: Vec<Decided> = (0..300).map(decide).collect();
    let faster = share(&decided, Verdict::Faster);
    assert!(faster <= 0.04, "{faster}: 3 % have no slow launch");
}

#[test]
#[ignore = "takes minutes: prints a table for docs/internals/experiments.md"]
fn blocks_until_a_verdict() {
    for effort in [OTHER_CODE, UNKNOWN_CODE, SAME_CODE, Effort::Brief] {
        let rules = if effort == Effort::Brief { brief_rules() } else { Rules::default() };
        for effect in [0.0_f64, 0.01, 0.05] {
            for scale in [0.002, 0.005, 0.012] {
                // One changed benchmark alone, one of twelve, and thirteen of thirteen.
                let cells = [(1, 1), (1, 12), (13, 13)].map(|(changed, all)| {
                    let decided = |run: u64| {
                        let row = |i: u64| {
                            let (scale, effect) = if i < changed { (scale, effect) } else { (0.002, 0.0) };
                            Simulated::new(Noise::Normal, scale, effect.ln_1p(), run * 100 + i)
                        };
                        let decided = suite(effort, &rules, (0..all).map(row).collect());
                        decided.into_iter().take(changed as usize)
                    };
                    let decided: Vec<Decided> = (0..200 / changed).flat_map(decided).collect();
                    let verdicts = [Verdict::Slower, Verdict::Same].map(|verdict| share(&decided, verdict));
                    (verdicts, blocks(&decided))
                });
                println!("{effort:?}, {effect}, {scale}: [slower, same], blocks: {cells:.2?}");
            }
        }
    }
}
