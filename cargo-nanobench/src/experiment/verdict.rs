//! What a comparison says.

use nanobench::model::Measurement;
use nanobench::stats::{self, Change};
use nanobench::summary::{self, CONFIDENCE, Summary};

/// By how much the figures of one and the same executable differ between two sittings, for reasons that are the
/// machine's: the core's clock wanders by some 18 % on the machines that this was tried on. A smaller change can't
/// be told from that with stored figures alone.
pub(crate) const WANDER: f64 = 0.20;

/// The same for two builds whose launches alternate within a second.
const SIDE_BY_SIDE: f64 = 0.05;

/// Why most comparisons with stored figures come to nothing.
pub(crate) const MEASURED_THEN: &str = "measured at another time";
/// Why others are the same.
pub(crate) const SAME_EXECUTABLE: &str = "the same executable";

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
    pub(crate) verdict: Verdict,
    /// Why it is that one, where it doesn't go without saying.
    pub(crate) reason: Option<&'static str>,
}

impl Comparison {
    /// Of a benchmark that the baseline doesn't have.
    pub(crate) fn new_benchmark() -> Comparison {
        Comparison { baseline: None, change: None, verdict: Verdict::New, reason: None }
    }

    /// Of a benchmark whose figure is per something else than the baseline's: another unit, or another number of them.
    pub(crate) fn of_another_unit() -> Comparison {
        Comparison { reason: Some("per another unit or batch than then"), ..Comparison::new_benchmark() }
    }

    /// Of a benchmark that came to no figure now.
    pub(crate) fn failed(baseline: &Measurement) -> Comparison {
        let baseline = Summary::of(baseline);
        Comparison { baseline, change: None, verdict: Verdict::Failed, reason: None }
    }

    /// Of figures that were taken at another time. `identical`: both came from the same bytes.
    pub(crate) fn with_stored(baseline: &Measurement, now: &Measurement, identical: bool) -> Comparison {
        let comparison = Comparison::of(baseline, now, WANDER);
        let (verdict, reason) = match (identical, comparison.calls_a_change()) {
            _ if comparison.change.is_none() => return comparison,
            // The code is the same to the byte, so the change, if it is one, is in what it works on or in the machine.
            (true, true) => (Verdict::Unsure, Some("the same executable, so something else changed")),
            (true, false) => (Verdict::Same, Some(SAME_EXECUTABLE)),
            (false, false) => (Verdict::Unsure, Some(MEASURED_THEN)),
            (false, true) => {
                return comparison.where_it_recurs(now, |alone| Comparison::of(baseline, alone, WANDER));
            }
        };
        Comparison { verdict, reason, ..comparison }
    }

    /// Of two builds whose launches alternated. A change is called where the two sides are apart: every launch of one
    /// lies beyond every launch of the other, by more than [`SIDE_BY_SIDE`]. With five launches a side, chance alone
    /// does that once in 126 times (two of the 252 ways to deal ten launches to two sides).
    pub(crate) fn side_by_side(baseline: &Measurement, now: &Measurement) -> Comparison {
        let comparison = Comparison::of(baseline, now, 0.0);
        if comparison.change.is_none() {
            return comparison;
        }
        let (before, after) = (launch_medians(baseline), launch_medians(now));
        let factor = 1.0 + SIDE_BY_SIDE;
        let (verdict, reason) = if least(&after) > most(&before) * factor {
            (Verdict::Slower, None)
        } else if most(&after) * factor < least(&before) {
            (Verdict::Faster, None)
        } else {
            (Verdict::Unsure, Some("it did not recur side by side"))
        };
        Comparison { verdict, reason, ..comparison }
    }

    /// The same, where each launch of `now` shows the change by itself: a neighbour on the machine can double the time
    /// of one.
    fn where_it_recurs(self, now: &Measurement, compare: impl Fn(&Measurement) -> Comparison) -> Comparison {
        if by_launch(now).all(|alone| compare(&alone).verdict == self.verdict) {
            return self;
        }
        Comparison { verdict: Verdict::Unsure, reason: Some("it did not recur"), ..self }
    }

    /// The same before it was looked at again: a change that was not confirmed is none.
    pub(crate) fn unconfirmed(self) -> Comparison {
        if !self.calls_a_change() {
            return self;
        }
        Comparison { verdict: Verdict::Unsure, reason: Some("interrupted before it was confirmed"), ..self }
    }

    /// Whether something is called faster or slower.
    pub(crate) fn calls_a_change(&self) -> bool {
        matches!(self.verdict, Verdict::Faster | Verdict::Slower)
    }

    /// A change is called where the whole interval is beyond `bound`, as a factor either way.
    fn of(baseline: &Measurement, now: &Measurement, bound: f64) -> Comparison {
        let resolved = |measurement| Summary::of(measurement).filter(|summary| !summary.below_resolution);
        let both = resolved(baseline).and(resolved(now));
        let change = both.and_then(|_| {
            stats::change_of_medians(&summary::times(baseline), &summary::times(now), CONFIDENCE)
        });
        let (verdict, reason) = match &change {
            None => (Verdict::Unsure, Some("below resolution")),
            Some(change) if change.interval.low > bound => (Verdict::Slower, None),
            Some(change) if change.interval.high < -bound / (1.0 + bound) => (Verdict::Faster, None),
            Some(_) => (Verdict::Unsure, None),
        };
        Comparison { baseline: Summary::of(baseline), change, verdict, reason }
    }

    /// 100 % x baseline / now: over 100 is faster.
    pub(crate) fn relative(&self) -> Option<f64> {
        self.change.map(|change| 100.0 / (1.0 + change.estimate))
    }
}

/// Each launch as a measurement of its own.
fn by_launch(measurement: &Measurement) -> impl Iterator<Item = Measurement> {
    measurement
        .launches
        .iter()
        .map(|launch| Measurement { launches: vec![launch.clone()], ..measurement.clone() })
}

fn launch_medians(measurement: &Measurement) -> Vec<f64> {
    by_launch(measurement).map(|alone| stats::median(&summary::times(&alone))).collect()
}

fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

fn most(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nanobench::model::{ClockInfo, Launch, Sample};

    fn measured(times: &[u64]) -> Measurement {
        Measurement { count: 1, unroll: 1, launches: vec![launch(times)], ..Measurement::default() }
    }

    fn launch(times: &[u64]) -> Launch {
        let clock = ClockInfo { name: "os".into(), frequency: 1e9, resolution: 1.0, read_cost: 20.0 };
        let sample =
            |&time| Sample { iterations: 1_000, elapsed: time * 1_000, segments: 0, reference: 0, round: 0 };
        let samples = times.iter().map(sample).collect();
        Launch { clock, segment_cost: 20.0, nothing: 0.5, samples }
    }

    fn verdict(baseline: &[u64], now: &[u64], identical: bool) -> Verdict {
        Comparison::with_stored(&measured(baseline), &measured(now), identical).verdict
    }

    #[test]
    fn only_what_the_machine_does_not_do_by_itself_is_called() {
        let base = [100; 9];
        assert_eq!(verdict(&base, &[150; 9], false), Verdict::Slower);
        assert_eq!(verdict(&base, &[60; 9], false), Verdict::Faster);
        assert_eq!(verdict(&base, &[115; 9], false), Verdict::Unsure);
        assert_eq!(verdict(&base, &[87; 9], false), Verdict::Unsure);
        // The estimate is over the bound, the interval reaches below it.
        assert_eq!(verdict(&base, &[100, 101, 102, 150, 150, 150, 150, 200, 201], false), Verdict::Unsure);
    }

    #[test]
    fn side_by_side_calls_what_every_launch_shows_on_both_sides() {
        let of = |times: &[u64]| {
            let launches = times.iter().map(|&time| launch(&[time; 9])).collect();
            Measurement { count: 1, unroll: 1, launches, ..Measurement::default() }
        };
        let verdict =
            |before: &[u64], after: &[u64]| Comparison::side_by_side(&of(before), &of(after)).verdict;
        assert_eq!(verdict(&[100, 101, 102], &[110, 111, 112]), Verdict::Slower);
        assert_eq!(verdict(&[110, 111, 112], &[100, 101, 102]), Verdict::Faster);
        assert_eq!(verdict(&[100, 101, 102], &[103, 104, 105]), Verdict::Unsure, "by less than 5 %");
        assert_eq!(
            verdict(&[100, 101, 109], &[110, 111, 112]),
            Verdict::Unsure,
            "one launch of the baseline"
        );
        assert_eq!(verdict(&[200, 190, 101], &[100, 101, 102]), Verdict::Unsure, "a disturbed baseline");
    }

    #[test]
    fn the_same_bytes_are_the_same_within_what_the_machine_does() {
        assert_eq!(verdict(&[100; 9], &[115; 9], true), Verdict::Same);
        assert_eq!(verdict(&[100; 9], &[500; 9], true), Verdict::Unsure, "something else changed");
    }

    #[test]
    fn nothing_is_said_of_what_was_not_resolved() {
        let comparison = Comparison::with_stored(&measured(&[0; 9]), &measured(&[100; 9]), false);
        assert_eq!((comparison.verdict, comparison.relative()), (Verdict::Unsure, None));
    }

    #[test]
    fn a_change_has_to_recur_in_every_launch() {
        let verdict = |launches: &[&[u64]]| {
            let now = Measurement {
                count: 1,
                unroll: 1,
                launches: launches.iter().map(|times| launch(times)).collect(),
                ..Measurement::default()
            };
            Comparison::with_stored(&measured(&[100; 9]), &now, false).verdict
        };
        assert_eq!(verdict(&[&[150; 9], &[160; 9], &[155; 9]]), Verdict::Slower);
        assert_eq!(verdict(&[&[150; 9], &[150; 9], &[101; 9]]), Verdict::Unsure);
    }

    #[test]
    fn relative_is_over_100_where_faster() {
        let comparison = Comparison::with_stored(&measured(&[100; 9]), &measured(&[50; 9]), false);
        assert!((comparison.relative().unwrap() - 200.0).abs() < 1e-9);
    }
}
