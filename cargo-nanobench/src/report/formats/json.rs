//! A run as a single JSON document.

mod compared;
pub(in crate::report) mod document;
pub(super) mod lines;
mod raw;

use crate::code::ChangedFunction;
use crate::disturbance::Disturbance;
use crate::experiment::{
    Comparison, Failure, InstructionChange, LayoutFindings, Outcome, Relation, Row, TargetComplexity,
    complexity,
};
use crate::output::escape_invisible;
use crate::report::extra_columns::without_loop;
use crate::report::statistics::launch_medians;
use crate::report::{ComparedRun, ComparedWith, Report, RunHeader, RunOutcome, doubts, verdict_text};
use compared::Compared;
use document::{
    Allocated, Benchmark, Clock, Complexity, Description, Document, FirstCall, Fit, Gate, GateFailure,
    Iterations, Overhead, Overheads, Throughput, Time, Unfitted,
};
use nanobench::complexity::{Scope, SeriesComplexity};
use nanobench::model::{self, ClockInfo, Counts, KeyValue, Measurement};
use nanobench::stats;
use nanobench::stats::Change;
use nanobench::summary::{
    Summary, branch_miss_rate, instructions_per_cycle, per_operation, total_throughput,
};
use serde::Serialize;
use std::collections::BTreeMap;
use verdicts::{AverageChange, SlowLaunches, Verdict};

/// The version of the document. New fields keep it; changed and removed fields raise it.
const FORMAT: u64 = 3;

fn clock(ClockInfo { name, frequency, resolution, read_cost, .. }: &ClockInfo) -> Clock<'_> {
    Clock { name, frequency: *frequency, resolution: *resolution, read_cost: *read_cost }
}

fn overheads(model::Overheads { empty_loop, count_loop, time_control }: &model::Overheads) -> Overheads {
    let of = |&model::Overhead { median, low, high }: &model::Overhead| Overhead { median, low, high };
    Overheads { empty_loop: of(empty_loop), count_loop: of(count_loop), time_control: of(time_control) }
}

/// Returns the document of a run, with a newline at its end.
pub(crate) fn json(report: &Report) -> serde_json::Result<String> {
    document(report).map_or_else(|| Ok(String::new()), |document| pretty(&document))
}

/// Returns the document as a value. `None` for a report without runs.
pub(in crate::report) fn document(report: &Report) -> Option<Document<'_>> {
    let (first, others) = report.runs.split_first()?;
    Some(Document {
        description: description(&first.header),
        scale_to: report.scale_to.as_ref(),
        first: compared_run(report, first),
        complexity: complexities(&first.rows),
        interrupted: report.is_interrupted(),
        other_baselines: others.iter().map(|run| compared_run(report, run)).collect(),
    })
}

/// Returns a value as a document, with a newline at its end. Invisible characters are escaped.
pub(super) fn pretty(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(escape_invisible(&serde_json::to_string_pretty(value)?) + "\n")
}

/// Returns a value as a line.
fn line(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(escape_invisible(&serde_json::to_string(value)?) + "\n")
}

fn description(header: &RunHeader) -> Description<'_> {
    Description {
        format: FORMAT,
        cargo_nanobench: env!("CARGO_PKG_VERSION"),
        environment: &header.environment,
        clock: header.clock.as_ref().map(clock),
        empty_loop: header.empty_loop,
        overheads: header.overheads.as_ref().map(overheads),
        instructions_counted_by: header.instructions_counted_by,
        against: header.compared_with.as_ref().and_then(ComparedWith::commit),
        context: map(&header.environment.context),
        saved: header.saved.as_deref(),
    }
}

/// Returns the name of the baseline.
fn name(header: &RunHeader) -> Option<&str> {
    header.compared_with.as_ref().map(|with| with.name.as_str())
}

fn differences(header: &RunHeader) -> &[String] {
    header.compared_with.as_ref().map_or(&[], |with| &with.differences)
}

fn complexities(rows: &[Row]) -> Vec<Complexity> {
    complexity(rows).into_iter().map(fitted).collect()
}

fn compared_run<'a>(report: &'a Report, run: &'a ComparedRun) -> document::ComparedRun<'a> {
    let ComparedRun { header, rows, outcome } = run;
    let scale = report.scale(run);
    document::ComparedRun {
        baseline: name(header),
        differences: differences(header),
        warnings: warnings(header, outcome),
        benchmarks: rows.iter().map(|row| benchmark(row, header, scale)).collect(),
        missing: &outcome.missing,
        gate: gate(outcome),
    }
}

/// Returns all warnings about a run: those from before it, all symptoms of a disturbance, and
/// others.
fn warnings(header: &RunHeader, outcome: &RunOutcome) -> Vec<String> {
    let symptoms = outcome.disturbance.iter().flat_map(Disturbance::sentences);
    header.warnings.iter().cloned().chain(symptoms).chain(outcome.warnings.iter().cloned()).collect()
}

fn gate(outcome: &RunOutcome) -> Option<Gate<'_>> {
    let failures = outcome.gate.as_ref()?.iter();
    let failures: Vec<GateFailure<'_>> = failures
        .map(|Failure { on, id, change, .. }| GateFailure {
            kind: on.word(),
            id,
            change: change.map(|change| change * 100.0),
        })
        .collect();
    Some(Gate { passed: failures.is_empty(), failures })
}

fn benchmark<'a>(row: &'a Row, header: &RunHeader, scale: Option<&Row>) -> Benchmark<'a> {
    let id = &row.benchmark.id;
    let spec = &row.benchmark.spec;
    let (measured, error) = match &row.outcome {
        Outcome::Measured { measurement, summary } => (Some((measurement, summary)), None),
        Outcome::Failed(error) => (None, Some(error.to_string())),
        Outcome::NotRun => (None, None),
    };
    Benchmark {
        id,
        package: row.benchmark.package(),
        case: Some(id.row.case()).filter(|case| !case.is_empty()),
        group: spec.group.as_deref(),
        tags: spec.tags.as_deref().unwrap_or_default(),
        context: map(spec.context.as_deref().unwrap_or_default()),
        description: &spec.description,
        file: &spec.file,
        line: spec.line,
        status: match measured {
            None if row.is_not_run() => "not run",
            None => "failed",
            Some((_, summary)) if summary.below_resolution => "below resolution",
            Some(_) => "ok",
        },
        error,
        count: measured.map(|(measurement, _)| measurement.count),
        unroll: spec.unroll,
        batch: spec.batch.unwrap_or(1),
        unit: spec.unit.as_deref().unwrap_or("op"),
        cache: id.row.conditions.cache.word(),
        wipe_size: spec.wipe_size,
        threads: id.row.conditions.threads.unwrap_or(1),
        samples: measured.map(|(_, summary)| summary.samples),
        iterations: measured.and_then(|(measurement, _)| iterations(measurement)),
        n: spec.complexity.as_ref().map(|input| input.n),
        launch_medians: measured.map(|(measurement, _)| launch_medians(measurement)),
        first_call: measured.and_then(|(measurement, _)| first_call(measurement)),
        launches: measured.map(|(measurement, _)| measurement.launches.len()),
        time: measured.map(|(_, summary)| time(row, summary, header)),
        resolution: measured.map(|(_, summary)| summary.resolution),
        cycles: measured.and_then(|(_, summary)| summary.cycles),
        err: measured.map(|(_, summary)| summary.err * 100.0),
        doubts: doubts::of_row(row, header.environment.cores).iter().map(ToString::to_string).collect(),
        throughput: throughput(row),
        relation: row.relation.as_ref().map(relation),
        relation_error: spec.relation_error.as_deref(),
        scaled: scale.and_then(|scale| row.multiple_of(scale)),
        allocations: counted(row).and_then(|(counted, measurement)| allocated(counted, measurement)),
        instructions_per_cycle: counted(row).and_then(|(counted, _)| instructions_per_cycle(counted)),
        branch_miss_rate: counted(row).and_then(|(counted, _)| Some(branch_miss_rate(counted)? * 100.0)),
        counters: counted(row).and_then(|(counted, measurement)| counters(counted, measurement)),
        raw: header.samples_planned_by.and_then(|sampling| raw::of_row(row, &sampling)),
        comparison: row.comparison.as_ref().map(compared),
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

fn map(pairs: &[KeyValue]) -> BTreeMap<&str, &str> {
    pairs.iter().map(|pair| (pair.key.as_str(), pair.value.as_str())).collect()
}

fn throughput(row: &Row) -> Vec<Throughput> {
    let Some((measurement, summary)) = row.resolved() else { return Vec::new() };
    let amounts = measurement.throughput.iter().flatten();
    let per_second = total_throughput(&row.benchmark.spec, measurement, summary);
    amounts
        .zip(per_second)
        .map(|(amount, per_second)| Throughput {
            unit: amount.name.clone(),
            amount: amount.value / measurement.operations() as f64,
            per_second: per_second.value,
        })
        .collect()
}

fn relation(relation: &Relation) -> document::Relation<'_> {
    let Relation { baseline, pairs, relative, interval } = relation;
    document::Relation {
        baseline,
        relative: relative * 100.0,
        interval: [interval.low * 100.0, interval.high * 100.0],
        pairs: *pairs,
    }
}

fn counted(row: &Row) -> Option<(&Counts, &Measurement)> {
    let Outcome::Measured { measurement, .. } = &row.outcome else { return None };
    Some((measurement.counts.as_ref()?, measurement))
}

fn allocated(counted: &Counts, measurement: &Measurement) -> Option<Allocated> {
    let total = counted.allocations?;
    let per_operation = |total: u64| per_operation(total as f64, counted, measurement);
    Some(Allocated {
        allocations: per_operation(total.allocations),
        deallocations: per_operation(total.deallocations),
        reallocations: per_operation(total.reallocations),
        bytes: per_operation(total.bytes),
        peak: total.peak,
    })
}

fn counters<'a>(counted: &'a Counts, measurement: &Measurement) -> Option<BTreeMap<&'a str, f64>> {
    let counters = counted.counters.as_ref()?.iter();
    let value = |total| per_operation(total, counted, measurement);
    Some(counters.map(|counter| (counter.name.as_str(), value(counter.value))).collect())
}

fn fitted(fitted: TargetComplexity) -> Complexity {
    let function = fitted.path();
    let SeriesComplexity { scope, case, fits, unfitted } = fitted.series;
    let scope = if matches!(scope, Scope::Function { .. }) { "function" } else { "group" };
    let fit = |fit: nanobench::stats::ComplexityFit| Fit {
        name: fit.name,
        coefficient: fit.coefficient,
        err: fit.error * 100.0,
    };
    let unfitted = unfitted.map(|curve| Unfitted { name: curve.name, reason: curve.reason });
    Complexity { function, scope, case, fits: fits.into_iter().map(fit).collect(), unfitted }
}

fn time(row: &Row, summary: &Summary, header: &RunHeader) -> Time {
    Time {
        median: summary.median,
        interval: [summary.interval.low, summary.interval.high],
        mean: summary.mean,
        sd: summary.sd,
        mad: summary.mad,
        min: summary.min,
        max: summary.max,
        raw_median: summary.raw_median,
        net: header.overheads.and_then(|overheads| without_loop(row, overheads.count_loop.median)),
    }
}

fn compared(comparison: &Comparison) -> Compared<'_> {
    let paired = comparison.paired.as_ref();
    let change = comparison.change.as_ref();
    Compared {
        baseline_median: comparison.baseline.as_ref().map(|baseline| baseline.median),
        stored_median: comparison.uncorrected_median,
        relative: comparison.relative(),
        change: change.map(|change| change.estimate * 100.0),
        interval: change.and_then(percentages),
        verdict: comparison.verdict,
        question: paired.filter(|_| comparison.verdict != Verdict::Same).map(|_| comparison.question()),
        typical: paired.map(|paired| compared::Typical {
            verdict: comparison.typical(),
            change: change.map(|change| change.estimate * 100.0),
            interval: change.and_then(percentages),
            p: paired.p,
        }),
        average: comparison.average().map(|found| average(found, comparison.bound_of_average())),
        busy_between_calls: paired.map(|paired| paired.busy.into()),
        slow_launches: comparison.slow_launches().map(slow_launches),
        reason: verdict_text::reason(comparison),
        method: match (paired, &comparison.baseline) {
            (Some(_), _) => Some("side by side"),
            (None, Some(_)) if change.is_some() => Some("stored figures"),
            (None, _) => None,
        },
        launch_noise: paired.and_then(|paired| paired.launch_noise).map(|noise| noise * 100.0),
        pairs: paired.map(|paired| paired.pairs),
        layouts: comparison.layouts().map(layouts),
        bound: comparison.bound().map(|bound| bound * 100.0),
        instructions: comparison.instructions.map(instructions),
        premises: &comparison.premises,
        differs_in: paired.and_then(|paired| paired.differs_in.as_deref()),
        changed_functions: paired
            .map_or(&[][..], |paired| &paired.changed_functions)
            .iter()
            .map(changed_function)
            .collect(),
        seconds_to_decide: paired.and_then(|paired| paired.time_to_decide).map(|time| time.as_secs_f64()),
        sentence: verdict_text::sentence(comparison),
    }
}

fn instructions(change: InstructionChange) -> compared::Instructions {
    let InstructionChange { step, before, now } = change;
    compared::Instructions { before, now, change: change.share() * 100.0, counted_by: step.name() }
}

fn changed_function(function: &ChangedFunction) -> compared::ChangedFunction<'_> {
    compared::ChangedFunction {
        name: function.name.as_deref(),
        distance: function.distance,
        bytes: function.sizes.into(),
        instructions: function.instructions.into(),
        changes: &function.changes,
    }
}

/// Returns the interval of a change in percent, unless it is unknown.
fn percentages(change: &Change) -> Option<[f64; 2]> {
    change.known_interval().map(|known| [known.low * 100.0, known.high * 100.0])
}

fn average(average: &AverageChange, bound: Option<f64>) -> compared::Average {
    let AverageChange {
        verdict,
        change,
        p,
        sampled,
        longest_launch,
        samples,
        interrupted,
        waited,
        counts_waiting,
    } = *average;
    compared::Average {
        verdict,
        change: change.estimate * 100.0,
        interval: [change.interval.low * 100.0, change.interval.high * 100.0],
        bound: bound.map(|bound| bound * 100.0),
        p,
        sampled_seconds: sampled.as_secs_f64(),
        longest_launch_seconds: longest_launch.as_secs_f64(),
        samples: samples.into(),
        interrupted: interrupted.into(),
        waited_seconds: waited.map(|time| time.as_secs_f64()).into(),
        counts_waiting,
    }
}

fn layouts(layouts: &LayoutFindings) -> compared::Layouts {
    let LayoutFindings { difference, agreement } = *layouts;
    compared::Layouts {
        difference: difference * 100.0,
        number: agreement.map(|agreement| agreement.layouts),
        agreeing: agreement.map(|agreement| agreement.agreeing),
    }
}

fn slow_launches(launches: &SlowLaunches) -> compared::SlowLaunches {
    let SlowLaunches { verdict, launches, slow, slowdown, p } = *launches;
    compared::SlowLaunches {
        verdict,
        slowdown: slowdown * 100.0,
        p,
        launches: launches.into(),
        slow: slow.into(),
    }
}
