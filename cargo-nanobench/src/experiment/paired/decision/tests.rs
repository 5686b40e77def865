//! Simulations of the rules with artificial noise. The noise is seeded, so the counts never vary.

mod averages;
mod brief_runs;
mod early_ends;
mod intervals;
mod long_launches;
mod rounds;
mod simulated;
mod waiting;

use super::super::average::{AverageEvidence, AveragePair};
use super::super::effort::Effort;
use super::super::evidence::{farther_end, half_width};
use super::super::launch_groups::LaunchEvidence;
use super::super::look_schedule::Levels;
use super::super::questions::{ConfirmationBlocks, Direction, EVIDENT_P};
use super::super::recurrence::{self, Recurrence};
use super::*;
use nanobench::stats::Interval;
use nanobench_statistics as stats;
use simulated::{NOISES, Noise, Simulated};

/// The verdict on a simulated benchmark, and what it took.
struct Decided {
    verdict: Verdict,
    blocks: f64,
    spent: Duration,
}

/// Schedules the looks of a confirmation that requires no launches, and ends as soon as it may.
fn looks() -> LookSchedule {
    let limits = TimeLimits { levels: Levels::Doubling, ..Effort::Brief.limits() };
    LookSchedule::new(1, Duration::from_millis(15), Duration::from_secs(2), limits)
}

/// Runs a suite whose code differs.
fn suite(benchmarks: Vec<Simulated>, rules: &Rules) -> Vec<Decided> {
    suite_with(Effort::Thorough, benchmarks, rules)
}

fn suite_with(effort: Effort, benchmarks: Vec<Simulated>, rules: &Rules) -> Vec<Decided> {
    let (limits, number) = (effort.limits(), benchmarks.len());
    let screened: Vec<_> = benchmarks
        .into_iter()
        .map(|simulated| {
            let mut simulated = match effort {
                Effort::Brief => simulated.with(effort).with_own_figures(rules, number),
                _ => simulated.with(effort),
            };
            let (evidence, next) = simulated.screen(rules, &limits);
            (simulated, evidence, next)
        })
        .collect();
    let tests = screened.iter().map(|(_, _, next)| number_of_suspicions(next)).sum();
    screened
        .into_iter()
        .map(|(mut simulated, evidence, next)| {
            let verdict = match next {
                ScreeningDecision::Confirm(suspicions) => {
                    simulated.confirm(&evidence, &suspicions, tests, (rules, &limits)).1.verdict()
                }
                ScreeningDecision::Recurs(verdicts) => verdicts.verdict(),
                _ => Verdicts::without_change(&evidence, rules).verdict(),
            };
            Decided { verdict, blocks: simulated.blocks, spent: simulated.spent }
        })
        .collect()
}

fn number_of_suspicions(next: &ScreeningDecision) -> usize {
    if let ScreeningDecision::Confirm(suspicions) = next { suspicions.number() } else { 0 }
}

fn calls(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Slower | Verdict::Faster)
}

/// Simulates suites of 24 benchmarks in which nothing changed. Returns the number of suites with
/// any reported change. There is no threshold that would hide small errors.
fn suites_with_false_positives(effort: Effort, suites: u64) -> usize {
    let rules = Rules { threshold: 1e-9, ..Rules::default() };
    let is_loud = |run: &u64| {
        let benchmark = |i: u64| Simulated::new(NOISES[i as usize % 6], 0.01, 0.0, run * 1_000 + i);
        let decided = suite_with(effort, (0..24).map(benchmark).collect(), &rules);
        decided.iter().any(|decided| calls(decided.verdict))
    };
    let mut loud = 0;
    for run in 0..suites {
        loud += usize::from(is_loud(&run));
        if (run + 1) % 100 == 0 {
            println!("{loud} of {} suites in which nothing changed have something called", run + 1);
        }
    }
    loud
}

#[test]
fn an_unchanged_suite_is_reported_as_such() {
    for effort in [Effort::Thorough, Effort::Light, Effort::Brief] {
        let loud = suites_with_false_positives(effort, 3);
        assert_eq!(loud, 0, "{effort:?}: of 3 suites have something called: one in 100 is meant to");
    }
}

#[test]
#[ignore = "takes minutes: for whoever changes the rules"]
fn an_unchanged_suite_is_reported_as_such_in_99_of_100_runs() {
    let loud = suites_with_false_positives(Effort::Thorough, 3_000);
    assert!(loud <= 30, "{loud} of 3,000");
}

#[test]
#[ignore = "takes minutes: for whoever changes the rules"]
fn an_unchanged_suite_of_the_same_code_is_reported_as_such_in_99_of_100_runs() {
    let loud = suites_with_false_positives(Effort::Light, 3_000);
    assert!(loud <= 30, "{loud} of 3,000");
}

#[test]
#[ignore = "takes minutes: for whoever changes the rules"]
fn an_unchanged_suite_in_brief_runs_is_reported_as_such_in_99_of_100_runs() {
    let loud = suites_with_false_positives(Effort::Brief, 3_000);
    assert!(loud <= 30, "{loud} of 3,000");
}

#[test]
fn a_regression_of_1_percent_is_found_in_time() {
    assert_regression_is_found(3);
}

#[test]
#[ignore = "takes minutes: for whoever changes the rules"]
fn a_regression_of_1_percent_is_found_in_time_in_1_000_runs() {
    assert_regression_is_found(1_000);
}

#[track_caller]
fn assert_regression_is_found(runs: u64) {
    // Launches of formatting and copying differ by 0.5 %, launches of sorting and hash maps by 1.5
    // %.
    for (scale, max_blocks, min_share) in [(0.002, 20.0, 0.99), (0.005, 30.0, 0.97), (0.012, 100.0, 0.9)] {
        let mut found = 0;
        let mut blocks = Vec::new();
        for run in 0..runs {
            let mut all = vec![Simulated::new(Noise::Normal, scale, 0.01, run)];
            all.extend((0..11).map(|i| Simulated::new(Noise::Normal, 0.002, 0.0, run * 100 + i)));
            let verdicts = suite(all, &Rules::default());
            found += u32::from(verdicts[0].verdict == Verdict::Slower);
            blocks.push(verdicts[0].blocks);
            assert_ne!(verdicts[0].verdict, Verdict::Faster);
        }
        let blocks = stats::median(&blocks);
        let is_enough = f64::from(found) >= (min_share * runs as f64).floor();
        assert!(is_enough && blocks <= max_blocks, "{scale}: {found} of {runs} in {blocks} blocks");
    }
}

#[test]
fn unchanged_work_is_the_same_soon() {
    // Most blocks of code that differs are a third as long as usual: they only add launches.
    for (effort, max_blocks) in [(Effort::Light, 13.0), (Effort::Moderate, 20.0), (Effort::Thorough, 38.0)] {
        let benchmarks =
            |run: u64| (0..10).map(|i| Simulated::new(Noise::Normal, 0.01, 0.0, run * 10 + i)).collect();
        let verdicts: Vec<_> =
            (0..4).flat_map(|run| suite_with(effort, benchmarks(run), &Rules::default())).collect();
        let same = verdicts.iter().filter(|decided| decided.verdict == Verdict::Same).count();
        let blocks = stats::mean(&verdicts.iter().map(|decided| decided.blocks).collect::<Vec<f64>>());
        assert!(same >= 39, "{effort:?}: {same} of 40");
        assert!(blocks < max_blocks, "{effort:?}: {blocks} blocks on average");
    }
}

#[test]
fn slow_launches_of_both_sides_leave_it_the_same() {
    let is_same = |seed: &u64| {
        let benchmark = Simulated::new(Noise::Bimodal, 0.01, 0.0, *seed);
        suite(vec![benchmark], &Rules::default())[0].verdict == Verdict::Same
    };
    let same = (0..8).filter(is_same).count();
    assert!(same >= 7, "{same} of 8");
}

#[test]
#[ignore = "takes minutes: for whoever changes the rules"]
fn unchanged_code_is_the_same_with_all_kinds_of_noise() {
    for noise in NOISES {
        for scale in [0.005, 0.01, 0.02] {
            let benchmark = |seed: u64| vec![Simulated::new(noise, scale, 0.0, seed)];
            let verdicts: Vec<_> =
                (0..200).flat_map(|seed| suite(benchmark(seed), &Rules::default())).collect();
            let same = verdicts.iter().filter(|decided| decided.verdict == Verdict::Same).count();
            let blocks = stats::mean(&verdicts.iter().map(|decided| decided.blocks).collect::<Vec<f64>>());
            println!("{noise:?}, {scale}: {same} of 200 the same, {blocks:.0} blocks");
        }
    }
}

#[test]
fn benchmarks_that_no_longer_look_different_are_dropped_between_looks() {
    let evidence = |changes: &[f64]| {
        let mut evidence = Evidence::default();
        evidence.add(changes, &[0.000_1, -0.000_1, 0.000_2, -0.000_2, 0.000_1, -0.000_1]);
        evidence.averages.add(
            &changes.iter().map(|change| simulated::average_pair([1.0, change.exp()])).collect::<Vec<_>>(),
        );
        evidence
    };
    let between = |fresh: &[f64]| {
        let mut looks = looks();
        let screening = evidence(&[0.006, 0.004, 0.005, 0.007, 0.003, 0.006]);
        assert_eq!(looks.take_look(fresh.len(), Duration::ZERO), None);
        let suspicions = Suspicions { typical: Some(Direction::Slower), ..Suspicions::default() };
        let (fresh, rules) = (evidence(fresh), Rules::default());
        let verdicts =
            decide_confirmation(&screening, &fresh, &suspicions, &mut looks, Duration::ZERO, &rules);
        verdicts.map(|verdicts| verdicts.verdict())
    };
    assert_eq!(between(&[-0.005, -0.004, -0.006, -0.005, -0.003, -0.007]), Some(Verdict::Same));
    assert_eq!(between(&[0.006, 0.005, 0.007, 0.004, 0.006, 0.005]), None, "as it was");
    assert_eq!(between(&[0.06, 0.05, 0.07, 0.04, 0.06, 0.05]), None, "nor by far");
}

#[test]
fn an_average_that_a_few_slow_calls_of_the_baseline_decide_is_not_the_same() {
    let verdicts = |slow: f64| {
        let mut evidence = Evidence::default();
        evidence.add(&[0.001, -0.001].repeat(15), &[0.000_1; 30]);
        let pair = |i: i32| simulated::average_pair([if i < 8 { slow } else { 1.0 }, 1.0]);
        evidence.averages.add(&(0..30).map(pair).collect::<Vec<_>>());
        let verdicts = Verdicts::without_change(&evidence, &Rules::default());
        (verdicts.typical, verdicts.average, verdicts.average_may_be_slower)
    };
    assert_eq!(verdicts(1.1), (Verdict::Same, Verdict::Same, false));
    assert_eq!(verdicts(3.0), (Verdict::Same, Verdict::Unsure, false), "-31 % on average");
}

#[test]
fn without_a_threshold_any_significant_change_is_reported() {
    let verdicts = |effect: f64, threshold: f64| {
        let benchmarks = (0..20).map(|seed| Simulated::new(Noise::Normal, 0.000_1, effect, seed)).collect();
        let rules = Rules { threshold, ..Rules::default() };
        suite(benchmarks, &rules).into_iter().filter(|decided| decided.verdict == Verdict::Slower).count()
    };
    assert_eq!((verdicts(0.001, 0.0), verdicts(0.001, Rules::default().threshold)), (20, 0));
    assert_eq!(verdicts(0.0, 0.0), 0);
}

#[test]
fn a_change_that_is_known_to_be_below_the_threshold_is_the_same() {
    let is_same = |threshold: f64, low: f64, high: f64| {
        Rules { threshold, ..Rules::default() }.is_same(Interval { low, high }, (high - low) / 2.0)
    };
    assert!(is_same(0.05, 0.034, 0.035));
    assert!(!is_same(0.05, 0.049, 0.051), "it may be above");
    assert!(!is_same(0.05, 0.020, 0.040), "not as precise as the resolution asks for");
    assert!(!is_same(0.005, 0.034, 0.035));
    assert!(is_same(0.005, -0.019, 0.019), "the resolution is enough");
    let [screening, fresh] = [(); 2].map(|()| {
        let mut evidence = Evidence::default();
        let mut benchmark = Simulated::new(Noise::Normal, 0.000_1, 0.034, 1);
        (0..32).for_each(|_| benchmark.block(&mut evidence));
        evidence
    });
    let rules = Rules { threshold: 0.05, ..Rules::default() };
    assert_eq!(Verdicts::without_change(&screening.and(&fresh), &rules).typical, Verdict::Same);
}

#[test]
fn a_wish_for_precision_delays_the_end_of_a_screening() {
    let of = |precision: f64| Rules::default().with_precision(precision).target_precision();
    assert_eq!(of(0.001), 0.001);
    let usual = Rules::default().target_precision();
    assert_eq!([0.005, 0.006, 0.1].map(of), [usual; 3], "no wish");
}

#[test]
fn slow_launches_that_add_less_than_the_threshold_are_not_suspected() {
    let mut evidence = Evidence::default();
    evidence.add(&[0.0; 40], &[0.0; 40]);
    // Half of the candidate's launches take half as long again.
    let pairs: Vec<[f64; 2]> = (0..40).map(|i| [0.0, if i % 2 == 0 { 0.4 } else { 0.0 }]).collect();
    evidence.launches.add(&pairs);
    let suspected = |threshold: f64| {
        let rules = Rules { threshold, ..Rules::default() };
        Answers::new(&evidence, &rules).suspicions(false).launches
    };
    assert_eq!((suspected(0.005), suspected(0.5)), (Some(Direction::Slower), None));
}

#[test]
fn a_clear_change_on_average_is_not_confirmed_while_the_typical_time_is_open() {
    let mut evidence = Evidence::default();
    let noise = [0.02, -0.02, 0.03, -0.03, 0.01, -0.01, 0.04, -0.04, 0.02, -0.02];
    evidence.add(&noise, &[0.0; 10]);
    evidence.averages.add(&[simulated::average_pair([1.0, 2.0]); 10]);
    let (rules, limits) = (Rules::default(), Effort::Thorough.limits());
    assert!(Answers::new(&evidence, &rules).is_any_clear(EVIDENT_P));
    let decision = |spent| decide_screening(&evidence, spent, &rules, &limits);
    assert!(matches!(decision(Duration::from_millis(100)), ScreeningDecision::Continue(_)));
    assert!(matches!(decision(limits.screening), ScreeningDecision::Confirm(suspicions)
        if suspicions.average == Some(Direction::Slower)));
}

#[test]
fn a_confirmed_average_does_not_end_the_test_of_an_evident_typical_change() {
    let evidence = |changes: &[f64], averages: &[f64]| {
        let mut evidence = Evidence::for_confirmation(&Evidence::default());
        evidence.add(changes, &[0.000_1, -0.000_1, 0.000_2, -0.000_2, 0.000_1, -0.000_1]);
        let pair = |change: &f64| simulated::average_pair([1.0, 1.0 + change]);
        evidence.averages.add(&averages.iter().map(pair).collect::<Vec<_>>());
        evidence
    };
    // Some pairs are faster, too many for the first look.
    let typical = |number: usize| {
        let change = |i: usize| if i < number / 3 { -0.001 } else { 0.03 + 0.000_1 * i as f64 };
        (0..number).map(change).collect::<Vec<f64>>()
    };
    let verdicts = |suspects_typical: bool, spent: Duration| {
        let mut looks = looks();
        let pairs =
            (MIN_PAIRS..).find(|&pairs| looks.clone().take_look(pairs, Duration::ZERO).is_some()).unwrap();
        let fresh = evidence(&typical(pairs), &vec![0.5; pairs]);
        let suspicions = Suspicions {
            typical: suspects_typical.then_some(Direction::Slower),
            average: Some(Direction::Slower),
            launches: None,
        };
        let screening = evidence(&typical(20), &[0.5; 20]);
        decide_confirmation(&screening, &fresh, &suspicions, &mut looks, spent, &Rules::default())
            .map(|verdicts| (verdicts.typical, verdicts.average))
    };
    assert_eq!(verdicts(true, Duration::ZERO), None, "it goes on to the next look");
    let half = Some((Verdict::Unsure, Verdict::Slower));
    assert_eq!(verdicts(false, Duration::ZERO), half, "nothing else is tested");
    assert_eq!(verdicts(true, Duration::from_secs(4)).map(|verdicts| verdicts.1), Some(Verdict::Slower));
}

/// Returns evidence with these changes of the typical times and of the averages of pairs.
fn evidence_on_averages(typical: impl Fn(usize) -> f64, averages: &[f64]) -> Evidence {
    let mut evidence = Evidence::for_confirmation(&Evidence::default());
    evidence.add(&(0..averages.len()).map(typical).collect::<Vec<_>>(), &[0.000_1, -0.000_1].repeat(3));
    let pair = |change: &f64| simulated::average_pair([1.0, 1.0 + change]);
    evidence.averages.add(&averages.iter().map(pair).collect::<Vec<_>>());
    evidence
}

/// Returns what decides a confirmation of a slower typical time and a slower average, and the number
/// of pairs at its first look.
fn confirmation(screening: Evidence) -> (impl FnMut(Evidence, Duration) -> Option<Verdicts>, usize) {
    let slower = Some(Direction::Slower);
    let suspicions = Suspicions { typical: slower, average: slower, launches: None };
    let mut looks = looks();
    let first =
        (MIN_PAIRS..).find(|&pairs| looks.clone().take_look(pairs, Duration::ZERO).is_some()).unwrap();
    let decide = move |fresh: Evidence, spent: Duration| {
        decide_confirmation(&screening, &fresh, &suspicions, &mut looks, spent, &Rules::default())
    };
    (decide, first)
}

#[test]
fn a_change_that_a_look_has_confirmed_stays_confirmed() {
    // A third of the pairs is faster, too many for the first look.
    let typical = |i: usize| if i.is_multiple_of(3) { -0.001 } else { 0.03 + 0.000_1 * i as f64 };
    let (mut decide, first) = confirmation(evidence_on_averages(typical, &[0.5; 20]));
    let slower = evidence_on_averages(typical, &vec![0.5; first]);
    assert_eq!(decide(slower, Duration::ZERO), None, "the typical time is open");
    // The average is no longer evident, and the time is up.
    let open = evidence_on_averages(typical, &[0.5, -0.45].repeat(first));
    let verdicts = decide(open, Duration::from_secs(4));
    assert_eq!(verdicts.map(|verdicts| verdicts.average), Some(Verdict::Slower));
}

#[test]
fn a_typical_change_that_slow_launches_explain_later_is_none() {
    let by = |typical: f64| move |i: usize| typical + 0.000_1 * i as f64;
    let (mut decide, first) = confirmation(evidence_on_averages(by(0.03), &[0.5; 20]));
    let open = evidence_on_averages(by(0.03), &[0.5, -0.45].repeat(first)[..first]);
    assert_eq!(decide(open, Duration::ZERO), None, "the average is open");
    let verdicts = decide(evidence_on_averages(by(0.001), &[0.5; 40]), Duration::ZERO).unwrap();
    assert_eq!((verdicts.typical, verdicts.average), (Verdict::Same, Verdict::Slower));
}
