//! The run of a program that passes its benchmarks.

use super::PassedRow;
use super::alone::Alone;
use super::served::Served;
use crate::counters::Counters;
use crate::harness::rows::RequestedConditions;
use crate::harness::runnable::Runnable;
use crate::measure::{
    self, Bencher, Caches, Calibration, CalibrationRequest, Count, CountRequest, Engine, Preparation,
    SampleBatch, SampleRequest,
};
use crate::model::{BenchmarkSpec, CacheState, Counts, PassedCode, RowId, RunConditions, ThroughputUnit};
use crate::protocol::CHANNEL_VARIABLE;
use std::cell::RefCell;
use std::thread::{self, ThreadId};

/// The reason why no benchmark runs on several threads.
const ONE_THREAD: &str = "its closure can't run on several threads at once";

/// The run of a program that passes its benchmarks.
pub(super) struct Program {
    purpose: Purpose,
    /// The ids so far, each with the number of benchmarks that have it.
    ids: Vec<(String, u64)>,
    /// The target whose code runs, and its thread.
    target: Option<(u64, ThreadId)>,
}

/// The purpose of the process.
enum Purpose {
    /// The tool lists or runs its benchmarks.
    Served(Box<Served>),
    /// It prints a table or a list, or tests its benchmarks.
    Alone(Box<Alone>),
}

/// A benchmark that the program has passed.
pub(super) struct Passed<'a> {
    pub(super) benchmark: BenchmarkSpec,
    preparation: Preparation,
    throughput: &'a [(ThroughputUnit, u64)],
    run: &'a RefCell<dyn FnMut(&mut Bencher) + 'a>,
}

impl Runnable for Passed<'_> {
    fn benchmark(&self) -> &BenchmarkSpec {
        &self.benchmark
    }

    fn calibrate(&self, engine: &Engine, request: &CalibrationRequest) -> Calibration {
        measure::calibrate(engine, &mut |bencher| self.run(bencher), Count::None, request)
    }

    fn sample(&self, engine: &Engine, request: &SampleRequest) -> SampleBatch {
        measure::sample(engine, &mut |bencher| self.run(bencher), request)
    }

    fn count(&self, engine: &Engine, request: &CountRequest, counters: Counters) -> Counts {
        measure::count(engine, &mut |bencher| self.run(bencher), request, counters)
    }
}

impl Passed<'_> {
    /// Runs a sample.
    pub(super) fn run(&self, bencher: &mut Bencher) {
        bencher.prepare(self.preparation);
        if bencher.needs_throughput() {
            for &(unit, amount) in self.throughput {
                bencher.add_throughput(unit, amount);
            }
        }
        (self.run.borrow_mut())(bencher);
    }
}

impl Program {
    pub(super) fn begin(is_unoptimized: bool, arguments: fn() -> Result<Vec<String>, String>) -> Program {
        let purpose = match std::env::var(CHANNEL_VARIABLE) {
            Ok(address) => Purpose::Served(Box::new(Served::begin(&address))),
            Err(_) => Purpose::Alone(Box::new(Alone::begin(is_unoptimized, arguments()))),
        };
        Program { purpose, ids: Vec::new(), target: None }
    }

    /// Makes this the target whose code runs. Returns the one before.
    ///
    /// # Panics
    /// Panics if another thread runs one: nobody could tell whose benchmarks follow.
    pub(super) fn enter_target(&mut self, target: Option<u64>) -> Option<u64> {
        let this = thread::current().id();
        assert!(
            self.target.is_none_or(|(_, thread)| thread == this),
            "a group was started while another thread runs one: run them one after another"
        );
        std::mem::replace(&mut self.target, target.map(|code| (code, this))).map(|(code, _)| code)
    }

    /// Takes a benchmark.
    ///
    /// # Panics
    /// Panics with the benchmark, unless the tool gets to know.
    pub(super) fn pass<'a>(
        &mut self,
        row: &PassedRow<'a>,
        code: u64,
        run: &'a RefCell<dyn FnMut(&mut Bencher) + 'a>,
    ) {
        let number = self.number(row.id);
        let common = BenchmarkSpec {
            id: RowId { function: row.id.to_owned(), number, ..RowId::default() },
            file: row.location.file().to_owned(),
            line: row.location.line(),
            unroll: 1,
            throughput: (!row.throughput.is_empty())
                .then(|| row.throughput.iter().map(|(unit, _)| *unit).collect()),
            group: row.group.map(str::to_owned),
            code: Some(PassedCode { row: code, target: self.target.map(|(code, _)| code) }),
            ..BenchmarkSpec::default()
        };
        for passed in under_conditions(&common, self.purpose.conditions(), row.throughput, run) {
            match &mut self.purpose {
                Purpose::Served(served) => served.pass(&passed),
                Purpose::Alone(alone) => alone.pass(&passed),
            }
        }
    }

    /// Returns the number of a benchmark whose id others had before.
    fn number(&mut self, id: &str) -> Option<u64> {
        if let Some((_, number)) = self.ids.iter_mut().find(|(other, _)| other == id) {
            *number += 1;
            return Some(*number);
        }
        self.ids.push((id.to_owned(), 1));
        None
    }

    /// Ends the run at the end of the program.
    pub(super) fn end(&mut self) {
        match &mut self.purpose {
            Purpose::Served(served) => served.end(),
            Purpose::Alone(alone) => alone.end(),
        }
    }
}

impl Purpose {
    /// Returns the conditions under which benchmarks run.
    fn conditions(&self) -> &RequestedConditions {
        match self {
            Purpose::Served(served) => served.conditions(),
            Purpose::Alone(alone) => alone.conditions(),
        }
    }
}

/// Returns a benchmark under each of the conditions.
fn under_conditions<'a>(
    common: &BenchmarkSpec,
    requested: &RequestedConditions,
    throughput: &'a [(ThroughputUnit, u64)],
    run: &'a RefCell<dyn FnMut(&mut Bencher) + 'a>,
) -> Vec<Passed<'a>> {
    let (conditions, problem) = match requested.conditions(None, None, Some(ONE_THREAD)) {
        Ok(conditions) => (conditions, None),
        Err(problem) => (vec![RunConditions::default()], Some(problem)),
    };
    let mut all = Vec::new();
    for conditions in conditions {
        let caches = (conditions.cache == CacheState::Cold).then(|| Caches::with_size(conditions.wipe_size));
        let benchmark = BenchmarkSpec {
            id: RowId { conditions, ..common.id.clone() },
            wipe_size: caches.map(Caches::size),
            counters: requested.counters(None),
            problem: problem.clone(),
            ..common.clone()
        };
        all.push(Passed { benchmark, preparation: Preparation { between: None, caches }, throughput, run });
    }
    all
}
