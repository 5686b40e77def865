//! The sampling loop of one benchmark: it requests samples until the plan is fulfilled.

use super::{Calibration, CalibrationRequest, Plan, SampleBatch, SampleRequest, Sampler, sample};
use crate::stats;
use std::time::Instant;

/// Confidence of the interval whose width decides whether the median is precise enough.
const CONFIDENCE: f64 = 0.95;
/// Largest number of samples in one step. Between two steps, the other benchmarks of the run take
/// their samples. So a disturbance of a few milliseconds affects some samples of many benchmarks,
/// and not all samples of one.
const MAX_SAMPLES_PER_STEP: u64 = 8;
/// Smallest number of samples, unless they take longer than `MIN_SAMPLES_TIME` together.
const MIN_SAMPLES: u64 = 10;
/// Time, in ns, that is worth spending on `MIN_SAMPLES`.
const MIN_SAMPLES_TIME: f64 = 130_000_000.0;
/// Smallest number of samples of a slow benchmark.
const MIN_SLOW_SAMPLES: u64 = 3;
/// Time of a sample, in ns, from which a single one is taken. If a sample is one call, the first
/// call is that sample.
const SINGLE_SAMPLE_TIME: f64 = 5_000_000_000.0;
/// The calibration is repeated if the first samples are faster than calibrated by this factor.
const MAX_CALIBRATION_ERROR: f64 = 4.0;

/// The sampling of one benchmark, step by step.
#[derive(Debug, Clone)]
pub struct SamplingLoop {
    plan: Plan,
    requested_count: Option<u64>,
    calibration: Option<Calibration>,
    /// Time of one iteration in each sample, in ticks.
    iteration_times: Vec<f64>,
    is_recalibrated: bool,
    /// The samples can't be told from those of an empty benchmark.
    is_below_resolution: bool,
    /// Time that a step may take, in ns.
    step_limit: f64,
}

impl SamplingLoop {
    /// Starts the sampling of a benchmark. `requested_count` replaces the count that the harness
    /// would otherwise find.
    #[inline]
    pub fn new(plan: Plan, requested_count: Option<u64>) -> SamplingLoop {
        SamplingLoop {
            plan,
            requested_count,
            calibration: None,
            iteration_times: Vec::new(),
            is_recalibrated: false,
            is_below_resolution: false,
            step_limit: f64::INFINITY,
        }
    }

    /// Limits the time of the following steps, in ns. Their first sample is taken even if it takes
    /// longer. Returns false if there is no time for another sample.
    #[inline]
    pub fn limit_steps(&mut self, limit: f64) -> bool {
        self.step_limit = limit;
        let is_calibrated = |calibration: &Calibration| calibration.sample_wall_time() <= limit;
        self.calibration.as_ref().is_none_or(is_calibrated)
    }

    /// Returns the `count` that the function gets. `None` before the calibration.
    #[inline]
    pub fn count(&self) -> Option<u64> {
        self.calibration.as_ref().map(|calibration| calibration.count)
    }

    /// Returns whether the plan has an exact number of samples.
    #[inline]
    pub fn has_fixed_samples(&self) -> bool {
        self.plan.samples.is_some()
    }

    /// Returns the calibration. `None` before the first step.
    #[inline]
    pub fn calibration(&self) -> Option<&Calibration> {
        self.calibration.as_ref()
    }

    /// Takes the next few samples, after the calibration if there is none yet. Returns an empty
    /// batch if the samples contradict the calibration, which is repeated in the next step.
    ///
    /// # Errors
    /// Fails if the sampler does.
    pub fn step<S: Sampler>(&mut self, sampler: &mut S, seed: u64) -> Result<SampleBatch, S::Error> {
        let begin = Instant::now();
        let is_first_step = self.iteration_times.is_empty();
        let mut batch = match &self.calibration {
            Some(_) => SampleBatch::default(),
            None => self.calibrate(sampler)?,
        };
        self.record(&batch);
        // The first call of a slow benchmark may be enough. Otherwise, it is returned together with
        // the samples that show whether it was slower than the others.
        let first_calls = batch.samples.len();
        if let Some(calibration) = self.calibration.as_ref().filter(|_| first_calls == 0 || !self.is_done()) {
            let samples = sampler.sample(&self.next_request(calibration, seed, begin))?;
            self.record(&samples);
            batch.append(samples);
        }
        if is_first_step && self.contradicts_calibration(first_calls) {
            (self.calibration, self.is_recalibrated) = (None, true);
            self.iteration_times.clear();
            return Ok(SampleBatch::default());
        }
        Ok(batch)
    }

    #[inline]
    fn record(&mut self, batch: &SampleBatch) {
        let times = batch.samples.iter().map(|sample| sample.elapsed as f64 / sample.iterations as f64);
        self.iteration_times.extend(times);
    }

    /// Returns whether the samples contradict the calibration: it was far too slow, because the
    /// first call was, or because other programs had the cores for some milliseconds. Then the
    /// samples are far too short or, if the plan has a number of iterations, far too few. The first
    /// `first_calls` samples are part of the calibration.
    #[inline]
    fn contradicts_calibration(&self, first_calls: usize) -> bool {
        let Some(Calibration { iteration_ticks, .. }) = &self.calibration else { return false };
        // With samples of exactly one call, the first call is a sample as requested.
        let may_recalibrate = !self.is_recalibrated && (first_calls == 0 || self.plan.iterations.is_none());
        let samples = &self.iteration_times[first_calls..];
        may_recalibrate && stats::median(samples) < iteration_ticks / MAX_CALIBRATION_ERROR
    }

    /// Calibrates the benchmark. Returns the first call if it counts as a sample.
    fn calibrate<S: Sampler>(&mut self, sampler: &mut S) -> Result<SampleBatch, S::Error> {
        let Plan { sample_time, iterations, warmup, samples, .. } = self.plan;
        let count = self.requested_count;
        let calibration =
            sampler.calibrate(&CalibrationRequest { sample_time, iterations, count, warmup })?;
        let is_single_sample = calibration.iteration_wall_time > SINGLE_SAMPLE_TIME && samples.is_none();
        let is_sample = calibration.iterations == 1 && (warmup == 0 || is_single_sample);
        let samples = if is_sample { vec![calibration.first_call] } else { Vec::new() };
        let batch = SampleBatch { segment_cost: calibration.segment_cost, samples, ..SampleBatch::default() };
        self.calibration = Some(calibration);
        Ok(batch)
    }

    #[inline]
    fn next_request(&self, calibration: &Calibration, seed: u64, begin: Instant) -> SampleRequest {
        let done = self.iteration_times.len() as u64;
        let min_samples = self.plan.samples.unwrap_or_else(|| self.min_samples(calibration));
        let missing = min_samples.saturating_sub(done);
        let samples = if missing == 0 {
            self.affordable_samples(calibration)
        } else {
            missing.min(MAX_SAMPLES_PER_STEP)
        };
        let step_time_left = self.step_limit - begin.elapsed().as_nanos() as f64;
        let in_step = (step_time_left / calibration.sample_wall_time()) as u64;
        let exact_iterations = self.plan.iterations.is_some();
        let iterations = match exact_iterations {
            true => calibration.iterations,
            false => sample::fewest_iterations(calibration.iterations),
        };
        SampleRequest {
            samples: samples.min(in_step).max(1),
            iterations,
            exact_iterations,
            count: calibration.count,
            max_kept_results: calibration.max_kept_results,
            round: done,
            seed,
            measure_waiting: false,
        }
    }

    /// Returns whether the samples are precise enough, or have taken all of their time.
    #[inline]
    pub fn is_done(&self) -> bool {
        if let Some(samples) = self.plan.samples {
            return self.calibration.is_some() && self.iteration_times.len() as u64 >= samples;
        }
        self.has_min_samples()
            && (self.is_below_resolution
                || self.time_spent() >= self.plan.max_time
                || self.imprecision() <= self.plan.precision)
    }

    /// Returns whether there are as many samples as are taken even if fewer are precise enough.
    #[inline]
    pub fn has_min_samples(&self) -> bool {
        let is_enough = |calibration| self.iteration_times.len() as u64 >= self.min_samples(calibration);
        self.calibration.as_ref().is_some_and(is_enough)
    }

    /// Notes that the samples can't be told from those of an empty benchmark. A more precise time
    /// would tell no more, so the smallest number of samples is enough.
    #[inline]
    pub fn note_below_resolution(&mut self) {
        self.is_below_resolution = true;
    }

    /// Returns the number of samples to take even if fewer are precise enough.
    #[inline]
    fn min_samples(&self, calibration: &Calibration) -> u64 {
        let sample_time = calibration.sample_wall_time();
        if sample_time > SINGLE_SAMPLE_TIME {
            1
        } else if sample_time * MIN_SAMPLES as f64 > MIN_SAMPLES_TIME {
            MIN_SLOW_SAMPLES.max((MIN_SAMPLES_TIME / sample_time) as u64)
        } else {
            MIN_SAMPLES.max((self.plan.min_time / sample_time).ceil() as u64)
        }
    }

    /// Returns the number of samples for which a step has time left, and at least 1.
    #[inline]
    fn affordable_samples(&self, calibration: &Calibration) -> u64 {
        let time_left = self.plan.max_time - self.time_spent();
        ((time_left / calibration.sample_wall_time()) as u64).clamp(1, MAX_SAMPLES_PER_STEP)
    }

    /// Returns the part of the plan's time, in ns, that the samples used up: the time that they take
    /// on an idle machine, as calibrated.
    #[inline]
    pub fn time_spent(&self) -> f64 {
        let sample_time = self.calibration.as_ref().map_or(0.0, Calibration::sample_wall_time);
        self.iteration_times.len() as f64 * sample_time
    }

    /// Returns the relative precision of the median: half the width of its confidence interval,
    /// divided by the median. Infinite without samples.
    #[inline]
    pub fn imprecision(&self) -> f64 {
        let times = &self.iteration_times;
        let Some(interval) = stats::median_interval(times, CONFIDENCE) else { return f64::INFINITY };
        (interval.high - interval.low) / 2.0 / stats::median(times).max(f64::MIN_POSITIVE)
    }
}

#[cfg(test)]
mod tests;
