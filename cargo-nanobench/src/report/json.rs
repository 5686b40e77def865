//! The run as one JSON document.

use super::columns::{per_operation, total_throughput};
use super::{Closing, Facts, Part, doubts, said};
use crate::environment::Environment;
use crate::experiment::{Comparison, Failure, Growth, Outcome, Relation, Row, Sweep, Verdict, growth, sweep};
use nanobench::model::{ClockInfo, Counted, Measurement, Pair};
use nanobench::summary::Summary;
use serde::Serialize;
use std::collections::BTreeMap;

/// Version of the document. Fields are added without a new one; a field that changes or goes makes one.
const FORMAT: u64 = 1;

/// The document.
#[derive(Debug, Serialize)]
struct Document<'a> {
    format: u64,
    cargo_nanobench: &'static str,
    environment: &'a Environment,
    clock: Option<&'a ClockInfo>,
    /// What an iteration of an empty benchmark takes, in ns.
    nothing: Option<f64>,
    /// What was compared with.
    baseline: Option<&'a str>,
    /// The commit that the other of two builds was made of.
    against: Option<&'a str>,
    /// Id of the benchmark that `scaled` is in multiples of.
    scale_to: Option<&'a str>,
    context: BTreeMap<&'a str, &'a str>,
    warnings: Vec<&'a String>,
    benchmarks: Vec<Benchmark<'a>>,
    complexity: Vec<Complexity>,
    caches: Vec<Caches>,
    missing: &'a [String],
    interrupted: bool,
    /// Which saved run `benchmarks` is, where nothing was run.
    saved: Option<&'a str>,
    /// What didn't pass, where there was a gate.
    gate: Option<Gate<'a>>,
    /// The same run beside the other baselines, where there were several.
    others: Vec<Other<'a>>,
}

#[derive(Debug, Serialize)]
struct Gate<'a> {
    passed: bool,
    failures: Vec<GateFailure<'a>>,
}

#[derive(Debug, Serialize)]
struct GateFailure<'a> {
    /// `slower`, `unsure`, `missing`, `failed` or `new`.
    kind: &'static str,
    id: &'a str,
    /// In percent.
    change: Option<f64>,
}

/// The benchmarks beside another baseline. They were measured again for it.
#[derive(Debug, Serialize)]
struct Other<'a> {
    baseline: Option<&'a str>,
    warnings: Vec<&'a String>,
    benchmarks: Vec<Benchmark<'a>>,
    missing: &'a [String],
    gate: Option<Gate<'a>>,
}

#[derive(Debug, Serialize)]
struct Benchmark<'a> {
    id: &'a str,
    package: &'a str,
    /// What tells it from the other rows of its function.
    case: Option<&'a str>,
    /// `group = "..."` of the attribute.
    group: Option<&'a str>,
    tags: &'a [String],
    context: BTreeMap<&'a str, &'a str>,
    description: &'a str,
    file: &'a str,
    line: u32,
    /// `ok`, `below resolution` or `failed`.
    status: &'static str,
    /// Why it failed.
    error: Option<&'a str>,
    /// What the function got as `count`, or 1. Times `unroll`, these are the operations in an iteration.
    count: Option<u64>,
    unroll: u64,
    /// How many of its unit an operation is.
    batch: u64,
    unit: &'a str,
    /// `warm` or `cold`.
    cache: &'a str,
    /// How many bytes are written to make them cold.
    wipe_size: Option<u64>,
    threads: u64,
    samples: Option<u64>,
    launches: Option<usize>,
    /// Per operation, in ns.
    time: Option<Time>,
    /// The median in cycles of the core.
    cycles: Option<f64>,
    /// Spread of the samples (MdAPE), in percent.
    err: Option<f64>,
    /// What makes the figures doubtful.
    doubts: Vec<String>,
    throughput: Vec<Throughput>,
    /// Beside another benchmark of the run.
    in_run: Option<InRun<'a>>,
    /// The median, in multiples of that of `scale_to`.
    scaled: Option<f64>,
    allocations: Option<Allocated>,
    /// Per operation.
    counters: Option<BTreeMap<&'a str, f64>>,
    comparison: Option<Compared<'a>>,
}

#[derive(Debug, Serialize)]
struct Throughput {
    unit: String,
    /// Per operation.
    amount: f64,
    /// Of all threads together.
    per_second: f64,
}

#[derive(Debug, Serialize)]
struct InRun<'a> {
    baseline: &'a str,
    /// 100 x baseline / this.
    relative: f64,
    /// Where `relative` lies, with 95 % confidence.
    interval: [f64; 2],
    /// In how many rounds both were sampled.
    pairs: usize,
}

/// Per operation, but for the peak, which is that of a call.
#[derive(Debug, Serialize)]
struct Allocated {
    allocations: f64,
    deallocations: f64,
    reallocations: f64,
    bytes: f64,
    peak: u64,
}

/// What fits the rows of a function that differ in their size.
#[derive(Debug, Serialize)]
struct Complexity {
    function: String,
    /// What these rows have in common besides.
    case: String,
    fits: Vec<Fit>,
}

#[derive(Debug, Serialize)]
struct Fit {
    name: String,
    /// In ns.
    coefficient: f64,
    /// In percent.
    err: f64,
}

/// Where the caches end, by a sweep.
#[derive(Debug, Serialize)]
struct Caches {
    function: String,
    /// What these rows have in common besides.
    case: String,
    rises: Vec<Rise>,
}

#[derive(Debug, Serialize)]
struct Rise {
    /// In bytes.
    size: u64,
    factor: f64,
}

#[derive(Debug, Serialize)]
struct Time {
    median: f64,
    /// Where the median lies, with 95 % confidence.
    interval: [f64; 2],
    mean: f64,
    sd: f64,
    mad: f64,
    min: f64,
    max: f64,
    /// The median before the clock's cost is taken out.
    raw_median: f64,
}

#[derive(Debug, Serialize)]
struct Compared<'a> {
    /// The baseline's median, in ns.
    baseline_median: Option<f64>,
    /// 100 x baseline / now.
    relative: Option<f64>,
    /// In percent.
    change: Option<f64>,
    /// Where the change lies, in percent, with 95 % confidence.
    interval: Option<[f64; 2]>,
    verdict: Verdict,
    reason: Option<&'a str>,
    /// `side by side`, or `stored figures` of another time; `None` where there are no figures to compare with.
    method: Option<&'static str>,
    /// Side by side: what each side shows beside itself, in percent; a change has to be larger.
    noise_floor: Option<f64>,
    /// Side by side: pairs of fresh processes, and those that the verdict stands on.
    pairs: Option<usize>,
    fresh_pairs: Option<usize>,
    /// Of `same`, in percent: it changed by no more than this.
    bound: Option<f64>,
    /// A change was found, in code that is the same in both executables: it lies elsewhere there.
    placed_elsewhere: bool,
    /// Of `unsure`, in seconds: how much longer it would take to tell.
    more: Option<f64>,
    /// All this in words.
    sentence: String,
}

/// The document of a run, with a newline at its end. `parts` are the same run beside each baseline; without any, there is
/// one.
pub(crate) fn json(parts: &[Part], scale_to: Option<&str>) -> Result<String, serde_json::Error> {
    let Some((Part { facts, rows, closing }, others)) = parts.split_first() else { return Ok(String::new()) };
    let scale = scale(rows, scale_to);
    let document = Document {
        format: FORMAT,
        cargo_nanobench: env!("CARGO_PKG_VERSION"),
        environment: &facts.environment,
        clock: facts.clock.as_ref(),
        nothing: facts.nothing,
        baseline: baseline(facts),
        against: facts.compared_with.as_ref().and_then(|with| Some(with.beside.as_ref()?.commit.as_str())),
        scale_to,
        context: map(&facts.environment.context),
        warnings: warnings(facts, closing),
        benchmarks: rows.iter().map(|row| benchmark(row, scale)).collect(),
        complexity: growth(rows).into_iter().map(complexity).collect(),
        caches: sweep(rows).into_iter().map(caches).collect(),
        missing: &closing.missing,
        interrupted: parts.iter().any(|part| part.closing.not_reached.is_some()),
        saved: facts.compared_with.as_ref().and_then(|with| Some(with.now.as_ref()?.0.as_str())),
        gate: gate(closing),
        others: others.iter().map(|part| other(part, scale_to)).collect(),
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

/// The median that others are multiples of.
fn scale(rows: &[Row], scale_to: Option<&str>) -> Option<f64> {
    let scale = rows.iter().find(|row| Some(row.benchmark.id.as_str()) == scale_to);
    scale.and_then(Row::resolved).map(|(_, summary)| summary.median)
}

fn baseline(facts: &Facts) -> Option<&str> {
    facts.compared_with.as_ref().map(|with| with.name.as_str())
}

/// What was known before the run, then what disturbed it.
fn warnings<'a>(facts: &'a Facts, closing: &'a Closing) -> Vec<&'a String> {
    facts.warnings.iter().chain(&closing.disturbed).collect()
}

fn other<'a>(Part { facts, rows, closing }: &'a Part, scale_to: Option<&str>) -> Other<'a> {
    let scale = scale(rows, scale_to);
    Other {
        baseline: baseline(facts),
        warnings: warnings(facts, closing),
        benchmarks: rows.iter().map(|row| benchmark(row, scale)).collect(),
        missing: &closing.missing,
        gate: gate(closing),
    }
}

fn gate(closing: &Closing) -> Option<Gate<'_>> {
    let failures = closing.gate.as_ref()?.iter();
    let failures: Vec<GateFailure<'_>> = failures
        .map(|Failure { on, id, change }| GateFailure {
            kind: on.word(),
            id,
            change: change.map(|change| change * 100.0),
        })
        .collect();
    Some(Gate { passed: failures.is_empty(), failures })
}

fn benchmark(row: &Row, scale: Option<f64>) -> Benchmark<'_> {
    let found = &row.benchmark;
    let said = &found.benchmark;
    let (measured, error) = match &row.outcome {
        Outcome::Measured { measurement, summary } => (Some((measurement, summary)), None),
        Outcome::Failed(why) => (None, Some(why.as_str())),
    };
    Benchmark {
        id: &found.id,
        package: &found.package,
        case: said.case.as_deref(),
        group: said.group.as_deref(),
        tags: said.tags.as_deref().unwrap_or_default(),
        context: map(said.context.as_deref().unwrap_or_default()),
        description: &said.description,
        file: &said.file,
        line: said.line,
        status: match measured {
            None => "failed",
            Some((_, summary)) if summary.below_resolution => "below resolution",
            Some(_) => "ok",
        },
        error,
        count: measured.map(|(measurement, _)| measurement.count),
        unroll: said.unroll,
        batch: said.batch.unwrap_or(1),
        unit: said.unit.as_deref().unwrap_or("op"),
        cache: said.cache.as_deref().unwrap_or("warm"),
        wipe_size: said.wipe_size,
        threads: said.threads.unwrap_or(1),
        samples: measured.map(|(_, summary)| summary.samples),
        launches: measured.map(|(measurement, _)| measurement.launches.len()),
        time: measured.map(|(_, summary)| time(summary)),
        cycles: measured.and_then(|(_, summary)| summary.cycles),
        err: measured.map(|(_, summary)| summary.err * 100.0),
        doubts: doubts::of_row(row).iter().map(ToString::to_string).collect(),
        throughput: throughput(row),
        in_run: row.relation.as_ref().map(in_run),
        scaled: row.resolved().zip(scale).map(|((_, summary), scale)| summary.median / scale),
        allocations: counted(row).and_then(|(counted, measurement)| allocated(counted, measurement)),
        counters: counted(row).and_then(|(counted, measurement)| counters(counted, measurement)),
        comparison: row.comparison.as_ref().map(compared),
    }
}

fn map(pairs: &[Pair]) -> BTreeMap<&str, &str> {
    pairs.iter().map(|pair| (pair.key.as_str(), pair.value.as_str())).collect()
}

fn throughput(row: &Row) -> Vec<Throughput> {
    let Some((measurement, summary)) = row.resolved() else { return Vec::new() };
    let amounts = measurement.throughput.iter().flatten();
    let a_second = total_throughput(&row.benchmark.benchmark, measurement, summary);
    amounts
        .zip(a_second)
        .map(|(amount, a_second)| Throughput {
            unit: amount.name.clone(),
            amount: amount.value / measurement.operations() as f64,
            per_second: a_second.value,
        })
        .collect()
}

fn in_run(relation: &Relation) -> InRun<'_> {
    let Relation { baseline, pairs, relative, interval } = relation;
    InRun {
        baseline,
        relative: relative * 100.0,
        interval: [interval.low * 100.0, interval.high * 100.0],
        pairs: *pairs,
    }
}

fn counted(row: &Row) -> Option<(&Counted, &Measurement)> {
    let Outcome::Measured { measurement, .. } = &row.outcome else { return None };
    Some((measurement.counted.as_ref()?, measurement))
}

fn allocated(counted: &Counted, measurement: &Measurement) -> Option<Allocated> {
    let of = counted.allocations?;
    let per_operation = |total: u64| per_operation(total as f64, counted, measurement);
    Some(Allocated {
        allocations: per_operation(of.allocations),
        deallocations: per_operation(of.deallocations),
        reallocations: per_operation(of.reallocations),
        bytes: per_operation(of.bytes),
        peak: of.peak,
    })
}

fn counters<'a>(counted: &'a Counted, measurement: &Measurement) -> Option<BTreeMap<&'a str, f64>> {
    let counters = counted.counters.as_ref()?.iter();
    let value = |total| per_operation(total, counted, measurement);
    Some(counters.map(|counter| (counter.name.as_str(), value(counter.value))).collect())
}

fn complexity(Growth { function, case, fits }: Growth) -> Complexity {
    let fit = |fit: nanobench::stats::Fit| Fit {
        name: fit.name,
        coefficient: fit.coefficient,
        err: fit.error * 100.0,
    };
    Complexity { function, case, fits: fits.into_iter().map(fit).collect() }
}

fn caches(Sweep { function, case, rises }: Sweep) -> Caches {
    let rises = rises.into_iter().map(|rise| Rise { size: rise.size, factor: rise.factor }).collect();
    Caches { function, case, rises }
}

fn time(summary: &Summary) -> Time {
    Time {
        median: summary.median,
        interval: [summary.interval.low, summary.interval.high],
        mean: summary.mean,
        sd: summary.sd,
        mad: summary.mad,
        min: summary.min,
        max: summary.max,
        raw_median: summary.raw_median,
    }
}

fn compared(comparison: &Comparison) -> Compared<'_> {
    let duel = comparison.duel.as_ref();
    let change = comparison.change.as_ref();
    Compared {
        baseline_median: comparison.baseline.as_ref().map(|baseline| baseline.median),
        relative: comparison.relative(),
        change: change.map(|change| change.estimate * 100.0),
        interval: change.map(|change| [change.interval.low * 100.0, change.interval.high * 100.0]),
        verdict: comparison.verdict,
        reason: comparison.reason.as_deref(),
        method: match (duel, &comparison.baseline) {
            (Some(_), _) => Some("side by side"),
            (None, Some(_)) => Some("stored figures"),
            (None, None) => None,
        },
        noise_floor: duel.and_then(|duel| duel.noise_floor).map(|floor| floor * 100.0),
        pairs: duel.map(|duel| duel.pairs),
        fresh_pairs: duel.map(|duel| duel.fresh_pairs),
        bound: comparison.bound().map(|bound| bound * 100.0),
        placed_elsewhere: duel.is_some_and(|duel| duel.placed_elsewhere),
        more: duel.and_then(|duel| duel.more).map(|more| more.as_secs_f64()),
        sentence: said::sentence(comparison),
    }
}
