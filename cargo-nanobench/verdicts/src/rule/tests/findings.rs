//! Verdicts and decisions by evidence without chance.

use super::super::*;
use super::scenarios::{OTHER_CODE, SAME_CODE, UNKNOWN_CODE};
use crate::average::AveragePair;
use crate::clusters::FilesOfBlock;
use crate::evidence::{CONFIDENCE, Evidence, Null, Pair};
use crate::rules::{Rules, TimeLimits};

const NOTHING_SHOWN: OfHypotheses<bool> = [[false; 2]; Question::ALL.len()];

/// Returns the evidence of these pairs, each in files of its own.
fn evidence(pairs: &[Pair]) -> Evidence {
    let mut evidence = Evidence::new(Null::default());
    for (generation, pairs) in (0..).zip(pairs.chunks(2)) {
        evidence.add(pairs, [0.0; 2], FilesOfBlock { generation, are_spent: true, are_layouts: false });
    }
    evidence
}

/// Returns this many pairs with little noise around a change.
fn pairs(number: usize, change: f64) -> Vec<Pair> {
    (0..number).map(|i| Pair::with_change(change + if i % 2 == 0 { 0.001 } else { -0.001 })).collect()
}

fn with_average(pair: Pair, change: impl FnOnce(&mut AveragePair)) -> Pair {
    let mut average = pair.average;
    change(&mut average);
    Pair { average, ..pair }
}

fn findings<'e>(evidence: &'e Evidence, rules: &'e Rules) -> Findings<'e> {
    Findings::new(evidence, rules, evidence.of_hypotheses(), NOTHING_SHOWN)
}

fn verdicts(evidence: &Evidence) -> Verdicts {
    findings(evidence, &Rules::default()).verdicts()
}

/// Returns the next block, if there is one.
fn next(evidence: &Evidence, spent: Duration, limits: &TimeLimits) -> Option<NextBlock> {
    findings(evidence, &Rules::default()).decide(spent, limits)
}

/// Returns a pair of long launches. `long`: the logarithms of their typical times; `averages`: the times of
/// their samples, in ms of 55.
fn long_pair(long: [f64; 2], averages: [f64; 2]) -> Pair {
    with_average(Pair::with_times(long), |average| {
        average.excess = [0, 1].map(|side| averages[side] / 55.0 - average.typical[side]);
        average.expensive = average.excess;
        (average.iterations, average.is_long) = (55, true);
    })
}

/// Returns the evidence of these pairs and of 30 usual ones.
fn with_usual(first: &[Pair]) -> Evidence {
    evidence(&[first, &pairs(30, 0.0)].concat())
}

/// Returns the pair as if all samples of these sides were slower than the typical time by equal shares.
fn without_expensive_samples(pair: Pair, of: [bool; 2]) -> Pair {
    with_average(pair, |average| {
        average.expensive = [0, 1].map(|side| if of[side] { 0.0 } else { average.expensive[side] });
    })
}

#[test]
fn what_only_long_launches_show_is_not_the_same() {
    let limits = UNKNOWN_CODE.limits();
    let of = |pairs: &[Pair]| {
        let evidence = with_usual(pairs);
        let next = next(&evidence, Duration::ZERO, &limits);
        (verdicts(&evidence).on(Question::Average), next.is_some_and(|next| next.long_pairs > 0))
    };
    let pair = |averages: [f64; 2]| long_pair([0.0; 2], averages);
    assert_eq!(of(&[pair([55.0, 56.0])]), (Verdict::Same, false));
    for changed in [[55.0, 61.0], [61.0, 55.0]] {
        let interval = with_usual(&[pair(changed)]).averages.interval(CONFIDENCE).unwrap();
        assert!(interval.high < 0.1 && interval.low > -0.1, "diluted: {interval:?}");
        assert_eq!(of(&[pair(changed)]), (Verdict::Unsure, true));
    }
    let disturbed = pair([62.0, 62.0]);
    assert_eq!(of(&[disturbed]), (Verdict::Unsure, true), "what one side hides is open");
    let jittery = without_expensive_samples(disturbed, [true; 2]);
    assert_eq!(of(&[jittery]), (Verdict::Same, false), "no rare calls");
    assert_eq!(of(&[disturbed; 2]), (Verdict::Same, false));
    let one_disturbed = with_usual(&[disturbed, pair([55.0, 62.0])]);
    assert!(one_disturbed.do_rare_calls_differ(0.1), "the second baseline's launch tells");
    let jitter_and_calls = without_expensive_samples(disturbed, [true, false]);
    let [all, expensive] = with_usual(&[jitter_and_calls; 2]).changes_by_rare_calls();
    assert!(all.abs() < 0.01 && expensive > 0.1, "both add as much, but only calls may recur");
    assert_eq!(of(&[jitter_and_calls; 2]).0, Verdict::Unsure);
    let launch = with_usual(&[long_pair([0.0, 0.12], [55.0, 62.0])]);
    assert!(!launch.do_rare_calls_differ(0.01), "the whole launch is slower");
}

#[test]
fn rare_calls_that_cost_the_same_are_no_reason_to_doubt_that_work_is_faster() {
    // A typical call takes half as long, and rare ones add a tenth or a fifth to it.
    let half = 0.5_f64.ln();
    let long = long_pair([0.0, half], [60.5, 33.0]);
    let faster = evidence(&[&[long][..], &pairs(30, half)].concat());
    assert!(faster.changes_by_rare_calls().iter().all(|&change| change > 0.09));
    let may_be_slower = |evidence: &Evidence| verdicts(evidence).average_may_be_slower;
    assert!(!may_be_slower(&faster));
    assert!(may_be_slower(&with_usual(&[long_pair([0.0; 2], [55.0, 60.0])])));
    let unsteady = without_expensive_samples(long_pair([0.0; 2], [64.0, 60.0]), [true, false]);
    assert!(may_be_slower(&with_usual(&[unsteady])));
}

#[test]
fn an_average_that_a_few_slow_calls_of_the_baseline_decide_is_not_the_same() {
    let of = |slow: f64| {
        let pair = |(i, pair): (usize, Pair)| {
            with_average(pair, |average| average.typical = [if i < 8 { slow } else { 1.0 }, 1.0])
        };
        let verdicts =
            verdicts(&evidence(&pairs(30, 0.0).into_iter().enumerate().map(pair).collect::<Vec<_>>()));
        (verdicts.on(Question::Typical), verdicts.on(Question::Average), verdicts.average_may_be_slower)
    };
    assert_eq!(of(1.05), (Verdict::Same, Verdict::Same, false));
    assert_eq!(of(3.0), (Verdict::Same, Verdict::Unsure, false), "-31 % on average");
}

#[test]
fn an_open_average_waits_for_the_launches_that_are_needed_anyway() {
    let next = |number: usize, effort: super::super::super::effort::Effort| {
        let pair = |(i, pair): (usize, Pair)| {
            with_average(pair, |average| match i {
                0 | 1 => average.is_long = true,
                _ => average.excess[i % 2] = 0.8,
            })
        };
        let pairs: Vec<Pair> = pairs(number, 0.0).into_iter().enumerate().map(pair).collect();
        let next = next(&evidence(&pairs), Duration::ZERO, &effort.limits()).unwrap();
        (next.long_pairs, next.only_adds_launches)
    };
    assert_eq!(next(12, SAME_CODE), (0, true));
    assert_eq!(next(16, SAME_CODE), (1, false), "no more are needed");
    assert_eq!(next(16, UNKNOWN_CODE), (0, true), "this needs 30");
    assert_eq!(next(66, OTHER_CODE).0, 2);
}

#[test]
fn a_change_that_is_known_to_be_below_the_threshold_is_the_same() {
    let typical = |threshold: f64, number: usize, change: f64| {
        let rules = Rules { threshold, ..Rules::default() };
        findings(&evidence(&pairs(number, change)), &rules).verdicts().on(Question::Typical)
    };
    assert_eq!(typical(0.05, 30, 0.035), Verdict::Same);
    assert_eq!(typical(0.05, 30, 0.05), Verdict::Unsure, "it may be above");
    assert_eq!(typical(0.005, 30, 0.035), Verdict::Unsure, "it isn't shown, either");
    assert_eq!(typical(0.005, 30, 0.001), Verdict::Same, "the resolution is enough");
    assert_eq!(typical(0.005, 6, 0.0), Verdict::Unsure, "six pairs don't tell");
}

#[test]
fn a_wish_for_precision_delays_the_end_of_a_run() {
    let of = |precision: f64| Rules::default().with_precision(precision).target_precision();
    assert_eq!(of(0.001), 0.001);
    let usual = Rules::default().target_precision();
    assert_eq!([0.005, 0.006, 0.1].map(of), [usual; 3], "no wish");
    let evidence = with_usual(&[long_pair([0.0; 2], [55.0; 2]); 2]);
    let limits = TimeLimits { min_launches: 32, ..OTHER_CODE.limits() };
    let ends = |precision: f64, spent: Duration| {
        let rules = Rules::default().with_precision(precision);
        findings(&evidence, &rules).decide(spent, &limits).is_none()
    };
    assert_eq!([0.006, 0.000_1].map(|precision| ends(precision, Duration::ZERO)), [true, false]);
    assert!(ends(0.000_1, limits.usual), "no longer than the usual time");
}

#[test]
fn slow_launches_that_add_less_than_the_threshold_are_not_suspected() {
    // Half of the candidate's launches take half as long again.
    let pair = |i: usize| Pair {
        launches: [0.0, if i.is_multiple_of(2) { 0.4 } else { 0.0 }],
        ..Pair::with_change(0.0)
    };
    let evidence = evidence(&(0..40).map(pair).collect::<Vec<_>>());
    let suspects = |threshold: f64| {
        let rules = Rules { threshold, ..Rules::default() };
        findings(&evidence, &rules).suspects(Question::Launches, false)
    };
    assert_eq!([suspects(0.005), suspects(0.5)], [true, false]);
}

/// Returns the decision on a change that is shown.
fn decide_shown(number: usize, change: f64, rules: &Rules, spent: Duration) -> (Verdict, bool) {
    let evidence = evidence(&pairs(number, change));
    let mut shown = NOTHING_SHOWN;
    shown[0][Direction::from_estimate(change) as usize] = true;
    let findings = Findings::new(&evidence, rules, evidence.of_hypotheses(), shown);
    let is_end = findings.decide(spent, &OTHER_CODE.limits()).is_none();
    (findings.verdicts().verdict(), is_end)
}

#[test]
fn a_change_that_is_shown_ends_the_run() {
    let decide = |number: usize, change: f64| decide_shown(number, change, &Rules::default(), Duration::ZERO);
    assert_eq!(decide(6, 0.03), (Verdict::Slower, true));
    assert_eq!(decide(4, 0.03), (Verdict::Slower, false), "too few pairs");
    assert_eq!(decide(12, -0.03), (Verdict::Faster, true));
    assert_eq!(decide(10, -0.03), (Verdict::Faster, false), "some launches may be slow");
    assert_eq!(decide(30, 0.003), (Verdict::Same, false), "too small to be reported");
}

#[test]
fn a_change_at_a_gate_goes_on_until_it_is_known_on_which_side_it_is() {
    let decide = |max_passing: f64, spent: Duration| {
        let rules = Rules { max_passing: Some(max_passing), ..Rules::default() };
        decide_shown(20, 0.03, &rules, spent)
    };
    assert_eq!(decide(0.02, Duration::ZERO), (Verdict::Slower, true));
    assert_eq!(decide(0.05, Duration::ZERO), (Verdict::Slower, true));
    let exactly = 0.03_f64.exp_m1();
    assert_eq!(decide(exactly, Duration::ZERO), (Verdict::Slower, false));
    assert_eq!(decide(exactly, 2 * OTHER_CODE.limits().total), (Verdict::Slower, true), "the time is up");
}

#[test]
fn blocks_that_only_add_launches_end_when_the_time_is_up() {
    // The typical time is known after ten pairs, but slow launches leave the average open.
    let mut all = pairs(10, 0.0);
    let slow = |i: usize| {
        let pair =
            Pair { change: None, ..Pair::with_times([0.0, if i.is_multiple_of(5) { 0.4 } else { 0.0 }]) };
        if i.is_multiple_of(10) { Pair { launches: [0.4, 0.0], ..pair } } else { pair }
    };
    all.extend((0..200).map(slow));
    let (evidence, limits) = (evidence(&all), OTHER_CODE.limits());
    assert!(evidence.pairs() < limits.sufficient_pairs);
    assert_eq!(next(&evidence, 2 * limits.total, &limits), None);
}

#[test]
fn slower_in_any_question_outweighs_faster() {
    use Verdict::{Faster, Same, Slower, Unsure};
    let verdict = |[typical, average, launches]: [Verdict; 3], average_may_be_slower: bool| {
        let verdicts = Verdicts { of: [typical, average, launches], average_may_be_slower };
        (verdicts.verdict(), verdicts.question())
    };
    assert_eq!(verdict([Faster, Slower, Same], true), (Slower, Question::Average));
    assert_eq!(verdict([Faster, Unsure, Same], false), (Faster, Question::Typical));
    assert_eq!(verdict([Faster, Same, Same], true).0, Unsure);
    assert_eq!(verdict([Same, Same, Unsure], false), (Unsure, Question::Launches));
    assert_eq!(verdict([Same; 3], false), (Same, Question::Typical));
}

#[test]
fn the_shares_of_the_error_of_a_benchmark_add_up() {
    for expected in [None, Some(Direction::Faster), Some(Direction::Slower)] {
        let sum: f64 = weights(expected).as_flattened().iter().sum();
        assert!((sum - 1.0).abs() < 1e-12, "{expected:?}: {sum}");
    }
    assert!(weights(Some(Direction::Slower))[0][1] > 0.8);
}

#[test]
fn a_change_beside_others_needs_less_evidence() {
    let of = |evidence: f64| {
        let mut log_evidence = OfHypotheses::default();
        log_evidence[0][1] = evidence.ln();
        (weights(None), log_evidence)
    };
    let is_shown =
        |benchmarks: &[_]| rejected(benchmarks, ERROR_RATE).iter().filter(|shown| shown[0][1]).count();
    // Each other hypothesis has less evidence than 1 in 100, and their shares add up to 0.7 for one
    // benchmark.
    assert_eq!([is_shown(&[of(320.0)]), is_shown(&[of(340.0)])], [0, 1]);
    assert_eq!([is_shown(&[of(600.0), of(1.0)]), is_shown(&[of(600.0); 2])], [0, 2]);
    let beside_gone = |evidence: f64| is_shown(&[of(evidence), nothing_known()]);
    assert_eq!([600.0, 680.0].map(beside_gone), [0, 1], "100 for each of the other hypotheses");
}
