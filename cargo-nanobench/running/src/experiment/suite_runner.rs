//! The run of a suite: own sampling, paired runs, and repetitions without a paired run.

use super::comparison::NotPaired;
use super::groups::{self, Groups};
use super::launches::Launches;
use super::policy::{ComparisonPolicy, PairedRuns};
use super::progress::{Progress, Unpaired};
use super::row::Row;
use super::rows::{Observer, Rows};
use super::run_plan::RunPlan;
use super::sampling::Sampling;
use super::side_by_side::{EarlierRuns, SideBySide};
use super::suite::{Benchmark, Harness, Suite};
use super::work_left::WorkLeft;
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
const MIN_PAIRED_TIME: Duration = Duration::from_millis(200);

/// The interval at which the time left is estimated again. Progress is drawn once a second.
const ESTIMATE_INTERVAL: Duration = Duration::from_millis(100);

/// The settings for a run of a suite.
#[derive(Debug)]
pub struct SuiteRunner<'a> {
    pub sampling: Sampling,
    pub policy: ComparisonPolicy,
    pub launches: Launches,
    /// The paired runs of an earlier command that go on.
    pub earlier: Option<&'a EarlierRuns>,
    /// The share of the command's error that these comparisons have: several baselines divide it.
    pub error_share: f64,
}

impl SuiteRunner<'_> {
    /// Measures the benchmarks of the suite and compares each with its baseline. Returns fewer
    /// rows than benchmarks after Ctrl-C.
    pub fn run(&self, suite: &mut Suite, run_plan: RunPlan<'_>, observer: &mut dyn Observer) -> Vec<Row> {
        let begin = Instant::now();
        let RunPlan { benchmarks, codes, time: comparing_code } = run_plan;
        let progress = |(benchmark, planned): (&Benchmark, _)| {
            let plan = self.plan(benchmark, &suite.harnesses[benchmark.harness]);
            Progress::new(benchmark.clone(), planned, plan, self.policy)
        };
        let mut benchmarks: Vec<_> = suite.benchmarks.iter().zip(benchmarks).map(progress).collect();
        let mut rows = Rows::new(observer, &suite.harnesses, &suite.machine_code);
        let mut side_by_side = SideBySide::new(&self.policy, codes, self.earlier, self.error_share);
        let all: Vec<usize> = (0..benchmarks.len()).collect();
        rows.report_final(&benchmarks, &all);
        self.sample(&mut benchmarks, &mut suite.harnesses, &mut rows);
        benchmarks.iter_mut().for_each(Progress::stop_sampling);
        let (budget, spent) = (self.sampling.budget(), begin.elapsed() + comparing_code);
        let harnesses = &mut suite.harnesses;
        match self.policy.paired_runs {
            PairedRuns::All => {
                let time = budget.map(|budget| budget.saturating_sub(spent));
                let deadline = self.earlier.map(|earlier| earlier.time).or(time).map(deadline::after);
                side_by_side.run_all(&mut benchmarks, harnesses, &mut rows, deadline);
            }
            PairedRuns::Changed => {
                // Comparing the code counts, too.
                let share = (spent - comparing_code).mul_f64(MAX_PAIRED_SHARE).saturating_sub(comparing_code);
                let time = |changed: usize, moved: usize| match budget {
                    Some(budget) => budget.saturating_sub(spent).max(MIN_PAIRED_TIME),
                    None => share.max(min_paired_time(changed, moved)),
                };
                side_by_side.run_changed(&mut benchmarks, harnesses, &mut rows, time, budget.is_none());
            }
            PairedRuns::None => {}
        }
        for progress in &mut benchmarks[rows.reported.len()..] {
            match interrupt::requested() {
                true => progress.give_up_paired_run(NotPaired::Interrupted),
                false => progress.omit_paired_run(Unpaired::Omitted),
            }
            remeasure(progress, &mut harnesses[progress.benchmark.harness], rows.observer);
            if let Some(row) = progress.row() {
                rows.report(row);
            }
        }
        rows.reported
    }

    /// Returns the plan for a benchmark's own sampling. If all benchmarks run paired, a budget is
    /// for the paired runs.
    fn plan(&self, benchmark: &Benchmark, harness: &Harness) -> Plan {
        let resolution = harness.listing.clock_calibration.clock.resolution;
        let plan = self.sampling.plan(&benchmark.spec).for_clock(resolution);
        if self.policy.runs_all_paired() && plan.max_time.is_infinite() {
            return Plan { max_time: Plan::default().max_time, ..plan };
        }
        plan
    }

    /// Returns the part of a budget for the benchmarks' own samples. The rest is for paired runs, which
    /// yield the figures if all benchmarks run paired.
    fn own_share(&self, benchmarks: &[Progress<'_>]) -> f64 {
        let may_run_paired =
            self.policy.paired_runs != PairedRuns::None && benchmarks.iter().any(Progress::can_run_paired);
        match may_run_paired {
            true if self.policy.runs_all_paired() => 0.25,
            true => 0.5,
            false => 1.0,
        }
    }

    /// Samples all benchmarks in several passes, until each has enough samples or the budget is
    /// used up.
    fn sample(&self, benchmarks: &mut [Progress<'_>], harnesses: &mut [Harness], rows: &mut Rows<'_>) {
        let mut rng = Rng::new();
        let all = Groups::new(benchmarks);
        let budget = self.sampling.budget();
        let deadline = budget.map(|budget| deadline::after(budget.mul_f64(self.own_share(benchmarks))));
        let mut estimated = None;
        let mut launches_left = self.launches.number.saturating_sub(1);
        loop {
            let pass = all.next_pass(benchmarks, deadline, &mut rng);
            let is_out_of_time = deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if pass.is_empty() && launches_left > 0 && !is_out_of_time && !interrupt::requested() {
                launches_left -= 1;
                benchmarks.iter_mut().for_each(Progress::begin_launch);
                harnesses.iter_mut().for_each(Harness::end_session);
                continue;
            }
            let is_last = pass.is_empty();
            // At the deadline, some groups may be left unfinished.
            let pass = if is_last { all.unfinished(benchmarks) } else { pass };
            for &group in &pass {
                if interrupt::requested() {
                    return;
                }
                let first = &benchmarks[group[0]].benchmark;
                // All members are in the same harness.
                let harness = &mut harnesses[first.harness];
                if !is_last {
                    // To add up the work of many benchmarks takes longer than some of their samples.
                    if estimated.is_none_or(|(_, at): (Duration, Instant)| at.elapsed() >= ESTIMATE_INTERVAL)
                    {
                        let work_left = WorkLeft::of(&*benchmarks);
                        estimated =
                            Some((self.time_left(&work_left, deadline, launches_left), Instant::now()));
                    }
                    let (left, at) = estimated.unwrap_or((Duration::ZERO, Instant::now()));
                    rows.observer.running(first, left.saturating_sub(at.elapsed()).into());
                    groups::sample(benchmarks, group, harness, &mut rng);
                }
                let has_all_launches = launches_left == 0 && groups::is_done(benchmarks, group);
                // Further launches don't run a group that failed.
                if is_last || has_all_launches || group.iter().all(|&i| benchmarks[i].has_failed()) {
                    all.finish(benchmarks, group, harness, self.launches);
                }
                if pass.last() == Some(&group) && all.unfinished(benchmarks).is_empty() {
                    // The processes end while the last row is made. Paired runs start others.
                    harnesses.iter_mut().for_each(Harness::finish_session);
                }
                rows.report_final(benchmarks, group);
            }
            if is_last {
                return;
            }
        }
    }

    /// Estimates the time until the end of the run: the rest of the benchmarks' own samples, and
    /// the paired runs after them.
    fn time_left(&self, work: &WorkLeft, deadline: Option<Instant>, launches_left: u64) -> Duration {
        let own = work.sampling_time(launches_left);
        let own = match deadline.map(|deadline| deadline.saturating_duration_since(Instant::now())) {
            // A plan without a maximum time ends at the deadline.
            Some(left) if own > left || !self.policy.runs_all_paired() => left,
            _ => own,
        };
        own.saturating_add(work.paired_time())
    }
}

/// Measures a benchmark again in fresh processes, as long as its stored figures alone show a
/// change that has not recurred often enough.
fn remeasure(progress: &mut Progress<'_>, harness: &mut Harness, observer: &mut dyn Observer) {
    if !progress.awaits_recurrence() {
        return;
    }
    for launch in progress.samples().map_or(0, |samples| samples.launches.len())..REQUIRED_LAUNCHES {
        if interrupt::requested() || !progress.awaits_recurrence() {
            return;
        }
        observer.running(&progress.benchmark, WorkLeft::of([&*progress]).sampling_time(0).into());
        progress.measure_again(harness, launch as u64, interrupt::requested);
    }
    if !interrupt::requested() {
        progress.finish_remeasuring();
    }
}

/// Returns the least time for paired runs that nobody requested, if this many benchmarks have other code, and
/// as many others figures that stand out. A run that finds a clear change, and finds it again, takes 150 ms,
/// and 65 ms among many, which share their processes. Those that stand out run in layouts, which take time.
fn min_paired_time(changed: usize, moved: usize) -> Duration {
    let of_changed = |each: u64| Duration::from_millis(each.saturating_mul(changed as u64));
    let [least, second] = [MIN_PAIRED_TIME, Duration::from_secs(1)];
    let of_moved = if moved > 0 { second } else { least };
    of_changed(150).min(second).max(of_changed(65)).max(of_moved)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_time_grows_with_the_number_of_changed_benchmarks() {
        let times = [0, 1, 5, 10, 1_000].map(|changed| min_paired_time(changed, 0).as_millis());
        assert_eq!(times, [200, 200, 750, 1_000, 65_000]);
        assert_eq!(min_paired_time(1, 3).as_millis(), 1_000);
    }
}
