//! The rules that decide when to stop measuring a benchmark, and with which verdict. Pure
//! functions: nothing here measures, so the rules are tested by simulation.
//!
//! A paired run tests each benchmark in two stages.
//!
//! **Screening** measures every benchmark until its change is known to about
//! [`Rules::target_precision`]. It may look at the data after every block and stop at any time,
//! since it never reports a change. It only selects the benchmarks that look different, and the
//! direction of each suspected change.
//!
//! **Confirmation** tests each suspected change with data from fresh processes alone. Because one
//! part of the data selects the hypothesis and another part tests it, the selection does not
//! inflate the error rate (Cox 1975, "A note on data-dependent hypotheses"; Wasserman and Roeder
//! 2009, "High-dimensional variable selection": screen and clean).
//!
//! The family-wise error rate is 1 %: of 100 runs of a suite of any size in which nothing changed,
//! 99 report no change. It is split evenly over the benchmarks in confirmation (Bonferroni), and
//! the share of each over its looks, which are scheduled before the first one. (Pocock 1977 splits
//! it less conservatively.)

use super::evidence::{Evidence, farther_end, half_width};
use crate::experiment::verdict::Verdict;
use crate::stats;
use nanobench::stats::Interval;
use std::time::Duration;

/// Probability of any reported change in a suite in which nothing changed.
const FAMILY_ERROR_RATE: f64 = 0.01;
/// Minimum number of pairs for any decision.
pub(super) const MIN_PAIRS: usize = 6;
/// Number of pairs after which a screening may end without a result once its time is up. Slow
/// benchmarks get this many even beyond their time.
const SUFFICIENT_PAIRS: usize = 16;
/// One-sided p-value up to which a change is suspected and confirmed. It is generous, as a needless
/// confirmation costs only time.
const SUSPICION_P: f64 = 0.2;
/// One-sided p-value up to which a change is evident. Such a change is confirmed without screening
/// further, and its confirmation may exceed the time limit, as it will most probably succeed.
const EVIDENT_P: f64 = 0.004;
/// One-sided p-value up to which a benchmark is not called the same.
const NOT_SAME_P: f64 = 0.025;
/// Minimum number of looks of a confirmation, regardless of their time, while the benchmark looks
/// different.
const MIN_LOOKS: u32 = 3;
const MAX_LOOKS: u32 = 8;
/// Longest estimated time until a verdict that is reported.
const MAX_TIME_TO_VERDICT: Duration = Duration::from_secs(600);

/// The sizes of changes that a comparison distinguishes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rules {
    /// Smallest change that is reported, as a share.
    pub(crate) threshold: f64,
    /// A change that is known to be smaller than this share counts as none.
    pub(crate) resolution: f64,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { threshold: 0.005, resolution: 0.02 }
    }
}

impl Rules {
    /// Returns the half width of the interval at which the screening of an unsuspicious benchmark
    /// stops. It is so much smaller than the resolution that a change of half the resolution is
    /// seen.
    pub(super) fn target_precision(&self) -> f64 {
        self.resolution * 0.35
    }

    fn is_precise(&self, half_width: f64) -> bool {
        half_width <= self.target_precision()
    }

    /// Returns whether a change in this interval counts as none: it is within the resolution, or
    /// below the threshold and known precisely. `precision`: half the width of the interval,
    /// ignoring any selection.
    fn is_same(&self, interval: Interval, precision: f64) -> bool {
        let bound = farther_end(interval);
        bound <= self.resolution || bound <= self.threshold && self.is_precise(precision)
    }
}

/// The time that one benchmark may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct TimeLimits {
    /// Time of the screening.
    pub(super) screening: Duration,
    /// Time of screening and confirmation together.
    pub(super) total: Duration,
}

/// The decision after a block of the screening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScreeningDecision {
    /// The evidence does not suffice yet.
    Continue,
    /// A change in this direction is suspected and has to be confirmed.
    Confirm(Direction),
    /// No change is suspected, or the time is up.
    Stop,
}

/// The direction of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Slower,
    Faster,
}

impl Direction {
    fn from_estimate(estimate: f64) -> Direction {
        if estimate >= 0.0 { Direction::Slower } else { Direction::Faster }
    }

    fn verdict(self) -> Verdict {
        match self {
            Direction::Slower => Verdict::Slower,
            Direction::Faster => Verdict::Faster,
        }
    }
}

/// Decides on the evidence of a screening that took `spent` so far.
pub(super) fn decide_screening(
    evidence: &Evidence,
    spent: Duration,
    rules: &Rules,
    limits: &TimeLimits,
) -> ScreeningDecision {
    let Some(interval) = evidence.interval().filter(|_| evidence.pairs() >= MIN_PAIRS) else {
        return ScreeningDecision::Continue;
    };
    let direction = Direction::from_estimate(evidence.estimate());
    if shows_change(evidence, EVIDENT_P, rules) {
        return ScreeningDecision::Confirm(direction);
    }
    let precision = evidence.precision();
    let may_stop = rules.is_precise(precision) || spent >= limits.screening;
    if may_stop && looks_different(evidence, rules) {
        return ScreeningDecision::Confirm(direction);
    }
    let is_out_of_time = evidence.pairs() >= SUFFICIENT_PAIRS && spent >= limits.total;
    if may_stop && rules.is_same(interval, precision) || is_out_of_time {
        ScreeningDecision::Stop
    } else {
        ScreeningDecision::Continue
    }
}

/// The looks of a confirmation, scheduled before it begins.
#[derive(Debug, Clone)]
pub(super) struct LookSchedule {
    /// Number of pairs at each look.
    pub(super) sizes: Vec<usize>,
    /// Significance level of each look. Each level is twice the one before: the early looks, which
    /// only large changes pass, use little of the error rate, and the last look gets most of it.
    pub(super) levels: Vec<f64>,
    /// Number of pairs for which the time suffices. Later looks are only for benchmarks that still
    /// look different.
    affordable_pairs: usize,
}

impl LookSchedule {
    /// Schedules the looks at one of `tests` benchmarks. `pair_time`: the time of a pair;
    /// `time`: the time for the whole confirmation.
    pub(super) fn new(tests: usize, pair_time: Duration, time: Duration) -> LookSchedule {
        let error_rate = FAMILY_ERROR_RATE / tests.max(1) as f64;
        let affordable_pairs = (time.as_secs_f64() / pair_time.as_secs_f64().max(1e-9)) as usize;
        let with_looks = |looks: u32| {
            let unit = error_rate / f64::from((1 << looks) - 1);
            let levels: Vec<f64> = (0..looks).map(|look| unit * f64::from(1 << look)).collect();
            let first = stats::min_values_for_level(unit).max(MIN_PAIRS);
            // The last look but one is at the end of the time, and each earlier one at half the
            // size. The sizes are even, since a block has two pairs.
            let last = (2 * affordable_pairs).max(first << (MIN_LOOKS - 1));
            let sizes: Vec<usize> =
                (0..looks).rev().map(|halvings| (last >> halvings).next_multiple_of(2)).collect();
            LookSchedule { sizes, levels, affordable_pairs }
        };
        let is_feasible = |schedule: &LookSchedule| {
            schedule.sizes[0] >= stats::min_values_for_level(schedule.levels[0]).max(MIN_PAIRS)
        };
        (MIN_LOOKS..=MAX_LOOKS)
            .rev()
            .map(with_looks)
            .find(is_feasible)
            .unwrap_or_else(|| with_looks(MIN_LOOKS))
    }

    /// Returns the time until the look that follows this many pairs.
    pub(super) fn time_to_look(&self, pairs: usize, pair_time: Duration) -> Duration {
        let next = self.sizes.iter().find(|&&size| size > pairs);
        let missing = next.map_or(1, |next| next - pairs);
        pair_time * u32::try_from(missing).unwrap_or(u32::MAX)
    }

    /// Returns the significance level of the look after this many pairs; `None` between two looks.
    fn level_at(&self, pairs: usize) -> Option<f64> {
        let last = self.sizes.len().checked_sub(1)?;
        let look = self.sizes.iter().position(|size| *size == pairs);
        look.or((pairs >= self.sizes[last]).then_some(last)).map(|look| self.levels[look])
    }
}

/// Decides on the evidence of a confirmation. Returns `None` if it has to continue.
///
/// Between two looks, no change is confirmed. A benchmark that no longer looks different is
/// dismissed at any time, since giving up early can't produce a false positive.
pub(super) fn decide_confirmation(
    screening: &Evidence,
    confirmation: &Evidence,
    direction: Direction,
    schedule: &LookSchedule,
    rules: &Rules,
) -> Option<Verdict> {
    let all = screening.and(confirmation);
    let is_dismissed =
        || rules.is_precise(all.precision()) && verdict_without_change(&all, rules) == Verdict::Same;
    let Some(level) = schedule.level_at(confirmation.pairs()) else {
        return (!looks_different(&all, rules) && is_dismissed()).then_some(Verdict::Same);
    };
    let is_last = schedule.sizes.last().is_none_or(|last| confirmation.pairs() >= *last);
    let estimate = confirmation.estimate();
    let exceeds = |noise_floor: f64| estimate.abs() > noise_floor.max(rules.threshold);
    if Direction::from_estimate(estimate) == direction
        && confirmation.p() <= level
        && all.noise_floor().is_some_and(exceeds)
    {
        return Some(direction.verdict());
    }
    let is_out_of_time = confirmation.pairs() >= schedule.affordable_pairs;
    let gives_up = is_out_of_time && !shows_change(&all, EVIDENT_P, rules);
    (gives_up || is_last || is_dismissed()).then(|| verdict_without_change(&all, rules))
}

/// Returns whether a change is suspected. It may be a little below the threshold, since an estimate
/// that is too low by chance would otherwise exclude a change above the threshold.
fn looks_different(evidence: &Evidence, rules: &Rules) -> bool {
    evidence.p() <= SUSPICION_P && evidence.estimate().abs() > rules.threshold * 0.6
}

/// Returns whether the evidence shows a change above the threshold with a one-sided p-value of at
/// most `max_p`.
fn shows_change(evidence: &Evidence, max_p: f64, rules: &Rules) -> bool {
    evidence.p() <= max_p && evidence.estimate().abs() > rules.threshold
}

/// Returns the verdict on a benchmark without a confirmed change: `same` or `unsure`.
pub(super) fn verdict_without_change(evidence: &Evidence, rules: &Rules) -> Verdict {
    let interval = evidence.interval();
    let is_same = interval.is_some_and(|interval| rules.is_same(interval, evidence.precision()));
    if is_same && !shows_change(evidence, NOT_SAME_P, rules) { Verdict::Same } else { Verdict::Unsure }
}

/// Estimates the further time until a verdict. The width of an interval shrinks with the square
/// root of the number of pairs. Returns `None` if the time is too long to report.
pub(super) fn time_to_verdict(
    evidence: &Evidence,
    schedule: Option<&LookSchedule>,
    pair_time: Duration,
    rules: &Rules,
) -> Option<Duration> {
    let (interval, estimate) = (evidence.interval()?, evidence.estimate().abs());
    let excess_width = if shows_change(evidence, NOT_SAME_P, rules) {
        // The standard error under a normal approximation, from the 95 % interval.
        let standard_error = evidence.precision() / 1.96;
        // A power of 90 % takes the quantile of the last look's level, which is about 4 standard
        // errors for a large suite, and another 1.3.
        let level = schedule.and_then(|schedule| schedule.levels.last());
        let quantile = level.map_or(3.0, |level| (-2.0 * level.ln()).sqrt());
        standard_error * (quantile + 1.3) / estimate
    } else {
        half_width(interval) / (rules.resolution - estimate).max(rules.resolution / 4.0)
    };
    let pairs = evidence.pairs() as f64 * (excess_width.powi(2) - 1.0).max(0.25);
    let time = pairs * pair_time.as_secs_f64();
    (time < MAX_TIME_TO_VERDICT.as_secs_f64()).then(|| Duration::from_secs_f64(time))
}

#[cfg(test)]
mod tests;
