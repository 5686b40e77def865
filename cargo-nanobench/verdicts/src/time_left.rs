//! Estimates of the time until a verdict, for the progress and the report of a run. No decision
//! depends on them.

use crate::evidence::{CONFIDENCE, Evidence, MIN_PAIRS};
use crate::rules::{Rules, TimeLimits};
use std::time::Duration;

/// The time of a block that only adds launches, in usual ones.
const SHORT_BLOCK: f64 = 0.5;
/// Logarithm of the evidence that shows a change in a suite of some benchmarks.
const TYPICAL_LOG_EVIDENCE: f64 = 8.0;
/// Longest estimated time until a verdict that is reported.
const MAX_TIME_TO_VERDICT: Duration = Duration::from_secs(600);

/// Estimates the further time until a verdict on a benchmark that is `unsure`. The width of an interval
/// shrinks with the square root of the number of pairs, and the logarithm of the evidence grows with the
/// number. Returns `None` if the time is too long to report.
pub fn time_to_verdict(
    evidence: &Evidence,
    strongest: f64,
    pair_time: Duration,
    rules: &Rules,
) -> Option<Duration> {
    let estimate = evidence.estimate().abs();
    let until_same =
        (evidence.half_width() / (rules.resolution - estimate).max(rules.resolution / 4.0)).powi(2);
    let until_shown = if strongest > 0.0 { TYPICAL_LOG_EVIDENCE / strongest } else { f64::INFINITY };
    let growth = until_same.min(until_shown).max(excess_width_of_average(evidence, rules).powi(2));
    let pairs = evidence.pairs() as f64 * (growth - 1.0).max(0.25);
    let time = pairs * pair_time.as_secs_f64();
    (time < MAX_TIME_TO_VERDICT.as_secs_f64()).then(|| Duration::from_secs_f64(time))
}

/// Returns the width of the interval of the average time as a multiple of the width that would tell
/// whether it is slower.
fn excess_width_of_average(evidence: &Evidence, rules: &Rules) -> f64 {
    let averages = &evidence.averages;
    let Some(interval) = averages.interval(CONFIDENCE) else { return 0.0 };
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

/// Estimates the further time of a run that took `spent` so far. `strongest`: the logarithm of the evidence
/// of a change, if any speaks for one, or 0; `pair_time`: the time of a pair of processes.
pub fn until_verdict(
    evidence: &Evidence,
    strongest: f64,
    spent: Duration,
    pair_time: Duration,
    limits: &TimeLimits,
) -> Duration {
    let pairs =
        |number: f64| Duration::try_from_secs_f64(pair_time.as_secs_f64() * number).unwrap_or(Duration::MAX);
    let known = evidence.launches.number().max(evidence.pairs());
    let missing = |number: usize| number.saturating_sub(known) as f64;
    let left = limits.total.saturating_sub(spent);
    if strongest > 0.0 {
        let growth = TYPICAL_LOG_EVIDENCE / strongest - 1.0;
        return pairs(known as f64 * growth.max(0.0)).min(left);
    }
    let launches = pairs(SHORT_BLOCK * missing(limits.min_launches));
    pairs(missing(MIN_PAIRS)).max(launches.min(limits.usual.saturating_sub(spent)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clusters::FilesOfBlock;
    use crate::effort::Effort;
    use crate::evidence::{Null, Pair};

    const PAIR_TIME: Duration = Duration::from_millis(10);

    /// Returns the evidence of this many pairs, whose changes are alternately larger and smaller than
    /// `change` by `noise`.
    fn evidence(pairs: usize, change: f64, noise: f64) -> Evidence {
        let mut evidence = Evidence::new(Null::default());
        for generation in 0..pairs as u64 / 2 {
            let block = [noise, -noise].map(|noise| Pair::with_change(change + noise));
            let files = FilesOfBlock { generation, are_spent: true, are_layouts: false };
            evidence.add(&block, [0.0; 2], files);
        }
        evidence
    }

    #[test]
    fn the_estimate_shrinks_with_the_precision_and_with_the_evidence() {
        let time = |evidence: &Evidence, strongest: f64| {
            time_to_verdict(evidence, strongest, PAIR_TIME, &Rules::default())
        };
        let [noisy, precise] = [0.05, 0.02].map(|noise| time(&evidence(24, 0.0, noise), 0.0).unwrap());
        assert!(noisy > 2 * precise, "{noisy:?} and {precise:?}");
        let strong = time(&evidence(24, 0.0, 0.05), 4.0);
        assert_eq!(strong, Some(24 * PAIR_TIME), "as many pairs as so far");
        assert_eq!(time(&evidence(4, 0.0, 0.5), 0.0), None, "no interval yet");
    }

    #[test]
    fn a_run_takes_until_its_change_is_shown_or_its_launches_suffice() {
        let limits = Effort::Named { launches: 66 }.limits();
        let left = |pairs: usize, strongest: f64, spent: Duration| {
            until_verdict(&evidence(pairs, 0.0, 0.01), strongest, spent, PAIR_TIME, &limits)
        };
        let second = Duration::from_secs(1);
        assert_eq!(left(20, 4.0, second), 20 * PAIR_TIME, "half of the evidence");
        assert_eq!(left(20, 9.0, second), Duration::ZERO);
        assert_eq!(left(20, 0.1, second), limits.total - second, "no longer than it may take");
        assert_eq!(left(20, 0.0, second), 23 * PAIR_TIME, "46 launches in short blocks");
        assert_eq!(left(20, 0.0, 2 * second), Duration::ZERO, "the usual time is up");
        assert_eq!(left(2, 0.0, 2 * second), 4 * PAIR_TIME, "six pairs in any case");
    }
}
