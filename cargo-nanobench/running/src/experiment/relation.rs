//! Comparison of two benchmarks of the same run, whose samples were taken in turn.

use crate::benchmark_id::BenchmarkId;
use nanobench::model::Measurement;
use nanobench::serialize::{percent, percents};
use nanobench::stats::{self, Interval};
use nanobench::summary::{self, CONFIDENCE, Summary};
use serde::Serialize;
use std::collections::BTreeMap;

/// The speed of a benchmark relative to its baseline in the same run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Relation {
    /// Id of the baseline. For a baseline, this is its own id.
    pub baseline: BenchmarkId,
    /// Number of rounds in which both were sampled.
    pub pairs: usize,
    /// Median ratio of the baseline's time to this benchmark's over these rounds: over 1 is faster.
    #[serde(serialize_with = "percent")]
    pub relative: f64,
    /// 95 % confidence interval of `relative`.
    #[serde(serialize_with = "percents")]
    pub interval: Interval,
}

impl Relation {
    /// Compares a benchmark with its baseline, round by round. A disturbance of the machine affects
    /// both samples of a round, so it cancels out of their ratio. Returns `None` if either is below
    /// resolution, or if no round has samples of both.
    pub fn between(id: &BenchmarkId, baseline: &Measurement, this: &Measurement) -> Option<Relation> {
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
}

/// Returns the time of an operation in each round.
fn by_round(measurement: &Measurement) -> BTreeMap<u64, f64> {
    let samples = measurement.launches.iter().flat_map(|launch| &launch.samples);
    samples.map(|sample| sample.round).zip(summary::times(measurement)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nanobench::model::{Launch, Sample};
    use project::fixtures::id;

    fn measured(rounds_and_times: &[(u64, u64)]) -> Measurement {
        let clock = project::fixtures::clock();
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
    fn a_disturbance_of_a_round_cancels_out() {
        // The machine is three times slower from round 3 on. The baseline has no sample of round 4.
        let baseline = measured(&[(0, 200), (1, 202), (2, 198), (3, 600), (5, 606)]);
        let this = measured(&[(0, 100), (1, 101), (2, 99), (3, 300), (4, 300), (5, 303)]);
        let relation = Relation::between(&id("a::first::f"), &baseline, &this).unwrap();
        assert_eq!((relation.pairs, relation.relative), (5, 2.0));
        assert_eq!(relation.interval, Interval { low: 2.0, high: 2.0 });
    }

    #[test]
    fn a_baseline_is_as_fast_as_itself() {
        let this = measured(&[(0, 100), (1, 300)]);
        let relation = Relation::between(&id("a::first::f"), &this, &this).unwrap();
        assert_eq!((relation.relative, &relation.baseline), (1.0, &id("a::first::f")));
    }

    #[test]
    fn without_a_common_round_there_is_no_relation() {
        assert_eq!(
            Relation::between(&id("a::first::f"), &measured(&[(0, 100)]), &measured(&[(1, 100)])),
            None
        );
        assert_eq!(Relation::between(&id("a::first::f"), &measured(&[(0, 0)]), &measured(&[(0, 100)])), None);
    }
}
