//! A benchmark beside another one of the same run, whose samples were taken in turn with its own.

use crate::benchmark_id::BenchmarkId;
use nanobench::model::Measurement;
use nanobench::stats::{self, Interval};
use nanobench::summary::{self, CONFIDENCE, Summary};
use std::collections::BTreeMap;

/// How fast a benchmark is, beside its baseline in the run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Relation {
    /// The baseline's id; its own for a baseline.
    pub(crate) baseline: BenchmarkId,
    /// Rounds in which both were sampled, one right after the other.
    pub(crate) pairs: usize,
    /// The median of baseline / this over these rounds: over 1 is faster.
    pub(crate) relative: f64,
    /// Where it lies, with 95 % confidence.
    pub(crate) interval: Interval,
}

impl Relation {
    /// `None` where one of the two can't be told from nothing, or no round has both.
    ///
    /// What the machine does in a round it does to both samples of it, so that it is not in their ratio.
    pub(crate) fn between(id: &BenchmarkId, baseline: &Measurement, this: &Measurement) -> Option<Relation> {
        for measurement in [baseline, this] {
            Summary::from_measurement(measurement).filter(|summary| !summary.below_resolution)?;
        }
        let baselines = by_round(baseline);
        let ratios: Vec<f64> = by_round(this)
            .into_iter()
            .filter_map(|(round, time)| Some(baselines.get(&round)? / time))
            .filter(|ratio| ratio.is_finite() && *ratio > 0.0)
            .collect();
        Some(Relation {
            baseline: id.clone(),
            pairs: ratios.len(),
            relative: stats::median(&ratios),
            interval: stats::median_interval(&ratios, CONFIDENCE)?,
        })
    }

    /// That of a baseline to itself.
    pub(crate) fn to_itself(id: &BenchmarkId, this: &Measurement) -> Option<Relation> {
        Relation::between(id, this, this)
    }
}

/// The time of an operation in each round.
fn by_round(measurement: &Measurement) -> BTreeMap<u64, f64> {
    let samples = measurement.launches.iter().flat_map(|launch| &launch.samples);
    samples.map(|sample| sample.round).zip(summary::times(measurement)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark_id::fixture::id;
    use nanobench::model::{ClockInfo, Launch, Sample};

    fn measured(rounds_and_times: &[(u64, u64)]) -> Measurement {
        let clock = ClockInfo { name: "os".into(), frequency: 1e9, resolution: 1.0, read_cost: 20.0 };
        let sample = |&(round, time): &(u64, u64)| Sample {
            iterations: 10,
            elapsed: time * 10,
            segments: 1,
            reference: 0,
            round,
        };
        let samples = rounds_and_times.iter().map(sample).collect();
        let launch = Launch { clock, segment_cost: 0.0, empty_loop: 0.5, samples };
        Measurement { count: 1, unroll: 1, launches: vec![launch], ..Measurement::default() }
    }

    #[test]
    fn what_the_machine_does_in_a_round_is_not_in_the_ratio() {
        // The machine is three times as slow in the rounds from 3 on; the baseline was not sampled in them all.
        let baseline = measured(&[(0, 200), (1, 202), (2, 198), (3, 600), (5, 606)]);
        let this = measured(&[(0, 100), (1, 101), (2, 99), (3, 300), (4, 300), (5, 303)]);
        let relation = Relation::between(&id("a::first::f"), &baseline, &this).unwrap();
        assert_eq!((relation.pairs, relation.relative), (5, 2.0));
        assert_eq!(relation.interval, Interval { low: 2.0, high: 2.0 });
    }

    #[test]
    fn a_baseline_is_as_fast_as_itself() {
        let relation = Relation::to_itself(&id("a::first::f"), &measured(&[(0, 100), (1, 300)])).unwrap();
        assert_eq!((relation.relative, &relation.baseline), (1.0, &id("a::first::f")));
    }

    #[test]
    fn nothing_is_said_without_a_pair() {
        assert_eq!(
            Relation::between(&id("a::first::f"), &measured(&[(0, 100)]), &measured(&[(1, 100)])),
            None
        );
        assert_eq!(Relation::between(&id("a::first::f"), &measured(&[(0, 0)]), &measured(&[(0, 100)])), None);
    }
}
