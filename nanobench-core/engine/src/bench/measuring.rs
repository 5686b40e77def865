//! Measures a closure as its settings require.

use super::result::BenchResult;
use super::settings::{COUNTERS, Settings};
use crate::counters::Counters;
use crate::fitness::ENDLESS;
use crate::measure::{
    Bencher, Calibration, CalibrationRequest, Count, Engine, SampleBatch, SampleRequest, TimedCode,
    calibrate, count, sample,
};
use crate::model::{Counts, Launch, Measurement};

/// Calls `use_engine` with the engine of this thread, which calibrates its clock at the first call.
#[inline]
pub(super) fn with_engine(use_engine: impl FnOnce(&Engine)) {
    TimedCode::of_this_crate().install();
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
        count: found.count,
        unroll: 1,
        returns_value: found.returns_value,
        counts: counts(engine, settings, found, benchmark),
        launches: vec![Launch {
            clock: clock.clock.clone(),
            segment_cost: batch.segment_cost,
            empty_loop: batch.empty_loop.unwrap_or(clock.empty_loop),
            samples: batch.samples,
        }],
        ..Measurement::default()
    };
    BenchResult::new(settings.clone(), measurement)
}

/// Counts the events of some iterations, if any counter can be read here.
#[inline]
fn counts(
    engine: &Engine,
    settings: &Settings,
    found: &Calibration,
    benchmark: &mut dyn FnMut(&mut Bencher),
) -> Option<Counts> {
    let requested = COUNTERS.iter().zip(settings.counters);
    let names: Vec<String> =
        requested.filter(|(_, is_read)| *is_read).map(|(name, _)| (*name).to_owned()).collect();
    let (counters, _) = Counters::open(&names);
    let request = found.count_request(names).filter(|_| !counters.names().is_empty())?;
    Some(count(engine, benchmark, &request, counters))
}
