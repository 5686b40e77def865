//! Measuring the benchmarks of this process, those that are compared with each other in turn.

use crate::alloc;
use crate::counters::Counters;
use crate::harness::guarded::guarded;
use crate::harness::rows::Row;
use crate::measure::{
    self, Calibration, CalibrationRequest, Engine, Plan, SampleBatch, SampleRequest, Sampler, SamplingLoop,
    comparison_groups,
};
use crate::model::{Launch, Measurement};
use crate::stats;
use crate::summary::{self, Summary};
use std::convert::Infallible;

/// The benchmarks of a run, and what is known of them by now.
pub(super) struct Suite<'a> {
    engine: &'a Engine,
    rows: &'a [&'a Row],
    /// Where the baseline of each is.
    baselines: Vec<Option<usize>>,
    /// Those that are measured in turn.
    comparison_groups: Vec<Vec<usize>>,
    results: Vec<Option<Result<Measured, String>>>,
}

/// What came of a benchmark.
pub(super) struct Measured {
    pub(super) measurement: Measurement,
    pub(super) summary: Summary,
}

impl<'a> Suite<'a> {
    pub(super) fn new(engine: &'a Engine, rows: &'a [&'a Row]) -> Suite<'a> {
        let baseline = |row: &&Row| {
            let id = row.benchmark.baseline.as_ref()?;
            rows.iter().position(|other| other.benchmark.id == *id)
        };
        let baselines: Vec<Option<usize>> = rows.iter().map(baseline).collect();
        let comparison_groups = comparison_groups(&baselines);
        Suite { engine, rows, baselines, comparison_groups, results: rows.iter().map(|_| None).collect() }
    }

    /// Measures a benchmark and those of its team, unless that is done.
    pub(super) fn measure(&mut self, row: usize) {
        let Some(team) =
            self.comparison_groups.iter().find(|team| self.results[row].is_none() && team.contains(&row))
        else {
            return;
        };
        let mut running: Vec<Running> = team.iter().map(|&i| Running::new(self.rows[i])).collect();
        while running.iter().any(|one| !one.is_done()) {
            running.iter_mut().filter(|one| !one.is_done()).for_each(|one| one.step(self.engine));
        }
        for (&i, one) in team.iter().zip(running) {
            self.results[i] = Some(one.finish(self.engine));
        }
    }

    /// What came of it, or what went wrong.
    pub(super) fn result(&self, row: usize) -> Result<&Measured, &str> {
        let result = self.results[row].as_ref().ok_or("it was not measured")?;
        result.as_ref().map_err(String::as_str)
    }

    /// How fast it is beside its baseline, as a share: over 1 is faster. That of a baseline is 1. `None` where one of the two can't
    /// be told from nothing.
    pub(super) fn relative(&self, row: usize) -> Option<f64> {
        let baseline = self.baselines[row].or(self.baselines.contains(&Some(row)).then_some(row))?;
        let times = |row: usize| {
            let measured = self.result(row).ok().filter(|measured| !measured.summary.below_resolution);
            measured.map(|measured| summary::times(&measured.measurement))
        };
        // Samples of the same number were taken near each other: what the machine did then is not in their ratio.
        let ratios: Vec<f64> =
            times(baseline)?.iter().zip(times(row)?).map(|(baseline, own)| baseline / own).collect();
        Some(stats::median(&ratios)).filter(|ratio| ratio.is_finite())
    }

    /// Whether a benchmark is compared, or others are with it.
    pub(super) fn is_compared(&self, row: usize) -> bool {
        self.baselines[row].is_some() || self.baselines.contains(&Some(row))
    }
}

/// A benchmark on its way.
struct Running<'a> {
    row: &'a Row,
    course: SamplingLoop,
    taken: SampleBatch,
    /// What went wrong.
    failure: Option<String>,
}

impl Running<'_> {
    fn new(row: &Row) -> Running<'_> {
        let course = SamplingLoop::new(Plan::default().for_benchmark(&row.benchmark), None);
        Running { row, course, taken: SampleBatch::default(), failure: row.benchmark.problem.clone() }
    }

    fn is_done(&self) -> bool {
        self.failure.is_some() || self.course.is_done()
    }

    /// Takes some samples.
    fn step(&mut self, engine: &Engine) {
        let Running { row, course, .. } = self;
        let taken = guarded(|| {
            let Ok(taken) = course.step(&mut InProcess { engine, row }, 0);
            taken
        });
        match taken {
            Ok(taken) => self.taken.append(taken),
            Err(panic) => self.failure = Some(panic),
        }
    }

    fn finish(self, engine: &Engine) -> Result<Measured, String> {
        let Running { row, course, taken, failure } = self;
        if let Some(failure) = failure {
            return Err(failure);
        }
        let calibration = course.calibration().ok_or("it was never called")?;
        let mut measurement = Measurement {
            count: calibration.count,
            unroll: row.benchmark.unroll,
            batch: row.benchmark.batch,
            throughput: calibration.iteration_throughput(row.benchmark.unroll),
            counted: None,
            launches: vec![Launch {
                clock: engine.clock().clone(),
                segment_cost: taken.segment_cost,
                empty_loop: engine.empty_loop(),
                samples: taken.samples,
            }],
        };
        if let Some(iterations) = calibration.counting_iterations().filter(|_| alloc::is_installed()) {
            let mut run = |run: &mut _| row.carry_out(run);
            let count =
                || measure::count(engine, &mut run, iterations, calibration.count, Counters::default());
            measurement.counted = Some(guarded(count)?);
        }
        let summary = Summary::from_measurement(&measurement).ok_or("no sample was taken")?;
        Ok(Measured { measurement, summary })
    }
}

/// The engine of this process as a sampler of one of its benchmarks.
struct InProcess<'a> {
    engine: &'a Engine,
    row: &'a Row,
}

impl Sampler for InProcess<'_> {
    type Error = Infallible;

    fn calibrate(&mut self, request: &CalibrationRequest) -> Result<Calibration, Infallible> {
        Ok(measure::calibrate(self.engine, &mut |run| self.row.carry_out(run), self.row.count(), request))
    }

    fn sample(&mut self, request: &SampleRequest) -> Result<SampleBatch, Infallible> {
        Ok(measure::sample(self.engine, &mut |run| self.row.carry_out(run), request))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::rows::{RequestedConditions, assembled};
    use crate::registry::{Body, Entry, Settings};
    use crate::time::{Clock, scripted};

    #[test]
    fn what_is_compared_is_measured_together_and_a_panic_is_one_rows_own() {
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
        let rows = assembled(entries.to_vec(), &[], &RequestedConditions::default());
        let rows: Vec<&Row> = rows.iter().collect();
        scripted::set_read_cost(1);
        let engine = Engine::with_clock(Clock::Scripted);
        let mut suite = Suite::new(&engine, &rows);
        suite.measure(1);
        assert_eq!(suite.result(1).map(|measured| measured.summary.samples), Ok(3));
        assert_eq!((suite.relative(0), suite.relative(1), suite.relative(2)), (Some(1.0), Some(2.0), None));
        assert!(suite.result(2).is_err_and(|why| why.contains("boom")));
        assert!(suite.result(3).is_err(), "nobody asked for it");
        assert_eq!((suite.is_compared(0), suite.is_compared(3), suite.relative(3)), (true, false, None));
    }
}
