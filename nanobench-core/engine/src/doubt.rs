//! Doubts about the figures of a measurement, each with advice.

use crate::model::Measurement;
use crate::report::{self, escape};
use crate::stats;
use crate::summary::{self, MAX_SPREAD, Summary};
use std::fmt;
use std::mem::discriminant;
use std::time::Duration;

/// Largest distance between mean and median without a doubt.
const MAX_SKEW: f64 = 0.10;
/// Largest drift without a doubt.
const MAX_DRIFT: f64 = 0.05;
/// Largest distance between two groups of samples without a doubt.
const MAX_GROUP_DISTANCE: f64 = 0.05;
/// Largest share of the clock in the raw figure without a doubt.
const MAX_CLOCK_SHARE: f64 = 0.5;

/// The maximum number of benchmarks named in a line.
const MAX_NAMED: usize = 3;

/// A reason to doubt the figures. Numbers are shares unless stated otherwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Doubt {
    /// A single sample shows no variation.
    OneSample,
    /// Half of the samples are farther than this from the median.
    Spread(f64),
    /// The mean exceeds the median by this much, or falls below it.
    Skew(f64),
    /// Later samples take this much longer than earlier ones, or less time.
    Drift(f64),
    /// The samples fall into two groups, with these medians in ns.
    TwoGroups(f64, f64),
    /// This much of the raw figure is the clock's cost, and a step of a coarse clock.
    ClockShare(f64),
    /// Nothing uses what the benchmark computes, so most of it may have been removed.
    ResultUnused,
    /// The compiler has computed the result.
    ResultConstant,
    /// The benchmark returns nothing, and hides only a constant: its input, or a result that the compiler
    /// has computed.
    OnlyConstant,
    /// The timeout ended the sampling after this many samples.
    TimedOut {
        /// Number of samples.
        samples: u64,
        /// The timeout.
        timeout: Duration,
    },
    /// There are more threads than cores.
    Oversubscribed {
        /// Number of threads.
        threads: u64,
        /// Number of cores.
        cores: usize,
    },
}

/// The way in which the reader of an advice changes settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingsBy {
    /// Flags of `cargo nanobench`.
    Flags,
    /// Options of the attribute, as `cargo bench` has no such flags.
    Attribute,
}

impl Doubt {
    /// Returns the doubts about a measurement, the most telling first; none if it is below
    /// resolution.
    #[inline]
    pub fn find(measurement: &Measurement, summary: &Summary) -> Vec<Doubt> {
        let timed_out = measurement.timed_out.map(|nanoseconds| Doubt::TimedOut {
            samples: summary.samples,
            timeout: Duration::from_nanos(nanoseconds),
        });
        if summary.below_resolution {
            return timed_out.into_iter().collect();
        }
        let times = summary::times(measurement);
        let skew = summary.mean / summary.median - 1.0;
        let clock = summary::clock_share(measurement, summary);
        let groups = stats::two_groups(&times).filter(|(low, high)| high / low - 1.0 > MAX_GROUP_DISTANCE);
        [
            timed_out,
            (summary.samples == 1 && timed_out.is_none()).then_some(Doubt::OneSample),
            groups.map(|(low, high)| Doubt::TwoGroups(low, high)),
            stats::drift(&times).filter(|drift| drift.abs() > MAX_DRIFT).map(Doubt::Drift),
            (summary.err > MAX_SPREAD).then_some(Doubt::Spread(summary.err)),
            (skew.abs() > MAX_SKEW).then_some(Doubt::Skew(skew)),
            (clock > MAX_CLOCK_SHARE).then_some(Doubt::ClockShare(clock)),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// Returns the most telling of the doubts that samples vary, unless the median is to be trusted
    /// nevertheless.
    #[inline]
    pub fn telling(doubts: &[Doubt]) -> Option<Doubt> {
        doubts.iter().copied().find(|doubt| doubt.may_be_disturbance() && !doubt.spares_median())
    }

    /// Returns the doubt about a benchmark with more threads than cores.
    #[inline]
    pub fn from_threads(threads: u64, cores: usize) -> Option<Doubt> {
        (threads > cores as u64).then_some(Doubt::Oversubscribed { threads, cores })
    }

    /// Returns whether other work on the machine may be the cause.
    #[inline]
    pub fn may_be_disturbance(&self) -> bool {
        match self {
            Doubt::Spread(_) | Doubt::Skew(_) | Doubt::Drift(_) | Doubt::TwoGroups(..) => true,
            Doubt::OneSample
            | Doubt::ClockShare(_)
            | Doubt::ResultUnused
            | Doubt::ResultConstant
            | Doubt::OnlyConstant
            | Doubt::TimedOut { .. }
            | Doubt::Oversubscribed { .. } => false,
        }
    }

    /// Returns whether the median is to be trusted nevertheless.
    #[inline]
    pub fn spares_median(&self) -> bool {
        matches!(self, Doubt::Skew(_))
    }

    /// Returns the advice for doubts of this kind.
    #[inline]
    pub fn advice(&self, settings: SettingsBy) -> &'static str {
        let by = |flag, option| if settings == SettingsBy::Flags { flag } else { option };
        match self {
            Doubt::OneSample => by(
                "a single sample shows no variation: take more (--samples 5), or shorter ones",
                "a single sample shows no variation: take more (samples = 5), or shorter ones",
            ),
            Doubt::Spread(_) => by(
                "measure for longer (--max-time 1s), or on a quieter machine",
                "measure for longer (max_time = \"1s\"), or on a quieter machine",
            ),
            Doubt::Skew(_) => {
                "another program disturbed a few samples, or a few calls are expensive; the median is typical"
            }
            Doubt::Drift(_) => {
                "the machine's speed changed during the run, or the benchmark keeps state that grows from call to call"
            }
            Doubt::TwoGroups(..) => {
                "does its work differ from call to call? If not, another program ran part of the time"
            }
            Doubt::ResultUnused => {
                "return the result, or pass it to black_box: the rest of the work was removed"
            }
            Doubt::ResultConstant => {
                "pass the input through black_box, so that it can't be computed in advance"
            }
            Doubt::OnlyConstant => {
                "return the result, and pass the input through black_box, so that it isn't computed in advance"
            }
            Doubt::TimedOut { .. } => by(
                "raise --timeout, or plan fewer or shorter samples",
                "raise its `timeout`, or plan fewer or shorter samples",
            ),
            Doubt::Oversubscribed { .. } => "they take turns, so their time includes waiting for a core",
            Doubt::ClockShare(_) => {
                "loop over a count, or do more between pause and resume; use `every = \"sample\"` with setup; \
                 or drop results that own memory in the function"
            }
        }
    }
}

impl fmt::Display for Doubt {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Doubt::OneSample => f.write_str("1 sample"),
            Doubt::ResultUnused => f.write_str("nothing uses its result"),
            Doubt::ResultConstant => f.write_str("its result is a constant"),
            Doubt::OnlyConstant => f.write_str("only a constant is left of its work"),
            Doubt::Spread(err) => write!(f, "err {}", report::percent(err)),
            Doubt::Skew(skew) => write!(f, "mean {} from the median", report::change(skew)),
            Doubt::Drift(drift) => write!(f, "drifted by {}", report::change(drift)),
            Doubt::TwoGroups(low, high) => {
                write!(f, "two groups of samples, around {} and {}", report::time(low), report::time(high))
            }
            Doubt::TimedOut { samples, timeout } => {
                let samples = report::counted(usize::try_from(samples).unwrap_or(usize::MAX), "sample");
                write!(f, "stopped by its timeout of {} s, after {samples}", timeout.as_secs_f64())
            }
            Doubt::Oversubscribed { threads, cores } => {
                write!(f, "{threads} threads on {}", report::counted(cores, "core"))
            }
            Doubt::ClockShare(share) => {
                write!(f, "{} of the measured time is the clock's cost or resolution", report::percent(share))
            }
        }
    }
}

/// Returns a line for each kind of doubt, in the order in which they come up. Each doubt comes with
/// the name of its benchmark.
#[inline]
pub fn lines(named: Vec<(String, Doubt)>, settings: SettingsBy) -> Vec<String> {
    let mut kinds: Vec<Vec<(String, Doubt)>> = Vec::new();
    for item in named {
        match kinds.iter_mut().find(|kind| discriminant(&kind[0].1) == discriminant(&item.1)) {
            Some(kind) => kind.push(item),
            None => kinds.push(vec![item]),
        }
    }
    kinds.iter().map(|kind| line(kind, settings)).collect()
}

#[inline]
fn line(kind: &[(String, Doubt)], settings: SettingsBy) -> String {
    let named: Vec<String> =
        kind.iter().take(MAX_NAMED).map(|(name, doubt)| format!("{} ({doubt})", escape(name))).collect();
    let more = match kind.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}: {}", named.join(", "), kind[0].1.advice(settings))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ClockInfo, Launch, Sample};

    /// Returns the doubts about samples with these times per iteration, in ns. A segment costs
    /// 20 ns.
    fn doubts(times: impl IntoIterator<Item = u64>, segments: u64) -> Vec<Doubt> {
        let sample = |time| Sample { iterations: 100, elapsed: time * 100, segments, reference: 0, round: 0 };
        let clock = ClockInfo {
            name: "os".into(),
            frequency: 1e9,
            resolution: 1.0,
            read_cost: 20.0,
            ..ClockInfo::default()
        };
        let samples = times.into_iter().map(sample).collect();
        let launch = Launch { clock, segment_cost: 20.0, empty_loop: 0.5, samples };
        let measurement =
            Measurement { count: 1, unroll: 1, launches: vec![launch], ..Measurement::default() };
        Doubt::find(&measurement, &Summary::from_measurement(&measurement).unwrap())
    }

    #[test]
    fn steady_samples_raise_no_doubt() {
        assert_eq!(doubts((0..40).map(|i| 1_000 + i * 7 % 20), 0), []);
    }

    #[test]
    fn advice_names_the_settings_that_the_reader_has() {
        let timeout = Doubt::TimedOut { samples: 1, timeout: Duration::from_secs(1) };
        for (doubt, flag, option) in [
            (Doubt::OneSample, "--samples 5", "samples = 5"),
            (Doubt::Spread(0.5), "--max-time 1s", "max_time = \"1s\""),
            (timeout, "--timeout", "`timeout`"),
        ] {
            let line = |settings| lines(vec![("name".to_owned(), doubt)], settings).concat();
            assert!(line(SettingsBy::Flags).contains(flag));
            let by_attribute = line(SettingsBy::Attribute);
            assert!(by_attribute.contains(option) && !by_attribute.contains("--"), "{by_attribute}");
        }
    }

    #[test]
    fn each_kind_is_found() {
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
            [Doubt::Skew(_)]
        ));
        assert!(matches!(doubts([35; 40], 100)[..], [Doubt::ClockShare(_)]));
    }
}
