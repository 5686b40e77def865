//! Drift of the processor's speed during a run, by the reference chain that is timed with every
//! sample.

use super::row::Row;
use nanobench::model::Measurement;
use verdicts::statistics as stats;

/// Smallest drift that is reported, as a share.
const MIN_DRIFT: f64 = 0.05;

/// Returns how much longer the same instructions took at the end of the run than at its beginning,
/// as a share: the median over all benchmarks. Returns `None` for a small drift.
pub fn processor_drift(rows: &[Row]) -> Option<f64> {
    let drifts: Vec<f64> = rows.iter().filter_map(|row| reference_drift(row.measured()?.0)).collect();
    Some(stats::median(&drifts)).filter(|drift| drift.abs() > MIN_DRIFT)
}

/// Returns the drift during one benchmark: 0 if it may be chance, `None` if the reference chain was
/// not timed.
fn reference_drift(measurement: &Measurement) -> Option<f64> {
    let samples = measurement.launches.iter().flat_map(|launch| &launch.samples);
    let references: Vec<f64> = samples.map(|sample| sample.reference as f64).collect();
    let is_timed = !references.is_empty() && references.iter().all(|&reference| reference > 0.0);
    is_timed.then(|| stats::drift(&references).unwrap_or(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nanobench::model::{Launch, Sample};

    fn measured(reference: impl Fn(u64) -> u64) -> Measurement {
        let clock = project::fixtures::clock();
        let sample =
            |round| Sample { iterations: 1, elapsed: 1_000, segments: 1, reference: reference(round), round };
        let launch =
            Launch { clock, segment_cost: 0.0, empty_loop: 0.5, samples: (0..60).map(sample).collect() };
        Measurement { count: 1, unroll: 1, launches: vec![launch], ..Measurement::default() }
    }

    #[test]
    fn a_drift_is_distinguished_from_noise() {
        assert!(reference_drift(&measured(|i| 1_000 + i * 5)).unwrap() > 0.15, "later is slower");
        assert!(reference_drift(&measured(|i| 1_300 - i * 5)).unwrap() < -0.1, "later is faster");
        assert_eq!(reference_drift(&measured(|i| 1_000 + i * 37 % 60)), Some(0.0));
        assert_eq!(reference_drift(&measured(|_| 0)), None, "not timed");
    }
}
