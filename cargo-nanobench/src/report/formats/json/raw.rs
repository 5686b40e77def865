//! The samples of a benchmark and the plan by which they were taken.

use super::document::Clock;
use super::{Row, clock};
use crate::experiment::{Outcome, Sampling};
use nanobench::measure::Plan;
use nanobench::model::Launch;
use nanobench::summary;
use serde::Serialize;

/// The samples of a benchmark and the plan by which they were taken.
#[derive(Debug, Serialize)]
pub(super) struct Raw<'a> {
    plan: PlannedSamples,
    launches: Vec<RawLaunch<'a>>,
}

/// The number and length of samples. Times are in ns.
#[derive(Debug, Serialize)]
struct PlannedSamples {
    samples: Option<u64>,
    /// In percent.
    precision: f64,
    min_time: f64,
    /// `None` if a budget for all benchmarks limits it.
    max_time: Option<f64>,
    sample_time: f64,
    iterations: Option<u64>,
    warmup: u64,
}

/// The samples of a process.
#[derive(Debug, Serialize)]
struct RawLaunch<'a> {
    clock: Clock<'a>,
    /// The time that starting and stopping the clock once adds to `elapsed`, in ns.
    segment_cost: f64,
    /// The time of an iteration of an empty benchmark, in ns.
    empty_loop: f64,
    samples: Vec<RawSample>,
}

/// A sample. `elapsed` and `reference` are in ticks of the clock.
#[derive(Debug, Serialize)]
struct RawSample {
    iterations: u64,
    elapsed: u64,
    segments: u64,
    reference: u64,
    round: u64,
    /// The time of an operation without the cost of the clock, in ns.
    time: f64,
}

/// Returns the samples of a row. `None` if it failed.
pub(super) fn of_row<'a>(row: &'a Row, sampling: &Sampling) -> Option<Raw<'a>> {
    let Outcome::Measured { measurement, .. } = &row.outcome else { return None };
    let Plan { samples, precision, min_time, max_time, sample_time, iterations, warmup } =
        sampling.plan(&row.benchmark.spec);
    let (precision, max_time) = (precision * 100.0, Some(max_time).filter(|time| time.is_finite()));
    let mut times = summary::times(measurement).into_iter();
    Some(Raw {
        plan: PlannedSamples { samples, precision, min_time, max_time, sample_time, iterations, warmup },
        launches: measurement.launches.iter().map(|launch| raw_launch(launch, &mut times)).collect(),
    })
}

/// `times`: those of the samples that follow.
fn raw_launch<'a>(launch: &'a Launch, times: &mut impl Iterator<Item = f64>) -> RawLaunch<'a> {
    let Launch { clock: its_clock, segment_cost, empty_loop, samples } = launch;
    let samples = samples.iter().zip(times).map(|(sample, time)| RawSample {
        iterations: sample.iterations,
        elapsed: sample.elapsed,
        segments: sample.segments,
        reference: sample.reference,
        round: sample.round,
        time,
    });
    let samples = samples.collect();
    RawLaunch { clock: clock(its_clock), segment_cost: *segment_cost, empty_loop: *empty_loop, samples }
}
