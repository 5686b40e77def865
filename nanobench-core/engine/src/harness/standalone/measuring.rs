//! Measures the benchmarks of this process. Rows that are compared with each other are sampled in
//! turn.

use crate::alloc;
use crate::configuration::Configuration;
use crate::counters::Counters;
use crate::harness::guarded::guarded;
use crate::harness::rows::Row;
use crate::harness::runnable::Runnable;
use crate::measure::{
    Calibration, CalibrationRequest, Engine, SampleBatch, SampleRequest, Sampler, SamplingLoop,
    comparison_groups,
};
use crate::model::{Launch, Measurement};
use crate::stats;
use crate::summary::{self, Summary};
use std::convert::Infallible;
use std::time::{Duration, Instant};

/// The benchmarks of a run, and their results so far.
pub(super) struct Suite<'a> {
    engine: &'a Engine,
    configuration: &'a Configuration,
    rows: &'a [&'a Row],
    /// The index of each row's baseline.
    baselines: Vec<Option<usize>>,
    comparison_groups: Vec<Vec<usize>>,
    results: Vec<Option<Result<Measured, String>>>,
}

/// The result of a benchmark.
pub(super) struct Measured {
    pub(super) measurement: Measurement,
    pub(super) summary: Summary,
}

impl<'a> Suite<'a> {
    pub(super) fn new(
        engine: &'a Engine,
        rows: &'a [&'a Row],
        configuration: &'a Configuration,
    ) -> Suite<'a> {
        let baseline = |row: &&Row| {
            let id = row.benchmark.baseline.as_ref()?;
            rows.iter().position(|other| other.benchmark.id == *id)
        };
        let baselines: Vec<Option<usize>> = rows.iter().map(baseline).collect();
        let comparison_groups = comparison_groups(&baselines);
        Suite {
            engine,
            configuration,
            rows,
            baselines,
            comparison_groups,
            results: rows.iter().map(|_| None).collect(),
        }
    }

    /// Measures a row and its comparison group, unless that is done.
    pub(super) fn measure(&mut self, row: usize) {
        let Some(group) =
            self.comparison_groups.iter().find(|group| self.results[row].is_none() && group.contains(&row))
        else {
            return;
        };
        let mut running: Vec<RowState> =
            group.iter().map(|&i| RowState::new(self.rows[i], self.engine, self.configuration)).collect();
        while running.iter().any(|one| !one.is_done()) {
            running.iter_mut().filter(|one| !one.is_done()).for_each(|one| one.step(self.engine));
        }
        for (&i, one) in group.iter().zip(running) {
            self.results[i] = Some(one.finish(self.engine));
        }
    }

    /// Returns the result of a row, or the reason why it has none.
    pub(super) fn result(&self, row: usize) -> Result<&Measured, &str> {
        let result = self.results[row].as_ref().ok_or("it was not measured")?;
        result.as_ref().map_err(String::as_str)
    }

    /// Returns the speed of a row relative to its baseline: over 1 is faster, and a baseline has 1.
    /// `None` if one of the two is below resolution.
    pub(super) fn relative(&self, row: usize) -> Option<f64> {
        let baseline = self.baselines[row].or(self.baselines.contains(&Some(row)).then_some(row))?;
        let times = |row: usize| {
            let measured = self.result(row).ok().filter(|measured| !measured.summary.below_resolution);
            measured.map(|measured| summary::times(&measured.measurement))
        };
        // Samples of the same round were taken next to each other, so a disturbance cancels in
        // their ratio.
        let ratios: Vec<f64> =
            times(baseline)?.iter().zip(times(row)?).map(|(baseline, own)| baseline / own).collect();
        Some(stats::median(&ratios)).filter(|ratio| ratio.is_finite())
    }

    /// Returns whether a row has a baseline, or is one.
    pub(super) fn is_compared(&self, row: usize) -> bool {
        self.baselines[row].is_some() || self.baselines.contains(&Some(row))
    }
}

/// Measures a row by itself.
pub(super) fn measure_alone(
    engine: &Engine,
    row: &dyn Runnable,
    configuration: &Configuration,
) -> Result<Measured, String> {
    let mut state = RowState::new(row, engine, configuration);
    while !state.is_done() {
        state.step(engine);
    }
    state.finish(engine)
}

/// A row that is being measured.
struct RowState<'a> {
    row: &'a dyn Runnable,
    /// Smallest number of iterations of a sample.
    min_iterations: u64,
    sampling: SamplingLoop,
    samples: SampleBatch,
    /// The part of the benchmark's own timeout that is used up.
    spent: Duration,
    timed_out: bool,
    failure: Option<String>,
}

impl RowState<'_> {
    fn new<'a>(row: &'a dyn Runnable, engine: &Engine, configuration: &Configuration) -> RowState<'a> {
        let resolution = engine.clock_calibration().clock.resolution;
        let plan = configuration.plan(row.benchmark().sampling.unwrap_or_default(), resolution);
        let min_iterations = configuration.min_epoch_iterations.filter(|_| plan.iterations.is_none());
        let sampling = SamplingLoop::new(plan, None);
        RowState {
            row,
            min_iterations: min_iterations.unwrap_or(1),
            sampling,
            samples: SampleBatch::default(),
            spent: Duration::ZERO,
            timed_out: false,
            failure: row.benchmark().problem.clone(),
        }
    }

    fn is_done(&self) -> bool {
        self.failure.is_some() || self.timed_out || self.sampling.is_done()
    }

    /// Takes some samples, unless the timeout leaves no time for them. A call that takes longer than
    /// that isn't interrupted.
    fn step(&mut self, engine: &Engine) {
        let begin = Instant::now();
        let RowState { row, min_iterations, sampling, samples, spent, timed_out, .. } = self;
        if let Some(timeout) = row.benchmark().timeout {
            let has_time = sampling.limit_steps(timeout as f64 - spent.as_nanos() as f64);
            if !has_time && !samples.samples.is_empty() {
                *timed_out = true;
                return;
            }
        }
        let row = *row;
        let batch = guarded(|| {
            let Ok(batch) = sampling.step(&mut InProcess { engine, row, min_iterations: *min_iterations }, 0);
            batch
        });
        match batch {
            Ok(batch) => self.samples.append(batch),
            Err(panic) => self.failure = Some(panic),
        }
        self.spent += begin.elapsed();
    }

    fn finish(self, engine: &Engine) -> Result<Measured, String> {
        let RowState { row, sampling, samples, timed_out, failure, .. } = self;
        if let Some(failure) = failure {
            return Err(failure);
        }
        let calibration = sampling.calibration().ok_or("it was never called")?;
        let mut measurement = Measurement {
            count: calibration.count,
            unroll: row.benchmark().unroll,
            batch: row.benchmark().batch,
            throughput: calibration.iteration_throughput(row.benchmark().unroll),
            counts: None,
            returns_value: calibration.returns_value,
            first_calls: None,
            timed_out: row.benchmark().timeout.filter(|_| timed_out),
            launches: vec![Launch {
                clock: engine.clock_calibration().clock.clone(),
                segment_cost: samples.segment_cost,
                empty_loop: samples.empty_loop.unwrap_or(engine.clock_calibration().empty_loop),
                samples: samples.samples,
            }],
        };
        let names = row.benchmark().counters.clone().unwrap_or_default();
        let (counters, _) = Counters::open(&names);
        let is_counted = alloc::is_installed() || !names.is_empty();
        if let Some(request) = calibration.count_request(names).filter(|_| is_counted) {
            measurement.counts = Some(guarded(|| row.count(engine, &request, counters))?);
        }
        let summary = Summary::from_measurement(&measurement).ok_or("no sample was taken")?;
        Ok(Measured { measurement, summary })
    }
}

/// The engine of this process as a sampler of one of its benchmarks.
pub(super) struct InProcess<'a> {
    pub(super) engine: &'a Engine,
    pub(super) row: &'a dyn Runnable,
    pub(super) min_iterations: u64,
}

impl Sampler for InProcess<'_> {
    type Error = Infallible;

    fn calibrate(&mut self, request: &CalibrationRequest) -> Result<Calibration, Infallible> {
        let found = self.row.calibrate(self.engine, request);
        Ok(Calibration { iterations: found.iterations.max(self.min_iterations), ..found })
    }

    fn sample(&mut self, request: &SampleRequest) -> Result<SampleBatch, Infallible> {
        let iterations = request.iterations.max(self.min_iterations);
        Ok(self.row.sample(self.engine, &SampleRequest { iterations, ..*request }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::rows::{RequestedConditions, from_entries};
    use crate::measure::Plan;
    use crate::registry::{Body, Entry, Settings};
    use crate::time::{Clock, scripted};

    #[test]
    fn compared_rows_are_measured_together_and_panics_are_isolated() {
        const OF_F: &Settings = &Settings { baseline: Some("f"), samples: Some(3), ..Settings::DEFAULT };
        let entry = |function, body, settings| Entry {
            module_path: "k",
            function,
            body: Body::Plain(body),
            settings,
            ..Entry::DEFAULT
        };
        let entries = [
            entry("f", |run| run.call(|_| scripted::advance(1_000)), &Settings::DEFAULT),
            entry("half", |run| run.call(|_| scripted::advance(500)), OF_F),
            entry("boom", |run| run.call(|_| panic!("boom")), OF_F),
            entry("apart", |run| run.call(|_| scripted::advance(7)), &Settings::DEFAULT),
        ];
        let entries = entries.map(|entry| &*Box::leak(Box::new(entry)));
        let rows = from_entries(entries.to_vec(), &[], &RequestedConditions::default());
        let rows: Vec<&Row> = rows.iter().collect();
        scripted::set_read_cost(1);
        let engine = Engine::with_clock(Clock::Scripted);
        let configuration = Configuration::default();
        let mut suite = Suite::new(&engine, &rows, &configuration);
        suite.measure(1);
        assert_eq!(suite.result(1).map(|measured| measured.summary.samples), Ok(3));
        assert_eq!((suite.relative(0), suite.relative(1), suite.relative(2)), (Some(1.0), Some(2.0), None));
        assert!(suite.result(2).is_err_and(|why| why.contains("boom")));
        assert!(suite.result(3).is_err(), "nobody asked for it");
        assert_eq!((suite.is_compared(0), suite.is_compared(3), suite.relative(3)), (true, false, None));
    }

    #[test]
    fn no_sample_has_fewer_iterations_than_the_smallest_number() {
        let body = |run: &mut crate::measure::Bencher| run.call(|_| scripted::advance(1_000));
        let entry = Entry { module_path: "k", function: "f", body: Body::Plain(body), ..Entry::DEFAULT };
        let entry: &Entry = Box::leak(Box::new(entry));
        let rows = from_entries(vec![entry], &[], &RequestedConditions::default());
        scripted::set_read_cost(1);
        let engine = Engine::with_clock(Clock::Scripted);
        let mut sampling = SamplingLoop::new(Plan::default(), None);
        let mut process = InProcess { engine: &engine, row: &rows[0], min_iterations: 700 };
        let Ok(batch) = sampling.step(&mut process, 0);
        assert!(!batch.samples.is_empty() && batch.samples.iter().all(|sample| sample.iterations >= 700));
    }
}
