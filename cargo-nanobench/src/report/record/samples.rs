//! The samples of a benchmark and the plan by which they were taken.

use crate::experiment::{Row, Sampling};
use nanobench::measure::Plan;
use nanobench::model::{Launch, Sample};
use nanobench::summary;
use serde::Serialize;

/// The samples of a benchmark and the plan by which they were taken.
#[derive(Debug, Serialize)]
pub(super) struct Samples<'a> {
    plan: Plan,
    launches: Vec<SamplesOfLaunch<'a>>,
}

/// A process with its samples.
#[derive(Debug, Serialize)]
struct SamplesOfLaunch<'a> {
    #[serde(flatten)]
    launch: &'a Launch,
    samples: Vec<TimedSample<'a>>,
}

#[derive(Debug, Serialize)]
struct TimedSample<'a> {
    #[serde(flatten)]
    sample: &'a Sample,
    /// The time of an operation without the cost of the clock, in ns.
    time: f64,
}

impl Samples<'_> {
    /// Returns the samples of a row. `None` if it has none.
    pub(super) fn of<'a>(row: &'a Row, sampling: &Sampling) -> Option<Samples<'a>> {
        let (measurement, _) = row.measured()?;
        let mut times = summary::times(measurement).into_iter();
        let mut of_launch = |launch: &'a Launch| {
            let samples = launch.samples.iter().zip(&mut times);
            let samples = samples.map(|(sample, time)| TimedSample { sample, time }).collect();
            SamplesOfLaunch { launch, samples }
        };
        let launches = measurement.launches.iter().map(&mut of_launch).collect();
        Some(Samples { plan: sampling.plan(&row.benchmark.spec), launches })
    }
}
