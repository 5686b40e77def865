//! The run as one JSON document.

use super::{Closing, Facts, doubts};
use crate::environment::Environment;
use crate::experiment::{Comparison, Outcome, Row, Verdict};
use nanobench::model::ClockInfo;
use nanobench::summary::Summary;
use serde::Serialize;

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
    warnings: &'a [String],
    benchmarks: Vec<Benchmark<'a>>,
    missing: &'a [String],
    interrupted: bool,
}

#[derive(Debug, Serialize)]
struct Benchmark<'a> {
    id: &'a str,
    package: &'a str,
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
    comparison: Option<Compared>,
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
struct Compared {
    /// The baseline's median, in ns.
    baseline_median: Option<f64>,
    /// 100 x baseline / now.
    relative: Option<f64>,
    /// In percent.
    change: Option<f64>,
    /// Where the change lies, in percent, with 95 % confidence.
    interval: Option<[f64; 2]>,
    verdict: Verdict,
    reason: Option<&'static str>,
}

/// The document of a run, with a newline at its end.
pub(crate) fn json(facts: &Facts, rows: &[Row], closing: &Closing) -> Result<String, serde_json::Error> {
    let document = Document {
        format: FORMAT,
        cargo_nanobench: env!("CARGO_PKG_VERSION"),
        environment: &facts.environment,
        clock: facts.clock.as_ref(),
        nothing: facts.nothing,
        baseline: facts.compared_with.as_ref().map(|with| with.name.as_str()),
        warnings: &facts.warnings,
        benchmarks: rows.iter().map(benchmark).collect(),
        missing: &closing.missing,
        interrupted: closing.not_reached.is_some(),
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn benchmark(row: &Row) -> Benchmark<'_> {
    let found = &row.benchmark;
    let (measured, error) = match &row.outcome {
        Outcome::Measured { measurement, summary } => (Some((measurement, summary)), None),
        Outcome::Failed(why) => (None, Some(why.as_str())),
    };
    Benchmark {
        id: &found.id,
        package: &found.package,
        description: &found.benchmark.description,
        file: &found.benchmark.file,
        line: found.benchmark.line,
        status: match measured {
            None => "failed",
            Some((_, summary)) if summary.below_resolution => "below resolution",
            Some(_) => "ok",
        },
        error,
        count: measured.map(|(measurement, _)| measurement.count),
        unroll: found.benchmark.unroll,
        samples: measured.map(|(_, summary)| summary.samples),
        launches: measured.map(|(measurement, _)| measurement.launches.len()),
        time: measured.map(|(_, summary)| time(summary)),
        cycles: measured.and_then(|(_, summary)| summary.cycles),
        err: measured.map(|(_, summary)| summary.err * 100.0),
        doubts: doubts::of_row(row).iter().map(ToString::to_string).collect(),
        comparison: row.comparison.as_ref().map(compared),
    }
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

fn compared(comparison: &Comparison) -> Compared {
    let change = comparison.change.as_ref();
    Compared {
        baseline_median: comparison.baseline.as_ref().map(|baseline| baseline.median),
        relative: comparison.relative(),
        change: change.map(|change| change.estimate * 100.0),
        interval: change.map(|change| [change.interval.low * 100.0, change.interval.high * 100.0]),
        verdict: comparison.verdict,
        reason: comparison.reason,
    }
}
