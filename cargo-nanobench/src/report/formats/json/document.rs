//! The fields of the JSON document. Users read them: changing or removing one raises the format.

use super::compared::Compared;
use super::raw::Raw;
use crate::benchmark_id::BenchmarkId;
use crate::environment::Environment;
use serde::Serialize;
use std::collections::BTreeMap;

/// The document.
#[derive(Debug, Serialize)]
pub(in crate::report) struct Document<'a> {
    #[serde(flatten)]
    pub(super) description: Description<'a>,
    /// Id of the benchmark that `scaled` refers to.
    pub(super) scale_to: Option<&'a BenchmarkId>,
    #[serde(flatten)]
    pub(super) first: ComparedRun<'a>,
    pub(super) complexity: Vec<Complexity>,
    pub(super) interrupted: bool,
    /// The runs for further baselines. The benchmarks are measured again for each.
    pub(super) other_baselines: Vec<ComparedRun<'a>>,
}

/// The facts that are known before the first row.
#[derive(Debug, Serialize)]
pub(super) struct Description<'a> {
    pub(super) format: u64,
    pub(super) cargo_nanobench: &'static str,
    pub(super) environment: &'a Environment,
    pub(super) clock: Option<Clock<'a>>,
    /// The time of an iteration of an empty benchmark, in ns.
    pub(super) empty_loop: Option<f64>,
    pub(super) overheads: Option<Overheads>,
    /// `processor`, `callgrind` or `single steps`. `None` if no instructions are counted.
    pub(super) instructions_counted_by: Option<&'static str>,
    /// The commit of the other revision.
    pub(super) against: Option<&'a str>,
    pub(super) context: BTreeMap<&'a str, &'a str>,
    /// The name of the saved run that the benchmarks come from. `None` for a run that was measured
    /// now.
    pub(super) saved: Option<&'a str>,
}

/// A line of a run that is printed as results arrive.
#[derive(Debug, Serialize)]
pub(super) struct Event<'a, T> {
    /// `start`, `benchmark` or `end`.
    pub(super) event: &'static str,
    /// The name of the baseline.
    pub(super) baseline: Option<&'a str>,
    #[serde(flatten)]
    pub(super) fields: T,
}

/// The line before the first row.
#[derive(Debug, Serialize)]
pub(super) struct Start<'a> {
    #[serde(flatten)]
    pub(super) description: Description<'a>,
    pub(super) differences: &'a [String],
    pub(super) warnings: &'a [String],
}

/// The line after the last row.
#[derive(Debug, Serialize)]
pub(super) struct End<'a> {
    /// All warnings, with those of the line before the first row.
    pub(super) warnings: Vec<String>,
    pub(super) complexity: Vec<Complexity>,
    pub(super) missing: &'a [BenchmarkId],
    pub(super) interrupted: bool,
    pub(super) gate: Option<Gate<'a>>,
}

#[derive(Debug, Serialize)]
pub(super) struct Clock<'a> {
    pub(super) name: &'a str,
    /// Ticks per second.
    pub(super) frequency: f64,
    /// The smallest step between two different readings, in ns.
    pub(super) resolution: f64,
    /// The time of one reading, in ns.
    pub(super) read_cost: f64,
}

/// The overheads of measuring, in ns.
#[derive(Debug, Serialize)]
pub(super) struct Overheads {
    pub(super) empty_loop: Overhead,
    /// A step of an empty loop over the `count`.
    pub(super) count_loop: Overhead,
    /// Starting and stopping the clock once.
    pub(super) time_control: Overhead,
}

/// A time with its 5 % and 95 % quantiles.
#[derive(Debug, Serialize)]
pub(super) struct Overhead {
    pub(super) median: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

#[derive(Debug, Serialize)]
pub(super) struct Gate<'a> {
    pub(super) passed: bool,
    pub(super) failures: Vec<GateFailure<'a>>,
}

#[derive(Debug, Serialize)]
pub(super) struct GateFailure<'a> {
    /// `slower`, `unsure`, `missing`, `failed`, `new` or `moved`.
    pub(super) kind: &'static str,
    pub(super) id: &'a BenchmarkId,
    /// In percent.
    pub(super) change: Option<f64>,
}

/// A run, compared with one baseline or none.
#[derive(Debug, Serialize)]
pub(super) struct ComparedRun<'a> {
    /// The name of the baseline.
    pub(super) baseline: Option<&'a str>,
    /// The differences between the builds or machines of both sides.
    pub(super) differences: &'a [String],
    pub(super) warnings: Vec<String>,
    pub(super) benchmarks: Vec<Benchmark<'a>>,
    pub(super) missing: &'a [BenchmarkId],
    pub(super) gate: Option<Gate<'a>>,
}

#[derive(Debug, Serialize)]
pub(super) struct Benchmark<'a> {
    pub(super) id: &'a BenchmarkId,
    pub(super) package: &'a str,
    /// Labels and conditions, which distinguish the rows of a function.
    pub(super) case: Option<String>,
    /// `group = "..."` of the attribute.
    pub(super) group: Option<&'a str>,
    pub(super) tags: &'a [String],
    pub(super) context: BTreeMap<&'a str, &'a str>,
    pub(super) description: &'a str,
    pub(super) file: &'a str,
    pub(super) line: u32,
    /// `ok`, `below resolution`, `failed` or `not run`.
    pub(super) status: &'static str,
    pub(super) error: Option<String>,
    /// The `count` that the function got, or 1. Times `unroll`, this is the number of operations
    /// per iteration.
    pub(super) count: Option<u64>,
    pub(super) unroll: u64,
    /// The number of units per operation.
    pub(super) batch: u64,
    pub(super) unit: &'a str,
    /// `warm` or `cold`.
    pub(super) cache: &'a str,
    /// The number of bytes that are written to empty the caches.
    pub(super) wipe_size: Option<u64>,
    pub(super) threads: u64,
    pub(super) samples: Option<u64>,
    pub(super) iterations: Option<Iterations>,
    pub(super) launches: Option<usize>,
    /// The median of each launch, in ns.
    pub(super) launch_medians: Option<Vec<f64>>,
    pub(super) first_call: Option<FirstCall>,
    /// The size of its input, for a complexity.
    pub(super) n: Option<f64>,
    /// Per operation, in ns.
    pub(super) time: Option<Time>,
    /// The shortest time that can be told from an empty benchmark, in ns.
    pub(super) resolution: Option<f64>,
    /// The median, in cycles of the core.
    pub(super) cycles: Option<f64>,
    /// The spread of the samples (MdAPE), in percent.
    pub(super) err: Option<f64>,
    /// Reasons to doubt the figures.
    pub(super) doubts: Vec<String>,
    pub(super) throughput: Vec<Throughput>,
    /// The comparison with another benchmark of the run.
    pub(super) relation: Option<Relation<'a>>,
    /// The reason why there is no `relation` although the attribute names a baseline.
    pub(super) relation_error: Option<&'a str>,
    /// The median, as a multiple of that of `scale_to`.
    pub(super) scaled: Option<f64>,
    pub(super) allocations: Option<Allocated>,
    /// Per operation.
    pub(super) counters: Option<BTreeMap<&'a str, f64>>,
    /// From `counters`.
    pub(super) instructions_per_cycle: Option<f64>,
    /// Mispredicted branches, in percent of all. From `counters`.
    pub(super) branch_miss_rate: Option<f64>,
    /// `None` unless the samples are requested.
    pub(super) raw: Option<Raw<'a>>,
    pub(super) comparison: Option<Compared<'a>>,
}

/// The very first call in fresh processes, per operation, in ns.
#[derive(Debug, Serialize)]
pub(super) struct FirstCall {
    pub(super) median: f64,
    pub(super) min: f64,
    pub(super) max: f64,
    pub(super) processes: usize,
}

/// The iterations per sample.
#[derive(Debug, Serialize)]
pub(super) struct Iterations {
    pub(super) median: f64,
    pub(super) min: u64,
    pub(super) max: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct Throughput {
    pub(super) unit: String,
    /// Per operation.
    pub(super) amount: f64,
    /// The sum over all threads.
    pub(super) per_second: f64,
}

#[derive(Debug, Serialize)]
pub(super) struct Relation<'a> {
    pub(super) baseline: &'a BenchmarkId,
    /// 100 x baseline / this.
    pub(super) relative: f64,
    /// The 95 % confidence interval of `relative`.
    pub(super) interval: [f64; 2],
    /// The number of rounds in which both were sampled.
    pub(super) pairs: usize,
}

/// Allocations per operation. The peak is that of a call.
#[derive(Debug, Serialize)]
pub(super) struct Allocated {
    pub(super) allocations: f64,
    pub(super) deallocations: f64,
    pub(super) reallocations: f64,
    pub(super) bytes: f64,
    pub(super) peak: u64,
}

/// The complexities that fit the rows of a function, or the functions of a group.
#[derive(Debug, Serialize)]
pub(super) struct Complexity {
    pub(super) function: String,
    /// `function` or `group`.
    pub(super) scope: &'static str,
    /// The labels that these rows have in common.
    pub(super) case: String,
    pub(super) fits: Vec<Fit>,
    pub(super) unfitted: Option<Unfitted>,
}

/// A curve without a value for some of the rows, or all curves if there are too few rows.
#[derive(Debug, Serialize)]
pub(super) struct Unfitted {
    pub(super) name: String,
    pub(super) reason: String,
}

#[derive(Debug, Serialize)]
pub(super) struct Fit {
    pub(super) name: String,
    /// In ns.
    pub(super) coefficient: f64,
    /// In percent.
    pub(super) err: f64,
}

#[derive(Debug, Serialize)]
pub(super) struct Time {
    pub(super) median: f64,
    /// The 95 % confidence interval of the median.
    pub(super) interval: [f64; 2],
    pub(super) mean: f64,
    pub(super) sd: f64,
    pub(super) mad: f64,
    pub(super) min: f64,
    pub(super) max: f64,
    /// The median before the clock's cost is subtracted.
    pub(super) raw_median: f64,
    /// The median without an empty loop over the `count`.
    pub(super) net: Option<f64>,
}
