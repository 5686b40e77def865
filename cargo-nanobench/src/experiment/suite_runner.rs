//! The run of a suite: own sampling, paired runs, and repetitions without a paired run.

use super::baseline::Baseline;
use super::benchmark_state::{BenchmarkState, Phase};
use super::comparison::NotPaired;
use super::policy::ComparisonPolicy;
use super::row::Row;
use super::rows::{Observer, Rows};
use super::sampling::Sampling;
use super::side_by_side::{self, SideBySide};
use super::step::Step;
use super::suite::{Benchmark, Harness, Suite};
use super::suite_state::SuiteState;
use crate::deadline;
use crate::interrupt;
use nanobench::Rng;
use nanobench::measure::Plan;
use std::time::{Duration, Instant};

/// Number of launches in which a change has to recur if no executable of the baseline can run.
const REQUIRED_LAUNCHES: usize = 5;

/// The time for comparing code and for paired runs that nobody requested, as a share of the
/// benchmarks' own sampling. The rest up to twice the time is for starting processes.
const MAX_PAIRED_SHARE: f64 = 0.75;
/// The time for paired runs that nobody requested, if that share is shorter.
const MIN_PAIRED_TIME: Duration = Duration::from_millis(300);

/// The settings for a run of a suite.
#[derive(Debug)]
pub(crate) struct SuiteRunner {
    pub(crate) sampling: Sampling,
    pub(crate) policy: ComparisonPolicy,
}

impl SuiteRunner {
    /// Measures the benchmarks of the suite and compares each with its baseline. Returns fewer
    /// rows than benchmarks after Ctrl-C. `baselines`: one for each benchmark, in their order.
    pub(crate) fn run(
        &self,
        suite: &mut Suite,
        baselines: Vec<Baseline<'_>>,
        observer: &mut dyn Observer,
    ) -> Vec<Row> {
        let begin = Instant::now();
        let state = |(benchmark, baseline): (&Benchmark, _)| {
            BenchmarkState::new(benchmark.clone(), baseline, self.plan(benchmark), &self.policy)
        };
        let mut state = SuiteState::new(suite.benchmarks.iter().zip(baselines).map(state).collect());
        let mut rows = Rows::new(observer, &suite.harnesses);
        let mut side_by_side = SideBySide::new(&self.policy);
        if !self.policy.runs_all_paired() {
            side_by_side.compare_codes(&mut state.benchmarks, &suite.harnesses);
        }
        let comparing_code = begin.elapsed();
        self.sample(&mut state, &mut suite.harnesses, &mut rows);
        let (budget, spent) = (self.sampling.budget(), begin.elapsed());
        let (states, harnesses) = (&mut state.benchmarks, &mut suite.harnesses);
        if self.policy.runs_all_paired() {
            side_by_side.run_all(
                states,
                harnesses,
                &mut rows,
                budget.map(|budget| deadline::after(budget.saturating_sub(begin.elapsed()))),
            );
        } else {
            // Comparing the code counts, too.
            let share = (spent - comparing_code).mul_f64(MAX_PAIRED_SHARE).saturating_sub(comparing_code);
            let time = budget.map_or(share, |budget| budget.saturating_sub(spent)).max(MIN_PAIRED_TIME);
            side_by_side.run_changed(states, harnesses, &mut rows, time);
        }
        for state in &mut state.benchmarks[rows.reported.len()..] {
            if interrupt::requested() && state.needs_paired_run(&self.policy) {
                state.give_up_paired_run(NotPaired::Interrupted);
            }
            self.remeasure(state, &mut suite.harnesses[state.benchmark.harness], rows.observer);
            if let Some(row) = state.row() {
                rows.report(row);
            }
        }
        rows.reported
    }

    /// Returns the plan for a benchmark's own sampling. If all benchmarks run paired, a budget is
    /// for the paired runs.
    fn plan(&self, benchmark: &Benchmark) -> Plan {
        let plan = self.sampling.plan(&benchmark.spec);
        if self.policy.runs_all_paired() && plan.max_time.is_infinite() {
            return Plan { max_time: Plan::default().max_time, ..plan };
        }
        plan
    }

    /// Samples all benchmarks in several passes, until each has enough samples or the budget is
    /// used up.
    fn sample(&self, state: &mut SuiteState<'_>, harnesses: &mut [Harness], rows: &mut Rows<'_>) {
        let mut rng = Rng::new();
        let budget = self.sampling.budget().filter(|_| !self.policy.runs_all_paired());
        // Half of it is for paired runs, if there may be any.
        let is_compared = state.benchmarks.iter().any(|state| state.can_run_paired(&self.policy));
        let budget = budget.map(|budget| if is_compared { budget / 2 } else { budget });
        let deadline = budget.map(deadline::after);
        loop {
            let pass = state.next_pass(deadline, &mut rng);
            let is_last = pass.is_empty();
            // At the deadline, some groups may be left unfinished.
            for group in if is_last { state.unfinished() } else { pass } {
                if interrupt::requested() {
                    return;
                }
                let first = state.first_of(group);
                let harness = &mut harnesses[first.harness];
                if !is_last {
                    rows.observer.running(first, self.time_left(state, deadline));
                    state.sample(group, harness, &mut rng);
                }
                if is_last || state.is_done(group) {
                    state.finish(group, harness);
                }
                rows.report_final(&state.benchmarks, state.places(group), &self.policy);
            }
            if is_last {
                return;
            }
        }
    }

    /// Estimates the time until the end of the run: the rest of the benchmarks' own samples, and
    /// the paired runs after them.
    fn time_left(&self, state: &SuiteState<'_>, deadline: Option<Instant>) -> Duration {
        let own: Duration = state.benchmarks.iter().map(|state| state.sampling.time_left()).sum();
        let own = deadline.map_or(own, |deadline| deadline.saturating_duration_since(Instant::now()));
        // Without an instruction to compare all, the need shows only after the samples.
        let all = self.policy.runs_all_paired().then_some(&state.benchmarks).into_iter().flatten();
        let paired = all.filter(|state| state.needs_paired_run(&self.policy)).count();
        own + side_by_side::TYPICAL_TIME * u32::try_from(paired).unwrap_or(u32::MAX)
    }

    /// Measures a benchmark again in fresh processes, as long as its stored figures alone show a
    /// change that has not recurred often enough.
    fn remeasure(&self, state: &mut BenchmarkState<'_>, harness: &mut Harness, observer: &mut dyn Observer) {
        if !state.awaits_recurrence() {
            return;
        }
        for launch in state.sampling.launches()..REQUIRED_LAUNCHES {
            if interrupt::requested() || !state.awaits_recurrence() {
                return;
            }
            observer.running(&state.benchmark, state.sampling.time_left());
            harness.end_session();
            state.sampling.restart();
            while !state.sampling.is_done() && !interrupt::requested() {
                state.step(harness, Step::Batch { seed: launch as u64 });
            }
        }
        if !interrupt::requested() {
            state.phase = Phase::Remeasured;
        }
    }
}
