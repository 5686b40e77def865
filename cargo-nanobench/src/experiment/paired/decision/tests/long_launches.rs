//! Rare calls, which only long launches show.

use super::*;

/// Returns the evidence of 30 pairs of launches, the first of them long. `long`: the logarithms of
/// the typical times of the long launches; `averages`: the times of their samples, in ms of 55.
fn with_long_launches(long: [f64; 2], averages: [f64; 2]) -> Evidence {
    let mut evidence = Evidence::default();
    evidence.add(&[0.001, -0.001].repeat(15), &[0.000_1; 30]);
    evidence.launches.add(&[[0.0; 2]; 30]);
    evidence.averages.add(&[simulated::average_pair([1.0; 2]); 30]);
    let mut first = Evidence::default();
    first.add(&[long[1] - long[0]], &[]);
    first.launches.add(&[long]);
    let typical = long.map(f64::exp);
    let excess = [0, 1].map(|side| averages[side] / 55.0 - typical[side]);
    let pair = simulated::average_pair(typical);
    first.averages.add(&[AveragePair { excess, expensive: excess, iterations: 55, is_long: true, ..pair }]);
    first.and(&evidence)
}

/// Returns the evidence as if all samples of these sides were slower than the typical time by equal
/// shares.
fn without_expensive_samples(evidence: &Evidence, of: [bool; 2]) -> Evidence {
    let pairs = evidence.averages.pairs().iter().map(|pair| {
        let expensive = [0, 1].map(|side| if of[side] { 0.0 } else { pair.expensive[side] });
        AveragePair { expensive, ..*pair }
    });
    let mut averages = AverageEvidence::default();
    averages.add(&pairs.collect::<Vec<_>>());
    let mut evidence = evidence.clone();
    evidence.averages = averages;
    evidence
}

#[test]
fn what_only_long_launches_show_is_not_the_same() {
    let (rules, limits) = (Rules::default(), Effort::Moderate.limits());
    let average = |evidence: &Evidence| Verdicts::without_change(evidence, &rules).average;
    let needs_long_launches = |evidence: &Evidence| {
        let decision = decide_screening(evidence, Duration::ZERO, &rules, &limits);
        matches!(decision, ScreeningDecision::Continue(next) if next.long_pairs > 0)
    };
    let alike = with_long_launches([0.0; 2], [55.0, 56.0]);
    assert_eq!((average(&alike), needs_long_launches(&alike)), (Verdict::Same, false));
    for changed in [[55.0, 61.0], [61.0, 55.0]] {
        let rare = with_long_launches([0.0; 2], changed);
        let interval = rare.averages.interval(0.95).unwrap();
        assert!(farther_end(interval) < rules.average_resolution, "diluted: {interval:?}");
        assert_eq!((average(&rare), needs_long_launches(&rare)), (Verdict::Unsure, true));
    }
    let disturbed = with_long_launches([0.0; 2], [62.0, 62.0]);
    assert_eq!((average(&disturbed), needs_long_launches(&disturbed)), (Verdict::Unsure, true));
    let jittery = without_expensive_samples(&disturbed, [true; 2]);
    assert_eq!((average(&jittery), needs_long_launches(&jittery)), (Verdict::Same, false), "no rare calls");
    let both_disturbed = disturbed.and(&disturbed);
    assert_eq!((average(&both_disturbed), needs_long_launches(&both_disturbed)), (Verdict::Same, false));
    let one_disturbed = disturbed.and(&with_long_launches([0.0; 2], [55.0, 62.0]));
    assert!(one_disturbed.do_rare_calls_differ(0.1), "the second baseline's launch tells");
    let jitter_and_calls = without_expensive_samples(&both_disturbed, [true, false]);
    let [all, expensive] = jitter_and_calls.changes_by_rare_calls();
    assert!(all.abs() < 0.01 && expensive > 0.1, "both add as much, but only calls may recur");
    assert_eq!(average(&jitter_and_calls), Verdict::Unsure);
    let launch = with_long_launches([0.0, 0.12], [55.0, 62.0]);
    assert!(!launch.do_rare_calls_differ(0.01), "the whole launch is slower");
}

#[test]
fn rare_calls_that_cost_the_same_are_no_reason_to_doubt_that_work_is_faster() {
    // A typical call takes half as long, and rare ones add a tenth or a fifth to it.
    let half = 0.5_f64.ln();
    let mut evidence = with_long_launches([0.0, half], [60.5, 33.0]);
    assert!(evidence.changes_by_rare_calls().iter().all(|&change| change > 0.09));
    evidence.changes.fill(half);
    evidence.launches = LaunchEvidence::default();
    evidence.launches.add(&[[0.0, half]; 31]);
    let verdicts = Verdicts::without_change(&evidence, &Rules::default());
    assert!(!verdicts.average_may_be_slower);
    let slower = with_long_launches([0.0; 2], [55.0, 60.0]);
    assert!(Verdicts::without_change(&slower, &Rules::default()).average_may_be_slower);
    let unsteady = without_expensive_samples(&with_long_launches([0.0; 2], [64.0, 60.0]), [true, false]);
    assert!(Verdicts::without_change(&unsteady, &Rules::default()).average_may_be_slower);
}

#[test]
fn no_confirmation_begins_while_rare_calls_are_open() {
    let (rules, limits) = (Rules::default(), TimeLimits { min_launches: 30, ..Effort::Moderate.limits() });
    let mut evidence = with_long_launches([0.0; 2], [55.0, 62.0]);
    evidence.launches.add(&[[0.0, 0.5]; 2]);
    assert!(Answers::new(&evidence, &rules).suspicions(false).launches.is_some());
    let decision = |spent| decide_screening(&evidence, spent, &rules, &limits);
    assert!(matches!(decision(limits.screening), ScreeningDecision::Continue(_)));
    assert!(matches!(decision(limits.average), ScreeningDecision::Confirm(_)), "the time is up");
}

#[test]
fn rare_calls_beside_slow_launches_are_confirmed_in_long_launches() {
    let blocks = |averages: [f64; 2]| {
        let mut evidence = with_long_launches([0.0; 2], averages);
        evidence.launches.add(&[[0.0, 0.5]; 4]);
        let slower = Some(Direction::Slower);
        let suspicions = Suspicions { typical: None, average: slower, launches: slower };
        ConfirmationBlocks::new(&suspicions, &evidence, &Rules::default())
    };
    assert_eq!(blocks([55.0, 80.0]), ConfirmationBlocks::LongLaunches);
    assert_eq!(blocks([55.0, 56.0]), ConfirmationBlocks::Launches);
}

#[test]
fn an_open_average_waits_for_the_launches_that_are_needed_anyway() {
    let next = |pairs: usize, effort: Effort| {
        let mut evidence = Evidence::default();
        evidence.add(&[0.001, -0.001].repeat(pairs / 2), &vec![0.000_1; pairs]);
        evidence.launches.add(&vec![[0.0; 2]; pairs]);
        let pair = simulated::average_pair([1.0; 2]);
        evidence.averages.add(&[AveragePair { is_long: true, ..pair }; 2]);
        for side in [0, 1].repeat(pairs / 2 - 1) {
            let mut excess = [0.0; 2];
            excess[side] = 0.8;
            evidence.averages.add(&[AveragePair { excess, ..pair }]);
        }
        match decide_screening(&evidence, Duration::ZERO, &Rules::default(), &effort.limits()) {
            ScreeningDecision::Continue(next) => (next.long_pairs, next.only_adds_launches),
            decision => panic!("{decision:?}"),
        }
    };
    assert_eq!(next(8, Effort::Light), (0, true));
    assert_eq!(next(16, Effort::Light), (1, false), "no more are needed");
    assert_eq!(next(16, Effort::Moderate), (0, true), "this needs 30");
    assert_eq!(next(66, Effort::Thorough).0, 2);
}
