//! Measures a closure as its settings require.

use super::result::BenchResult;
use super::settings::{COUNTERS, Settings};
use crate::counters::Counters;
use crate::fitness::ENDLESS;
use crate::measure::{
    Bencher, Calibration, CalibrationRequest, Count, Counting, Engine, SampleBatch, SampleRequest, TimedCode,
    calibrate, count, count_timed, sample_after,
};
use crate::model::{KeyValue, Launch, Measurement, Sample};

/// Largest number of times that an epoch is measured because it is too short or too long.
const MAX_ATTEMPTS: u32 = 4;
/// Factor to the wall time of a closure up to which epochs have their full length: making inputs for
/// them would take too long.
const MAX_WALL_TIME_FACTOR: f64 = 4.0;
/// Largest number of iterations, as for the calibration.
const MAX_ITERATIONS: f64 = 1e9;

/// Calls `use_engine` with the engine of this thread, which calibrates its clock at the first call.
#[inline]
pub(super) fn with_engine(use_engine: impl FnOnce(&Engine)) {
    TimedCode::of_this_crate().install();
    thread_local!(static ENGINE: Engine = Engine::new());
    ENGINE.with(use_engine);
}

/// Measures a benchmark.
#[inline]
pub(super) fn measure(
    engine: &Engine,
    settings: &Settings,
    count: Count,
    benchmark: &mut dyn FnMut(&mut Bencher),
) -> BenchResult {
    let mut epochs = Epochs::calibrate(engine, settings.clone(), count, benchmark);
    let Calibration { iterations, segment_cost, first_call, .. } = epochs.calibration;
    // The first call counts if an iteration takes as long as an epoch.
    if iterations == 1 && settings.warmup == 0 && settings.exact_iterations().is_none() {
        let samples = vec![first_call];
        epochs.measured.append(SampleBatch { segment_cost, samples, ..SampleBatch::default() });
    }
    for round in epochs.measured.samples.len() as u64..settings.epochs {
        epochs.measure(round);
    }
    epochs.result()
}

/// The epochs of a benchmark.
pub(super) struct Epochs<'a> {
    engine: &'a Engine,
    settings: Settings,
    benchmark: &'a mut dyn FnMut(&mut Bencher),
    count: Count,
    calibration: Calibration,
    /// The counters that can be read. With an exact number of iterations, they count in the epochs.
    counting: Option<Counting>,
    /// The counters that can't be read, each with the reason.
    unreadable: Vec<KeyValue>,
    measured: SampleBatch,
}

impl<'a> Epochs<'a> {
    /// Finds the number of iterations in an epoch, unless the settings have it. Runs the benchmark
    /// endlessly if `NANOBENCH_ENDLESS` has its name.
    #[inline]
    pub(super) fn calibrate(
        engine: &'a Engine,
        settings: Settings,
        count: Count,
        benchmark: &'a mut dyn FnMut(&mut Bencher),
    ) -> Epochs<'a> {
        let is_endless = std::env::var_os(ENDLESS).is_some_and(|name| *name == *settings.name);
        if is_endless {
            eprintln!("{ENDLESS} set: running '{}' endlessly", crate::report::escape(&settings.name));
        }
        let requested = COUNTERS.iter().zip(settings.counters);
        let names: Vec<String> =
            requested.filter(|(_, is_read)| *is_read).map(|(name, _)| (*name).to_owned()).collect();
        let (counters, unreadable) = Counters::open(&names);
        let counting = (!counters.names().is_empty()).then(|| Counting::of_events(counters));
        let iterations = settings.exact_iterations();
        let sample_time = settings.epoch_time(engine.clock_calibration().clock.resolution);
        let sample_time = if iterations.is_some() { 0.0 } else { sample_time };
        let request = CalibrationRequest { sample_time, iterations, count: None, warmup: settings.warmup };
        let mut calibration = calibrate(engine, benchmark, count, &request);
        if iterations.is_none() {
            calibration.iterations = calibration.iterations.max(settings.min_epoch_iterations);
        }
        let measured = SampleBatch::default();
        let mut epochs =
            Epochs { engine, settings, benchmark, count, calibration, counting, unreadable, measured };
        for round in (0..).take_while(|_| is_endless) {
            epochs.sample(round);
        }
        epochs
    }

    /// Measures one epoch. If it is too short or too long, as after a calibration that other programs
    /// disturbed, it is measured again with another number of iterations.
    #[inline]
    pub(super) fn measure(&mut self, round: u64) {
        let mut batch = self.sample(round);
        for _ in 1..MAX_ATTEMPTS {
            let Some(iterations) = self.better_iterations(&batch.samples[0]) else { break };
            self.calibration.iterations = iterations;
            batch = self.sample(round);
        }
        self.measured.append(batch);
    }

    #[inline]
    fn sample(&mut self, round: u64) -> SampleBatch {
        let is_exact = self.settings.exact_iterations().is_some();
        let request = SampleRequest {
            samples: 1,
            iterations: self.calibration.iterations,
            exact_iterations: is_exact,
            count: self.calibration.count,
            max_kept_results: self.calibration.max_kept_results,
            round,
            ..SampleRequest::default()
        };
        let (warmup, counting) =
            if is_exact { (0, &mut self.counting) } else { (request.warmup_iterations(), &mut None) };
        sample_after(warmup, self.engine, self.benchmark, &request, counting)
    }

    /// Returns the number of iterations to use instead of those of an epoch that is too short or too
    /// long.
    #[inline]
    fn better_iterations(&self, epoch: &Sample) -> Option<u64> {
        let clock = &self.engine.clock_calibration().clock;
        let nanoseconds = |ticks: f64| ticks * 1e9 / clock.frequency;
        let goal = self.settings.epoch_time(clock.resolution);
        let [least, most] = self.settings.epoch_time_limits();
        let time = nanoseconds(epoch.elapsed as f64);
        let iterations = epoch.iterations as f64;
        let timed = nanoseconds(self.calibration.iteration_ticks);
        let takes_long = self.calibration.iteration_wall_time > MAX_WALL_TIME_FACTOR * timed;
        let is_short = time < least.min(goal) && iterations < MAX_ITERATIONS && !takes_long;
        let least_iterations = self.settings.min_epoch_iterations as f64;
        let is_long = time > most && iterations > least_iterations;
        if self.settings.exact_iterations().is_some() || !(is_short || is_long) {
            return None;
        }
        // A little more than needed, so that the next one doesn't just miss the length.
        let better = (iterations * (1.05 * goal / time).min(10.0)).ceil();
        Some(better.clamp(least_iterations, MAX_ITERATIONS.max(least_iterations)) as u64)
    }

    /// Returns the result of all epochs.
    #[inline]
    pub(super) fn result(self) -> BenchResult {
        let Epochs { engine, settings, benchmark, count: kind, calibration, counting, unreadable, measured } =
            self;
        let clock = engine.clock_calibration();
        let counts = counting.and_then(|counting| {
            if settings.exact_iterations().is_some() {
                return Some(count_timed(engine, benchmark, counting, &measured.samples));
            }
            let counters = counting.into_counters();
            let request = calibration.count_request(counters.names())?;
            Some(count(engine, benchmark, &request, counters))
        });
        let measurement = Measurement {
            count: calibration.count,
            unroll: 1,
            returns_value: calibration.returns_value,
            counts,
            launches: vec![Launch {
                clock: clock.clock.clone(),
                segment_cost: measured.segment_cost,
                empty_loop: measured.empty_loop.unwrap_or(clock.empty_loop),
                samples: measured.samples,
            }],
            ..Measurement::default()
        };
        let count_step = clock.overheads.map(|overheads| overheads.count_loop.median / 1e9);
        let count_step = count_step.filter(|_| kind != Count::None);
        BenchResult { count_step, unreadable, ..BenchResult::new(settings, measurement) }
    }
}
