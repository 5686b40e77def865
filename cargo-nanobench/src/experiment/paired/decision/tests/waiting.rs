//! Time for which launches wait for other programs.

use super::simulated::Waiting;
use super::*;

/// A load on the same core for half of the time.
const LOAD: Waiting = Waiting { load: 0.5, of_candidate: 0.0 };

/// Returns the verdicts on this many suites of four benchmarks that wait like this.
fn verdicts(waiting: Waiting, effort: Effort, suites: u64) -> Vec<Vec<Verdict>> {
    let benchmark = |seed| Simulated::new(Noise::Normal, 0.005, 0.0, seed).waiting(waiting);
    let suite = |run: u64| {
        let benchmarks = (0..4).map(|i| benchmark(run * 4 + i)).collect();
        suite_with(effort, benchmarks, &Rules::default()).into_iter().map(|decided| decided.verdict).collect()
    };
    (0..suites).map(suite).collect()
}

fn share(verdicts: &[Vec<Verdict>], wanted: impl Fn(Verdict) -> bool) -> f64 {
    let wanted = verdicts.iter().flatten().filter(|&&verdict| wanted(verdict)).count();
    wanted as f64 / verdicts.iter().flatten().count() as f64
}

fn assert_load_changes_nothing(suites: u64) {
    for effort in [Effort::Thorough, Effort::Moderate] {
        let verdicts = verdicts(LOAD, effort, suites);
        let loud = verdicts.iter().filter(|suite| suite.iter().any(|&verdict| calls(verdict))).count();
        let same = share(&verdicts, |verdict| verdict == Verdict::Same);
        println!("{effort:?}: {loud} of {suites} suites with a change, {same} same");
        assert!(loud as f64 <= 0.01 * suites as f64, "{effort:?}: {loud} of {suites}");
        assert!(same >= 0.9, "{effort:?}: {same}");
    }
}

#[test]
fn a_load_beside_unchanged_benchmarks_is_no_change() {
    assert_load_changes_nothing(5);
}

#[test]
#[ignore = "takes minutes: for whoever changes the rules"]
fn a_load_beside_unchanged_benchmarks_is_no_change_in_99_of_100_runs() {
    assert_load_changes_nothing(1_000);
}

fn assert_work_elsewhere_counts(suites: u64, min_share: f64) {
    for load in [0.0, 0.1] {
        let verdicts = verdicts(Waiting { load, of_candidate: 0.3 }, Effort::Thorough, suites);
        let slower = share(&verdicts, |verdict| verdict == Verdict::Slower);
        let missed = share(&verdicts, |verdict| matches!(verdict, Verdict::Same | Verdict::Faster));
        println!("beside a load of {load}: {slower} slower, {missed} same or faster");
        assert!(slower >= min_share && missed <= 0.01, "{load}: {slower} slower, {missed} same or faster");
    }
}

#[test]
fn work_that_another_process_does_for_the_candidate_counts() {
    assert_work_elsewhere_counts(3, 0.9);
}

#[test]
#[ignore = "takes minutes: for whoever changes the rules"]
fn work_that_another_process_does_for_the_candidate_counts_in_1_000_comparisons() {
    assert_work_elsewhere_counts(250, 0.95);
}
