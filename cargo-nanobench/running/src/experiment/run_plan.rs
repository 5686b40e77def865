//! The plan of a run: the part of it that each benchmark needs.
//!
//! A benchmark whose code and data are known to be those of its baseline has no need to run beside
//! it. Benchmarks that are compared with each other in the run need their figures if one of them
//! does.

use super::baseline::{Baseline, KnownBenchmark};
use super::baseline_code::BaselineCode;
use super::groups::baselines_in_run;
use super::policy::{ComparisonPolicy, SameCode};
use super::stored::have_same_unit;
use super::suite::{Benchmark, Suite};
use crate::benchmark_id::BenchmarkId;
use crate::code::CodeMatch;
use nanobench::Rng;
use nanobench::measure::comparison_groups;
use nanobench::model::BenchmarkSpec;
use std::path::Path;
use std::time::{Duration, Instant};

/// The plan of a run.
#[derive(Debug)]
pub struct RunPlan<'a> {
    /// In the order of the suite.
    pub(super) benchmarks: Vec<PlannedBenchmark<'a>>,
    /// The comparisons of code so far, for those of the paired runs.
    pub(super) codes: BaselineCode,
    /// The time for comparing the code.
    pub(super) time: Duration,
}

/// The plan for one benchmark.
#[derive(Debug)]
pub(super) struct PlannedBenchmark<'a> {
    pub(super) baseline: Baseline<'a>,
    /// The comparison of its code with the baseline's, if it decides about a paired run.
    pub(super) code: Option<CodeMatch>,
    pub(super) need: Need,
}

/// The part of a run that a benchmark needs, the smallest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Need {
    Nothing,
    /// Its own samples, but no paired run.
    Figures,
    /// Its own samples, and the comparison with its baseline.
    Comparison,
}

impl<'a> RunPlan<'a> {
    /// Returns the executables of both sides of each benchmark with a baseline that may run.
    pub fn executables<'s>(
        &'s self,
        suite: &'s Suite,
    ) -> impl Iterator<Item = (&'s Benchmark, [&'s Path; 2])> {
        suite.benchmarks.iter().zip(&self.benchmarks).filter_map(|(benchmark, planned)| {
            let baseline = planned.baseline.known()?.executable?.path();
            Some((benchmark, [baseline, &suite.harnesses[benchmark.harness].executable.path]))
        })
    }

    /// Plans the run of a suite. `baselines`: one for each benchmark, in their order. `measured`:
    /// a benchmark whose figures are needed in any case.
    pub fn new(
        suite: &Suite,
        baselines: Vec<Baseline<'a>>,
        policy: &ComparisonPolicy,
        measured: Option<&BenchmarkId>,
    ) -> RunPlan<'a> {
        let begin = Instant::now();
        let mut codes = BaselineCode::new(suite.machine_code.clone());
        let plan = |(benchmark, baseline): (&Benchmark, Baseline<'a>)| {
            let baseline = codes.with_premises(baseline, benchmark, &suite.harnesses, policy.is_requested());
            let code = match policy.compares_code_first() {
                true => compare_code(&mut codes, benchmark, &baseline, suite, policy),
                false => None,
            };
            let is_same = baseline.known().is_some_and(|known| {
                has_same_work(known.spec, &benchmark.spec)
                    && known.premises.are_equal()
                    && (code == Some(CodeMatch::Same) || is_same_executable(&known, policy))
            });
            let need = match policy.same_code {
                _ if !policy.is_requested() || !is_same => Need::Comparison,
                SameCode::Compared | SameCode::ComparedAsLinked | SameCode::OnOtherMachine => {
                    Need::Comparison
                }
                SameCode::Measured => Need::Figures,
                SameCode::NotRun => {
                    let is_needed = measured == Some(&benchmark.id)
                        || baseline.known().is_some_and(|known| needs_figures(known, benchmark));
                    if is_needed { Need::Figures } else { Need::Nothing }
                }
            };
            // The code only decides about a paired run if that isn't certain.
            let is_certain = policy.runs_all_paired() && need == Need::Comparison;
            PlannedBenchmark { baseline, code: code.filter(|_| !is_certain), need }
        };
        let mut benchmarks: Vec<_> = suite.benchmarks.iter().zip(baselines).map(plan).collect();
        audit(&mut benchmarks, policy.audited);
        for group in comparison_groups(&baselines_in_run(&suite.benchmarks)) {
            let is_measured = group.iter().any(|&i| benchmarks[i].need > Need::Nothing);
            for i in group.into_iter().filter(|_| is_measured) {
                benchmarks[i].need = benchmarks[i].need.max(Need::Figures);
            }
        }
        RunPlan { benchmarks, codes, time: begin.elapsed() }
    }

    /// Returns those of these benchmarks that run beside their baseline, or have none. Without a
    /// requested comparison, these are the ones whose code is not known to be the same.
    pub fn changed(&self, benchmarks: &[Benchmark]) -> Vec<Benchmark> {
        let is_changed = |planned: &PlannedBenchmark<'_>| match &planned.code {
            Some(code) => *code != CodeMatch::Same,
            None => planned.need == Need::Comparison && !planned.is_identical(),
        };
        let planned = benchmarks.iter().zip(&self.benchmarks);
        planned.filter(|(_, planned)| is_changed(planned)).map(|(benchmark, _)| benchmark.clone()).collect()
    }

    /// Returns whether the code of all benchmarks is known to be the same, so that none is
    /// compared.
    pub fn compares_nothing(&self) -> bool {
        self.compared() == 0
    }

    /// Returns the number of benchmarks that are compared.
    pub fn compared(&self) -> usize {
        self.benchmarks.iter().filter(|planned| planned.need == Need::Comparison).count()
    }

    /// Returns whether all benchmarks are in executables of the same bytes on both sides, and what they
    /// use outside of these is the same, too.
    pub fn is_identical(&self) -> bool {
        self.benchmarks.iter().all(PlannedBenchmark::is_identical)
    }

    /// Returns whether a benchmark of the suite doesn't run, by its place.
    pub fn omits(&self, place: usize) -> bool {
        self.benchmarks.get(place).is_some_and(|planned| planned.need == Need::Nothing)
    }
}

impl PlannedBenchmark<'_> {
    fn is_identical(&self) -> bool {
        self.baseline.known().is_some_and(|known| known.identical)
    }
}

/// Has some benchmarks run whose code is the same, so that a fault of the comparison of code comes to light.
/// Which ones is random, so a run of many benchmarks checks one or two of them, and many short runs check as
/// many. `share`: as in [`ComparisonPolicy`]; unless it is set, 2 %, and no more than 5 % of the number of
/// those of other code.
fn audit(benchmarks: &mut [PlannedBenchmark<'_>], share: Option<f64>) {
    let is_same = |planned: &PlannedBenchmark<'_>| planned.need < Need::Comparison;
    let mut unchanged: Vec<usize> = (0..benchmarks.len()).filter(|&i| is_same(&benchmarks[i])).collect();
    let (same, others) = (unchanged.len() as f64, (benchmarks.len() - unchanged.len()) as f64);
    let expected = share.map_or((0.02 * same).min(0.05 * others), |share| share * same);
    let mut rng = Rng::new();
    let number = (expected + rng.uniform01()) as usize;
    rng.shuffle(&mut unchanged);
    for i in unchanged.into_iter().take(number) {
        let is_identical = benchmarks[i].is_identical();
        benchmarks[i].need = if is_identical { Need::Figures } else { Need::Comparison };
    }
}

/// Compares the code of a benchmark, if it could run side by side with its baseline.
fn compare_code(
    codes: &mut BaselineCode,
    benchmark: &Benchmark,
    baseline: &Baseline<'_>,
    suite: &Suite,
    policy: &ComparisonPolicy,
) -> Option<CodeMatch> {
    let known = baseline.known().filter(|known| known.can_run_paired(&benchmark.spec, policy))?;
    Some(codes.compare(&known, benchmark, &suite.harnesses))
}

/// Returns whether the figures of a benchmark of the same code are needed: saved runs have none by its
/// present name, or it may open files that nobody looks at, whose change its time shows.
fn needs_figures(known: KnownBenchmark<'_>, benchmark: &Benchmark) -> bool {
    known.spec.id != benchmark.spec.id || known.measurement.is_some() && known.premises.reach_unknown()
}

/// Returns whether both sides have the same bytes, and no known difference besides.
fn is_same_executable(known: &KnownBenchmark<'_>, policy: &ComparisonPolicy) -> bool {
    known.identical && !policy.pairs_identical
}

/// Returns whether the harness gives two benchmarks of the same code the same work: numbers of the
/// attribute are neither code nor data of the benchmark.
fn has_same_work(before: &BenchmarkSpec, now: &BenchmarkSpec) -> bool {
    let work = |spec: &BenchmarkSpec| {
        let sampling = spec.sampling.unwrap_or_default();
        (spec.count, spec.takes_count, spec.unroll, sampling.iterations, sampling.warmup, spec.wipe_size)
    };
    have_same_unit(before, now)
        && work(before) == work(now)
        && before.takes_input == now.takes_input
        && now.problem.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_what_did_not_change_runs_all_the_same() {
        let number = |unchanged: usize, others: usize, share: Option<f64>| {
            let plan = |need| {
                std::iter::repeat_with(move || PlannedBenchmark {
                    baseline: Baseline::Absent,
                    code: None,
                    need,
                })
            };
            let unchanged = plan(Need::Nothing).take(unchanged);
            let mut benchmarks: Vec<_> = unchanged.chain(plan(Need::Comparison).take(others)).collect();
            audit(&mut benchmarks, share);
            benchmarks.iter().filter(|planned| planned.need == Need::Comparison).count() - others
        };
        assert_eq!(number(200, 200, None), 4);
        assert_eq!(number(1000, 40, None), 2);
        assert_eq!((number(1000, 0, None), number(0, 1000, None)), (0, 0));
        assert_eq!((number(8, 0, Some(0.5)), number(8, 8, Some(0.0))), (4, 0));
        let of_few = [(); 400].map(|()| number(10, 10, None));
        assert!(of_few.iter().all(|number| *number <= 1) && of_few.contains(&1), "{of_few:?}");
    }
}
