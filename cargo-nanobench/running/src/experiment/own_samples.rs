//! The samples of one benchmark and the process that they come from.

#[cfg(test)]
mod tests;

use super::instruction_counts;
use super::launches::first_calls;
use super::row::MeasureError;
use super::step::{Step, StepSampler};
use super::suite::Harness;
use super::work_left::WorkLeft;
use crate::deadline::TimeLimit;
use crate::session::{RemoteBenchmark, RequestError};
use nanobench::measure::{Calibration, Plan, SampleBatch, SamplingLoop};
use nanobench::model::{BenchmarkSpec, ClockCalibration, Counts, Launch, Measurement};
use nanobench::summary::Summary;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Share of the time until the timeout that a step is planned to take, since samples may take longer
/// than calibrated.
const STEP_SHARE: f64 = 0.8;

/// The samples of one benchmark so far.
#[derive(Debug)]
pub(super) struct OwnSamples {
    pub(super) plan: Plan,
    sampling_loop: SamplingLoop,
    pub(super) launches: Vec<Launch>,
    /// Number of the process that took the samples of the last launch.
    process: u64,
    /// The isolated core on which samples are taken. `None` for any core.
    core: Option<usize>,
    /// The shortest empty loop that `process` timed beside its samples.
    empty_loop: Option<f64>,
    /// The part of the timeout that is used up.
    spent: Duration,
    /// The time until it was calibrated, with its set-up.
    calibrating: Duration,
    /// The times of the samples after that, in seconds: as planned, and as they were.
    planned: f64,
    wall: f64,
    /// The process of the benchmark died once, possibly because of another benchmark.
    has_died: bool,
    counts: Option<Counts>,
    first_calls: Option<Vec<f64>>,
    /// The timeout that ended the sampling before the plan was fulfilled.
    timed_out: Option<Duration>,
    failure: Option<Arc<MeasureError>>,
}

impl OwnSamples {
    /// Creates the state before the first sample. `count`: the count to use, instead of one that
    /// the harness chooses.
    pub(super) fn new(plan: Plan, count: Option<u64>, benchmark: &BenchmarkSpec) -> OwnSamples {
        let problem = benchmark.problem.clone();
        OwnSamples {
            plan,
            sampling_loop: SamplingLoop::new(plan, count),
            launches: Vec::new(),
            process: 0,
            core: None,
            empty_loop: None,
            spent: Duration::ZERO,
            calibrating: Duration::ZERO,
            planned: 0.0,
            wall: 0.0,
            has_died: false,
            counts: None,
            first_calls: None,
            timed_out: None,
            failure: problem.map(|problem| Arc::new(MeasureError::Problem(problem))),
        }
    }

    /// Starts another launch, with the same count.
    pub(super) fn restart(&mut self) {
        self.sampling_loop = SamplingLoop::new(self.plan, self.sampling_loop.count());
        self.spent = Duration::ZERO;
        self.timed_out = None;
    }

    /// Returns the error that ended the sampling.
    pub(super) fn failure(&self) -> Option<&Arc<MeasureError>> {
        self.failure.as_ref()
    }

    /// Returns whether the benchmark needs no further samples for its own figures.
    pub(super) fn is_done(&self) -> bool {
        self.has_ended() || self.sampling_loop.is_done()
    }

    /// Returns whether sampling ended, even if the plan is not fulfilled.
    fn has_ended(&self) -> bool {
        self.failure.is_some() || self.timed_out.is_some()
    }

    /// Returns whether the benchmark is sampled in the next round of its group. A benchmark that is
    /// done is still sampled, if that is cheap, so that the others have a sample to pair with.
    pub(super) fn joins_next_round(&self) -> bool {
        let is_cheap = self.plan.samples.is_none() && self.spent.as_secs_f64() * 1e9 < self.plan.max_time;
        !self.has_ended() && (!self.sampling_loop.is_done() || is_cheap)
    }

    /// Returns whether the next step takes a sample without calibrating first.
    pub(super) fn is_calibrated(&self) -> bool {
        self.has_ended() || self.sampling_loop.count().is_some()
    }

    /// Returns the number of samples so far.
    pub(super) fn number(&self) -> usize {
        self.launches.iter().map(|launch| launch.samples.len()).sum()
    }

    /// Returns the relative uncertainty of the samples so far.
    pub(super) fn imprecision(&self) -> f64 {
        self.sampling_loop.imprecision()
    }

    /// Returns the work that is left. An infinite plan ends with the run's budget.
    pub(super) fn work_left(&self) -> WorkLeft {
        let Plan { samples, sample_time, max_time, .. } = self.plan;
        let calibration = self.sampling_loop.calibration();
        let sample_time = calibration.map_or(sample_time, Calibration::sample_wall_time);
        let planned = samples.map_or(max_time, |samples| samples as f64 * sample_time);
        // The last sample may exceed the plan.
        let left = (planned - self.sampling_loop.time_spent()).max(sample_time);
        let is_calibrated = self.is_calibrated();
        let finite = |time: f64| if time.is_finite() { time / 1e9 } else { 0.0 };
        WorkLeft {
            this_launch: if self.is_done() { 0.0 } else { finite(left) },
            further_launch: finite(max_time),
            planned: self.planned,
            wall: self.wall,
            calibration_time: if is_calibrated { self.calibrating.as_secs_f64() } else { 0.0 },
            calibrated: f64::from(is_calibrated),
            uncalibrated: f64::from(!is_calibrated),
            ..WorkLeft::default()
        }
    }

    /// Returns the loop count that the benchmark is called with, once it is known.
    pub(super) fn count(&self) -> Option<u64> {
        self.sampling_loop.count()
    }

    /// Returns the time of an iteration, once it is known.
    pub(super) fn iteration_time(&self) -> Option<Duration> {
        let calibration = self.sampling_loop.calibration()?;
        // Emptying the caches before each sample isn't planned.
        let pace = if calibration.iterations == 1 { self.work_left().pace() } else { 1.0 };
        Duration::try_from_secs_f64(calibration.iteration_wall_time / 1e9 * pace).ok()
    }

    /// Takes the samples of one step.
    pub(super) fn step(&mut self, benchmark: &BenchmarkSpec, harness: &mut Harness, step: Step) {
        let timeout = harness.session_options.timeout_of(benchmark);
        let remaining = timeout.saturating_sub(self.spent).mul_f64(STEP_SHARE);
        let has_time = self.sampling_loop.limit_steps(remaining.as_nanos() as f64);
        if !has_time && self.number() > 0 {
            self.timed_out = Some(timeout);
            return;
        }
        let (was_calibrated, planned, spent) =
            (self.is_calibrated(), self.sampling_loop.time_spent(), self.spent);
        let had_min_samples = self.sampling_loop.has_min_samples();
        let mut result = self.sample(benchmark, harness, step);
        if was_calibrated {
            let planned = self.sampling_loop.time_spent() - planned;
            if planned > 0.0 {
                self.planned += planned / 1e9;
                self.wall += (self.spent - spent).as_secs_f64();
            }
        } else {
            self.calibrating = self.spent;
        }
        if !self.has_died && result.as_ref().is_err_and(MeasureError::is_death) {
            // A thread that another benchmark left behind may have ended the process. Try once
            // more in a fresh process.
            self.has_died = true;
            result = self.sample(benchmark, harness, step);
        }
        match result {
            Ok(batch) => self.add(batch, harness),
            Err(error) if error.is_timeout() && self.number() > 0 => self.timed_out = Some(timeout),
            Err(error) => self.fail(error),
        }
        // Once, as there may be many samples later.
        if !had_min_samples && self.sampling_loop.has_min_samples() {
            let summary = self.measurement(benchmark).and_then(|so_far| Summary::from_measurement(&so_far));
            if summary.is_some_and(|summary| summary.below_resolution) {
                self.sampling_loop.note_below_resolution();
            }
        }
    }

    fn sample(
        &mut self,
        benchmark: &BenchmarkSpec,
        harness: &mut Harness,
        step: Step,
    ) -> Result<SampleBatch, MeasureError> {
        let (mut sampling_loop, mut core) = (self.sampling_loop.clone(), self.core);
        let has_threads = benchmark.id.conditions.threads.is_some_and(|threads| threads > 1);
        let isolated_cores = match has_threads {
            true => Vec::new(),
            false => harness.session_options.isolated_cores.clone(),
        };
        let result = self.request(benchmark, harness, |remote| {
            let core = &mut core;
            let mut sampler = StepSampler { remote, step, isolated_cores: &isolated_cores, core };
            sampling_loop.step(&mut sampler, step.seed())
        });
        (self.sampling_loop, self.core) = (sampling_loop, core);
        result
    }

    /// Sends a request to the process of the benchmark and subtracts its time from the timeout.
    fn request<T>(
        &mut self,
        benchmark: &BenchmarkSpec,
        harness: &mut Harness,
        mut request: impl FnMut(RemoteBenchmark<'_>) -> Result<T, RequestError>,
    ) -> Result<T, MeasureError> {
        loop {
            let begin = Instant::now();
            let limit = TimeLimit::new(harness.session_options.timeout_of(benchmark), self.spent);
            let session = harness.session_for(&benchmark.id)?;
            // Another process may list its rows in another order, as of a hash set or a folder.
            let index = session.index_of(&benchmark.id).ok_or(MeasureError::RowGone)?;
            let may_have_passed = session.may_have_passed();
            let result = request(session.benchmark(index, limit));
            self.spent += begin.elapsed();
            match result {
                Ok(value) => return Ok(value),
                // In this process, its place may be before that of another one that it has served.
                Err(RequestError::Refused(_)) if may_have_passed => harness.end_session(),
                Err(error) => {
                    if !error.leaves_process() {
                        harness.end_session();
                    }
                    return Err(MeasureError::Request(error));
                }
            }
        }
    }

    fn fail(&mut self, error: MeasureError) {
        if !error.is_interruption() {
            self.failure = Some(Arc::new(error));
        }
    }

    fn add(&mut self, batch: SampleBatch, harness: &Harness) {
        match self.launches.last_mut() {
            Some(launch) if self.process == harness.process => {
                self.empty_loop = self.empty_loop.into_iter().chain(batch.empty_loop).reduce(f64::min);
                launch.empty_loop = self.empty_loop.unwrap_or(launch.empty_loop);
                launch.samples.extend(batch.samples);
            }
            _ if batch.samples.is_empty() => {}
            _ => {
                self.process = harness.process;
                let SampleBatch { segment_cost, samples, empty_loop, .. } = batch;
                let ClockCalibration { clock, empty_loop: calibrated, .. } =
                    harness.listing.clock_calibration.clone();
                self.empty_loop = empty_loop;
                let empty_loop = empty_loop.unwrap_or(calibrated);
                self.launches.push(Launch { clock, segment_cost, empty_loop, samples });
            }
        }
    }

    /// Times the very first call in this many fresh processes.
    pub(super) fn time_first_calls(&mut self, benchmark: &BenchmarkSpec, harness: &Harness, processes: u64) {
        if self.failure.is_some() || processes == 0 {
            return;
        }
        match first_calls(benchmark, harness, processes) {
            Ok(times) => self.first_calls = Some(times).filter(|times| !times.is_empty()),
            Err(error) => self.fail(error),
        }
    }

    /// Counts allocations and other events of a few calls, if any are requested and the calls are
    /// short enough.
    pub(super) fn count_events(&mut self, benchmark: &BenchmarkSpec, harness: &mut Harness) {
        let counters = benchmark.counters.clone().unwrap_or_default();
        if self.has_ended() {
            return;
        }
        let Some(calibration) = self.sampling_loop.calibration() else { return };
        let count = calibration.count;
        let no_counters = &harness.listing.no_counters;
        let (unreadable, counters): (Vec<String>, Vec<String>) =
            counters.into_iter().partition(|name| instruction_counts::is_unreadable(no_counters, name));
        let is_counted = harness.listing.counts_allocations || !counters.is_empty();
        if let Some(request) = calibration.count_request(counters).filter(|_| is_counted) {
            match self.request(benchmark, harness, |mut remote| remote.count(request.clone())) {
                Ok(counts) => self.counts = Some(counts).filter(|counts| counts.iterations > 0),
                Err(error) => self.fail(error),
            }
        }
        if !unreadable.is_empty() && !self.has_ended() {
            let operation = self.operation_time(harness);
            instruction_counts::add(&mut self.counts, unreadable, benchmark, harness, count, operation);
        }
    }

    /// Returns the approximate time of an operation of the count, once it is calibrated.
    pub(super) fn operation_time(&self, harness: &Harness) -> Option<Duration> {
        let Calibration { iteration_ticks, count, .. } = self.sampling_loop.calibration()?;
        let frequency = harness.listing.clock_calibration.clock.frequency;
        Duration::try_from_secs_f64(iteration_ticks / frequency / *count as f64).ok()
    }

    /// Replaces the launches by those of a paired run.
    pub(super) fn replace_launches(&mut self, launches: &[Launch]) {
        if !launches.is_empty() {
            self.launches = launches.to_vec();
        }
    }

    /// Returns the measurement so far.
    pub(super) fn measurement(&self, benchmark: &BenchmarkSpec) -> Option<Measurement> {
        let calibration = self.sampling_loop.calibration();
        Some(Measurement {
            count: self.sampling_loop.count()?,
            unroll: benchmark.unroll,
            batch: benchmark.batch,
            throughput: calibration
                .and_then(|calibration| calibration.iteration_throughput(benchmark.unroll)),
            counts: self.counts.clone(),
            returns_value: calibration.and_then(|calibration| calibration.returns_value),
            first_calls: self.first_calls.clone(),
            timed_out: self.timed_out.map(|timeout| u64::try_from(timeout.as_nanos()).unwrap_or(u64::MAX)),
            launches: self.launches.clone(),
        })
    }
}
