//! A simulated suite: its benchmarks run block by block, as the runner does it, until each is decided.

use super::super::{ERROR_RATE, Findings, NextBlock, OfHypotheses, rejected};
use super::files::{BlockFiles, Effects, Files, SuiteFiles};
use super::simulated::{BlockLength, Simulated};
use crate::clusters::PAIRS_PER_BLOCK;
use crate::effort::Effort;
use crate::evidence::CONFIDENCE;
use crate::evidence::{Evidence, Null};
use crate::renewal::Renewal;
use crate::rules::{Rules, TimeLimits};
use crate::verdict::Verdict;
use nanobench::stats::Interval;
use std::time::Duration;

/// Smallest change by a benchmark's own figures that is tested in a brief run.
const MIN_EXPECTED: f64 = 0.01;
/// Time of a block that is not sampling, if its benchmark has launches of its own.
const OVERHEAD: Duration = Duration::from_millis(10);
/// The same of each benchmark whose launches serve others.
const SHARED_OVERHEAD: Duration = Duration::from_millis(2);

/// Number of blocks that no benchmark takes in its time.
const MAX_BLOCKS: u32 = 2_000;

/// A suite that has not run yet.
pub(super) struct Suite {
    effort: Effort,
    rules: Rules,
    limits: TimeLimits,
    files: SuiteFiles,
    rows: Vec<Row>,
    /// Probability of any call if nothing changed.
    error_rate: f64,
    /// The time of all blocks.
    now: Duration,
}

/// A benchmark of a suite.
struct Row {
    simulated: Simulated,
    evidence: Evidence,
    log_evidence: OfHypotheses<f64>,
    shown: OfHypotheses<bool>,
    next: NextBlock,
    blocks: u32,
    spent: Duration,
    is_decided: bool,
    /// What the place of the original files adds to the change, if these run.
    by_originals: f64,
}

/// What a suite yielded for a benchmark.
#[derive(Debug)]
pub(super) struct Decided {
    pub(super) verdict: Verdict,
    pub(super) blocks: u32,
    pub(super) spent: Duration,
    /// The interval of the typical time holds the true change. `None` if there is none.
    pub(super) holds: Option<bool>,
    /// Likewise of the average time.
    pub(super) average_holds: Option<bool>,
}

impl Decided {
    pub(super) fn is_called(&self) -> bool {
        self.verdict.is_change()
    }
}

impl Suite {
    /// Creates a suite in which files and launches add nothing.
    pub(super) fn new(effort: Effort, rules: &Rules, benchmarks: Vec<Simulated>) -> Suite {
        let files = SuiteFiles::new(Files::Copies, Effects::default(), 0);
        Suite::with_files(effort, rules, benchmarks, files)
    }

    pub(super) fn with_files(
        effort: Effort,
        rules: &Rules,
        benchmarks: Vec<Simulated>,
        files: SuiteFiles,
    ) -> Suite {
        let limits = effort.limits();
        let rows = benchmarks.into_iter().map(|simulated| Row::new(simulated, rules, &limits)).collect();
        Suite { effort, rules: *rules, limits, files, rows, error_rate: ERROR_RATE, now: Duration::ZERO }
    }

    /// Lets the own figures of the original files choose the bets, as in a brief run.
    pub(super) fn with_own_figures(mut self) -> Suite {
        let files = self.files.next(Renewal::Never, Duration::ZERO);
        let null = self.rules.threshold.max(MIN_EXPECTED).ln_1p();
        for row in &mut self.rows {
            let own_change = row.simulated.own_change(files);
            let expected = Some(own_change).filter(|change| change.abs() > null);
            row.by_originals = row.simulated.change_by_files();
            row.evidence = Evidence::new(Null { change: null, expected });
        }
        self
    }

    /// Replaces the probability of a call if nothing changed.
    pub(super) fn with_error_rate(self, error_rate: f64) -> Suite {
        Suite { error_rate, ..self }
    }

    /// Runs rounds of blocks until all benchmarks are decided.
    pub(super) fn run(mut self) -> Vec<Decided> {
        while self.rows.iter().any(|row| !row.is_decided) {
            self.run_round();
        }
        let rules = &self.rules;
        self.rows.iter().map(|row| row.outcome(rules)).collect()
    }

    /// Runs a block of each open benchmark in the same launches.
    fn run_round(&mut self) {
        let overhead = if self.rows.len() > 1 { SHARED_OVERHEAD } else { OVERHEAD };
        let open = || self.rows.iter().filter(|row| !row.is_decided);
        let needs_all = !self.limits.expects_same;
        let renewal = open().map(|row| row.renewal(needs_all)).max().unwrap_or(Renewal::Never);
        self.files.next(renewal, self.now);
        let rows = u32::try_from(open().count()).unwrap_or(1);
        let overhead = overhead + self.files.time / rows;
        let files = &self.files.present;
        for row in self.rows.iter_mut().filter(|row| !row.is_decided) {
            let length = block_length(self.effort, row, &self.limits, overhead);
            row.run_block(&length, files);
            self.now += length.time();
        }
        self.files.end_round();
        let hypotheses: Vec<_> =
            self.rows.iter().map(|row| (row.evidence.weights(), row.log_evidence)).collect();
        for (row, rejected) in self.rows.iter_mut().zip(rejected(&hypotheses, self.error_rate)) {
            row.show(&rejected);
        }
        for row in self.rows.iter_mut().filter(|row| !row.is_decided) {
            row.decide(&self.rules, &self.limits);
        }
    }
}

/// Returns the length of the next block of a benchmark.
fn block_length(effort: Effort, row: &Row, limits: &TimeLimits, overhead: Duration) -> BlockLength {
    let NextBlock { long_pairs, only_adds_launches } = row.next;
    let has_launches = row.evidence.launches.number() >= limits.min_launches;
    let [_, time] = effort.sampling_times(has_launches, only_adds_launches);
    let sampled = time.as_secs_f64() * 1e3 / (2 * PAIRS_PER_BLOCK) as f64;
    BlockLength { sampled, elapsed: time + overhead, long_pairs, only_adds_launches }
}

impl Row {
    fn new(simulated: Simulated, rules: &Rules, limits: &TimeLimits) -> Row {
        let change = if rules.tests_threshold { rules.threshold.ln_1p() } else { 0.0 };
        let evidence = Evidence::new(Null { change, expected: None });
        Row {
            next: NextBlock::first(&evidence, limits),
            simulated,
            evidence,
            log_evidence: OfHypotheses::default(),
            shown: OfHypotheses::default(),
            blocks: 0,
            spent: Duration::ZERO,
            is_decided: false,
            by_originals: 0.0,
        }
    }

    fn is_suspected(&self) -> bool {
        self.log_evidence.as_flattened().iter().any(|&log_evidence| log_evidence > 0.0)
    }

    fn renewal(&self, needs_all: bool) -> Renewal {
        Renewal::of(&self.evidence, self.next, self.is_suspected(), needs_all)
    }

    fn run_block(&mut self, length: &BlockLength, files: &BlockFiles) {
        let (pairs, side_ratios) = self.simulated.block(length, files);
        self.evidence.add(&pairs, side_ratios, files.files);
        self.log_evidence = self.evidence.of_hypotheses();
        self.blocks += 1;
        assert!(self.blocks < MAX_BLOCKS, "it never ends");
        self.spent += length.time();
    }

    fn show(&mut self, rejected: &OfHypotheses<bool>) {
        let shown = self.shown.as_flattened_mut().iter_mut();
        shown.zip(rejected.as_flattened()).for_each(|(shown, rejected)| *shown |= rejected);
    }

    fn findings<'e>(&'e self, rules: &'e Rules) -> Findings<'e> {
        Findings::new(&self.evidence, rules, self.log_evidence, self.shown)
    }

    fn decide(&mut self, rules: &Rules, limits: &TimeLimits) {
        match self.findings(rules).decide(self.spent, limits) {
            Some(next) => self.next = next,
            None => self.is_decided = true,
        }
    }

    fn outcome(&self, rules: &Rules) -> Decided {
        let verdicts = self.findings(rules).verdicts();
        let change = self.simulated.effect + self.by_originals;
        let holds = |interval: Interval, change: f64| (interval.low..=interval.high).contains(&change);
        let average = self.evidence.averages.interval(CONFIDENCE);
        Decided {
            verdict: verdicts.verdict(),
            blocks: self.blocks,
            spent: self.spent,
            holds: self.evidence.interval().map(|interval| holds(interval, change)),
            average_holds: average.map(|interval| holds(interval, change.exp_m1())),
        }
    }
}
