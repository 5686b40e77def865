//! The columns that a table has only where a selected benchmark has something to show in them.

use super::Facts;
use crate::experiment::{Found, Row};
use nanobench::model::Allocations;
use nanobench::report::{Bytes, Column, per_second, quantity, significant, size};
use nanobench::summary::{per_operation, total_throughput};
use std::collections::BTreeSet;

/// A column beyond those of every table.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Extra {
    /// How much of this goes through a second, over all threads.
    Throughput(String),
    /// 100 % x baseline / this, beside another benchmark of the run.
    Relative,
    /// In multiples of another benchmark of the run.
    Scaled,
    Allocations,
    AllocatedBytes,
    Reallocations,
    Peak,
    Counter(String),
    Cycles,
}

/// What decides which there are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shown<'a> {
    /// With what is only of use to those who ask for it.
    pub(crate) verbose: bool,
    pub(crate) bytes: Bytes,
    /// Id of the benchmark that the others are multiples of.
    pub(crate) scale_to: Option<&'a str>,
}

/// The columns for all benchmarks, as flags ask for them.
pub(super) fn common(facts: &Facts, shown: Shown<'_>) -> Vec<Extra> {
    let scaled = shown.scale_to.map(|_| Extra::Scaled);
    let cycles = (shown.verbose && facts.compared_with.is_none()).then_some(Extra::Cycles);
    scaled.into_iter().chain(facts.counters.iter().cloned().map(Extra::Counter)).chain(cycles).collect()
}

/// The columns for these benchmarks, which are those of a group.
pub(super) fn own(facts: &Facts, group: &[&Found], shown: Shown<'_>) -> Vec<Extra> {
    if facts.compared_with.is_some() && !shown.verbose {
        return Vec::new();
    }
    let mut seen = BTreeSet::new();
    let throughputs = group.iter().flat_map(|found| found.benchmark.throughput.iter().flatten());
    let mut extras: Vec<Extra> =
        throughputs.filter(|unit| seen.insert(*unit)).map(|unit| Extra::Throughput(unit.clone())).collect();
    let compares = |found: &&Found| found.benchmark.baseline.is_some() || facts.baselines.contains(&found.id);
    extras.extend(group.iter().any(compares).then_some(Extra::Relative));
    if group.iter().any(|found| facts.counts_allocations.contains(&found.harness)) {
        extras.extend([Extra::Allocations, Extra::AllocatedBytes]);
        extras.extend(shown.verbose.then_some(Extra::Reallocations));
        extras.push(Extra::Peak);
    }
    extras
}

impl Extra {
    /// Its heading. `comparing`: there is a column `relative` already, which is about another run.
    pub(super) fn title(&self, comparing: bool) -> String {
        match self {
            Extra::Throughput(unit) => format!("{unit}/s"),
            Extra::Relative if comparing => "in run".to_owned(),
            Extra::Relative => "relative".to_owned(),
            Extra::Scaled => "scaled".to_owned(),
            Extra::Allocations => "allocs".to_owned(),
            Extra::AllocatedBytes => "bytes".to_owned(),
            Extra::Reallocations => "reallocs".to_owned(),
            Extra::Peak => "peak".to_owned(),
            Extra::Counter(name) => name.clone(),
            Extra::Cycles => "cycles/op".to_owned(),
        }
    }

    /// The column with this heading.
    pub(super) fn column<'a>(&self, title: &'a str) -> Column<'a> {
        let least = match self {
            Extra::Throughput(_) | Extra::Cycles => 10,
            Extra::Relative | Extra::Scaled => 8,
            Extra::AllocatedBytes | Extra::Peak => 7,
            Extra::Allocations | Extra::Reallocations | Extra::Counter(_) => 6,
        };
        Column { title, width: least.max(title.chars().count()) }
    }

    /// What stands in it. `scale`: the figure of the benchmark that others are multiples of, in ns.
    pub(super) fn cell(&self, row: &Row, shown: Shown<'_>, scale: Option<f64>) -> String {
        let Some((measurement, summary)) = row.resolved() else { return String::new() };
        let counted = measurement.counted.as_ref();
        let allocated = |value: fn(&Allocations) -> u64| {
            Some(per_operation(value(counted?.allocations.as_ref()?) as f64, counted?, measurement))
        };
        let bytes = |number| size(number, shown.bytes);
        let cell = match self {
            Extra::Throughput(unit) => total_throughput(&row.benchmark.benchmark, measurement, summary)
                .into_iter()
                .find(|amount| amount.name == *unit)
                .map(|amount| per_second(amount.value, unit, shown.bytes)),
            Extra::Relative => {
                row.relation.as_ref().map(|relation| format!("{:.1} %", relation.relative * 100.0))
            }
            Extra::Scaled => scale.map(|scale| significant(summary.median / scale)),
            Extra::Allocations => allocated(|of| of.allocations).map(quantity),
            Extra::AllocatedBytes => allocated(|of| of.bytes).map(bytes),
            Extra::Reallocations => allocated(|of| of.reallocations).map(quantity),
            Extra::Peak => counted.and_then(|counted| counted.allocations).map(|of| bytes(of.peak as f64)),
            Extra::Counter(name) => counted
                .and_then(|counted| {
                    let counter = counted.counters.iter().flatten().find(|counter| counter.name == *name)?;
                    Some(per_operation(counter.value, counted, measurement))
                })
                .map(quantity),
            Extra::Cycles => summary.cycles.map(|cycles| format!("{cycles:.2}")),
        };
        cell.unwrap_or_else(|| "-".to_owned())
    }
}
