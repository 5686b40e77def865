//! When to stop, and what is said then. Pure: nothing here measures.
//!
//! **Screening** looks at every benchmark until its change is known to about [`Rules::aim`]. It may stop whenever it likes,
//! as nothing is called by it: it only picks what looks different, or can't be told, and its direction.
//!
//! **Confirmation** starts from nothing, with fresh processes only: choosing what to confirm on one part of the data and
//! testing on the other keeps the choice out of the test (Cox 1975, "A note on data-dependent hypotheses"; Wasserman
//! and Roeder 2009, "High-dimensional variable selection": screen and clean). The error is split evenly over the benchmarks
//! that are confirmed, so that a suite in which nothing changed says so in 99 of 100 runs, however large it is
//! (Bonferroni), and over the looks that are planned before the first (Pocock 1977 splits it less strictly).

use super::evidence::{Evidence, farthest, half_width};
use crate::experiment::verdict::Verdict;
use crate::stats;
use nanobench::stats::Interval;
use std::time::Duration;

/// Probability that a suite in which nothing changed has anything called.
const FAMILY_ERROR: f64 = 0.01;
/// Pairs without which nothing is said.
const LEAST_PAIRS: usize = 6;
/// What can't be told gets so many, even where they take longer than it should.
const ENOUGH_PAIRS: usize = 16;
/// A suspicion is worth a second look from this probability on, one-sided. Generous, as it costs only time.
const SUSPICIOUS: f64 = 0.2;
/// And with this one, there is nothing to wait for.
const EVIDENT: f64 = 0.004;
/// What both the time that may be spent and the precision that is wanted speak against.
const GIVEN_UP: f64 = 0.025;
/// Looks of a confirmation. Three there are, whatever they take, for what still looks different.
const FEWEST_LOOKS: u32 = 3;
const MOST_LOOKS: u32 = 8;
/// A longer time than this is not promised.
const LONGEST_PROMISE: Duration = Duration::from_secs(600);

/// What is to be told from what.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rules {
    /// Smaller changes are not called, as shares.
    pub(crate) threshold: f64,
    /// What is known to be smaller is the same.
    pub(crate) resolution: f64,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { threshold: 0.005, resolution: 0.02 }
    }
}

impl Rules {
    /// How well a change has to be known where nothing looks different: half the width of its interval. So much better than
    /// the resolution that changes of half of it are seen.
    fn aim(&self) -> f64 {
        self.resolution * 0.35
    }

    fn is_precise(&self, half_width: f64) -> bool {
        half_width <= self.aim()
    }

    /// Whether what lies there is the same: within the resolution, or as precisely known as that asks for, and too small to be called.
    fn are_met_by(&self, interval: Interval, half_width: f64) -> bool {
        let farthest = farthest(interval);
        farthest <= self.resolution || farthest <= self.threshold && self.is_precise(half_width)
    }
}

/// What a benchmark may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// For screening.
    pub(super) screening: Duration,
    /// For that and for confirming.
    pub(super) all: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { screening: Duration::from_millis(800), all: Duration::from_secs(3) }
    }
}

/// What follows from a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// It takes more blocks to say.
    More,
    /// It is worth confirming, in this direction.
    Confirm(Direction),
    /// There is nothing more to find out, or no time to.
    Done,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Slower,
    Faster,
}

impl Direction {
    fn of(estimate: f64) -> Direction {
        if estimate >= 0.0 { Direction::Slower } else { Direction::Faster }
    }

    fn verdict(self) -> Verdict {
        match self {
            Direction::Slower => Verdict::Slower,
            Direction::Faster => Verdict::Faster,
        }
    }
}

/// Looks at what screening has brought in `spent`.
pub(super) fn screened(evidence: &Evidence, spent: Duration, rules: &Rules, limits: &Limits) -> Next {
    let Some(interval) = evidence.interval().filter(|_| evidence.pairs() >= LEAST_PAIRS) else {
        return Next::More;
    };
    let (estimate, p) = (evidence.estimate(), evidence.p());
    let direction = Direction::of(estimate);
    if p <= EVIDENT && estimate.abs() > rules.threshold {
        return Next::Confirm(direction);
    }
    let suspicious = looks_different(evidence, rules);
    let (told, is_precise) =
        (rules.are_met_by(interval, evidence.precision()), rules.is_precise(evidence.precision()));
    let is_out_of = |limit: Duration| spent >= limit;
    if suspicious && (is_precise || is_out_of(limits.screening)) {
        return Next::Confirm(direction);
    }
    let enough = evidence.pairs() >= ENOUGH_PAIRS && is_out_of(limits.all);
    if told && (is_precise || is_out_of(limits.screening)) || enough { Next::Done } else { Next::More }
}

/// The looks of a confirmation, planned before it begins.
#[derive(Debug, Clone)]
pub(super) struct Looks {
    /// After how many pairs.
    pub(super) sizes: Vec<usize>,
    /// The probability of an error at each. Each has twice as much of it as the one before: what is seen early is seen with
    /// little, and what needs all the time gets most.
    pub(super) levels: Vec<f64>,
    /// So many pairs there is time for. Looks beyond that are for what still looks different then.
    affordable: usize,
}

impl Looks {
    /// For one of `tests` benchmarks, where a pair takes so long and there is so much time.
    pub(super) fn plan(tests: usize, pair: Duration, time: Duration) -> Looks {
        let error = FAMILY_ERROR / tests.max(1) as f64;
        let affordable = (time.as_secs_f64() / pair.as_secs_f64().max(1e-9)) as usize;
        let planned = |looks: u32| {
            let share = error / f64::from((1 << looks) - 1);
            let levels: Vec<f64> = (0..looks).map(|look| share * f64::from(1 << look)).collect();
            let least = stats::signed_least(share).max(LEAST_PAIRS);
            // The last but one at the end of the time, each before it at half of it. Two pairs are a block.
            let last = (2 * affordable).max(least << (FEWEST_LOOKS - 1));
            let sizes: Vec<usize> = (0..looks).rev().map(|back| (last >> back).next_multiple_of(2)).collect();
            Looks { sizes, levels, affordable }
        };
        let is_possible =
            |looks: &Looks| looks.sizes[0] >= stats::signed_least(looks.levels[0]).max(LEAST_PAIRS);
        (FEWEST_LOOKS..=MOST_LOOKS)
            .rev()
            .map(planned)
            .find(is_possible)
            .unwrap_or_else(|| planned(FEWEST_LOOKS))
    }

    /// The probability of an error that the look after so many pairs may have. `None` where there is none then.
    fn level_at(&self, pairs: usize) -> Option<f64> {
        let last = self.sizes.len().checked_sub(1)?;
        let look = self.sizes.iter().position(|size| *size == pairs);
        look.or((pairs >= self.sizes[last]).then_some(last)).map(|look| self.levels[look])
    }
}

/// Looks at what a confirmation has brought. Between two looks that were planned, nothing is called; but what doesn't look different
/// any more, now that there is more of it, needs no further look. To give up early adds no error.
pub(super) fn confirmed(
    screening: &Evidence,
    fresh: &Evidence,
    direction: Direction,
    looks: &Looks,
    rules: &Rules,
) -> Option<Verdict> {
    let all = screening.and(fresh);
    let is_dismissed = || rules.is_precise(all.precision()) && verdict_of_rest(&all, rules) == Verdict::Same;
    let Some(level) = looks.level_at(fresh.pairs()) else {
        return (!looks_different(&all, rules) && is_dismissed()).then_some(Verdict::Same);
    };
    let is_last = looks.sizes.last().is_none_or(|last| fresh.pairs() >= *last);
    let estimate = fresh.estimate();
    let clears = |floor: f64| estimate.abs() > floor.max(rules.threshold);
    if Direction::of(estimate) == direction && fresh.p() <= level && all.noise_floor().is_some_and(clears) {
        return Some(direction.verdict());
    }
    // More time than there is goes to what it will most probably be called with.
    let out_of_time = fresh.pairs() >= looks.affordable && !suspected(&all, EVIDENT, rules);
    (out_of_time || is_last || is_dismissed()).then(|| verdict_of_rest(&all, rules))
}

/// Whether it is worth a second look. A little below the threshold: an estimate that is too low by chance would keep what is
/// above it from one.
fn looks_different(evidence: &Evidence, rules: &Rules) -> bool {
    evidence.p() <= SUSPICIOUS && evidence.estimate().abs() > rules.threshold * 0.6
}

/// Whether there is still something that more time would make out: less probable than `p`, had nothing changed.
fn suspected(evidence: &Evidence, p: f64, rules: &Rules) -> bool {
    evidence.p() <= p && evidence.estimate().abs() > rules.threshold
}

/// What is said where no change was called.
pub(super) fn verdict_of_rest(evidence: &Evidence, rules: &Rules) -> Verdict {
    let within = evidence.interval().is_some_and(|interval| rules.are_met_by(interval, evidence.precision()));
    if within && !suspected(evidence, GIVEN_UP, rules) { Verdict::Same } else { Verdict::Unsure }
}

/// How much longer it would take to tell, where a pair takes so long. `None` where that is too long to promise.
pub(super) fn more(
    evidence: &Evidence,
    looks: Option<&Looks>,
    pair: Duration,
    rules: &Rules,
) -> Option<Duration> {
    let (interval, estimate) = (evidence.interval()?, evidence.estimate().abs());
    let times_too_wide = if suspected(evidence, GIVEN_UP, rules) {
        // Of a normal distribution; the confidence is 95 %.
        let error = evidence.precision() / 1.96;
        // Seen in nine of ten runs: some four errors for the level of a suite, and 1.3.
        let level = looks.and_then(|looks| looks.levels.last());
        error * (level.map_or(3.0, |level| (-2.0 * level.ln()).sqrt()) + 1.3) / estimate
    } else {
        half_width(interval) / (rules.resolution - estimate).max(rules.resolution / 4.0)
    };
    let pairs = evidence.pairs() as f64 * (times_too_wide.powi(2) - 1.0).max(0.25);
    let time = pairs * pair.as_secs_f64();
    (time < LONGEST_PROMISE.as_secs_f64()).then(|| Duration::from_secs_f64(time))
}

#[cfg(test)]
mod tests;
