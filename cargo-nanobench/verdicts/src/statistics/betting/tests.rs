use super::*;
use nanobench::Rng;

const ALL_BETS: [Bets; 4] = [Bets::OnTypical, Bets::OnLargest, Bets::OnExpected(0.5), Bets::OnExpected(-3.0)];

/// Returns a number between 0 and 1.
fn uniform(rng: &mut Rng) -> f64 {
    (f64::from(rng.bounded(u32::MAX)) + 0.5) / f64::from(u32::MAX)
}

/// Returns values with a normal distribution.
fn normals(rng: &mut Rng, number: usize) -> Vec<f64> {
    let mut normal = || (-2.0 * uniform(rng).ln()).sqrt() * (std::f64::consts::TAU * uniform(rng)).cos();
    (0..number).map(|_| normal()).collect()
}

#[track_caller]
fn assert_near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-12, "{value} instead of {expected}");
}

#[test]
fn few_values_give_the_evidence_that_their_bets_yield() {
    let evidence = |values: &[f64], bets: Bets| log_evidence(values, 0.0, bets).map(f64::exp);
    assert_eq!(log_evidence(&[], 0.0, Bets::OnTypical), [0.0; 2], "no bet");
    assert_eq!(log_evidence(&[0.0, 0.0], 0.0, Bets::OnLargest), [0.0; 2], "neither side");
    // Half of the capital is bet on the first value.
    let [below, above] = evidence(&[7.0], Bets::OnTypical);
    assert_near(below, 0.5);
    assert_near(above, 1.5);
    let mean = |share: &dyn Fn(f64) -> f64| CENTRES.iter().map(|&k| share(k)).sum::<f64>() / 6.0;
    // The second one is as large as the typical size so far.
    let [below, above] = evidence(&[7.0, -7.0], Bets::OnTypical);
    assert_near(below, 0.5 * mean(&|k| 1.0 + k.tanh().min(0.98)));
    assert_near(above, 1.5 * mean(&|k| 1.0 - k.tanh().min(0.98)));
    // The median of three sizes is 2. Ten times that counts as much as 1.6 times.
    let [_, above] = evidence(&[1.0, 2.0, 3.0, 20.0], Bets::OnTypical);
    let capital = |k: f64| {
        let share = |relative: f64| (k * relative).tanh().min(0.98);
        1.5 * (1.0 + share(2.0)) * (1.0 + share(1.5)) * (1.0 + share(1.6))
    };
    assert_near(above, mean(&capital));
    let [_, on_largest] = evidence(&[1.0, 2.0, 3.0, 20.0], Bets::OnLargest);
    assert!(on_largest > above, "{on_largest} and {above}");
}

#[test]
fn most_is_bet_on_values_of_the_expected_size() {
    let above = |value: f64| log_evidence(&[value], 0.0, Bets::OnExpected(2.0))[1].exp();
    let with_share = |share: f64| 0.8 * (1.0 + share) + 0.2 * 1.5;
    for (value, share) in [(2.0, 0.95), (1.0, 0.95), (4.0, 0.95), (0.5, 0.475), (8.0, 0.475)] {
        assert_near(above(value), with_share(share));
    }
    let at_centre = log_evidence(&[2.0, 3.0], 2.0, Bets::OnExpected(2.0));
    assert!(at_centre.iter().all(|evidence| evidence.is_finite()), "nothing can be expected of it");
}

#[test]
fn the_evidence_depends_on_the_sides_of_the_centre_alone() {
    let values = normals(&mut Rng::with_seed(1), 30);
    for bets in [Bets::OnTypical, Bets::OnLargest] {
        let [below, above] = log_evidence(&values, 0.25, bets);
        let moved: Vec<f64> = values.iter().map(|value| (value - 0.25) * 1_024.0).collect();
        assert_eq!(log_evidence(&moved, 0.0, bets), [below, above], "{bets:?}");
        let mirrored: Vec<f64> = moved.iter().map(|value| -value).collect();
        assert_eq!(log_evidence(&mirrored, 0.0, bets), [above, below], "{bets:?}");
    }
}

#[test]
fn over_all_patterns_of_signs_the_evidence_is_1_on_average() {
    const VALUES: usize = 10;
    for seed in 0..5 {
        let rng = &mut Rng::with_seed(seed);
        // Sizes over three orders of magnitude.
        let sizes: Vec<f64> = (0..VALUES).map(|_| (7.0 * uniform(rng)).exp() / 100.0).collect();
        for bets in ALL_BETS {
            let mut sums = [0.0; 2];
            for pattern in 0..1_u32 << VALUES {
                let sign = |i: usize| if pattern >> i & 1 == 1 { 1.0 } else { -1.0 };
                let values: Vec<f64> = sizes.iter().enumerate().map(|(i, size)| sign(i) * size).collect();
                let evidence = log_evidence(&values, 0.0, bets).map(f64::exp);
                sums = [sums[0] + evidence[0], sums[1] + evidence[1]];
            }
            for sum in sums {
                let mean = sum / f64::from(1_u32 << VALUES);
                assert!((mean - 1.0).abs() < 1e-9, "{bets:?}: {mean}");
            }
        }
    }
}

#[test]
fn evidence_against_what_is_true_rarely_ever_reaches_100() {
    let rng = &mut Rng::with_seed(1);
    let mut reached = [0; 2];
    for _ in 0..1_000 {
        let values = normals(rng, 200);
        for (reached, bets) in reached.iter_mut().zip([Bets::OnTypical, Bets::OnLargest]) {
            let ever =
                (10..=200).step_by(10).any(|n| log_evidence(&values[..n], 0.0, bets)[1] >= 100.0_f64.ln());
            *reached += u32::from(ever);
        }
    }
    // One in 100 is the bound. The smaller bets are, the less of it is used.
    assert!(reached.iter().all(|&reached| reached > 0 && reached <= 10), "{reached:?}");
}

#[test]
fn evidence_for_what_is_true_grows_with_each_value() {
    let rng = &mut Rng::with_seed(1);
    for (change, expected) in [(3.0, 10), (1.0, 20), (0.33, 140)] {
        let mut needed: Vec<usize> = (0..100)
            .map(|_| {
                let values: Vec<f64> = normals(rng, 600).iter().map(|value| value + change).collect();
                let is_shown =
                    |n: &usize| log_evidence(&values[..*n], 0.0, Bets::OnTypical)[1] >= 200.0_f64.ln();
                (1..=values.len()).find(is_shown).unwrap_or(usize::MAX)
            })
            .collect();
        needed.sort_unstable();
        assert!(needed[50] <= expected, "{change} spreads: {} values", needed[50]);
    }
}

#[test]
fn an_interval_has_the_centres_against_which_little_speaks() {
    let values: Vec<f64> = normals(&mut Rng::with_seed(2), 40).iter().map(|value| 5.0 + value).collect();
    let Interval { low, high } = betting_interval(&values, 0.95).unwrap();
    assert!(low < 5.0 && high > 5.0 && high - low < 1.5, "{low} to {high}");
    let against = |centre: f64| log_evidence(&values, centre, Bets::OnTypical);
    let limit = 40.0_f64.ln();
    assert!((against(low)[1] - limit).abs() < 0.1, "{}", against(low)[1]);
    assert!((against(high)[0] - limit).abs() < 0.1, "{}", against(high)[0]);
    let wider = betting_interval(&values, 0.999).unwrap();
    assert!(wider.low < low && wider.high > high);
}

#[test]
fn too_few_values_have_no_interval() {
    assert!(betting_interval(&[], 0.95).is_none());
    let number = (1..20).find(|&n| betting_interval(&vec![1.0; n], 0.95).is_some());
    // Six values on one side would do if all of the capital were bet on each.
    assert_eq!(number, Some(7));
    for value in [0.0, 1.0, -3.0] {
        let Interval { low, high } = betting_interval(&[value; 7], 0.95).unwrap();
        assert!(low <= value && high >= value && high - low < 1e-6, "{low} to {high}");
    }
}

#[test]
fn intervals_contain_the_centre_at_all_times_as_often_as_promised() {
    let rng = &mut Rng::with_seed(1);
    let mut missed = 0;
    for _ in 0..200 {
        let values = normals(rng, 64);
        let misses = |n: usize| {
            betting_interval(&values[..n], 0.95)
                .is_some_and(|interval| interval.low > 0.0 || interval.high < 0.0)
        };
        missed += usize::from((8..=64).step_by(8).any(misses));
    }
    assert!((1..=10).contains(&missed), "{missed} of 200 miss it at any time");
}

/// Returns which hypotheses are rejected, by trying all sets of them.
fn rejected_by_all_sets(hypotheses: &[Hypothesis], level: f64) -> Vec<bool> {
    let is_rejected = |set: u32| {
        let members = || hypotheses.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1).map(|(_, h)| h);
        let weight: f64 = members().map(|h| h.weight).sum();
        let evidence: f64 = members().map(|h| h.weight * h.log_evidence.exp()).sum();
        evidence / weight >= 1.0 / level
    };
    let sets = 1..1_u32 << hypotheses.len();
    let is_always_rejected = |i: usize| sets.clone().filter(|set| set >> i & 1 == 1).all(is_rejected);
    (0..hypotheses.len()).map(is_always_rejected).collect()
}

#[test]
fn closed_testing_rejects_what_each_set_of_hypotheses_rejects() {
    let rng = &mut Rng::with_seed(1);
    let mut numbers = [0; 2];
    for _ in 0..500 {
        let number = 1 + rng.bounded(8) as usize;
        let hypotheses: Vec<Hypothesis> = (0..number)
            .map(|_| Hypothesis { log_evidence: 9.0 * uniform(rng) - 2.0, weight: 0.05 + uniform(rng) })
            .collect();
        let found = rejected(&hypotheses, 0.01);
        assert_eq!(found, rejected_by_all_sets(&hypotheses, 0.01), "{hypotheses:?}");
        found.iter().for_each(|&is_rejected| numbers[usize::from(is_rejected)] += 1);
    }
    assert!(numbers.iter().all(|&number| number > 200), "{numbers:?}");
}

#[test]
fn each_of_many_changes_needs_little_more_evidence_than_one_alone() {
    let least = |changed: usize, all: usize| {
        (50..5_000).find(|&evidence| {
            let log_evidence = |i: usize| if i < changed { (f64::from(evidence) + 0.5).ln() } else { -1.0 };
            let hypotheses: Vec<Hypothesis> =
                (0..all).map(|i| Hypothesis { log_evidence: log_evidence(i), weight: 1.0 }).collect();
            rejected(&hypotheses, 0.01)[0]
        })
    };
    assert_eq!(least(1, 1), Some(100));
    assert_eq!(least(24, 24), Some(100));
    // Beside 23 unchanged ones, against which there is less evidence than 1.
    assert_eq!(least(1, 24), Some(2_392));
}
