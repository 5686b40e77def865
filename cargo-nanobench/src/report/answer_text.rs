//! The answers of a comparison that go beyond the typical time, in words: the average and slow
//! launches.

use super::cells::interval;
use super::verdict_text::{TOO_LONG, needs_more, share};
use crate::experiment::{Comparison, TimeChange};
use nanobench::report::{change, time};
use std::time::Duration;
use verdicts::{AverageChange, Question, SlowLaunches, Verdict};

/// The smallest distance of the average's change from that of the typical time, as a share, at which
/// both are shown.
const MIN_DISTANCE: f64 = 0.02;
/// The largest p-value at which slow launches are named beside an average that is shown and that they
/// explain. A run ends once one of the two is shown, so the evidence of the other is mostly weaker.
const MAX_P_BESIDE_AVERAGE: f64 = 0.05;
/// The largest denominator of a share of launches in words.
const MAX_LAUNCHES: usize = 20;

/// Returns the text behind the word of a verdict that isn't about the typical time: ` on average (typical
/// +1.3 %)`. `None` for verdicts on the typical time.
pub(super) fn remark(comparison: &Comparison) -> Option<String> {
    if comparison.question() == Question::Typical {
        return None;
    }
    let answer = match comparison.verdict {
        Verdict::Slower | Verdict::Faster => called(comparison)?,
        Verdict::Unsure => undecided(comparison)?,
        Verdict::Placement => String::new(),
        Verdict::Same | Verdict::New | Verdict::Failed => return None,
    };
    let typical = comparison.change.map(|by| format!(" (typical {})", change(by.estimate)));
    Some(answer + &typical.unwrap_or_default())
}

/// Returns the change of the average, if a verdict is on the typical time, and the average is known
/// to have changed by another amount.
pub(super) fn average_apart(comparison: &Comparison) -> Option<f64> {
    let (typical, average) = (comparison.change?, comparison.average()?.change);
    let is_typical = matches!(comparison.verdict, Verdict::Slower | Verdict::Faster)
        && comparison.question() == Question::Typical;
    let is_apart =
        average.interval.low > typical.interval.high || average.interval.high < typical.interval.low;
    let is_far = (average.estimate - typical.estimate).abs() > MIN_DISTANCE;
    (is_typical && is_apart && is_far).then_some(average.estimate)
}

/// Returns the largest slowdown of a benchmark, or else the change that its verdict is about: `+12.3 %`,
/// or `+50.0 % on average`.
pub(super) fn short(comparison: &Comparison) -> Option<String> {
    match comparison.largest_slowdown().or_else(|| comparison.decisive_change())? {
        TimeChange::Typical(by) => Some(change(by)),
        TimeChange::Average(by) => Some(on_average(by)),
    }
}

/// Returns a change of the average: `+50.0 % on average`.
pub(super) fn on_average(by: f64) -> String {
    format!("{} on average", change(by))
}

/// Returns the text of a change that was found in the average or in slow launches.
fn called(comparison: &Comparison) -> Option<String> {
    let slow = comparison.slow_launches();
    if let Some(slow) = slow.filter(|slow| slow.verdict == comparison.verdict) {
        return Some(of_launches(slow, comparison.verdict));
    }
    comparison.average()?;
    let explains = |slow: &&SlowLaunches| {
        slow.p <= MAX_P_BESIDE_AVERAGE
            && (slow.change() > 0.0) == (comparison.verdict == Verdict::Slower)
            && slow.verdict == Verdict::Unsure
    };
    let slow = slow.filter(explains).map(|slow| format!(",{}", of_launches(slow, comparison.verdict)));
    Some(format!(" on average{}", slow.unwrap_or_default()))
}

/// Returns ` in 1 of 4 processes`, or for `faster`, ` in 1 of 4 processes that were slow`.
fn of_launches(slow: &SlowLaunches, verdict: Verdict) -> String {
    let [baseline, candidate] = slow.shares().map(|share| (share > 0.0).then(|| fraction(share)));
    let [before, now] = [&baseline, &candidate].map(|share| share.as_deref().unwrap_or("none"));
    match (verdict, &baseline, &candidate) {
        (Verdict::Faster, _, None) => format!(" in {before} processes that were slow"),
        (Verdict::Faster, ..) => format!(": {now} processes are slow, instead of {before}"),
        (_, None, _) => format!(" in {now} processes"),
        _ => format!(" in {now} processes, instead of {before}"),
    }
}

/// Formats a share of processes: `1 of 4`.
fn fraction(share: f64) -> String {
    if share >= 1.0 {
        return "all".to_owned();
    }
    let is_close = |of: &usize| {
        let (of, number) = (*of as f64, (share * *of as f64).round());
        number > 0.0 && number < of && (number / of / share - 1.0).abs() < 0.1
    };
    let of = (2..=MAX_LAUNCHES).find(is_close).unwrap_or_else(|| (1.0 / share).round() as usize);
    format!("{} of {of}", ((share * of as f64).round() as usize).max(1))
}

/// Returns the text of an average that may have changed by more than the bound, or of slow launches
/// that may have. `None` if neither is the ground of the verdict.
fn undecided(comparison: &Comparison) -> Option<String> {
    if comparison.is_average_same() {
        return (comparison.question() == Question::Launches).then(|| open_launches(comparison));
    }
    let more = comparison.paired.as_ref()?.time_to_decide;
    let needs = more.map_or_else(|| TOO_LONG.to_owned(), |more| needs_more(more, None));
    Some(format!(" on average{needs}"))
}

/// Returns ` about slow processes: 1 of 180, baseline 2 of 180`.
fn open_launches(comparison: &Comparison) -> String {
    let numbers = comparison.slow_launches().map(|slow| {
        let [baseline, candidate] = numbers(slow);
        format!(": {candidate}, baseline {baseline}")
    });
    format!(" about slow processes{}", numbers.unwrap_or_default())
}

/// Returns the average of a comparison, for verbose tables and for sentences: `on average +0.3 %
/// (-0.9 .. +1.4), 45.0 ms on each side, 3 of 412 samples interrupted, 12.0 ms subtracted`.
pub(super) fn average(average: &AverageChange) -> String {
    let AverageChange { change: by, sampled, samples, interrupted, waited, counts_waiting, .. } = average;
    let sampled = if sampled.is_zero() {
        String::new()
    } else {
        format!(", {} on each side", time(sampled.as_secs_f64() * 1e9))
    };
    let [all, interrupted] = [samples, interrupted].map(|[baseline, candidate]| baseline + candidate);
    let subtracted = if interrupted == 0 {
        String::new()
    } else {
        let waited = time(waited.iter().sum::<Duration>().as_secs_f64() * 1e9);
        let use_of_it = if *counts_waiting { "counted, as one side waits more" } else { "subtracted" };
        format!(", {interrupted} of {all} samples interrupted, {waited} {use_of_it}")
    };
    format!("{} {}{sampled}{subtracted}", change(by.estimate), interval(&by.interval))
}

/// Returns the slow launches of both sides: `3 of 24 slow, baseline 2 of 24, by 50.0 %`.
pub(super) fn slow_launches(slow: &SlowLaunches) -> String {
    let [baseline, candidate] = numbers(slow);
    format!("{candidate} slow, baseline {baseline}, by {}", share(slow.slowdown))
}

/// Returns the numbers of slow launches of the baseline and of the candidate: `3 of 24`, `none of 24`.
fn numbers(SlowLaunches { launches, slow, .. }: &SlowLaunches) -> [String; 2] {
    let number = |side: usize| match slow[side] {
        0 => "none".to_owned(),
        slow => slow.to_string(),
    };
    std::array::from_fn(|side| format!("{} of {}", number(side), launches[side]))
}

#[cfg(test)]
mod tests;
