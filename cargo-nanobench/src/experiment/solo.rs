//! Measuring the benchmarks of one build, in several passes, beside stored figures where there are some.
//!
//! Each pass gives every benchmark that is not done a few samples, in random order: what disturbs the machine for some
//! ms spoils a part of many benchmarks, and not all of one. What then looks changed is measured again in fresh
//! processes, beside the baseline's own executable where that is there, and called only if it recurs.

use super::side_by_side::Pair;
use super::suite::Harness;
use super::{Comparison, Found, Outcome, Row, Suite, sampling, side_by_side};
use crate::cargo::Executable;
use crate::cli::SamplingArgs;
use crate::interrupt;
use crate::session::{self, Stopped, Treatment};
use nanobench::Rng;
use nanobench::measure::{Course, Plan, Taken};
use nanobench::model::{Benchmark, Launch, Measurement};
use nanobench::summary::Summary;
use std::path::Path;
use std::time::{Duration, Instant};

/// Why a benchmark has no figure.
#[derive(Debug, thiserror::Error)]
enum NoFigure {
    #[error(transparent)]
    Stopped(#[from] Stopped),
    #[error(transparent)]
    Session(#[from] session::Error),
}

/// What stored figures there are for a benchmark.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stored<'a> {
    /// What it was like then.
    pub(crate) benchmark: &'a Benchmark,
    pub(crate) measurement: &'a Measurement,
    /// They come from an executable of the same bytes.
    pub(crate) identical: bool,
    /// That executable, where it is still there.
    pub(crate) executable: Option<&'a Path>,
}

impl Stored<'_> {
    /// The count that the harness had chosen for the stored figures, where it chooses again: other counts are other
    /// amounts of work for some benchmarks. Not that of a benchmark of which nothing was left to time.
    fn count_for(&self, now: &Benchmark) -> Option<u64> {
        let chosen = |benchmark: &Benchmark| benchmark.counted && benchmark.count.is_none();
        let resolved = Summary::of(self.measurement).is_some_and(|summary| !summary.below_resolution);
        (chosen(self.benchmark) && chosen(now) && resolved).then_some(self.measurement.count)
    }
}

/// Who wants to know how a run goes on.
pub(crate) trait Observer {
    /// This one runs now.
    fn running(&mut self, found: &Found);
    /// This one is done. Rows come in the order of the suite.
    fn done(&mut self, row: &Row);
}

/// How the benchmarks of one build are measured.
#[derive(Debug)]
pub(crate) struct Solo<'a> {
    pub(crate) sampling: &'a SamplingArgs,
    pub(crate) treatment: Treatment,
    /// There is a baseline, which may or may not have a given benchmark.
    pub(crate) comparing: bool,
}

/// A benchmark on its way.
#[derive(Debug)]
struct Running<'a> {
    found: Found,
    stored: Option<Stored<'a>>,
    course: Course,
    launches: Vec<Launch>,
    /// The process that took the last of `launches`.
    process: u64,
    /// What it has taken of its timeout.
    spent: Duration,
    failure: Option<NoFigure>,
    /// What came of looking at it again beside the baseline.
    second_look: Option<Comparison>,
    /// It was looked at again by itself.
    looked_again: bool,
    /// Its process has died once, which may have been another benchmark's doing.
    died_once: bool,
}

impl Solo<'_> {
    /// Measures the whole suite. Fewer rows than benchmarks where Ctrl-C came first.
    pub(crate) fn run<'a>(
        &self,
        suite: &mut Suite,
        stored: impl Fn(&Found) -> Option<Stored<'a>>,
        observer: &mut dyn Observer,
    ) -> Vec<Row> {
        let plan = |found: &Found| sampling::plan(self.sampling, &found.benchmark);
        let begin = |found: &Found| Running::new(plan(found), found.clone(), stored(found));
        let mut all: Vec<Running<'_>> = suite.benchmarks.iter().map(begin).collect();
        let mut rows = self.screen(&mut all, &mut suite.harnesses, observer);
        for running in &mut all[rows.len()..] {
            self.confirm(running, &mut suite.harnesses[running.found.harness], observer);
            if let Some(row) = running.row(self.comparing) {
                observer.done(&row);
                rows.push(row);
            }
        }
        rows
    }

    /// Passes over all that is not done, until nothing is left. Returns the rows of those at the beginning that need
    /// no further look.
    fn screen(
        &self,
        all: &mut [Running<'_>],
        harnesses: &mut [Harness],
        observer: &mut dyn Observer,
    ) -> Vec<Row> {
        let mut rows = Vec::new();
        let mut rng = Rng::new();
        let deadline = self.sampling.budget.map(|budget| Instant::now() + budget);
        loop {
            let round = next_round(all, deadline, &mut rng);
            if round.is_empty() {
                return rows;
            }
            for i in round {
                if interrupt::requested() {
                    return rows;
                }
                let running = &mut all[i];
                observer.running(&running.found);
                running.step(&mut harnesses[running.found.harness], self.treatment, rng.next_u64());
                while let Some(next) =
                    all.get(rows.len()).filter(|next| next.is_done() && !next.looks_changed())
                {
                    let Some(row) = next.row(self.comparing) else { break };
                    observer.done(&row);
                    rows.push(row);
                }
            }
        }
    }

    /// Measures what looks changed again: side by side with the baseline's own executable where that is there, else by
    /// itself; each time in fresh processes, until it doesn't look changed any more or has recurred.
    fn confirm(&self, running: &mut Running<'_>, harness: &mut Harness, observer: &mut dyn Observer) {
        if interrupt::requested() || !running.looks_changed() {
            return;
        }
        observer.running(&running.found);
        harness.end_session();
        if !self.beside_baseline(running, &harness.executable) {
            self.by_itself(running, harness);
        }
    }

    /// Whether there was a baseline's executable to measure beside.
    fn beside_baseline(&self, running: &mut Running<'_>, candidate: &Executable) -> bool {
        let kept = running.stored.and_then(|stored| stored.executable);
        let baseline = kept.and_then(|path| candidate.kept_in(path.to_owned()).ok().flatten());
        let (Some(baseline), Some(count)) = (baseline, running.course.count()) else { return false };
        let Found { benchmark, .. } = &running.found;
        let pair = Pair {
            baseline: &baseline,
            candidate,
            path: &benchmark.path,
            plan: sampling::plan(self.sampling, benchmark),
            count,
            unroll: benchmark.unroll,
            treatment: self.treatment,
        };
        let measured = pair.measure(|baseline, now| Comparison::side_by_side(baseline, now).calls_a_change());
        let Ok((baseline, now)) = measured else { return false };
        running.second_look = Some(Comparison::side_by_side(&baseline, &now));
        running.launches = now.launches;
        true
    }

    fn by_itself(&self, running: &mut Running<'_>, harness: &mut Harness) {
        for launch in running.launches.len()..side_by_side::LAUNCHES {
            if interrupt::requested() || !running.looks_changed() {
                return;
            }
            harness.end_session();
            running.spent = Duration::ZERO;
            let plan = sampling::plan(self.sampling, &running.found.benchmark);
            running.course = Course::new(plan, running.course.count());
            while !running.is_done() && !interrupt::requested() {
                running.step(harness, self.treatment, launch as u64);
            }
        }
        running.looked_again = !interrupt::requested();
    }
}

/// Which benchmarks get samples next, in which order. At first all, as they stand in the suite; then, without a deadline
/// all that are not done, at random, and with one that of which least is known.
fn next_round(all: &[Running<'_>], deadline: Option<Instant>, rng: &mut Rng) -> Vec<usize> {
    let mut open: Vec<usize> = (0..all.len()).filter(|&i| !all[i].is_done()).collect();
    if open.iter().any(|&i| all[i].launches.is_empty()) {
        open.retain(|&i| all[i].launches.is_empty());
        return open;
    }
    rng.shuffle(&mut open);
    let Some(deadline) = deadline else { return open };
    let imprecision = |&i: &usize| all[i].course.imprecision();
    let worst = open.into_iter().max_by(|a, b| imprecision(a).total_cmp(&imprecision(b)));
    worst.filter(|_| Instant::now() < deadline).into_iter().collect()
}

impl<'a> Running<'a> {
    fn new(plan: Plan, found: Found, stored: Option<Stored<'a>>) -> Running<'a> {
        let count = stored.and_then(|stored| stored.count_for(&found.benchmark));
        Running {
            found,
            stored,
            course: Course::new(plan, count),
            launches: Vec::new(),
            process: 0,
            spent: Duration::ZERO,
            failure: None,
            second_look: None,
            looked_again: false,
            died_once: false,
        }
    }

    /// Whether there is nothing more to take.
    fn is_done(&self) -> bool {
        self.failure.is_some() || self.course.is_done()
    }

    fn step(&mut self, harness: &mut Harness, treatment: Treatment, seed: u64) {
        let mut result = self.take(harness, treatment, seed);
        if !self.died_once && result.as_ref().is_err_and(NoFigure::is_death) {
            // A thread that another benchmark has left behind may have ended the process: once more, alone in a
            // fresh one.
            self.died_once = true;
            result = self.take(harness, treatment, seed);
        }
        match result {
            Ok(taken) => self.add(taken, harness),
            Err(failure) if failure.is_interruption() => {}
            Err(failure) => self.failure = Some(failure),
        }
    }

    /// One step of the course in the process of the harness.
    fn take(&mut self, harness: &mut Harness, treatment: Treatment, seed: u64) -> Result<Taken, NoFigure> {
        let begin = Instant::now();
        let left = treatment.timeout.saturating_sub(self.spent);
        let session = harness.session(treatment)?;
        let taken = self.course.step(&mut session.benchmark(self.found.index, left), seed);
        self.spent += begin.elapsed();
        taken.map_err(|stopped| {
            if !stopped.leaves_process() {
                harness.end_session();
            }
            NoFigure::Stopped(stopped)
        })
    }

    fn add(&mut self, taken: Taken, harness: &Harness) {
        match self.launches.last_mut() {
            Some(launch) if self.process == harness.process => launch.samples.extend(taken.samples),
            _ if taken.samples.is_empty() => {}
            _ => {
                self.process = harness.process;
                let Taken { segment_cost, samples } = taken;
                let (clock, nothing) = (harness.clock.clone(), harness.nothing);
                self.launches.push(Launch { clock, segment_cost, nothing, samples });
            }
        }
    }

    fn measurement(&self) -> Option<Measurement> {
        let unroll = self.found.benchmark.unroll;
        Some(Measurement { count: self.course.count()?, unroll, launches: self.launches.clone() })
    }

    fn comparison(&self) -> Option<Comparison> {
        let stored = self.stored?;
        if self.second_look.is_some() {
            return self.second_look.clone();
        }
        match self.measurement() {
            Some(now) if self.failure.is_none() => {
                Some(Comparison::with_stored(stored.measurement, &now, stored.identical))
            }
            _ => Some(Comparison::failed(stored.measurement)),
        }
    }

    fn looks_changed(&self) -> bool {
        self.comparison().is_some_and(|comparison| comparison.calls_a_change())
    }

    /// What is known of it. `None` where that is nothing yet.
    fn row(&self, comparing: bool) -> Option<Row> {
        let measurement = self.measurement().filter(|_| self.failure.is_none());
        let figures = measurement.and_then(|measurement| Some((Summary::of(&measurement)?, measurement)));
        let outcome = match (figures, &self.failure) {
            (Some((summary, measurement)), _) => Outcome::Measured { measurement, summary },
            (None, Some(failure)) => Outcome::Failed(failure.to_string()),
            (None, None) => return None,
        };
        let is_new = comparing && self.stored.is_none();
        let is_final = self.second_look.is_some() || self.looked_again;
        let compare = || self.comparison().map(|found| if is_final { found } else { found.unconfirmed() });
        let comparison = if is_new { Some(Comparison::new_benchmark()) } else { compare() };
        Some(Row { benchmark: self.found.clone(), outcome, comparison })
    }
}

impl NoFigure {
    fn is_death(&self) -> bool {
        matches!(self, NoFigure::Stopped(Stopped::Died(_)))
    }

    fn is_interruption(&self) -> bool {
        match self {
            NoFigure::Stopped(stopped) => stopped.is_interruption(),
            NoFigure::Session(error) => error.is_interruption(),
        }
    }
}
