//! A row as named, typed cells: everything that documents have of a benchmark. JSON, its lines, CSV and
//! the page render the same record. Users read the names: changing or removing one raises
//! the `format` of the JSON document.

mod comparison;
mod samples;

use super::columns::without_loop;
use super::statistics::launch_medians;
use super::{RunHeader, doubts};
use crate::benchmark_id::BenchmarkId;
use crate::experiment::{Outcome, Relation, Row};
use comparison::Compared;
use nanobench::model::{Allocations, Counts, KeyValue, Measurement};
use nanobench::stats;
use nanobench::summary::{
    Summary, branch_miss_rate, instructions_per_cycle, per_operation, total_throughput,
};
use samples::Samples;
use serde::Serialize;
use std::collections::BTreeMap;

/// The cells of a row. `None` for a value that is unknown, or that the row doesn't have.
#[derive(Debug, Serialize)]
pub(super) struct Record<'a> {
    id: &'a BenchmarkId,
    package: &'a str,
    /// Labels and conditions, which distinguish the rows of a function.
    case: Option<String>,
    /// `group = "..."` of the attribute.
    group: Option<&'a str>,
    tags: &'a [String],
    context: BTreeMap<&'a str, &'a str>,
    description: &'a str,
    file: &'a str,
    line: u32,
    /// `ok`, `below resolution`, `failed` or `not run`.
    status: &'static str,
    error: Option<String>,
    /// The `count` that the function got, or 1. Times `unroll`, this is the number of operations
    /// per iteration.
    count: Option<u64>,
    unroll: u64,
    /// The number of units per operation.
    batch: u64,
    unit: &'a str,
    /// `warm` or `cold`.
    cache: &'static str,
    /// The number of bytes that are written to empty the caches.
    wipe_size: Option<u64>,
    threads: u64,
    samples: Option<u64>,
    iterations: Option<Iterations>,
    launches: Option<usize>,
    /// The median of each launch, in ns.
    launch_medians: Option<Vec<f64>>,
    first_call: Option<FirstCall>,
    /// The size of its input, for a complexity.
    n: Option<f64>,
    /// Per operation, in ns.
    time: Option<Time<'a>>,
    /// The shortest time that can be told from an empty benchmark, in ns.
    resolution: Option<f64>,
    /// The median, in cycles of the core.
    cycles: Option<f64>,
    /// The spread of the samples (MdAPE), in percent.
    err: Option<f64>,
    /// Reasons to doubt the figures.
    doubts: Vec<String>,
    throughput: Vec<Throughput<'a>>,
    /// The comparison with another benchmark of the run.
    relation: Option<&'a Relation>,
    /// The reason why there is no `relation` although the attribute names a baseline.
    relation_error: Option<&'a str>,
    /// The median, as a multiple of that of the benchmark that others are scaled to.
    scaled: Option<f64>,
    allocations: Option<Allocated>,
    /// Per operation.
    counters: Option<BTreeMap<&'a str, f64>>,
    /// From `counters`.
    instructions_per_cycle: Option<f64>,
    /// Mispredicted branches, in percent of all. From `counters`.
    branch_miss_rate: Option<f64>,
    /// `None` unless the samples are requested.
    raw: Option<Samples<'a>>,
    comparison: Option<Compared<'a>>,
}

/// The time of an operation.
#[derive(Debug, Serialize)]
struct Time<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    /// The median without an empty loop over the `count`.
    net: Option<f64>,
}

/// The very first call in fresh processes, per operation, in ns.
#[derive(Debug, Serialize)]
struct FirstCall {
    median: f64,
    min: f64,
    max: f64,
    processes: usize,
}

/// The iterations per sample.
#[derive(Debug, Serialize)]
struct Iterations {
    median: f64,
    min: u64,
    max: u64,
}

#[derive(Debug, Serialize)]
struct Throughput<'a> {
    unit: &'a str,
    /// Per operation.
    amount: f64,
    /// The sum over all threads.
    per_second: f64,
}

/// Allocations per operation. The peak is that of a call.
#[derive(Debug, Serialize)]
struct Allocated {
    allocations: f64,
    deallocations: f64,
    reallocations: f64,
    bytes: f64,
    peak: u64,
}

impl<'a> Record<'a> {
    /// Returns the cells of a row. `scale`: the row that its figures are multiples of.
    pub(super) fn new(row: &'a Row, header: &RunHeader, scale: Option<&Row>) -> Record<'a> {
        let (id, spec) = (&row.benchmark.id, &row.benchmark.spec);
        let measured = row.measured();
        let measurement = measured.map(|(measurement, _)| measurement);
        let summary = measured.map(|(_, summary)| summary);
        let counts = measurement.and_then(|measurement| Some((measurement.counts.as_ref()?, measurement)));
        let count_loop = header.overheads.map(|overheads| overheads.count_loop.median);
        Record {
            id,
            package: row.benchmark.package(),
            case: Some(id.row.case()).filter(|case| !case.is_empty()),
            group: spec.group.as_deref(),
            tags: spec.tags.as_deref().unwrap_or_default(),
            context: map(spec.context.as_deref().unwrap_or_default()),
            description: &spec.description,
            file: &spec.file,
            line: spec.line,
            status: status(row),
            error: match &row.outcome {
                Outcome::Failed(error) => Some(error.to_string()),
                Outcome::Measured { .. } | Outcome::NotRun => None,
            },
            count: measurement.map(|measurement| measurement.count),
            unroll: spec.unroll,
            batch: spec.batch.unwrap_or(1),
            unit: row.unit(),
            cache: id.row.conditions.cache.word(),
            wipe_size: spec.wipe_size,
            threads: id.row.conditions.threads.unwrap_or(1),
            samples: summary.map(|summary| summary.samples),
            iterations: measurement.and_then(iterations),
            launches: measurement.map(|measurement| measurement.launches.len()),
            launch_medians: measurement.map(launch_medians),
            first_call: measurement.and_then(first_call),
            n: spec.complexity.as_ref().map(|input| input.n),
            time: summary
                .map(|summary| Time { summary, net: count_loop.and_then(|step| without_loop(row, step)) }),
            resolution: summary.map(|summary| summary.resolution),
            cycles: summary.and_then(|summary| summary.cycles),
            err: summary.map(|summary| summary.err * 100.0),
            doubts: doubts::of_row(row, header.environment.cores).iter().map(ToString::to_string).collect(),
            throughput: throughput(row),
            relation: row.relation.as_ref(),
            relation_error: spec.relation_error.as_deref(),
            scaled: scale.and_then(|scale| row.multiple_of(scale)),
            allocations: counts.and_then(|(counts, measurement)| allocated(counts, measurement)),
            counters: counts.and_then(|(counts, measurement)| counters(counts, measurement)),
            instructions_per_cycle: counts.and_then(|(counts, _)| instructions_per_cycle(counts)),
            branch_miss_rate: counts.and_then(|(counts, _)| Some(branch_miss_rate(counts)? * 100.0)),
            raw: header.samples_planned_by.and_then(|sampling| Samples::of(row, &sampling)),
            comparison: row.comparison.as_ref().map(Compared::new),
        }
    }
}

fn status(row: &Row) -> &'static str {
    match &row.outcome {
        Outcome::Failed(_) => "failed",
        Outcome::NotRun => "not run",
        Outcome::Measured { summary, .. } if summary.below_resolution => "below resolution",
        Outcome::Measured { .. } => "ok",
    }
}

/// Returns statistics of the very first calls.
fn first_call(measurement: &Measurement) -> Option<FirstCall> {
    let times = measurement.first_calls.as_ref()?;
    let quantile = |part| stats::quantile(times, part);
    Some(FirstCall {
        median: stats::median(times),
        min: quantile(0.0),
        max: quantile(1.0),
        processes: times.len(),
    })
}

/// Returns statistics of the iterations per sample.
fn iterations(measurement: &Measurement) -> Option<Iterations> {
    let samples = || measurement.launches.iter().flat_map(|launch| &launch.samples);
    let iterations = || samples().map(|sample| sample.iterations);
    let values: Vec<f64> = iterations().map(|number| number as f64).collect();
    Some(Iterations { median: stats::median(&values), min: iterations().min()?, max: iterations().max()? })
}

/// Returns pairs by their keys.
pub(super) fn map(pairs: &[KeyValue]) -> BTreeMap<&str, &str> {
    pairs.iter().map(|pair| (pair.key.as_str(), pair.value.as_str())).collect()
}

fn throughput(row: &Row) -> Vec<Throughput<'_>> {
    let Some((measurement, summary)) = row.resolved() else { return Vec::new() };
    let amounts = measurement.throughput.iter().flatten();
    let per_second = total_throughput(&row.benchmark.spec, measurement, summary);
    let throughput = amounts.zip(per_second).map(|(amount, per_second)| Throughput {
        unit: &amount.name,
        amount: amount.value / measurement.operations() as f64,
        per_second: per_second.value,
    });
    throughput.collect()
}

fn allocated(counts: &Counts, measurement: &Measurement) -> Option<Allocated> {
    let Allocations { allocations, deallocations, reallocations, bytes, peak } = counts.allocations?;
    let [allocations, deallocations, reallocations, bytes] =
        [allocations, deallocations, reallocations, bytes]
            .map(|total| per_operation(total as f64, counts, measurement));
    Some(Allocated { allocations, deallocations, reallocations, bytes, peak })
}

fn counters<'a>(counts: &'a Counts, measurement: &Measurement) -> Option<BTreeMap<&'a str, f64>> {
    let counters = counts.counters.as_ref()?.iter();
    let value = |total| per_operation(total, counts, measurement);
    Some(counters.map(|counter| (counter.name.as_str(), value(counter.value))).collect())
}
