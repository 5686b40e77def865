//! One benchmark on its way through a run: what was taken and counted of it, and what is known by that.

use super::comparison::{Comparison, NotPaired};
use super::excessive_plan::ExcessivePlan;
use super::paired::{BlockError, PairedOutcome};
use super::relation::Relation;
use super::row::{MeasureError, Outcome, Row};
use super::stored::{self, Stored, compare_with_stored, have_same_unit};
use super::suite::{Benchmark, Harness};
use super::taking::{Taking, Watched};
use crate::code::CodeMatch;
use crate::session::{Remote, RequestError, SessionOptions};
use nanobench::measure::{Calibration, Plan, SampleBatch, SamplingLoop};
use nanobench::model::{Counts, Launch, Measurement};
use nanobench::summary::Summary;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A benchmark on its way.
#[derive(Debug)]
pub(super) struct BenchmarkState<'a> {
    pub(super) found: Benchmark,
    pub(super) stored: Option<Stored<'a>>,
    /// The stored figures are per something else, and are none for it.
    had_another_unit: bool,
    pub(super) course: SamplingLoop,
    pub(super) launches: Vec<Launch>,
    /// There is nothing more to take or to count, but for a second look.
    pub(super) is_finished: bool,
    /// What it has taken of its timeout.
    pub(super) spent: Duration,
    /// What came of looking at it again beside the stored baseline.
    pub(super) second_look: Option<Comparison>,
    /// Why there was none, where there should have been one.
    pub(super) paired_error: Option<Arc<NotPaired>>,
    /// It was looked at again by itself.
    pub(super) looked_again: bool,
    /// It beside its baseline in the run.
    pub(super) relation: Option<Relation>,
    plan: Plan,
    /// Smaller changes are not called.
    threshold: f64,
    calibration: Option<Calibration>,
    counted: Option<Counts>,
    /// The process that took the last of `launches`.
    process: u64,
    failure: Option<Arc<MeasureError>>,
    /// Its process has died once, which may have been another benchmark's doing.
    died_once: bool,
}

impl<'a> BenchmarkState<'a> {
    /// Of a benchmark that is sampled by this plan, and of which changes below `threshold` are not called.
    pub(super) fn new(
        plan: Plan,
        threshold: f64,
        found: Benchmark,
        stored: Option<Stored<'a>>,
    ) -> BenchmarkState<'a> {
        let same_unit = stored.filter(|stored| have_same_unit(stored.benchmark, &found.benchmark));
        let (had_another_unit, stored) = (stored.is_some() && same_unit.is_none(), same_unit);
        let count = stored.and_then(|stored| stored.count_for(&found.benchmark));
        BenchmarkState {
            failure: found.benchmark.problem.clone().map(|problem| Arc::new(MeasureError::Problem(problem))),
            found,
            stored,
            had_another_unit,
            course: SamplingLoop::new(plan, count),
            launches: Vec::new(),
            is_finished: false,
            spent: Duration::ZERO,
            second_look: None,
            paired_error: None,
            looked_again: false,
            relation: None,
            plan,
            threshold,
            calibration: None,
            counted: None,
            process: 0,
            died_once: false,
        }
    }

    /// Begins its course again, with the count that it has, for another launch.
    pub(super) fn start_over(&mut self) {
        self.course = SamplingLoop::new(self.plan, self.course.count());
        self.spent = Duration::ZERO;
    }

    /// Whether it has as many samples as it needs by itself.
    pub(super) fn is_done(&self) -> bool {
        self.failure.is_some() || self.course.is_done()
    }

    /// Whether it takes part in a further round of its team: one that is done does, as long as that is cheap, so that
    /// the others have it beside them.
    pub(super) fn takes_part(&self) -> bool {
        let affordable = self.plan.samples.is_none() && self.spent.as_secs_f64() * 1e9 < self.plan.max_time;
        self.failure.is_none() && (!self.course.is_done() || affordable)
    }

    /// Whether it is known how to call it.
    pub(super) fn is_calibrated(&self) -> bool {
        self.failure.is_some() || self.course.count().is_some()
    }

    /// How many samples there are.
    pub(super) fn samples(&self) -> usize {
        self.launches.iter().map(|launch| launch.samples.len()).sum()
    }

    /// One step of the course, in the process of the harness.
    pub(super) fn step(&mut self, harness: &mut Harness, session_options: &SessionOptions, taking: Taking) {
        let mut result = self.take(harness, session_options, taking);
        if !self.died_once && result.as_ref().is_err_and(MeasureError::is_death) {
            // A thread that another benchmark has left behind may have ended the process: once more, alone in a
            // fresh one.
            self.died_once = true;
            result = self.take(harness, session_options, taking);
        }
        match result {
            Ok(taken) => self.add(taken, harness),
            Err(failure) => self.fail(failure),
        }
    }

    fn take(
        &mut self,
        harness: &mut Harness,
        session_options: &SessionOptions,
        taking: Taking,
    ) -> Result<SampleBatch, MeasureError> {
        let (mut course, mut calibration) = (self.course.clone(), self.calibration.take());
        let taken = self.ask(harness, session_options, |remote| {
            course.step(&mut Watched { remote, taking, calibration: &mut calibration }, taking.seed())
        });
        (self.course, self.calibration) = (course, calibration);
        taken.map_err(|failure| self.explained(failure))
    }

    /// With the reason, where it was stopped because of what was asked for.
    fn explained(&self, failure: MeasureError) -> MeasureError {
        let MeasureError::Request(stopped @ RequestError::TimedOut(timeout)) = failure else {
            return failure;
        };
        let calibration = self.calibration.as_ref();
        let find = |calibration| ExcessivePlan::find(&self.found.benchmark, &self.plan, calibration, timeout);
        match calibration.and_then(find) {
            Some(plan) => MeasureError::TooLong { error: stopped, plan },
            None => MeasureError::Request(stopped),
        }
    }

    /// Asks its process something, on the account of its time.
    fn ask<T>(
        &mut self,
        harness: &mut Harness,
        session_options: &SessionOptions,
        question: impl FnOnce(Remote<'_>) -> Result<T, RequestError>,
    ) -> Result<T, MeasureError> {
        let begin = Instant::now();
        let left = session_options.timeout.saturating_sub(self.spent);
        let session = harness.session(session_options)?;
        // Another process may list its arguments in another order: those of a hash set, of a folder.
        let index = session.index_of(&self.found.id.row).ok_or(MeasureError::RowGone)?;
        let answer = question(session.benchmark(index, left));
        self.spent += begin.elapsed();
        answer.map_err(|stopped| {
            if !stopped.leaves_process() {
                harness.end_session();
            }
            MeasureError::Request(stopped)
        })
    }

    fn fail(&mut self, failure: MeasureError) {
        if !failure.is_interruption() {
            self.failure = Some(Arc::new(failure));
        }
    }

    fn add(&mut self, taken: SampleBatch, harness: &Harness) {
        match self.launches.last_mut() {
            Some(launch) if self.process == harness.process => launch.samples.extend(taken.samples),
            _ if taken.samples.is_empty() => {}
            _ => {
                self.process = harness.process;
                let SampleBatch { segment_cost, samples } = taken;
                let (clock, empty_loop) = (harness.clock.clone(), harness.empty_loop);
                self.launches.push(Launch { clock, segment_cost, empty_loop, samples });
            }
        }
    }

    /// Counts what a few calls do, where something is counted and the calls are not too long for that.
    pub(super) fn count(&mut self, harness: &mut Harness, session_options: &SessionOptions) {
        let readable = |counter: &&String| !harness.no_counters.iter().any(|pair| pair.key == **counter);
        let counters: Vec<String> = session_options.counters.iter().filter(readable).cloned().collect();
        let wanted = harness.counts_allocations || !counters.is_empty();
        let Some(calibration) = self.calibration.as_ref().filter(|_| wanted && self.failure.is_none()) else {
            return;
        };
        let Some(iterations) = calibration.counting_iterations() else { return };
        let count = calibration.count;
        let question = |mut remote: Remote<'_>| remote.count(iterations, count, &counters);
        match self.ask(harness, session_options, question) {
            Ok(counted) => self.counted = Some(counted).filter(|counted| counted.iterations > 0),
            Err(failure) => self.fail(failure),
        }
    }

    pub(super) fn measurement(&self) -> Option<Measurement> {
        let benchmark = &self.found.benchmark;
        let calibration = self.calibration.as_ref();
        Some(Measurement {
            count: self.course.count()?,
            unroll: benchmark.unroll,
            batch: benchmark.batch,
            throughput: calibration
                .and_then(|calibration| calibration.iteration_throughput(benchmark.unroll)),
            counted: self.counted.clone(),
            launches: self.launches.clone(),
        })
    }

    fn comparison(&self) -> Option<Comparison> {
        let stored = self.stored?;
        if self.second_look.is_some() {
            return self.second_look.clone();
        }
        match self.measurement() {
            Some(now) if self.failure.is_none() => {
                let found = compare_with_stored(stored.measurement, &now, stored.identical, self.threshold);
                Some(match &self.paired_error {
                    Some(why) => found.not_paired(Arc::clone(why)),
                    None => found,
                })
            }
            _ => Some(Comparison::failed(Some(stored.measurement))),
        }
    }

    /// The baseline's executable, and which harness stands in its place now.
    pub(super) fn kept(&self) -> Option<(usize, &'a Path)> {
        Some((self.found.harness, self.stored?.executable?))
    }

    /// Whether a duel with the baseline's executable could tell more of it.
    pub(super) fn can_run_paired(&self) -> bool {
        self.second_look.is_none() && self.paired_error.is_none() && self.failure.is_none()
    }

    /// Takes over what a duel has shown.
    pub(super) fn decide(
        &mut self,
        outcome: Result<Box<PairedOutcome>, BlockError>,
        compare_code: impl FnOnce() -> CodeMatch,
    ) {
        match outcome {
            Ok(judged) => {
                if !judged.candidate.launches.is_empty() {
                    self.launches.clone_from(&judged.candidate.launches);
                }
                self.second_look = Some(Comparison::from_paired(*judged, compare_code));
            }
            Err(error) => self.paired_error = Some(Arc::new(error.into())),
        }
    }

    /// Whether it is worth the time of a duel that nobody asked for.
    pub(super) fn looks_changed(&self) -> bool {
        let measured = self.measurement().filter(|_| self.failure.is_none());
        let pair = self.stored.filter(|stored| !stored.identical).zip(measured);
        pair.is_some_and(|(stored, now)| stored::looks_changed(stored.measurement, &now))
    }

    /// Whether it would be called as it stands, by figures of another time.
    pub(super) fn awaits_recurrence(&self) -> bool {
        self.second_look.is_none()
            && self.comparison().is_some_and(|comparison| comparison.verdict.is_change())
    }

    /// What is known of it. `None` where that is nothing yet.
    pub(super) fn row(&self, comparing: bool) -> Option<Row> {
        let measurement = self.measurement().filter(|_| self.failure.is_none());
        let figures =
            measurement.and_then(|measurement| Some((Summary::from_measurement(&measurement)?, measurement)));
        let outcome = match (figures, &self.failure) {
            (Some((summary, measurement)), _) => Outcome::Measured { measurement, summary },
            (None, Some(failure)) => Outcome::Failed(Arc::clone(failure)),
            (None, None) => return None,
        };
        let is_new = comparing && self.stored.is_none();
        let is_final = self.second_look.is_some() || self.looked_again;
        let compare = || self.comparison().map(|found| if is_final { found } else { found.unconfirmed() });
        let comparison = match is_new {
            true if self.had_another_unit => Some(Comparison::of_other_unit()),
            true => Some(Comparison::new_benchmark()),
            false => compare(),
        };
        let relation = self.relation.clone();
        Some(Row { benchmark: self.found.clone(), outcome, comparison, relation })
    }
}
