//! The answers of a comparison to its three questions: the typical time, the average time, and the
//! share of slow launches.

use super::super::paired::{LayoutFindings, PairedDetails};
use super::Comparison;
use nanobench::stats::{Change, Interval};
use verdicts::{AverageChange, Question, SlowLaunches, Verdict};

/// The largest growth of the average that a `same` may leave unsaid, as a share: the resolution of the
/// typical time, unless a flag sets it.
const MAX_UNTOLD_GROWTH: f64 = 0.02;

/// A change of a benchmark's time, as a share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TimeChange {
    /// Change of the typical time.
    Typical(f64),
    /// Change of the average time, as measured or as computed from slow launches.
    Average(f64),
}

impl TimeChange {
    pub fn share(self) -> f64 {
        match self {
            TimeChange::Typical(share) | TimeChange::Average(share) => share,
        }
    }

    /// Returns its size, in which twice the time is as much as half of it.
    pub fn size(self) -> f64 {
        self.share().ln_1p().abs()
    }
}

impl Comparison {
    /// Returns the question that a verdict of `slower`, `faster`, `placement` or `unsure` is about.
    pub fn question(&self) -> Question {
        let Some(paired) = &self.paired else { return Question::Typical };
        let is_typical_open = paired.typical == Verdict::Unsure || paired.average.is_none();
        match self.verdict {
            Verdict::Unsure if is_typical_open => Question::Typical,
            Verdict::Unsure if self.is_average_same() && self.reason.is_none() => Question::Launches,
            Verdict::Unsure => Question::Average,
            // A change of the average that slow launches cause.
            _ if paired.question == Question::Average && self.has_slow_launches() => Question::Launches,
            _ => paired.question,
        }
    }

    /// Returns whether the verdict is also that on slow launches.
    fn has_slow_launches(&self) -> bool {
        self.slow_launches().is_some_and(|slow| slow.verdict == self.verdict)
    }

    /// Returns the verdict on the typical time alone.
    pub fn typical(&self) -> Verdict {
        match &self.paired {
            Some(paired) if self.question() != Question::Typical => paired.typical,
            _ => self.verdict,
        }
    }

    /// Returns the change of the average time, if a paired run measured it.
    pub fn average(&self) -> Option<&AverageChange> {
        self.paired.as_ref()?.average.as_ref()
    }

    /// Returns whether the average is known to be the same.
    pub fn is_average_same(&self) -> bool {
        self.average().is_some_and(|average| average.verdict == Verdict::Same)
    }

    /// Returns the launches of both sides, if they fall into two groups.
    pub fn slow_launches(&self) -> Option<&SlowLaunches> {
        self.paired.as_ref()?.slow_launches.as_ref()
    }

    /// Returns the effect of the layout, if several were made.
    pub fn layouts(&self) -> Option<&LayoutFindings> {
        self.paired.as_ref()?.layouts.as_ref()
    }

    /// Returns the change that the verdict is about. For slow launches, that is the change of the average.
    pub fn decisive_change(&self) -> Option<TimeChange> {
        match self.question() {
            Question::Typical => self.change.map(|change| TimeChange::Typical(change.estimate)),
            Question::Average | Question::Launches => self.change_on_average().map(TimeChange::Average),
        }
    }

    /// Returns the interval of the change that the verdict is about, if it is known.
    pub fn decisive_interval(&self) -> Option<Interval> {
        match self.question() {
            Question::Typical => self.change?.known_interval(),
            Question::Average | Question::Launches => Some(self.average()?.change.interval),
        }
    }

    /// Returns the change of the average, as a share. If no paired run measured it, slow launches tell it.
    pub fn change_on_average(&self) -> Option<f64> {
        let by_launches = || self.slow_launches().map(SlowLaunches::change);
        self.average().map(|average| average.change.estimate).or_else(by_launches)
    }

    /// Returns the largest of the shown changes of a slower benchmark.
    pub fn largest_slowdown(&self) -> Option<TimeChange> {
        let is_slower = |verdict| verdict == Verdict::Slower;
        largest(is_slower, self.typical(), self.change.as_ref(), self.paired.as_ref())
    }

    /// Returns the largest change that the interval of the typical time of a `same` allows, as a
    /// share.
    pub fn bound(&self) -> Option<f64> {
        self.paired.as_ref().filter(|_| self.verdict == Verdict::Same)?;
        Some(farther_end(&self.change?.interval))
    }

    /// Returns the largest change that the interval of the average time of a `same` allows, as a share.
    pub fn bound_of_average(&self) -> Option<f64> {
        let average = self.average().filter(|_| self.verdict == Verdict::Same)?;
        Some(farther_end(&average.change.interval))
    }

    /// Returns that bound if the average may have grown by so much that a row has to say it.
    pub fn bound_of_grown_average(&self) -> Option<f64> {
        let may_have_grown = self.average()?.change.interval.high > MAX_UNTOLD_GROWTH;
        self.bound_of_average().filter(|_| may_have_grown)
    }
}

/// Returns the distance of the farther end of an interval from no change.
fn farther_end(interval: &Interval) -> f64 {
    interval.low.abs().max(interval.high.abs())
}

/// Returns the largest change among the answers whose verdict counts. `typical`: the verdict on the
/// typical time.
pub(super) fn largest(
    counts: impl Fn(Verdict) -> bool,
    typical: Verdict,
    change: Option<&Change>,
    paired: Option<&PairedDetails>,
) -> Option<TimeChange> {
    let typical = change.filter(|_| counts(typical)).map(|change| TimeChange::Typical(change.estimate));
    let average = paired.and_then(|paired| paired.average).filter(|average| counts(average.verdict));
    let launches = paired.and_then(|paired| paired.slow_launches).filter(|slow| counts(slow.verdict));
    let changes = [
        typical,
        average.map(|average| TimeChange::Average(average.change.estimate)),
        launches.map(|launches| TimeChange::Average(launches.change())),
    ];
    changes.into_iter().flatten().max_by(|a, b| a.size().total_cmp(&b.size()))
}
