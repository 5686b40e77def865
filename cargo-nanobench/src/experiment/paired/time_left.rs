//! Estimates of the time until a verdict, for the progress and the report of a run. No decision
//! depends on them.

use super::evidence::{Evidence, MIN_PAIRS, half_width};
use super::look_schedule::LookSchedule;
use super::outcome::Question;
use super::questions::{Answer, Answers, Suspicions};
use super::rules::{Rules, TimeLimits};
use std::time::Duration;

/// The number of pairs of a confirmation that has not begun: those until the first look at one of a
/// few benchmarks.
pub(super) const TYPICAL_CONFIRMATION_PAIRS: u32 = 16;
/// The time of a block that only adds launches, in usual ones.
const SHORT_BLOCK: f64 = 0.5;
/// Longest estimated time until a verdict that is reported.
const MAX_TIME_TO_VERDICT: Duration = Duration::from_secs(600);

/// Estimates the further time until a verdict. The width of an interval shrinks with the square
/// root of the number of pairs. Returns `None` if the time is too long to report.
pub(super) fn time_to_verdict(
    evidence: &Evidence,
    schedule: Option<&LookSchedule>,
    pair_time: Duration,
    rules: &Rules,
) -> Option<Duration> {
    let (interval, estimate) = (evidence.interval()?, evidence.estimate().abs());
    let excess_width = if Answer::new(Question::Typical, evidence, rules).is_not_same() {
        // The standard error under a normal approximation, from the 95 % interval.
        let standard_error = evidence.precision() / 1.96;
        // A power of 90 % takes the quantile of the last look's level, which is about 4 standard
        // errors for a large suite, and another 1.3.
        let level = schedule.and_then(LookSchedule::last_level);
        let quantile = level.map_or(3.0, |level| (-2.0 * level.ln()).sqrt());
        standard_error * (quantile + 1.3) / estimate
    } else {
        half_width(interval) / (rules.resolution - estimate).max(rules.resolution / 4.0)
    };
    let excess_width = excess_width.max(excess_width_of_average(evidence, rules));
    let pairs = evidence.pairs() as f64 * (excess_width.powi(2) - 1.0).max(0.25);
    let time = pairs * pair_time.as_secs_f64();
    (time < MAX_TIME_TO_VERDICT.as_secs_f64()).then(|| Duration::from_secs_f64(time))
}

/// Returns the width of the interval of the average time as a multiple of the width that would tell
/// whether it is slower.
fn excess_width_of_average(evidence: &Evidence, rules: &Rules) -> f64 {
    let averages = &evidence.averages;
    let Some(interval) = averages.interval(evidence.confidence()) else { return 0.0 };
    let estimate = averages.estimate();
    let above = (interval.high - estimate) / (rules.average_resolution - estimate).abs();
    let below = (estimate - interval.low) / (estimate - rules.min_average_change()).abs();
    let shrinks = (estimate - interval.low) / (estimate - rules.min_same_average()).abs();
    match interval.high <= rules.average_resolution {
        true if interval.low >= rules.min_same_average() => 0.0,
        true => shrinks,
        false => above.min(below),
    }
}

/// Estimates the further time of a screening that took `spent` so far. It ends when the change is
/// known precisely, or when its time is up and the change is known to be within the resolution; at
/// the latest after the total time. A large change only has to become evident: its p-value falls
/// exponentially with the number of pairs. `pair_time`: the time of a pair of processes.
pub(super) fn screening(
    evidence: &Evidence,
    spent: Duration,
    pair_time: Duration,
    rules: &Rules,
    limits: &TimeLimits,
) -> Duration {
    let known = evidence.launches.number().max(evidence.pairs());
    let missing = |number: usize| pairs(pair_time, number.saturating_sub(known) as f64);
    let (screening, total) = (limits.screening.saturating_sub(spent), limits.total.saturating_sub(spent));
    if will_confirm(evidence, rules, limits) && Answer::new(Question::Typical, evidence, rules).is_large() {
        let growth = limits.clear_p.ln() / evidence.p().ln() - 1.0;
        return pairs(pair_time, evidence.pairs() as f64 * growth.max(0.0)).min(screening);
    }
    let launches = missing(limits.min_launches).mul_f64(SHORT_BLOCK);
    let minimum = missing(MIN_PAIRS).max(launches.min(screening));
    if evidence.precision().is_infinite() {
        return minimum;
    }
    // The width of an interval shrinks with the square root of the number of pairs.
    let until = |precision: f64| {
        let growth = (evidence.precision() / precision).powi(2) - 1.0;
        pairs(pair_time, evidence.pairs() as f64 * growth.max(0.0))
    };
    let room = (rules.resolution - evidence.estimate().abs()).max(rules.resolution / 4.0);
    let same = until(room);
    let precise = match limits.expects_same {
        true => Duration::ZERO,
        false => until(rules.target_precision()).min(screening),
    };
    precise.max(same).min(total).max(minimum)
}

/// Returns whether a confirmation will probably follow a screening with this evidence so far.
pub(super) fn will_confirm(evidence: &Evidence, rules: &Rules, limits: &TimeLimits) -> bool {
    let few_differ = || evidence.pairs() < MIN_PAIRS && evidence.estimate().abs() > rules.resolution;
    few_differ() || Answers::new(evidence, rules).suspicions(limits.expects_same).number() > 0
}

/// Estimates the further time of a confirmation. A suspected change of the typical time is confirmed
/// at the first look whose level its p-value will reach, going by all evidence so far.
pub(super) fn confirmation(
    [screening, confirmation]: [&Evidence; 2],
    suspicions: &Suspicions,
    schedule: &LookSchedule,
    pair_time: Duration,
) -> Duration {
    let all = screening.and(confirmation);
    let p_per_pair = all.p().powf(1.0 / all.pairs().max(1) as f64);
    let suffices =
        |pairs: usize, level: f64| suspicions.typical.is_none() || p_per_pair.powf(pairs as f64) <= level;
    schedule.time_to_look(confirmation.pairs(), pair_time, suffices)
}

/// Returns the time of this many pairs.
fn pairs(pair_time: Duration, number: f64) -> Duration {
    Duration::try_from_secs_f64(pair_time.as_secs_f64() * number).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::effort::Effort;
    use super::super::questions::Direction;
    use super::*;

    const PAIR: Duration = Duration::from_millis(20);

    /// Returns the estimate after these changes, of which each pair took `PAIR`.
    fn left(changes: &[f64]) -> Duration {
        let mut evidence = Evidence::default();
        evidence.add(changes, &[]);
        let spent = PAIR * changes.len() as u32;
        screening(&evidence, spent, PAIR, &Rules::default(), &Effort::Thorough.limits())
    }

    /// Returns this many changes, alternating around none.
    fn noise(number: usize, size: f64) -> Vec<f64> {
        (0..number).map(|i| size * [1.0, -1.0, 0.5, -0.5][i % 4]).collect()
    }

    #[test]
    fn a_screening_takes_its_time_unless_it_is_precise() {
        let limits = Effort::Thorough.limits();
        let until_launches = |pairs: u32| (limits.min_launches as u32 - pairs) * PAIR / 2;
        assert_eq!(left(&[]), until_launches(0), "nothing is known");
        assert_eq!(left(&noise(2, 0.01)), until_launches(2));
        assert_eq!(left(&noise(32, 0.001)), until_launches(32), "precise");
        assert_eq!(left(&noise(66, 0.001)), Duration::ZERO, "precise, with enough launches");
        let noisy = left(&noise(12, 0.02));
        assert!(Duration::ZERO < noisy && noisy <= limits.screening - 12 * PAIR, "{noisy:?}");
        assert_eq!(left(&noise(12, 0.9)), limits.total - 12 * PAIR, "hopeless");
    }

    #[test]
    fn a_large_change_only_has_to_become_evident() {
        let pairs_left = |number| left(&vec![0.03; number]).div_duration_f64(PAIR).round();
        assert_eq!([2, 4, 6, 8].map(pairs_left), [6.0, 4.0, 2.0, 0.0]);
        let uncertain = [0.03, 0.04, -0.01, 0.02, 0.05, 0.03];
        assert!(left(&uncertain) > 2 * PAIR, "{:?}", left(&uncertain));
        let limits = Effort::Thorough.limits();
        assert!(!will_confirm(&Evidence::default(), &Rules::default(), &limits));
        for (changes, expected) in [([0.03; 2], true), ([0.01; 2], false), ([0.03, -0.03], false)] {
            let mut evidence = Evidence::default();
            evidence.add(&changes, &[]);
            assert_eq!(will_confirm(&evidence, &Rules::default(), &limits), expected, "{changes:?}");
        }
    }

    /// Returns the estimated number of pairs of a confirmation, before each of its blocks. Each pair
    /// shows a change of 3 %, except for those at these places.
    fn pairs_of_confirmation(exceptions: &[usize]) -> Vec<u32> {
        let schedule = LookSchedule::new(10, PAIR, Duration::from_secs(4), Effort::Thorough.limits());
        let suspicions = Suspicions { typical: Some(Direction::Slower), ..Suspicions::default() };
        let (mut screening, mut confirmation) =
            (Evidence::default(), Evidence::for_confirmation(&Evidence::default()));
        screening.add(&[0.03; 8], &[]);
        let mut estimate = |block: usize| {
            let left = super::confirmation([&screening, &confirmation], &suspicions, &schedule, PAIR);
            let change = |place| if exceptions.contains(&place) { -0.05 } else { 0.03 };
            confirmation.add(&[2 * block, 2 * block + 1].map(change), &[]);
            (PAIR * 2 * block as u32 + left).div_duration_f64(PAIR).round() as u32
        };
        (0..7).map(&mut estimate).collect()
    }

    #[test]
    fn a_confirmation_lasts_until_the_look_that_the_change_will_pass() {
        let all_alike = pairs_of_confirmation(&[]);
        assert!(all_alike.iter().all(|&pairs| pairs == all_alike[0]), "{all_alike:?}");
        let with_exceptions = pairs_of_confirmation(&[2, 3]);
        assert_eq!(with_exceptions[..2], all_alike[..2]);
        assert!(with_exceptions[2..].iter().all(|&pairs| pairs == with_exceptions[2]), "{with_exceptions:?}");
        assert!(with_exceptions[2] > all_alike[0], "{with_exceptions:?}");
    }

    #[test]
    fn slow_pairs_take_their_minimum() {
        let slow = Duration::from_secs(2);
        let left = screening(&Evidence::default(), slow, slow, &Rules::default(), &Effort::Thorough.limits());
        assert_eq!(left, slow * MIN_PAIRS as u32);
    }
}
