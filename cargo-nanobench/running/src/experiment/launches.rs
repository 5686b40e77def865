//! The processes of a run without a named baseline.

use super::row::MeasureError;
use super::suite::Harness;
use crate::deadline::TimeLimit;
use crate::interrupt;
use crate::session::Session;
use nanobench::measure::{CalibrationRequest, Sampler as _};
use nanobench::model::BenchmarkSpec;
use nanobench::protocol::List;
use std::time::Duration;

/// The processes of a run without a named baseline.
#[derive(Debug, Clone, Copy)]
pub struct Launches {
    /// The number of processes in which each benchmark is sampled.
    pub number: u64,
    /// The number of further processes that only call a benchmark for the first time.
    pub first_calls: u64,
}

impl Default for Launches {
    fn default() -> Launches {
        Launches { number: 1, first_calls: 0 }
    }
}

/// Calls a benchmark in fresh processes, and returns the time of each first call, in ns per
/// operation. Each process adopts the clock's calibration of `harness`, and runs nothing else.
pub(super) fn first_calls(
    benchmark: &BenchmarkSpec,
    harness: &Harness,
    processes: u64,
) -> Result<Vec<f64>, MeasureError> {
    let options = &harness.session_options;
    let list = || List {
        only: Some(benchmark.id.clone()),
        clock_calibration: Some(harness.listing.clock_calibration.clone()),
        ..options.list()
    };
    // A count that the harness finds is 1 in the first call.
    let operations =
        benchmark.count.unwrap_or(1).max(1) * benchmark.unroll.max(1) * benchmark.batch.unwrap_or(1).max(1);
    let request = CalibrationRequest { sample_time: 1.0, iterations: Some(1), count: Some(1), warmup: 1 };
    let mut times = Vec::new();
    for _ in 0..processes {
        if interrupt::requested() {
            break;
        }
        let mut session = Session::spawn(&harness.executable, options)?.connect(list())?;
        let index = session.index_of(&benchmark.id).ok_or(MeasureError::RowGone)?;
        let limit = TimeLimit::new(options.timeout_of(benchmark), Duration::ZERO);
        let calibration = session.benchmark(index, limit).calibrate(&request)?;
        let call = calibration.first_call;
        let elapsed = call.elapsed as f64 * 1e9 / session.listing().clock_calibration.clock.frequency;
        let time = elapsed - calibration.segment_cost * call.segments as f64;
        times.push(time.max(0.0) / operations as f64);
    }
    Ok(times)
}
