//! The shape of the JSON document. Its fields are what users read: they are added to, and none changes its meaning.

use crate::benchmark_id::BenchmarkId;
use crate::environment::Environment;
use crate::experiment::Verdict;
use serde::Serialize;
use std::collections::BTreeMap;

/// The document.
#[derive(Debug, Serialize)]
pub(super) struct Document<'a> {
    pub(super) format: u64,
    pub(super) cargo_nanobench: &'static str,
    pub(super) environment: &'a Environment,
    pub(super) clock: Option<Clock<'a>>,
    /// What an iteration of an empty benchmark takes, in ns.
    pub(super) empty_loop: Option<f64>,
    /// What was compared with.
    pub(super) baseline: Option<&'a str>,
    /// The commit that the other of two builds was made of.
    pub(super) against: Option<&'a str>,
    /// Id of the benchmark that `scaled` is in multiples of.
    pub(super) scale_to: Option<&'a BenchmarkId>,
    pub(super) context: BTreeMap<&'a str, &'a str>,
    pub(super) warnings: Vec<&'a String>,
    pub(super) benchmarks: Vec<Benchmark<'a>>,
    pub(super) complexity: Vec<Complexity>,
    pub(super) caches: Vec<Caches>,
    pub(super) missing: &'a [BenchmarkId],
    pub(super) interrupted: bool,
    /// Which saved run `benchmarks` is, where nothing was run.
    pub(super) saved: Option<&'a str>,
    /// What didn't pass, where there was a gate.
    pub(super) gate: Option<Gate<'a>>,
    /// The same run beside the other baselines, where there were several.
    pub(super) others: Vec<Other<'a>>,
}

/// What it was timed with.
#[derive(Debug, Serialize)]
pub(super) struct Clock<'a> {
    pub(super) name: &'a str,
    /// Ticks a second.
    pub(super) frequency: f64,
    /// Smallest step between two readings that differ, in ns.
    pub(super) resolution: f64,
    /// What one reading takes, in ns.
    pub(super) read_cost: f64,
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

/// The benchmarks beside another baseline. They were measured again for it.
#[derive(Debug, Serialize)]
pub(super) struct Other<'a> {
    pub(super) baseline: Option<&'a str>,
    pub(super) warnings: Vec<&'a String>,
    pub(super) benchmarks: Vec<Benchmark<'a>>,
    pub(super) missing: &'a [BenchmarkId],
    pub(super) gate: Option<Gate<'a>>,
}

#[derive(Debug, Serialize)]
pub(super) struct Benchmark<'a> {
    pub(super) id: &'a BenchmarkId,
    pub(super) package: &'a str,
    /// What tells it from the other rows of its function.
    pub(super) case: Option<String>,
    /// `group = "..."` of the attribute.
    pub(super) group: Option<&'a str>,
    pub(super) tags: &'a [String],
    pub(super) context: BTreeMap<&'a str, &'a str>,
    pub(super) description: &'a str,
    pub(super) file: &'a str,
    pub(super) line: u32,
    /// `ok`, `below resolution` or `failed`.
    pub(super) status: &'static str,
    /// Why it failed.
    pub(super) error: Option<String>,
    /// What the function got as `count`, or 1. Times `unroll`, these are the operations in an iteration.
    pub(super) count: Option<u64>,
    pub(super) unroll: u64,
    /// How many of its unit an operation is.
    pub(super) batch: u64,
    pub(super) unit: &'a str,
    /// `warm` or `cold`.
    pub(super) cache: &'a str,
    /// How many bytes are written to make them cold.
    pub(super) wipe_size: Option<u64>,
    pub(super) threads: u64,
    pub(super) samples: Option<u64>,
    pub(super) iterations: Option<Iterations>,
    pub(super) launches: Option<usize>,
    /// Per operation, in ns.
    pub(super) time: Option<Time>,
    /// The median in cycles of the core.
    pub(super) cycles: Option<f64>,
    /// Spread of the samples (MdAPE), in percent.
    pub(super) err: Option<f64>,
    /// What makes the figures doubtful.
    pub(super) doubts: Vec<String>,
    pub(super) throughput: Vec<Throughput>,
    /// Beside another benchmark of the run.
    pub(super) in_run: Option<InRun<'a>>,
    /// Why it is beside none, though it names one.
    pub(super) unpaired: Option<&'a str>,
    /// The median, in multiples of that of `scale_to`.
    pub(super) scaled: Option<f64>,
    pub(super) allocations: Option<Allocated>,
    /// Per operation.
    pub(super) counters: Option<BTreeMap<&'a str, f64>>,
    pub(super) comparison: Option<Compared<'a>>,
}

/// Of a sample.
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
    /// Of all threads together.
    pub(super) per_second: f64,
}

#[derive(Debug, Serialize)]
pub(super) struct InRun<'a> {
    pub(super) baseline: &'a BenchmarkId,
    /// 100 x baseline / this.
    pub(super) relative: f64,
    /// Where `relative` lies, with 95 % confidence.
    pub(super) interval: [f64; 2],
    /// In how many rounds both were sampled.
    pub(super) pairs: usize,
}

/// Per operation, but for the peak, which is that of a call.
#[derive(Debug, Serialize)]
pub(super) struct Allocated {
    pub(super) allocations: f64,
    pub(super) deallocations: f64,
    pub(super) reallocations: f64,
    pub(super) bytes: f64,
    pub(super) peak: u64,
}

/// What fits the rows of a function that differ in their size.
#[derive(Debug, Serialize)]
pub(super) struct Complexity {
    pub(super) function: String,
    /// What these rows have in common besides.
    pub(super) case: String,
    pub(super) fits: Vec<Fit>,
    /// What is not among them.
    pub(super) unfitted: Option<Unfitted>,
}

/// A curve that some of the rows have no value of, or all fits.
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

/// Where the caches end, by a sweep.
#[derive(Debug, Serialize)]
pub(super) struct Caches {
    pub(super) function: String,
    /// What these rows have in common besides.
    pub(super) case: String,
    pub(super) rises: Vec<Rise>,
}

#[derive(Debug, Serialize)]
pub(super) struct Rise {
    /// In bytes.
    pub(super) size: u64,
    pub(super) factor: f64,
}

#[derive(Debug, Serialize)]
pub(super) struct Time {
    pub(super) median: f64,
    /// Where the median lies, with 95 % confidence.
    pub(super) interval: [f64; 2],
    pub(super) mean: f64,
    pub(super) sd: f64,
    pub(super) mad: f64,
    pub(super) min: f64,
    pub(super) max: f64,
    /// The median before the clock's cost is taken out.
    pub(super) raw_median: f64,
}

#[derive(Debug, Serialize)]
pub(super) struct Compared<'a> {
    /// The baseline's median, in ns.
    pub(super) baseline_median: Option<f64>,
    /// 100 x baseline / now.
    pub(super) relative: Option<f64>,
    /// In percent.
    pub(super) change: Option<f64>,
    /// Where the change lies, in percent, with 95 % confidence.
    pub(super) interval: Option<[f64; 2]>,
    pub(super) verdict: Verdict,
    pub(super) reason: Option<String>,
    /// `side by side`, or `stored figures` of another time; `None` where there are no figures to compare with.
    pub(super) method: Option<&'static str>,
    /// Side by side: what each side shows beside itself, in percent; a change has to be larger.
    pub(super) noise_floor: Option<f64>,
    /// Side by side: pairs of fresh processes, and those that the verdict stands on.
    pub(super) pairs: Option<usize>,
    pub(super) fresh_pairs: Option<usize>,
    /// Of `same`, in percent: it changed by no more than this.
    pub(super) bound: Option<f64>,
    /// Of a change: the function nearest to the benchmark whose machine code is another.
    pub(super) differs_in: Option<&'a str>,
    /// Of `unsure`, in seconds: how much longer it would take to tell.
    pub(super) more: Option<f64>,
    /// All this in words.
    pub(super) sentence: String,
}
