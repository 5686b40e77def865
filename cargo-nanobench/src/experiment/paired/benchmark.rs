//! What is measured side by side: one benchmark in two builds.

use super::Rules;
use crate::benchmark_id::BenchmarkId;
use crate::cargo::Executable;
use crate::experiment::suite::Benchmark;
use crate::session::SessionOptions;
use nanobench::measure::Plan;
use nanobench::model::BenchmarkSpec;

/// Length of a sample, in ns: short, so that what the machine does meanwhile it does to both sides.
const SAMPLE_TIME: f64 = 200_000.0;

/// One benchmark in two builds.
#[derive(Debug)]
pub(crate) struct PairedBenchmark<'a> {
    pub(super) baseline: &'a Executable,
    pub(super) candidate: &'a Executable,
    /// Its id, the same in both.
    pub(super) id: &'a BenchmarkId,
    pub(super) plan: Plan,
    /// What it gets as `count`, in both.
    pub(super) count: u64,
    /// What an iteration is of it in the baseline, and in the candidate.
    pub(super) iterations: [Iteration; 2],
    /// It asks for several threads, which one core would make another benchmark of.
    pub(super) several_threads: bool,
    /// How large a change has to be for it to be called.
    pub(super) rules: Rules,
    pub(super) session_options: &'a SessionOptions,
}

/// What an iteration of a benchmark is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Iteration {
    /// How often the body stands in it.
    pub(super) unroll: u64,
    /// Units in an operation.
    pub(super) batch: Option<u64>,
}

impl Iteration {
    fn of(benchmark: &BenchmarkSpec) -> Iteration {
        Iteration { unroll: benchmark.unroll, batch: benchmark.batch }
    }

    /// How many units it has, of those that `count` doesn't tell of.
    pub(super) fn units(self) -> f64 {
        self.unroll as f64 * self.batch.unwrap_or(1) as f64
    }
}

impl<'a> PairedBenchmark<'a> {
    /// Of the benchmark `found` between the executable of the baseline and the new one. `before` is what it was like in the
    /// baseline, `plan` how it is sampled by itself, `count` what it got there, and `rules` how it is judged.
    pub(crate) fn between(
        [baseline, candidate]: [&'a Executable; 2],
        found: &'a Benchmark,
        before: &BenchmarkSpec,
        plan: Plan,
        count: u64,
        rules: Rules,
        session_options: &'a SessionOptions,
    ) -> PairedBenchmark<'a> {
        let benchmark = &found.benchmark;
        // What somebody asks for is another than the default.
        let is_usual = plan.sample_time.to_bits() == Plan::default().sample_time.to_bits();
        let sample_time = if is_usual { SAMPLE_TIME } else { plan.sample_time };
        PairedBenchmark {
            baseline,
            candidate,
            id: &found.id,
            plan: Plan { sample_time, ..plan },
            count,
            iterations: [before, benchmark].map(Iteration::of),
            several_threads: found.id.row.conditions.threads.is_some_and(|threads| threads > 1),
            rules,
            session_options,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_iteration_has_the_units_of_all_its_operations() {
        let units = |unroll, batch| Iteration { unroll, batch }.units();
        assert_eq!((units(1, None), units(10, None), units(4, Some(100))), (1.0, 10.0, 400.0));
    }
}
