//! What makes the figures of a measurement doubtful, each with what to do about it.

use crate::stats;
use nanobench::model::Measurement;
use nanobench::report;
use nanobench::summary::{self, Summary};
use std::fmt;

/// Spread from which the samples are said to disagree (as in ankerl::nanobench).
const SPREAD: f64 = 0.05;
/// Distance between mean and median from which a few samples are said to stand out.
const PARTED: f64 = 0.10;
/// Drift, and distance between two groups, from which it is said.
const MOVED: f64 = 0.05;
/// Share of the clock in what was measured from which it is said.
const CLOCK: f64 = 0.5;

/// A reason to doubt. Shares: 0.01 is 1 %.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Doubt {
    /// There is nothing to tell how much it varies.
    OneSample,
    /// Half the samples are further than this from the median.
    Spread(f64),
    /// The mean is this much over (or under) the median.
    Parted(f64),
    /// Later samples take this much more (or less) than earlier ones.
    Drift(f64),
    /// The samples fall into two groups, with these medians in ns.
    TwoGroups(f64, f64),
    /// So much of what was measured is the clock's own cost.
    Clock(f64),
    /// There are more threads than cores.
    Turns { threads: u64, cores: usize },
}

impl Doubt {
    /// What there is to doubt in a measurement; none where its figures mean nothing anyway.
    pub(crate) fn of(measurement: &Measurement, summary: &Summary) -> Vec<Doubt> {
        if summary.below_resolution {
            return Vec::new();
        }
        let times = summary::times(measurement);
        let parted = summary.mean / summary.median - 1.0;
        let clock = 1.0 - summary.median / summary.raw_median;
        let groups = stats::two_groups(&times).filter(|(low, high)| high / low - 1.0 > MOVED);
        [
            (summary.samples == 1).then_some(Doubt::OneSample),
            (summary.err > SPREAD).then_some(Doubt::Spread(summary.err)),
            groups.map(|(low, high)| Doubt::TwoGroups(low, high)),
            stats::drift(&times).filter(|drift| drift.abs() > MOVED).map(Doubt::Drift),
            (parted.abs() > PARTED).then_some(Doubt::Parted(parted)),
            (clock > CLOCK).then_some(Doubt::Clock(clock)),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// What there is to doubt in what runs on so many threads.
    pub(crate) fn of_threads(threads: u64, cores: usize) -> Option<Doubt> {
        (threads > cores as u64).then_some(Doubt::Turns { threads, cores })
    }

    /// What can be done about doubts of this kind.
    pub(crate) fn advice(&self) -> &'static str {
        match self {
            Doubt::OneSample => {
                "one tells nothing of how much it varies: ask for more (--samples 5), or for shorter ones"
            }
            Doubt::Spread(_) => "give it more time (--max-time 1s), or a quieter machine",
            Doubt::Parted(_) => "a few samples were disturbed; the median is the figure to trust",
            Doubt::Drift(_) => {
                "does the benchmark keep state that grows? else the machine changed pace meanwhile"
            }
            Doubt::TwoGroups(..) => {
                "does it do different work from call to call? else something else ran in part of the time"
            }
            Doubt::Turns { .. } => "they take turns: waiting for a core is part of the time",
            Doubt::Clock(_) => "do more between pause and resume: loop over a count, or use setup",
        }
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Doubt::OneSample => f.write_str("1 sample"),
            Doubt::Spread(err) => write!(f, "err {}", report::percent(err)),
            Doubt::Parted(parted) => write!(f, "mean {} from the median", report::change(parted)),
            Doubt::Drift(drift) => write!(f, "drifted by {}", report::change(drift)),
            Doubt::TwoGroups(low, high) => {
                write!(f, "two groups of samples, around {} and {}", report::time(low), report::time(high))
            }
            Doubt::Turns { threads, cores } => {
                write!(f, "{threads} threads on {}", report::counted(cores, "core"))
            }
            Doubt::Clock(share) => write!(f, "{} of what was measured is the clock", report::percent(share)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nanobench::model::{ClockInfo, Launch, Sample};

    /// Of samples that take these times, in ns, with segments that cost 20.
    fn doubts(times: impl IntoIterator<Item = u64>, segments: u64) -> Vec<Doubt> {
        let sample = |time| Sample { iterations: 100, elapsed: time * 100, segments, reference: 0, round: 0 };
        let clock = ClockInfo { name: "os".into(), frequency: 1e9, resolution: 1.0, read_cost: 20.0 };
        let samples = times.into_iter().map(sample).collect();
        let launch = Launch { clock, segment_cost: 20.0, empty_loop: 0.5, samples };
        let measurement =
            Measurement { count: 1, unroll: 1, launches: vec![launch], ..Measurement::default() };
        Doubt::of(&measurement, &Summary::from_measurement(&measurement).unwrap())
    }

    #[test]
    fn steady_samples_leave_none() {
        assert_eq!(doubts((0..40).map(|i| 1_000 + i * 7 % 20), 0), []);
    }

    #[test]
    fn each_kind_is_seen() {
        assert_eq!(doubts([1_000], 0), [Doubt::OneSample]);
        assert!(matches!(doubts((0..40).map(|i| 1_000 + i * 370 % 999), 0)[..], [Doubt::Spread(_), ..]));
        assert_eq!(
            doubts((0..40).map(|i| if i % 3 == 0 { 1_200 } else { 1_000 }), 0),
            [Doubt::TwoGroups(1_000.0, 1_200.0)]
        );
        assert!(
            doubts((0..40).map(|i| 1_000 + i * 10), 0).iter().any(|doubt| matches!(doubt, Doubt::Drift(_)))
        );
        assert!(matches!(
            doubts((0..40).map(|i| if i == 7 { 9_000 } else { 1_000 + i }), 0)[..],
            [Doubt::Parted(_)]
        ));
        assert!(matches!(doubts([35; 40], 100)[..], [Doubt::Clock(_)]));
    }
}
