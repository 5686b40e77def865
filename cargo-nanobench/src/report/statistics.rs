//! Statistics of a row's samples, and their parameters.

use nanobench::model::{Launch, Measurement};
use nanobench::stats;
use nanobench::summary;

/// Returns the number of operations in all samples together.
pub(super) fn operations(measurement: &Measurement) -> f64 {
    let samples = measurement.launches.iter().flat_map(|launch| &launch.samples);
    samples.map(|sample| sample.iterations as f64).sum::<f64>() * measurement.operations() as f64
}

/// Returns the time of all samples together, in ns.
pub(super) fn elapsed(measurement: &Measurement) -> f64 {
    let of_launch = |launch: &Launch| {
        let ticks: f64 = launch.samples.iter().map(|sample| sample.elapsed as f64).sum();
        ticks * 1e9 / launch.clock.frequency
    };
    measurement.launches.iter().map(of_launch).sum()
}

/// Returns the median of each launch, in ns per operation.
pub(super) fn launch_medians(measurement: &Measurement) -> Vec<f64> {
    let bare = Measurement { launches: Vec::new(), ..measurement.clone() };
    let median = |launch: &Launch| {
        let times = summary::times(&Measurement { launches: vec![launch.clone()], ..bare.clone() });
        stats::median(&times)
    };
    measurement.launches.iter().map(median).collect()
}

/// Returns the spread of the medians of launches, as a share. `None` for a single launch.
pub(super) fn launch_spread(medians: &[f64]) -> Option<f64> {
    (medians.len() > 1).then(|| stats::mdape(medians))
}
