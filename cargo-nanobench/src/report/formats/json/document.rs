//! The fields of the JSON document. Users read them: changing or removing one raises the format.

use super::raw::Raw;
use crate::benchmark_id::BenchmarkId;
use crate::code::CodeChange;
use crate::environment::Environment;
use crate::experiment::{Question, Sweep, Verdict};
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
    pub(super) caches: Vec<Sweep>,
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
    pub(super) caches: Vec<Sweep>,
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

#[derive(Debug, Serialize)]
pub(super) struct Compared<'a> {
    /// The baseline's median, in ns. `change` was computed from it.
    pub(super) baseline_median: Option<f64>,
    /// The median as it was stored, if `baseline_median` is corrected for another clock rate.
    pub(super) stored_median: Option<f64>,
    /// 100 x baseline / now.
    pub(super) relative: Option<f64>,
    /// In percent.
    pub(super) change: Option<f64>,
    /// The 95 % confidence interval of the change, in percent.
    pub(super) interval: Option<[f64; 2]>,
    pub(super) verdict: Verdict,
    /// The question that `slower`, `faster`, `moved` and `unsure` are about.
    pub(super) question: Option<Question>,
    /// `None` without a paired run, like `average`.
    pub(super) typical: Option<Typical>,
    pub(super) average: Option<Average>,
    /// Threads or processes of each side are busy while no call runs.
    pub(super) busy_between_calls: Option<Sides<bool>>,
    /// `None` unless the launches of a side fall into two groups.
    pub(super) slow_launches: Option<SlowLaunches>,
    pub(super) reason: Option<String>,
    /// `side by side` or `stored figures`. `None` without figures to compare with.
    pub(super) method: Option<&'static str>,
    /// The apparent change of each side against itself, in percent, which a real change has to
    /// exceed.
    pub(super) noise_floor: Option<f64>,
    /// The number of pairs of fresh processes, and of those that the verdict is based on.
    pub(super) pairs: Option<usize>,
    pub(super) confirmation_pairs: Option<usize>,
    /// `None` if no layouts were made.
    pub(super) layouts: Option<Layouts>,
    /// The upper bound of the change of the typical time for `same`, in percent.
    pub(super) bound: Option<f64>,
    /// The instructions of a call on both sides. `None` unless a gate needs them.
    pub(super) instructions: Option<Instructions>,
    /// The function nearest to the benchmark whose code or data differ, for a change.
    pub(super) differs_in: Option<&'a str>,
    /// The functions whose code or data differ, for a change, the nearest first.
    pub(super) changed_functions: Vec<ChangedFunction<'a>>,
    /// The further seconds that would decide an `unsure` verdict.
    pub(super) seconds_to_decide: Option<f64>,
    /// The comparison in words.
    pub(super) sentence: String,
}

/// The effect of the layout: the same code, linked in another order.
#[derive(Debug, Serialize)]
pub(super) struct Layouts {
    /// The typical difference between two layouts of the same code, in percent.
    pub(super) difference: f64,
    /// For a change of the typical time: the number of layouts in which it was tested.
    pub(super) number: Option<usize>,
    /// The number of those in which it had the direction of the estimate.
    pub(super) agreeing: Option<usize>,
}

/// The instructions of a call on both sides.
#[derive(Debug, Serialize)]
pub(super) struct Instructions {
    pub(super) before: f64,
    pub(super) now: f64,
    /// In percent.
    pub(super) change: f64,
    /// `callgrind` or `single steps`.
    pub(super) counted_by: &'static str,
}

/// A function whose code or data differ.
#[derive(Debug, Serialize)]
pub(super) struct ChangedFunction<'a> {
    /// `null` for the timed loop with the functions that are inlined into it.
    pub(super) name: Option<&'a str>,
    /// The number of calls from the timed loop.
    pub(super) distance: Option<usize>,
    /// The sizes in bytes, and the numbers of instructions.
    pub(super) bytes: Sides<u64>,
    pub(super) instructions: Sides<usize>,
    pub(super) changes: &'a [CodeChange],
}

/// The answer about the time of a typical call. Changes are in percent.
#[derive(Debug, Serialize)]
pub(super) struct Typical {
    pub(super) verdict: Verdict,
    pub(super) change: Option<f64>,
    pub(super) interval: Option<[f64; 2]>,
    /// Two-sided p-value.
    pub(super) p: Option<f64>,
}

/// The answer about the average time of a call. Changes are in percent.
#[derive(Debug, Serialize)]
pub(super) struct Average {
    pub(super) verdict: Verdict,
    pub(super) change: f64,
    pub(super) interval: [f64; 2],
    /// Two-sided p-value.
    pub(super) p: f64,
    /// The time that each side was sampled.
    pub(super) sampled_seconds: f64,
    /// The time of these that the longest launch of each side took.
    pub(super) longest_launch_seconds: f64,
    /// The number of samples.
    pub(super) samples: Sides<u64>,
    /// The number of these that other programs interrupted.
    pub(super) interrupted: Sides<u64>,
    /// The time for which they did, which the average leaves out, unless it counts waiting.
    pub(super) waited_seconds: Sides<f64>,
    /// Waiting counts, because one side waits more than the other.
    pub(super) counts_waiting: bool,
}

/// The answer about slow launches.
#[derive(Debug, Serialize)]
pub(super) struct SlowLaunches {
    pub(super) verdict: Verdict,
    /// The time of a slow launch relative to that of the others, less 1, in percent.
    pub(super) slowdown: f64,
    /// Two-sided p-value.
    pub(super) p: f64,
    /// The number of launches.
    pub(super) launches: Sides<usize>,
    /// The number of these that are slow.
    pub(super) slow: Sides<usize>,
}

/// A number for each side.
#[derive(Debug, Serialize)]
pub(super) struct Sides<T> {
    pub(super) baseline: T,
    pub(super) now: T,
}

impl<T> From<[T; 2]> for Sides<T> {
    fn from([baseline, now]: [T; 2]) -> Sides<T> {
        Sides { baseline, now }
    }
}
