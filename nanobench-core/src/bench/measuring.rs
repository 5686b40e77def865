//! Measures a closure as its settings require.

use super::result::{BenchResult, Epoch};
use super::settings::Settings;
use crate::counters::Counters;
use crate::measure::{
    Bencher, Calibration, CalibrationRequest, Count, Engine, SampleBatch, SampleRequest, calibrate, count,
    sample,
};
use crate::model::{Launch, Measurement};
use crate::summary;

const ENDLESS: &str = "NANOBENCH_ENDLESS";
/// The counters that templates know, in the order of [`Measure`](super::Measure).
const COUNTERS: [&str; 6] =
    ["page-faults", "cycles", "context-switches", "instructions", "branches", "branch-misses"];

/// Calls `use_engine` with the engine of this thread, which calibrates its clock at the first call.
#[inline]
pub(super) fn with_engine(use_engine: impl FnOnce(&Engine)) {
    thread_local!(static ENGINE: Engine = Engine::new());
    ENGINE.with(use_engine);
}

/// Calls the benchmark until the process ends, if `NANOBENCH_ENDLESS` has its name.
#[inline]
pub(super) fn run_endlessly_if_requested(
    engine: &Engine,
    settings: &Settings,
    count: Count,
    benchmark: &mut dyn FnMut(&mut Bencher),
) {
    if std::env::var_os(ENDLESS).is_none_or(|name| *name != *settings.name) {
        return;
    }
    eprintln!("{ENDLESS} set: running '{}' endlessly", crate::report::escape(&settings.name));
    let found = calibrate_for(engine, settings, count, benchmark);
    for round in 0.. {
        epoch(engine, settings, &found, round, benchmark);
    }
}

/// Measures a benchmark.
#[inline]
pub(super) fn measure(
    engine: &Engine,
    settings: &Settings,
    count: Count,
    benchmark: &mut dyn FnMut(&mut Bencher),
) -> BenchResult {
    let found = calibrate_for(engine, settings, count, benchmark);
    let mut batch = SampleBatch::default();
    let mut first = 0;
    // The first call counts if an iteration takes as long as an epoch.
    if found.iterations == 1 && settings.warmup == 0 {
        batch.append(SampleBatch {
            segment_cost: found.segment_cost,
            samples: vec![found.first_call],
            ..SampleBatch::default()
        });
        first = 1;
    }
    for round in first..settings.epochs {
        batch.append(epoch(engine, settings, &found, round, benchmark));
    }
    result(engine, settings, &found, batch, benchmark)
}

/// Finds the number of iterations in an epoch.
#[inline]
pub(super) fn calibrate_for(
    engine: &Engine,
    settings: &Settings,
    count: Count,
    benchmark: &mut dyn FnMut(&mut Bencher),
) -> Calibration {
    let request = CalibrationRequest {
        sample_time: settings.epoch_time(engine.clock_calibration().clock.resolution),
        iterations: (settings.epoch_iterations > 0).then_some(settings.epoch_iterations),
        count: None,
        warmup: settings.warmup,
    };
    let found = calibrate(engine, benchmark, count, &request);
    let least = if settings.epoch_iterations > 0 { 1 } else { settings.min_epoch_iterations };
    Calibration { iterations: found.iterations.max(least), ..found }
}

/// Measures one epoch.
#[inline]
pub(super) fn epoch(
    engine: &Engine,
    settings: &Settings,
    found: &Calibration,
    round: u64,
    benchmark: &mut dyn FnMut(&mut Bencher),
) -> SampleBatch {
    let request = SampleRequest {
        samples: 1,
        iterations: found.iterations,
        exact_iterations: settings.epoch_iterations > 0,
        count: found.count,
        max_kept_results: found.max_kept_results,
        round,
        seed: 0,
        measure_waiting: false,
    };
    sample(engine, benchmark, &request)
}

/// Returns the result of the epochs in `batch`.
#[inline]
pub(super) fn result(
    engine: &Engine,
    settings: &Settings,
    found: &Calibration,
    batch: SampleBatch,
    benchmark: &mut dyn FnMut(&mut Bencher),
) -> BenchResult {
    let clock = engine.clock_calibration();
    let measurement = Measurement {
        count: 1,
        unroll: 1,
        returns_value: found.returns_value,
        launches: vec![Launch {
            clock: clock.clock.clone(),
            segment_cost: batch.segment_cost,
            empty_loop: batch.empty_loop.unwrap_or(clock.empty_loop),
            samples: batch.samples,
        }],
        ..Measurement::default()
    };
    let counters = match settings.performance_counters {
        true => counters(engine, found, benchmark),
        false => [None; COUNTERS.len()],
    };
    let samples = measurement.launches[0].samples.iter();
    let epochs = samples
        .zip(summary::times(&measurement))
        .map(|(sample, time)| Epoch { iterations: sample.iterations, elapsed: time.max(0.0) / 1e9 });
    let mut settings = settings.clone();
    settings.batch *= found.count as f64;
    BenchResult {
        epochs: epochs.collect(),
        counters,
        clock_resolution: clock.clock.resolution / 1e9,
        limit: limit(&measurement),
        relative: None,
        settings,
    }
}

/// Returns the time of an iteration that can't be told from an empty one, in seconds, if the
/// benchmark takes no longer.
#[inline]
fn limit(measurement: &Measurement) -> Option<f64> {
    let summary = summary::Summary::from_measurement(measurement)?;
    summary.below_resolution.then_some(summary.resolution / 1e9)
}

/// Counts the events of an iteration. `None` for counters that can't be read here.
#[inline]
fn counters(
    engine: &Engine,
    found: &Calibration,
    benchmark: &mut dyn FnMut(&mut Bencher),
) -> [Option<f64>; COUNTERS.len()] {
    let names = COUNTERS.map(str::to_owned);
    let (counters, _) = Counters::open(&names);
    let Some(request) = found.count_request(names.to_vec()).filter(|_| counters.names().next().is_some())
    else {
        return [None; COUNTERS.len()];
    };
    let counts = count(engine, benchmark, &request, counters);
    COUNTERS.map(|name| {
        let amount = counts.counters.iter().flatten().find(|amount| amount.name == name)?;
        Some(amount.value / counts.iterations as f64)
    })
}
