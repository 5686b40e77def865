//! Two builds at once, benchmark by benchmark beside each other: nothing stored is needed, and nothing is stored.

use super::side_by_side::{NoPair, Pair};
use super::{Comparison, Found, Observer, Outcome, Row, SAME_EXECUTABLE, Sampling, Solo, Suite, Verdict};
use crate::cargo::Executable;
use crate::interrupt;
use crate::session::Treatment;
use nanobench::model::Measurement;
use nanobench::summary::Summary;
use std::collections::HashMap;
use std::fs;

/// How the benchmarks of two builds are measured.
#[derive(Debug)]
pub(crate) struct TwoBuilds<'a> {
    pub(crate) sampling: Sampling<'a>,
    pub(crate) treatment: &'a Treatment,
}

/// A benchmark in the build that is compared with.
#[derive(Debug, Clone, Copy)]
struct Before<'a> {
    found: &'a Found,
    executable: &'a Executable,
}

impl TwoBuilds<'_> {
    /// Measures each benchmark of `suite` alone, which tells all that is told of one build, and then beside the one of
    /// the same id in `baseline`. Fewer rows than benchmarks where Ctrl-C came first.
    pub(crate) fn run(
        &self,
        suite: &mut Suite,
        baseline: &mut Suite,
        observer: &mut dyn Observer,
    ) -> Vec<Row> {
        baseline.end_sessions();
        let harnesses = &baseline.harnesses;
        let before = baseline.benchmarks.iter().map(|found| {
            let executable = &harnesses[found.harness].executable;
            (found.id.as_str(), Before { found, executable })
        });
        let before: HashMap<&str, Before<'_>> = before.collect();

        let solo = Solo { sampling: self.sampling, treatment: self.treatment, comparing: false };
        let alone = solo.run(suite, |_| None, &mut Unfinished(observer));
        // Nothing else is to run while two are measured.
        suite.end_sessions();
        let mut rows = Vec::new();
        for row in alone {
            observer.running(&row.benchmark);
            let now = &suite.harnesses[row.benchmark.harness].executable;
            let before = before.get(row.benchmark.id.as_str()).copied();
            let row = self.beside(row, now, before);
            if interrupt::requested() {
                break;
            }
            observer.done(&row);
            rows.push(row);
        }
        rows
    }

    /// The row with its comparison.
    fn beside(&self, row: Row, now: &Executable, before: Option<Before<'_>>) -> Row {
        let Some(before) = before else {
            return Row { comparison: Some(Comparison::new_benchmark()), ..row };
        };
        let Outcome::Measured { measurement, .. } = &row.outcome else {
            return Row { comparison: Some(without_figure(Verdict::Failed, None)), ..row };
        };
        match self.pair(&row.benchmark, measurement, now, before) {
            Ok((measurement, summary, comparison)) => {
                let outcome = Outcome::Measured { measurement, summary };
                Row { outcome, comparison: Some(comparison), ..row }
            }
            Err(why) => {
                let reason = match why {
                    NoPair::OtherCount => "it does another amount of work there",
                    NoPair::NoSuchBenchmark => "it is not there",
                    NoPair::Session(_) | NoPair::Stopped(_) => "no figure of it there",
                };
                Row { comparison: Some(without_figure(Verdict::Unsure, Some(reason))), ..row }
            }
        }
    }

    /// Both sides, in turn. The figures that were taken alone give way to those that were taken beside the other.
    fn pair(
        &self,
        found: &Found,
        alone: &Measurement,
        now: &Executable,
        before: Before<'_>,
    ) -> Result<(Measurement, Summary, Comparison), NoPair> {
        let pair = Pair {
            baseline: before.executable,
            candidate: now,
            path: &found.benchmark.path,
            plan: self.sampling.plan(&found.benchmark),
            count: alone.count,
            unroll: found.benchmark.unroll,
            batches: [before.found.benchmark.batch, found.benchmark.batch],
            treatment: self.treatment,
        };
        let (then, taken) = pair.measure(|_, _| !interrupt::requested())?;
        let comparison =
            in_words(Comparison::side_by_side(&then, &taken), same_bytes(before.executable, now));
        let measurement = Measurement { launches: taken.launches, ..alone.clone() };
        let summary = Summary::of(&measurement).ok_or(NoPair::NoSuchBenchmark)?;
        Ok((measurement, summary, comparison))
    }
}

/// Hears what runs, and not yet what came of it.
struct Unfinished<'a>(&'a mut dyn Observer);

impl Observer for Unfinished<'_> {
    fn running(&mut self, found: &Found) {
        self.0.running(found);
    }

    fn done(&mut self, _: &Row) {}
}

fn without_figure(verdict: Verdict, reason: Option<&'static str>) -> Comparison {
    Comparison { baseline: None, change: None, verdict, reason }
}

/// The same in words that fit where nothing was screened before.
fn in_words(comparison: Comparison, same_bytes: bool) -> Comparison {
    if same_bytes {
        return Comparison { verdict: Verdict::Same, reason: Some(SAME_EXECUTABLE), ..comparison };
    }
    if comparison.calls_a_change() || comparison.change.is_none() {
        return comparison;
    }
    Comparison { reason: Some("no change of over 5 % in every launch"), ..comparison }
}

fn same_bytes(one: &Executable, other: &Executable) -> bool {
    let length = |executable: &Executable| fs::metadata(&executable.path).map(|metadata| metadata.len()).ok();
    length(one) == length(other)
        && fs::read(&one.path).is_ok_and(|bytes| fs::read(&other.path).is_ok_and(|others| bytes == others))
}
