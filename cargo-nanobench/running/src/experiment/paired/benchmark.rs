//! A benchmark that is measured in two builds side by side.

use super::block_plan::BlockSampling;
use super::error::BlockError;
use super::fresh_executables::Files;
use super::outcome::KeptRun;
use super::sharing::Executables;
use crate::cargo::Executable;
use crate::relink::{LayoutError, Layouts};
use crate::session::{Session, SessionOptions};
use nanobench::measure::{CalibrationRequest, Plan};
use nanobench::model::{BenchmarkSpec, ClockCalibration, RowId};
use std::sync::Arc;
use std::time::Duration;
use verdicts::{
    Effort, Evidence, LongLaunches, NextBlock, Null, PAIRS_PER_BLOCK, Rules, SUFFICIENT_PAIRS, TimeLimits,
};

/// Processes of a block: two per side, so that each side is also compared with itself. Processes 0
/// and 1 run the baseline, 2 and 3 the candidate.
pub(super) const PROCESSES: usize = 2 * PAIRS_PER_BLOCK;

/// Smallest reported change of a brief run without copies, which take time: twice what the place of a
/// file in memory can add.
const MIN_THRESHOLD_OF_ORIGINALS: f64 = 0.01;

/// Length of an iteration from which on few are made: as many as a change that recurs takes.
const SLOW_ITERATION: Duration = Duration::from_millis(20);

/// A benchmark that is measured in two builds side by side.
#[derive(Debug)]
pub(crate) struct PairedBenchmark {
    pub baseline: Side,
    pub candidate: Side,
    /// The layouts of both executables, or why there are none. `None` if it needs none, for lack of time
    /// or because the question is how the linker placed its code.
    pub layouts: Option<Result<Arc<Layouts>, Arc<LayoutError>>>,
    /// The plan of the benchmark's own sampling.
    pub plan: Plan,
    /// The loop count on both sides.
    pub count: u64,
    /// The time of an iteration of the side that takes longer, with all that is not timed.
    pub iteration_time: Duration,
    pub rules: Rules,
    pub effort: Effort,
    /// Facts from the benchmark's own samples, for a brief run or a slow benchmark.
    pub own: Option<OwnFacts>,
    /// An earlier run with the same executables, which goes on.
    pub earlier: Option<KeptRun>,
    /// Another command may go on with this run.
    pub keeps_evidence: bool,
    /// The share of the time that the whole run may take, if that is limited.
    pub budget: Option<Duration>,
    pub session_options: SessionOptions,
}

/// Facts from the benchmark's own samples.
#[derive(Debug)]
pub(crate) struct OwnFacts {
    pub clock: ClockCalibration,
    /// The logarithm of the change since the baseline's figures. `None` without figures, or if the code is
    /// the same.
    pub change: Option<f64>,
    /// The cost of a segment in ns, with the work before it.
    pub segment_cost: Option<f64>,
}

/// The benchmark in one of the builds.
#[derive(Debug)]
pub(crate) struct Side {
    pub executable: Executable,
    pub benchmark: BenchmarkSpec,
}

/// Returns whether a benchmark with iterations of this time is compared after the others, by few of them.
pub(crate) fn is_slow(iteration_time: Duration) -> bool {
    iteration_time >= SLOW_ITERATION
}

/// Returns the time until the verdict on a clear change of such a benchmark: it takes 24 iterations, with
/// those of the calibration, and before samples.
pub(crate) fn time_of_slow(iteration_time: Duration) -> Duration {
    iteration_time * 24
}

/// Returns whether a process of a block runs the baseline.
pub(super) fn runs_baseline(process: usize) -> bool {
    process < PROCESSES / 2
}

/// Returns a function that converts an error of a process of a block.
pub(super) fn in_process<E: Into<BlockError>>(process: usize) -> impl FnOnce(E) -> BlockError {
    move |error| error.into().on_side(runs_baseline(process))
}

impl PairedBenchmark {
    /// Returns the maximum time of each request in a block, and of the sampling beyond one turn of each
    /// process.
    pub(super) fn timeout(&self) -> Duration {
        self.session_options.timeout_of(&self.candidate.benchmark)
    }

    /// Returns the row's present id.
    pub(super) fn row(&self) -> &RowId {
        &self.candidate.benchmark.id
    }

    /// Returns the executables of the baseline and the candidate.
    pub(crate) fn executables(&self) -> Executables {
        let paths = [&self.baseline, &self.candidate].map(|side| side.executable.path.clone());
        Executables { paths, files: self.files() }
    }

    /// Returns the kind of files that its processes run. The place of a file in memory can't pass for a
    /// large change, unless caches are cold.
    fn files(&self) -> Files {
        match self.effort {
            _ if self.layouts().is_some() => Files::Layouts,
            Effort::Brief if self.rules.threshold >= MIN_THRESHOLD_OF_ORIGINALS && !self.is_slow() => {
                Files::Originals
            }
            _ => Files::Copies,
        }
    }

    /// Returns the layouts of both executables, if it runs them.
    pub(super) fn layouts(&self) -> Option<&Arc<Layouts>> {
        self.layouts.as_ref()?.as_ref().ok()
    }

    /// Returns the reason why no layouts can be made.
    pub(super) fn layout_error(&self) -> Option<&Arc<LayoutError>> {
        self.layouts.as_ref()?.as_ref().err()
    }

    /// Returns whether both executables are known to be the same file.
    pub(super) fn are_identical(&self) -> bool {
        self.layout_error().is_some_and(|error| matches!(**error, LayoutError::Identical))
    }

    /// Returns the side of a process of a block.
    pub(super) fn side(&self, process: usize) -> &Side {
        if runs_baseline(process) { &self.baseline } else { &self.candidate }
    }

    /// Returns whether the benchmark requests several threads. On one core, that would be another
    /// benchmark.
    pub(super) fn uses_several_threads(&self) -> bool {
        self.row().conditions.threads.is_some_and(|threads| threads > 1)
    }

    /// Returns whether its launches may serve other benchmarks of the same executables: starting processes
    /// would take most of the time. A program that passes its benchmarks in order runs each once.
    pub(super) fn may_share_launches(&self) -> bool {
        let passes_in_order =
            self.candidate.executable.passes_in_order() || self.baseline.executable.passes_in_order();
        let may_live_longer = !self.is_slow() && !self.session_options.one_at_a_time;
        may_live_longer && !self.uses_several_threads() && !passes_in_order
    }

    /// Returns what is tested of the typical time. The place of a file may be a reason for a change if the
    /// executables run as they are.
    pub(super) fn null(&self) -> Null {
        let threshold = if self.rules.tests_threshold { self.rules.threshold } else { 0.0 };
        let of_files = if self.files() == Files::Originals { MIN_THRESHOLD_OF_ORIGINALS } else { 0.0 };
        Null { change: threshold.max(of_files).ln_1p(), expected: self.expected_change() }
    }

    /// Returns whether its calls take so long that it comes last.
    pub(crate) fn is_slow(&self) -> bool {
        is_slow(self.iteration_time)
    }

    /// Returns the time that it may take.
    pub(crate) fn limits(&self) -> TimeLimits {
        let usual = self.effort.limits();
        let expects_same = usual.expects_same && !self.rules.have_precision();
        let sufficient_pairs = if expects_same { usual.sufficient_pairs } else { SUFFICIENT_PAIRS };
        let limits = TimeLimits { expects_same, sufficient_pairs, ..usual }.extended(self.extension());
        match self.budget {
            Some(budget) if self.effort == Effort::Brief => limits.within(budget),
            _ => limits,
        }
    }

    /// Returns the long launches of a block in which those of this many pairs are meant to be long.
    fn long_launches(&self, pairs: usize) -> Option<LongLaunches> {
        let usual = self.effort.long_launches(pairs)?;
        let min_time = Duration::try_from_secs_f64(self.plan.min_time / 1e9).unwrap_or_default();
        let time = usual.time.mul_f64(self.extension()).max(min_time);
        let max_time = usual.max_time.mul_f64(time.div_duration_f64(usual.time));
        Some(LongLaunches { time, max_time, ..usual })
    }

    /// Returns the sampling of a block after this evidence. `efficient_time`: the time with
    /// which blocks tell most, if it is known.
    pub(super) fn sampling(
        &self,
        evidence: &Evidence,
        kind: NextBlock,
        efficient_time: Option<Duration>,
    ) -> BlockSampling {
        let has_launches = evidence.launches.number() >= self.limits().min_launches;
        let [shortest, longest] = self.effort.sampling_times(has_launches, kind.only_adds_launches);
        let time = efficient_time.map_or(longest, |time| time.clamp(shortest, longest));
        let time = time.mul_f64(self.part_of_usual_length());
        BlockSampling { time, long_launches: self.long_launches(kind.long_pairs), kind }
    }

    /// Returns the factor by which a run that is not brief may take longer or shorter than usual: as
    /// the budget allows, or as a better precision takes.
    fn extension(&self) -> f64 {
        if self.effort == Effort::Brief {
            return 1.0;
        }
        let usual = self.effort.limits().total.as_secs_f64();
        let by_budget = self.budget.map_or(1.0, |budget| budget.as_secs_f64() / usual);
        // The width of an interval shrinks with the square root of the time.
        let by_precision = (Plan::default().precision / self.plan.precision).powi(2);
        // With less than half of the usual time for each, fewer benchmarks are decided.
        by_budget.max(by_precision).clamp(0.5, 100.0)
    }

    /// Returns the logarithm of the number of units per iteration in the baseline, relative to the
    /// candidate.
    pub(super) fn log_unit_ratio(&self) -> f64 {
        (self.baseline.units() / self.candidate.units()).ln()
    }

    /// Returns the logarithm of the change that its own samples show, if it is tested: above the threshold,
    /// and no place of a file can pass for it in several blocks. Those of slow iterations run new files each.
    pub(super) fn expected_change(&self) -> Option<f64> {
        let min = self.rules.threshold.max(MIN_THRESHOLD_OF_ORIGINALS).ln_1p();
        let is_tested = self.files() == Files::Originals || self.is_slow();
        self.own.as_ref()?.change.filter(|change| is_tested && change.abs() > min)
    }

    /// Returns the length of its samples and blocks, as a part of the usual one: a quarter shows an expected
    /// change of more than half.
    fn part_of_usual_length(&self) -> f64 {
        let is_clear = self.expected_change().is_some_and(|change| change.abs() > 0.5_f64.ln_1p());
        if is_clear { 0.25 } else { 1.0 }
    }

    /// Returns the request to calibrate the benchmark.
    pub(super) fn calibration_request(&self) -> CalibrationRequest {
        let is_default = self.plan.sample_time.to_bits() == Plan::default().sample_time.to_bits();
        CalibrationRequest {
            sample_time: match is_default {
                true => self.effort.sample_time() * self.part_of_usual_length(),
                false => self.plan.sample_time,
            },
            iterations: self.plan.iterations,
            count: Some(self.count),
            warmup: self.plan.warmup,
        }
    }
}

impl Side {
    /// Returns the index of the benchmark in the listing of a session of this side.
    pub(super) fn index_in(&self, session: &Session) -> Result<u64, BlockError> {
        session.index_of(&self.benchmark.id).ok_or(BlockError::NoSuchBenchmark)
    }

    /// Returns the number of units per iteration and per `count`.
    fn units(&self) -> f64 {
        self.benchmark.unroll as f64 * self.benchmark.batch.unwrap_or(1) as f64
    }
}
