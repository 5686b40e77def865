//! Two builds at once, benchmark by benchmark beside each other: nothing stored is needed, and nothing is stored.

use super::comparison::{Comparison, NotPaired};
use super::paired::{BlockError, Event, PairedBenchmark, PairedOutcome, PairedRunner};
use super::row::{Outcome, Row};
use super::sampling::Sampling;
use super::stored::have_same_unit;
use super::suite::{Benchmark, Suite, UnlistedExecutable};
use super::suite_runner::{ComparisonPolicy, Observer, SuiteRunner};
use crate::benchmark_id::BenchmarkId;
use crate::cargo::Executable;
use crate::code::{CodeComparer, CodeMatch, loads_its_own};
use crate::session::SessionOptions;
use nanobench::summary::Summary;
use std::collections::HashMap;
use std::fs;
use std::sync::Arc;
use std::time::Instant;

/// How the benchmarks of two builds are measured.
#[derive(Debug)]
pub(crate) struct TwoBuilds<'a> {
    pub(crate) sampling: Sampling,
    pub(crate) session_options: &'a SessionOptions,
    pub(crate) judging: ComparisonPolicy,
}

/// A benchmark in the build that is compared with.
#[derive(Debug, Clone, Copy)]
struct Before<'a> {
    found: &'a Benchmark,
    executable: &'a Executable,
}

/// Rows on their way, in the order of the suite. Those before `told` have been told of.
struct Rows<'a> {
    all: Vec<Row>,
    told: usize,
    observer: &'a mut dyn Observer,
}

impl TwoBuilds<'_> {
    /// Measures each benchmark of `suite` alone, which tells all that is told of one build, and then beside the one of
    /// the same id in `baseline`. Where Ctrl-C came first, there are fewer rows than benchmarks, and those that were not
    /// compared yet are unsure.
    pub(crate) fn run(
        &self,
        suite: &mut Suite,
        baseline: &mut Suite,
        observer: &mut dyn Observer,
    ) -> Vec<Row> {
        let deadline = self.sampling.budget().map(|budget| Instant::now() + budget);
        baseline.end_sessions();
        let (sampling, session_options, judging) = (self.sampling, self.session_options, self.judging);
        let solo = SuiteRunner { sampling, session_options, comparing: false, judging };
        let alone = solo.run(suite, |_| None, &mut Unfinished(observer));
        // Nothing else is to run while two are measured.
        suite.end_sessions();
        let now = |found: &Benchmark| &suite.harnesses[found.harness].executable;
        let before = baseline.benchmarks.iter().map(|found| {
            let executable = &baseline.harnesses[found.harness].executable;
            (&found.id, Before { found, executable })
        });
        let before: HashMap<&BenchmarkId, Before<'_>> = before.collect();
        let before = |found: &Benchmark| before.get(&found.id).copied();

        let mut same = SameBytes::default();
        let is_same = |found: &Benchmark, before: Before<'_>| {
            !judging.identical && same.are(found.harness, before.executable, now(found))
        };
        let unknown = |found: &Benchmark| baseline.unlisted_executable(found);
        let rows = at_once(alone, before, unknown, is_same);
        let founds: Vec<Benchmark> = rows.iter().map(|row| row.benchmark.clone()).collect();
        let (mut places, mut benchmarks) = (Vec::new(), Vec::new());
        for (i, row) in rows.iter().enumerate().filter(|(_, row)| row.comparison.is_none()) {
            let (Some(before), Outcome::Measured { measurement, .. }) = (before(&founds[i]), &row.outcome)
            else {
                continue;
            };
            let (found, count) = (&founds[i], measurement.count);
            let sides = [before.executable, now(found)];
            let (benchmark, plan) = (&before.found.benchmark, solo.plan(found));
            let rules = judging.rules(&found.benchmark);
            places.push(i);
            benchmarks.push(PairedBenchmark::between(
                sides,
                found,
                benchmark,
                plan,
                count,
                rules,
                session_options,
            ));
        }

        let mut codes = CodeComparer::default();
        let mut rows = Rows { all: rows, told: 0, observer };
        rows.tell();
        PairedRunner::new(benchmarks, deadline).run(&mut |event| match event {
            Event::Measuring(i) => rows.observer.running(&founds[places[i]]),
            Event::Decided(i, outcome) => {
                let found = &founds[places[i]];
                let compare_code = || {
                    let Some(old) = before(found) else { return CodeMatch::Unknown };
                    let path = &old.executable.path;
                    match codes.compare(path, &now(found).path, &found.rust_path()) {
                        // What it calls of a library was not compared.
                        CodeMatch::SameThroughout | CodeMatch::Same if loads_its_own(path) => {
                            CodeMatch::Unknown
                        }
                        CodeMatch::SameThroughout if !judging.same_files => CodeMatch::Same,
                        likeness => likeness,
                    }
                };
                decide(&mut rows.all[places[i]], outcome, compare_code);
                rows.tell();
            }
        });
        for row in rows.all.iter_mut().filter(|row| row.comparison.is_none()) {
            row.comparison = Some(Comparison::unpaired(NotPaired::Interrupted));
        }
        rows.tell();
        rows.all
    }
}

/// The rows with those comparisons for which nothing has to run; the others have none.
fn at_once<'a>(
    alone: Vec<Row>,
    before: impl Fn(&Benchmark) -> Option<Before<'a>>,
    unknown: impl Fn(&Benchmark) -> Option<&'a UnlistedExecutable>,
    mut is_same: impl FnMut(&Benchmark, Before<'a>) -> bool,
) -> Vec<Row> {
    let mut comparison = |row: &Row| match before(&row.benchmark) {
        // Whether it is new, nobody knows.
        None => Some(match unknown(&row.benchmark) {
            Some(executable) => Comparison::unpaired(NotPaired::Unlisted(Arc::clone(&executable.error))),
            None => Comparison::new_benchmark(),
        }),
        Some(_) if row.failed() => Some(Comparison::failed(None)),
        Some(before) if !have_same_unit(&before.found.benchmark, &row.benchmark.benchmark) => {
            Some(Comparison::of_other_unit())
        }
        Some(before) if is_same(&row.benchmark, before) => Some(Comparison::same_executable()),
        Some(_) => None,
    };
    alone.into_iter().map(|row| Row { comparison: comparison(&row), ..row }).collect()
}

/// Takes over what a duel has shown. The figures that were taken alone give way to those that were taken beside the other.
fn decide(
    row: &mut Row,
    outcome: Result<Box<PairedOutcome>, BlockError>,
    compare_code: impl FnOnce() -> CodeMatch,
) {
    row.comparison = Some(match outcome {
        Ok(judged) => {
            if let Outcome::Measured { measurement, summary } = &mut row.outcome
                && let Some(beside) = Summary::from_measurement(&judged.candidate)
            {
                measurement.launches.clone_from(&judged.candidate.launches);
                *summary = beside;
            }
            Comparison::from_paired(*judged, compare_code)
        }
        Err(error) => Comparison::unpaired(NotPaired::from(error)),
    });
}

impl Rows<'_> {
    /// Tells of those that have their comparison, as far as those before them have it.
    fn tell(&mut self) {
        while let Some(row) = self.all.get(self.told).filter(|row| row.comparison.is_some()) {
            self.observer.done(row);
            self.told += 1;
        }
    }
}

/// Hears what runs, and not yet what came of it.
struct Unfinished<'a>(&'a mut dyn Observer);

impl Observer for Unfinished<'_> {
    fn running(&mut self, found: &Benchmark) {
        self.0.running(found);
    }

    fn done(&mut self, _: &Row) {}
}

/// Which executables are the same in both builds, byte for byte, by their places in the suite, and all of their code is in
/// them. Each is read once.
#[derive(Default)]
struct SameBytes(HashMap<usize, bool>);

impl SameBytes {
    fn are(&mut self, harness: usize, one: &Executable, other: &Executable) -> bool {
        *self.0.entry(harness).or_insert_with(|| {
            let bytes = |executable: &Executable| fs::read(&executable.path).ok();
            bytes(one).is_some_and(|one| Some(one) == bytes(other)) && !loads_its_own(&one.path)
        })
    }
}
