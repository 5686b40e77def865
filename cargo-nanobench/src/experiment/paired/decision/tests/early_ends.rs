//! Screenings and confirmations that end early.

use super::*;

/// Returns the evidence of pairs whose changes are spread evenly around `change`, as far as `spread`.
fn evidence(pairs: usize, change: f64, spread: f64) -> Evidence {
    let mut evidence = Evidence::default();
    let noise = |i: usize| (2 * i + 1) as f64 / pairs as f64 - 1.0;
    evidence.add(&(0..pairs).map(|i| change + spread * noise(i)).collect::<Vec<_>>(), &vec![0.000_1; pairs]);
    evidence.launches.add(&vec![[0.0; 2]; pairs]);
    evidence.averages.add(&vec![simulated::average_pair([1.0; 2]); pairs]);
    evidence
}

fn ends(evidence: &Evidence, spent: Duration, rules: &Rules, effort: Effort) -> bool {
    decide_screening(evidence, spent, rules, &effort.limits()) == ScreeningDecision::Stop
}

#[test]
fn what_is_most_probably_the_same_need_not_be_known_precisely() {
    let rules = Rules::default();
    let within_resolution = evidence(66, 0.0, 0.06);
    assert!(!rules.is_precise(within_resolution.precision()), "{}", within_resolution.precision());
    let ends_soon = |evidence: &Evidence, effort: Effort| ends(evidence, Duration::ZERO, &rules, effort);
    assert!(ends_soon(&within_resolution, Effort::Moderate));
    assert!(!ends_soon(&within_resolution, Effort::Thorough));
    let suspected = |evidence: &Evidence, expects_same: bool| {
        Answers::new(evidence, &rules).suspicions(expects_same).typical.is_some()
    };
    let hardly_suspicious = evidence(66, 0.006, 0.06);
    assert_eq!([false, true].map(|expects_same| suspected(&hardly_suspicious, expects_same)), [true, false]);
    assert_eq!(Verdicts::without_change(&hardly_suspicious, &rules).verdict(), Verdict::Same);
    assert!(ends_soon(&hardly_suspicious, Effort::Moderate));
    let suspicious = evidence(66, 0.014, 0.06);
    assert!(suspected(&suspicious, true));
    assert!(!ends_soon(&suspicious, Effort::Moderate), "it contradicts what is expected");
}

#[test]
fn a_few_slow_blocks_of_code_that_differs_are_not_the_same() {
    let ends_after = |pairs: usize, seconds: u64, effort: Effort| {
        ends(&evidence(pairs, 0.0, 0.001), Duration::from_secs(seconds), &Rules::default(), effort)
    };
    assert!(!ends_after(6, 2, Effort::Thorough), "one launch in four may be slow");
    assert!(ends_after(16, 2, Effort::Thorough));
    assert!(!ends_after(16, 1, Effort::Thorough), "there is time for more");
    assert!(ends_after(6, 6, Effort::Thorough), "all of the time is up");
    assert!(ends_after(6, 1, Effort::Moderate), "nothing is known to differ");
}

#[test]
fn slow_benchmarks_of_the_same_code_end_when_their_time_is_up() {
    let ends_after = |pairs: usize, effort: Effort| {
        ends(&evidence(pairs, 0.0, 0.03), effort.limits().total, &Rules::default(), effort)
    };
    assert!(ends_after(6, Effort::Light));
    assert!(!ends_after(6, Effort::Moderate), "ten more pairs may tell");
    assert!(ends_after(16, Effort::Moderate));
}

#[test]
fn what_will_not_be_known_to_be_the_same_in_time_ends_early() {
    let limits = Effort::Moderate.limits();
    let ends_after = |spread: f64, spent: Duration, effort: Effort| {
        ends(&evidence(12, 0.0, spread), spent, &Rules::default(), effort)
    };
    assert!(ends_after(0.3, limits.screening, Effort::Moderate));
    let with_change = |change: f64| {
        ends(&evidence(12, change, 0.10), limits.screening, &Rules::default(), Effort::Moderate)
    };
    assert_eq!([0.0, 0.02].map(with_change), [false, true], "its interval will be as wide");
    assert!(!ends_after(0.3, limits.screening / 2, Effort::Moderate), "too soon");
    assert!(!ends_after(0.06, limits.screening, Effort::Moderate), "it may be known in time");
    assert!(!ends_after(0.3, Effort::Thorough.limits().screening, Effort::Thorough));
}

#[test]
fn an_evident_change_on_average_is_confirmed_at_once_if_the_typical_time_is_known() {
    let mut evidence = evidence(12, 0.0, 0.001);
    evidence.averages.add(&[simulated::average_pair([1.0, 2.0]); 10]);
    let limits = Effort::Thorough.limits();
    let decision = decide_screening(&evidence, Duration::ZERO, &Rules::default(), &limits);
    assert!(matches!(decision, ScreeningDecision::Confirm(suspicions)
        if suspicions.average == Some(Direction::Slower) && suspicions.typical.is_none()));
}

#[test]
fn a_small_typical_change_does_not_delay_a_confirmed_average_unless_that_is_faster() {
    let decide = |typical: f64, average: f64| {
        let mut looks = looks();
        let pairs = (MIN_PAIRS..).find(|&pairs| looks.clone().take_look(pairs, Duration::ZERO).is_some());
        let evidence = |pairs: usize| {
            let mut evidence = Evidence::for_confirmation(&Evidence::default());
            // A third of the pairs is faster, too many for the first look.
            let change =
                |i: usize| if i % 3 == 2 { -typical / 30.0 } else { typical * (1.0 + i as f64 / 1e3) };
            evidence.add(&(0..pairs).map(change).collect::<Vec<_>>(), &[0.000_1, -0.000_1].repeat(3));
            evidence.averages.add(&vec![simulated::average_pair([1.0, 1.0 + average]); pairs]);
            evidence
        };
        let suspicions = Suspicions {
            typical: Some(Direction::from_estimate(typical)),
            average: Some(Direction::from_estimate(average)),
            launches: None,
        };
        let (screening, fresh) = (evidence(40), evidence(pairs.unwrap()));
        decide_confirmation(&screening, &fresh, &suspicions, &mut looks, Duration::ZERO, &Rules::default())
            .map(|verdicts| verdicts.verdict())
    };
    assert_eq!(decide(0.03, 0.5), None);
    assert_eq!(decide(0.007, 0.5), Some(Verdict::Slower));
    assert_eq!(decide(0.007, -0.15), None);
    assert_eq!(decide(-0.03, 0.5), Some(Verdict::Slower), "a faster typical time changes no verdict");
}

#[test]
fn a_slow_benchmark_of_the_same_code_is_given_up_before_its_first_look() {
    let [short, long] = [Duration::from_millis(1_500), Duration::from_millis(1_700)];
    let decide = |fresh: Evidence, spent: Duration, effort: Effort| {
        let [pair, time] = [Duration::from_millis(200), Duration::from_millis(1_600)];
        let mut looks = LookSchedule::new(1, pair, time, effort.limits());
        let suspicions = Suspicions { typical: Some(Direction::Slower), ..Suspicions::default() };
        let screening = evidence(6, 0.02, 0.04);
        decide_confirmation(&screening, &fresh, &suspicions, &mut looks, spent, &Rules::default())
            .map(|verdicts| verdicts.verdict())
    };
    let noise = || evidence(6, 0.02, 0.06);
    assert_eq!(decide(noise(), long, Effort::Moderate), Some(Verdict::Unsure));
    assert_eq!(decide(noise(), short, Effort::Moderate), None, "there is time");
    assert_eq!(decide(noise(), long, Effort::Thorough), None, "its code differs");
    assert_eq!(decide(evidence(6, 0.5, 0.04), long, Effort::Moderate), None, "it is evident");
}
