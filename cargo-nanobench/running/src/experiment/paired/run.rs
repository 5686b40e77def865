//! A paired run of one benchmark.

mod findings;

use super::benchmark::{PairedBenchmark, runs_baseline, time_of_slow};
use super::block::{self, Block};
use super::block_plan::{BlockPlan, BlockSampling};
use super::block_statistics::{BlockStatistics, TurnNoise};
use super::calibration::Calibrators;
use super::error::BlockError;
use super::outcome::CodeBefore;
use super::processes::Launches;
use super::sharing::{ExecutablePair, Shared};
use super::waiting::Waits;
use nanobench::model::{ClockCalibration, Launch};
use std::time::{Duration, Instant};
use verdicts::{
    Evidence, Findings, MIN_PAIRS, NextBlock, OfHypotheses, PAIRS_PER_BLOCK, Pair, Renewal, Rules,
};

/// Launches of each side that are kept for the figures in reports and in the store.
const MAX_KEPT_LAUNCHES: usize = 8;

/// Longest calibration of a benchmark whose launches serve others. If its calls, its fixture or emptying
/// caches take longer, the start of processes of its own doesn't matter, and their memory might.
const MAX_SHARED_CALIBRATION: Duration = Duration::from_millis(10);

/// A paired run of one benchmark.
#[derive(Debug)]
pub(crate) struct PairedRun {
    pub benchmark: PairedBenchmark,
    /// `None` before the calibration.
    plan: Option<BlockPlan>,
    /// Its launches may serve other benchmarks, too.
    pub shares_launches: bool,
    /// The sampling of the next block.
    sampling: BlockSampling,
    evidence: Evidence,
    /// The pairs of an earlier command.
    earlier_pairs: usize,
    /// The logarithms of the evidence on each hypothesis, as of the last block.
    log_evidence: OfHypotheses<f64>,
    /// The changes that are shown, and remain so.
    shown: OfHypotheses<bool>,
    spent: Duration,
    pub blocks: BlockStatistics,
    /// Launches of baseline and candidate.
    launches: [Vec<Launch>; 2],
    /// Threads or processes of the baseline and of the candidate are busy while they should wait.
    busy: [bool; 2],
    /// The waits of the processes of both sides for their turns.
    waits: [Waits; 2],
    /// The processor time of both sides, as blocks have it.
    cpu_times: [Duration; 2],
    code_before: CodeBefore,
}

impl PairedRun {
    /// Creates a run that has not started yet.
    pub(crate) fn new(mut benchmark: PairedBenchmark) -> PairedRun {
        let (evidence, shown) = match benchmark.earlier.take() {
            Some(earlier) => {
                // Gates may be other ones than in the first command.
                benchmark.rules = Rules { max_passing: benchmark.rules.max_passing, ..earlier.rules };
                benchmark.count = earlier.count;
                (earlier.evidence.going_on(), earlier.shown)
            }
            None => (Evidence::new(benchmark.null()), OfHypotheses::default()),
        };
        let first_block = match benchmark.expected_change() {
            Some(_) => NextBlock::USUAL,
            None => NextBlock::first(&evidence, &benchmark.limits()),
        };
        PairedRun {
            sampling: benchmark.sampling(&evidence, first_block, None),
            shares_launches: benchmark.may_share_launches(),
            benchmark,
            plan: None,
            log_evidence: evidence.of_hypotheses(),
            shown,
            earlier_pairs: evidence.pairs(),
            evidence,
            spent: Duration::ZERO,
            blocks: BlockStatistics::default(),
            launches: Default::default(),
            busy: [false; 2],
            waits: Default::default(),
            cpu_times: Default::default(),
            code_before: CodeBefore::default(),
        }
    }

    /// Returns the shares of the error of its hypotheses, and the logarithms of the evidence against them.
    pub(crate) fn hypotheses(&self) -> (OfHypotheses<f64>, OfHypotheses<f64>) {
        (self.evidence.weights(), self.log_evidence)
    }

    /// Notes which of its changes are shown.
    pub(crate) fn show(&mut self, rejected: &OfHypotheses<bool>) {
        let shown = self.shown.as_flattened_mut().iter_mut();
        shown.zip(rejected.as_flattened()).for_each(|(shown, rejected)| *shown |= rejected);
    }

    /// Returns whether it has found anything.
    pub(crate) fn has_evidence(&self) -> bool {
        self.evidence.pairs() > 0
    }

    /// Returns whether it has enough pairs for a first look.
    pub(crate) fn had_look(&self) -> bool {
        self.evidence.pairs() >= MIN_PAIRS
    }

    /// Returns whether more speaks for some change than against it.
    pub(crate) fn is_suspected(&self) -> bool {
        self.strongest() > 0.0
    }

    /// Returns when the files of the next block are renewed.
    pub(super) fn renewal(&self) -> Renewal {
        let needs_all = self.benchmark.is_slow() || !self.benchmark.limits().expects_same;
        Renewal::of(&self.evidence, self.sampling.kind, self.is_suspected(), needs_all)
    }

    /// Returns whether the benchmark needs a calibration before its next block.
    pub(crate) fn needs_calibration(&self) -> bool {
        self.plan.is_none()
    }

    /// Calibrates the benchmark, which may show that its launches can't serve others.
    pub(crate) fn calibrate(&mut self, calibrators: &mut Calibrators<'_>) -> Result<(), BlockError> {
        let begin = Instant::now();
        let plan = calibrators.calibrate(&self.benchmark)?;
        let elapsed = begin.elapsed();
        self.spent += elapsed;
        self.shares_launches &= plan.is_single_threaded && elapsed <= MAX_SHARED_CALIBRATION;
        self.plan = Some(plan);
        Ok(())
    }

    /// Returns the clock and its costs, once it is calibrated.
    pub(crate) fn clock(&self) -> Option<&ClockCalibration> {
        Some(&self.plan.as_ref()?.clock)
    }

    /// Runs a block in these processes and adds its results to the evidence.
    pub(crate) fn run_block(
        &mut self,
        launches: &mut Launches,
        executables: &mut ExecutablePair,
        shared: &mut Shared,
    ) -> Result<(), BlockError> {
        let plan = self.plan.as_mut().expect("calibrated before");
        let (sampling, files) = (&self.sampling, &mut executables.files);
        let block = block::run(&self.benchmark, plan, sampling, launches, files, &mut shared.rng)?;
        self.code_before.add(launches.times_before.iter().copied());
        let limits = self.benchmark.limits();
        // The set-up of the long launches that any run needs must not leave it without time.
        let needs_long_launches = self.evidence.long_launches() < limits.min_long_launches;
        let set_up = block.untimed_long_time().min(limits.usual);
        self.spent += block.elapsed.saturating_sub(if needs_long_launches { set_up } else { Duration::ZERO });
        let adds_evidence = !self.sampling.kind.only_adds_launches;
        self.blocks.add(&block, adds_evidence);
        shared.log.append(self.benchmark.row(), &block);
        self.waits.iter_mut().zip(&block.waits).for_each(|(all, waits)| all.add(waits));
        self.cpu_times.iter_mut().zip(block.cpu_times).for_each(|(all, time)| *all += time);
        let busy = self.waits.map(|waits| waits.are_busy());
        if busy.contains(&true) && !plan.suspends_waiting {
            // Threads or processes of one side ran beside the samples of the other. In shared launches, they
            // may be those of another benchmark.
            if std::mem::take(&mut self.shares_launches) {
                self.waits = Default::default();
            } else {
                plan.suspend_waiting();
                self.busy = busy;
            }
            self.evidence = Evidence::new(self.benchmark.null());
            self.log_evidence = self.evidence.of_hypotheses();
            (self.shown, self.earlier_pairs) = Default::default();
            self.blocks.noise = TurnNoise::default();
            self.launches = Default::default();
            return Ok(());
        }
        if plan.lengthen_samples(block.longest_sample_time()) {
            return Ok(());
        }
        if adds_evidence {
            self.blocks.noise.add(&block);
        }
        let pairs: [Pair; PAIRS_PER_BLOCK] = std::array::from_fn(|place| Pair {
            change: adds_evidence.then_some(block.changes[place]),
            average: block.averages[place],
            launches: block.launch_pairs[place],
        });
        self.evidence.add(&pairs, block.side_ratios, executables.files.of_block());
        self.log_evidence = self.evidence.of_hypotheses();
        self.keep_launches(block);
        Ok(())
    }

    fn keep_launches(&mut self, block: Block) {
        for (process, launch) in block.launches.into_iter().enumerate() {
            let launches = &mut self.launches[usize::from(!runs_baseline(process))];
            if launches.len() < MAX_KEPT_LAUNCHES {
                launches.push(launch);
            }
        }
    }

    /// Evaluates the evidence so far. Returns whether it suffices.
    pub(crate) fn look(&mut self) -> bool {
        match self.findings().decide(self.spent, &self.benchmark.limits()) {
            Some(next_block) => {
                let time = self.blocks.efficient_sampling_time(&self.evidence.changes);
                self.sampling = self.benchmark.sampling(&self.evidence, next_block, time);
                false
            }
            None => true,
        }
    }

    fn findings(&self) -> Findings<'_> {
        Findings::new(&self.evidence, &self.benchmark.rules, self.log_evidence, self.shown)
    }

    /// Returns the time until the verdict on a clear change, if its calls take long.
    pub(crate) fn time_of_slow(&self) -> Duration {
        let calls = time_of_slow(self.benchmark.iteration_time);
        let is_expected = self.benchmark.expected_change().is_some();
        if is_expected { calls } else { self.benchmark.limits().total.max(2 * calls) }
    }

    /// Returns the time until the verdict by the evidence so far. `None` before the first block.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        if self.blocks.mean().is_zero() {
            return None;
        }
        if self.benchmark.is_slow() && self.is_suspected() {
            return Some(self.time_of_slow().saturating_sub(self.spent));
        }
        let usual = self.blocks.of_typical_time.saturating_sub(self.blocks.of_long_launches);
        let (pair_time, limits) = (self.time_per_pair(usual), self.benchmark.limits());
        Some(verdicts::until_verdict(&self.evidence, self.strongest(), self.spent, pair_time, &limits))
    }
}
