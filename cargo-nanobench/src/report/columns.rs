//! The columns that a table has only where a selected benchmark has something to show in them.

use super::layout::GAP;
use super::verdict_text::share;
use super::{ComparedWith, RunHeader};
use crate::benchmark_id::BenchmarkId;
use crate::experiment::{Benchmark, Outcome, Row};
use nanobench::model::Allocations;
use nanobench::report::{Bytes, Column, per_second, quantity, significant, size};
use nanobench::summary::{per_operation, total_throughput};
use std::collections::{BTreeMap, BTreeSet};
use unicode_width::UnicodeWidthStr as _;

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
    /// What each side of a comparison shows beside itself.
    NoiseFloor,
}

/// What decides which there are, and how they are shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TableOptions<'a> {
    /// With what is only of use to those who ask for it.
    pub(crate) verbose: bool,
    pub(crate) bytes: Bytes,
    /// Id of the benchmark that the others are multiples of.
    pub(crate) scale_to: Option<&'a BenchmarkId>,
    /// The columns of the terminal. None where there is no end to a line: in a file, or a pipe.
    pub(crate) width: Option<usize>,
}

/// The extra columns of a table.
#[derive(Debug)]
pub(super) struct Extras {
    /// Those of all rows, as flags ask for them.
    pub(super) common: Vec<Extra>,
    /// Those that the benchmarks of a group ask for.
    own: BTreeMap<(String, String), Vec<Extra>>,
}

impl Extras {
    /// Those for these benchmarks.
    pub(super) fn of(header: &RunHeader, benchmarks: &[Benchmark], shown: TableOptions<'_>) -> Extras {
        let scaled = shown.scale_to.map(|_| Extra::Scaled);
        let cycles = shown.verbose.then_some(Extra::Cycles);
        let side_by_side = header.compared_with.as_ref().is_some_and(ComparedWith::may_run_side_by_side);
        let floor = (shown.verbose && side_by_side).then_some(Extra::NoiseFloor);
        let counters = header.counters.iter().cloned().map(Extra::Counter);
        let mut groups: BTreeMap<(String, String), Vec<&Benchmark>> = BTreeMap::new();
        for found in benchmarks {
            groups.entry(place(found)).or_default().push(found);
        }
        let own = groups.into_iter().map(|(group, members)| (group, own(header, &members, shown)));
        let common = scaled.into_iter().chain(counters).chain(cycles).chain(floor);
        Extras { common: common.collect(), own: own.collect() }
    }

    /// Those that the group of a benchmark has of itself.
    pub(super) fn own_of(&self, found: &Benchmark) -> &[Extra] {
        self.own.get(&place(found)).map_or(&[], Vec::as_slice)
    }

    /// What stands in those of a row: nothing where that has none of it.
    pub(super) fn cells(
        &self,
        row: &Row,
        shown: TableOptions<'_>,
        scale: Option<&Row>,
    ) -> Vec<Option<String>> {
        let all = self.common.iter().chain(self.own_of(&row.benchmark));
        all.map(|extra| extra.cell(row, shown, scale)).collect()
    }

    /// The same without those in which none of these rows has anything to show.
    pub(super) fn in_use(mut self, rows: &[Row], shown: TableOptions<'_>, scale: Option<&Row>) -> Extras {
        let is_used = |extra: &Extra, row: &Row| extra.cell(row, shown, scale).is_some();
        self.common.retain(|extra| rows.iter().any(|row| is_used(extra, row)));
        for (group, own) in &mut self.own {
            let is_member = |row: &&Row| place(&row.benchmark) == *group;
            own.retain(|extra| rows.iter().filter(is_member).any(|row| is_used(extra, row)));
        }
        self
    }

    /// The room that the widest group's take.
    pub(super) fn width(&self) -> usize {
        let width = |extras: &[Extra]| extras.iter().map(|extra| GAP + extra.width()).sum::<usize>();
        width(&self.common) + self.own.values().map(|own| width(own)).max().unwrap_or(0)
    }
}

/// Titles and widths of some columns.
pub(super) fn headings(extras: &[Extra]) -> Vec<(String, usize)> {
    extras.iter().map(|extra| (extra.title(), extra.width())).collect()
}

/// Columns with these titles and widths.
pub(super) fn columns(headings: &[(String, usize)]) -> impl Iterator<Item = Column<'_>> {
    headings.iter().map(|(title, width)| Column { title, width: *width })
}

/// Its group, unique in the workspace.
fn place(found: &Benchmark) -> (String, String) {
    (found.package().to_owned(), found.group.clone())
}

/// The columns for these benchmarks, which are those of a group.
fn own(header: &RunHeader, group: &[&Benchmark], shown: TableOptions<'_>) -> Vec<Extra> {
    let mut seen = BTreeSet::new();
    let throughputs = group.iter().flat_map(|found| found.benchmark.throughput.iter().flatten());
    let mut extras: Vec<Extra> =
        throughputs.filter(|unit| seen.insert(*unit)).map(|unit| Extra::Throughput(unit.clone())).collect();
    let compares =
        |found: &&Benchmark| found.benchmark.baseline.is_some() || header.baselines.contains(&found.id);
    extras.extend(group.iter().any(compares).then_some(Extra::Relative));
    if group.iter().any(|found| header.counts_allocations.contains(&found.harness)) {
        extras.extend([Extra::Allocations, Extra::AllocatedBytes]);
        extras.extend(shown.verbose.then_some(Extra::Reallocations));
        extras.push(Extra::Peak);
    }
    extras
}

impl Extra {
    /// Its heading.
    pub(super) fn title(&self) -> String {
        match self {
            Extra::Throughput(unit) => format!("{unit}/s"),
            Extra::Relative => "relative".to_owned(),
            Extra::Scaled => "scaled".to_owned(),
            Extra::Allocations => "allocs".to_owned(),
            Extra::AllocatedBytes => "bytes".to_owned(),
            Extra::Reallocations => "reallocs".to_owned(),
            Extra::Peak => "peak".to_owned(),
            Extra::Counter(name) => name.clone(),
            Extra::Cycles => "cycles/op".to_owned(),
            Extra::NoiseFloor => "noise floor".to_owned(),
        }
    }

    /// The room that it takes.
    fn width(&self) -> usize {
        let least = match self {
            Extra::Throughput(_) | Extra::Cycles => 10,
            Extra::Relative | Extra::Scaled => 8,
            Extra::AllocatedBytes | Extra::Peak => 7,
            Extra::Allocations | Extra::Reallocations | Extra::Counter(_) | Extra::NoiseFloor => 6,
        };
        least.max(self.title().width())
    }

    /// What stands in it. `scale`: the row that others are multiples of.
    pub(super) fn cell(&self, row: &Row, shown: TableOptions<'_>, scale: Option<&Row>) -> Option<String> {
        // What was counted is known of a row that is too short to be timed, too.
        let Outcome::Measured { measurement, .. } = &row.outcome else { return None };
        let resolved = row.resolved().map(|(_, summary)| summary);
        let counted = measurement.counted.as_ref();
        let allocated = |value: fn(&Allocations) -> u64| {
            Some(per_operation(value(counted?.allocations.as_ref()?) as f64, counted?, measurement))
        };
        let bytes = |number| size(number, shown.bytes);
        match self {
            Extra::Throughput(unit) => total_throughput(&row.benchmark.benchmark, measurement, resolved?)
                .into_iter()
                .find(|amount| amount.name == *unit)
                .map(|amount| per_second(amount.value, unit, shown.bytes)),
            Extra::Relative => resolved
                .and(row.relation.as_ref())
                .map(|relation| format!("{:.1} %", relation.relative * 100.0)),
            Extra::Scaled => row.multiple_of(scale?).map(significant),
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
            Extra::Cycles => resolved?.cycles.map(|cycles| format!("{cycles:.2}")),
            Extra::NoiseFloor => row.comparison.as_ref()?.paired.as_ref()?.noise_floor.map(share),
        }
    }
}
