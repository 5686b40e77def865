//! What a comparison says.

use super::paired::PairedOutcome;
use crate::code::CodeMatch;
use nanobench::model::Measurement;
use nanobench::stats::{self, Change};
use nanobench::summary::{self, CONFIDENCE, Summary};
use std::borrow::Cow;
use std::time::Duration;

/// By how much the figures of one and the same executable differ between two sittings, for reasons that are the
/// machine's: the core's clock wanders by some 18 % on the machines that this was tried on. A smaller change is not worth
/// another look.
pub(crate) const RERUN_SPREAD: f64 = 0.20;
/// What has to be exceeded where there is no other look to be had: twice, or half. Of sittings of one executable on a machine that
/// others kept busy, one comparison in twenty was beyond 50 %, and one of a thousand beyond this, but for what waits for threads.
pub(crate) const STORED_THRESHOLD: f64 = 1.0;

/// What the place where the linker puts code explains, as a share, where the two may have been given different things to work on.
/// Most of what was seen of it is below that.
const PLACEMENT: f64 = 0.20;
/// The same where all else is the same, as far as is known: twice or half. A search was seen to be 42 % slower in one of six places.
const PLACEMENT_ALONE: f64 = 1.0;

/// Why most comparisons with stored figures come to nothing.
pub(crate) const MEASURED_THEN: &str = "measured at another time";
/// Why one with a single sample on either side does.
const ONE_SAMPLE: &str = "1 sample";
/// What other comparisons with them rest on.
pub(crate) const BY_STORED: &str = "by stored figures";
/// Why others are the same.
pub(crate) const SAME_EXECUTABLE: &str = "the same executable";

/// Of a change that is rather large for where the same code lies.
const SAME_CODE: &str = "the same code, so what it is given or where it lies differs";

/// The verdict on one benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    Faster,
    Slower,
    Same,
    Unsure,
    /// The baseline has no such benchmark.
    New,
    /// The baseline has it, this run has no figure for it.
    Failed,
}

impl Verdict {
    /// As in reports.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Verdict::Faster => "faster",
            Verdict::Slower => "slower",
            Verdict::Same => "same",
            Verdict::Unsure => "unsure",
            Verdict::New => "new",
            Verdict::Failed => "failed",
        }
    }
}

/// A benchmark beside its baseline.
#[derive(Debug, Clone)]
pub(crate) struct Comparison {
    /// Figures of the baseline; `None` for a new benchmark.
    pub(crate) baseline: Option<Summary>,
    /// `None` where one of the two has no positive figure.
    pub(crate) change: Option<Change>,
    /// The change is that of the cycles, not that of the times.
    pub(crate) in_cycles: bool,
    pub(crate) verdict: Verdict,
    /// Why it is that one, where it doesn't go without saying.
    pub(crate) reason: Option<Cow<'static, str>>,
    /// What was found side by side. `None` where it is stored figures that were compared with.
    pub(crate) paired: Option<PairedDetails>,
}

/// What only two builds side by side can tell.
#[derive(Debug, Clone)]
pub(crate) struct PairedDetails {
    /// What each side shows beside itself, as a share.
    pub(crate) noise_floor: Option<f64>,
    /// Pairs of fresh processes, in all, and those that the verdict stands on.
    pub(crate) pairs: usize,
    pub(crate) fresh_pairs: usize,
    /// How much longer it would take to tell.
    pub(crate) more: Option<Duration>,
    /// A change was found, in code that is the same in both: it lies elsewhere.
    pub(crate) placed_elsewhere: bool,
    /// Of a change: the function nearest to the benchmark whose machine code is another, where that is known and not the
    /// benchmark itself.
    pub(crate) differs_in: Option<String>,
}

impl Comparison {
    /// Of a benchmark that the baseline doesn't have.
    pub(crate) fn new_benchmark() -> Comparison {
        Comparison::without_change(None, Verdict::New)
    }

    /// Of a benchmark whose figure is per something else than the baseline's: another unit, or another number of them.
    pub(crate) fn of_another_unit() -> Comparison {
        Comparison {
            reason: Some("per another unit or batch than then".into()),
            ..Comparison::new_benchmark()
        }
    }

    /// Of a benchmark that came to no figure now.
    pub(crate) fn failed(baseline: &Measurement) -> Comparison {
        Comparison::without_change(Summary::from_measurement(baseline), Verdict::Failed)
    }

    fn without_change(baseline: Option<Summary>, verdict: Verdict) -> Comparison {
        Comparison { baseline, change: None, in_cycles: false, verdict, reason: None, paired: None }
    }

    /// Of two builds side by side, where the new one has no figure.
    pub(crate) fn failed_beside() -> Comparison {
        Comparison { verdict: Verdict::Failed, ..Comparison::new_benchmark() }
    }

    /// Of two builds that are the same to the byte, of which only one was run.
    pub(crate) fn same_executable() -> Comparison {
        let reason = Some(SAME_EXECUTABLE.into());
        Comparison { verdict: Verdict::Same, reason, ..Comparison::new_benchmark() }
    }

    /// Of two builds that should have been measured side by side, and could not, where nothing is stored.
    pub(crate) fn without_figures(why: &str) -> Comparison {
        Comparison { verdict: Verdict::Unsure, ..Comparison::new_benchmark() }.not_run_paired(why)
    }

    /// Of figures that were taken at another time. `identical`: both came from the same bytes. `threshold`: smaller changes
    /// are not called, however sure they are.
    pub(crate) fn with_stored(
        baseline: &Measurement,
        now: &Measurement,
        identical: bool,
        threshold: f64,
    ) -> Comparison {
        let bound = STORED_THRESHOLD.max(threshold);
        let comparison = Comparison::at_another_time(baseline, now, bound);
        let (verdict, reason) = match (identical, comparison.calls_a_change()) {
            _ if comparison.change.is_none() => return comparison,
            // Neither how far off it is nor whether it recurs is to be told.
            (false, _) | (_, true) if is_single(baseline) || is_single(now) => (Verdict::Unsure, ONE_SAMPLE),
            // The code is the same to the byte, so the change, if it is one, is in what it works on or in the machine.
            (true, true) => (Verdict::Unsure, "the same executable, so something else changed"),
            (true, false) => (Verdict::Same, SAME_EXECUTABLE),
            (false, false) => (Verdict::Unsure, MEASURED_THEN),
            // What a call adds to each operation is less where there are more of them.
            (false, true) if baseline.count != now.count => (Verdict::Unsure, "of another `count` than then"),
            // A neighbour on the machine can double the time of a launch.
            (false, true) if !recurs(comparison.verdict, baseline, now, bound) => {
                (Verdict::Unsure, "it did not recur")
            }
            (false, true) => (comparison.verdict, BY_STORED),
        };
        Comparison { verdict, reason: Some(reason.into()), ..comparison }
    }

    /// Whether figures of another time are so far from those of now that it is worth another look.
    pub(crate) fn is_suspicious(baseline: &Measurement, now: &Measurement) -> bool {
        Comparison::at_another_time(baseline, now, RERUN_SPREAD).calls_a_change()
    }

    /// Of two builds side by side. `compare_code` is asked where a change was found.
    pub(crate) fn from_paired(judged: PairedOutcome, compare_code: impl FnOnce() -> CodeMatch) -> Comparison {
        let PairedOutcome { verdict, change, noise_floor, pairs, fresh_pairs, more, baseline, candidate } =
            judged;
        // The change is that of pairs. The medians of the two sides mix faster and slower moments, each in its own way: shown
        // side by side, they would contradict it.
        let as_paired = |baseline: Summary| match (change, Summary::from_measurement(&candidate)) {
            (Some(change), Some(now)) => Summary { median: now.median / (1.0 + change.estimate), ..baseline },
            _ => baseline,
        };
        let is_called = matches!(verdict, Verdict::Faster | Verdict::Slower);
        let likeness = if is_called { compare_code() } else { CodeMatch::Unknown };
        let explained = match likeness {
            CodeMatch::SameThroughout => Some(PLACEMENT_ALONE),
            CodeMatch::Same => Some(PLACEMENT),
            CodeMatch::Differs(_) | CodeMatch::Unknown => None,
        };
        let is_explained =
            |change: Change| explained.is_some_and(|most| change.estimate.ln_1p().abs() <= most.ln_1p());
        let placed_elsewhere = change.is_some_and(is_explained);
        let differs_in = match likeness {
            CodeMatch::Differs(function) => function,
            _ => None,
        };
        Comparison {
            baseline: Summary::from_measurement(&baseline).map(as_paired),
            change,
            in_cycles: false,
            verdict: if placed_elsewhere { Verdict::Same } else { verdict },
            reason: (explained.is_some() && !placed_elsewhere).then_some(SAME_CODE.into()),
            paired: Some(PairedDetails {
                noise_floor,
                pairs,
                fresh_pairs,
                more,
                placed_elsewhere,
                differs_in,
            }),
        }
    }

    /// The same where the two should have been measured side by side, and could not.
    pub(crate) fn not_run_paired(self, why: &str) -> Comparison {
        let reason = match self.reason.filter(|reason| *reason != MEASURED_THEN && *reason != BY_STORED) {
            Some(reason) => format!("{reason}; not side by side: {why}"),
            None => format!("not side by side: {why}"),
        };
        Comparison { reason: Some(reason.into()), ..self }
    }

    /// The bound within which nothing changed, as a share: the farther end of the interval.
    pub(crate) fn bound(&self) -> Option<f64> {
        let paired =
            self.paired.as_ref().filter(|paired| self.verdict == Verdict::Same && !paired.placed_elsewhere);
        let interval = paired.and(self.change)?.interval;
        Some(interval.low.abs().max(interval.high.abs()))
    }

    /// The same before it was looked at again: a change that was not confirmed is none.
    pub(crate) fn unconfirmed(self) -> Comparison {
        if !self.calls_a_change() {
            return self;
        }
        Comparison {
            verdict: Verdict::Unsure,
            reason: Some("interrupted before it was confirmed".into()),
            ..self
        }
    }

    /// Whether something is called faster or slower.
    pub(crate) fn calls_a_change(&self) -> bool {
        matches!(self.verdict, Verdict::Faster | Verdict::Slower)
    }

    /// The change of the times, or that of the cycles, whichever is smaller. The core's clock may have been another then;
    /// that moves the times of what waits for the core, and the cycles of what waits for something else.
    fn at_another_time(baseline: &Measurement, now: &Measurement, bound: f64) -> Comparison {
        let as_timed = Comparison::of(baseline, now, bound);
        let (Some(before), Some(after)) = (summary::cycles(baseline), summary::cycles(now)) else {
            return as_timed;
        };
        let set_right = Comparison::of_values(baseline, now, &before, &after, bound);
        let size = |comparison: &Comparison| comparison.change.map(|change| change.estimate.abs());
        if size(&set_right) < size(&as_timed) {
            Comparison { in_cycles: true, ..set_right }
        } else {
            as_timed
        }
    }

    /// A change is called where the whole interval is beyond `bound`, as a factor either way; where nothing is known of that, the
    /// estimate.
    fn of(baseline: &Measurement, now: &Measurement, bound: f64) -> Comparison {
        Comparison::of_values(baseline, now, &summary::times(baseline), &summary::times(now), bound)
    }

    /// The same for values that the samples of the two stand for.
    fn of_values(
        baseline: &Measurement,
        now: &Measurement,
        before: &[f64],
        after: &[f64],
        bound: f64,
    ) -> Comparison {
        let resolved =
            |measurement| Summary::from_measurement(measurement).filter(|summary| !summary.below_resolution);
        let both = resolved(baseline).and(resolved(now));
        let change = both.and_then(|_| stats::change_of_medians(before, after, CONFIDENCE));
        let (verdict, reason): (_, Option<Cow<'static, str>>) = match &change {
            None => (Verdict::Unsure, Some("below resolution".into())),
            Some(change) => {
                match change.known_interval().map_or([change.estimate; 2], |known| [known.low, known.high]) {
                    [low, _] if low > bound => (Verdict::Slower, None),
                    [_, high] if high < -bound / (1.0 + bound) => (Verdict::Faster, None),
                    _ => (Verdict::Unsure, None),
                }
            }
        };
        Comparison {
            change,
            reason,
            ..Comparison::without_change(Summary::from_measurement(baseline), verdict)
        }
    }

    /// 100 % x baseline / now: over 100 is faster.
    pub(crate) fn relative(&self) -> Option<f64> {
        self.change.map(|change| 100.0 / (1.0 + change.estimate))
    }
}

/// Whether the median of each launch of either side is as far apart from the other side as is called. A launch of a duel has a
/// few samples only, too few for an interval.
fn recurs(verdict: Verdict, baseline: &Measurement, now: &Measurement, bound: f64) -> bool {
    let median =
        |measurement: &Measurement| Summary::from_measurement(measurement).map(|summary| summary.median);
    let is_apart = |before: &Measurement, after: &Measurement| match (median(before), median(after)) {
        (Some(before), Some(after)) if verdict == Verdict::Slower => after > before * (1.0 + bound),
        (Some(before), Some(after)) => before > after * (1.0 + bound),
        _ => false,
    };
    by_launch(now).all(|alone| is_apart(baseline, &alone))
        && by_launch(baseline).all(|alone| is_apart(&alone, now))
}

/// Whether it is a single sample.
fn is_single(measurement: &Measurement) -> bool {
    measurement.launches.iter().map(|launch| launch.samples.len()).sum::<usize>() == 1
}

/// Each launch as a measurement of its own.
fn by_launch(measurement: &Measurement) -> impl Iterator<Item = Measurement> {
    measurement
        .launches
        .iter()
        .map(|launch| Measurement { launches: vec![launch.clone()], ..measurement.clone() })
}

#[cfg(test)]
mod tests;
