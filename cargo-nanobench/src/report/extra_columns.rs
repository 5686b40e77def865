//! The optional columns of a table, which it has only if a selected benchmark has a value for them.

use super::cells::{before, interval, picture};
use super::pictures::{self, Charset};
use super::statistics::Statistic;
use super::verdict_text::share;
use super::{ComparedWith, RunHeader};
use crate::benchmark_id::BenchmarkId;
use crate::experiment::{Benchmark, Outcome, Row};
use nanobench::model::{Allocations, COUNTERS, ThroughputUnit};
use nanobench::report::{Column, Units, per_second, percent, quantity, significant, size};
use nanobench::summary::{branch_miss_rate, instructions_per_cycle, per_operation, times, total_throughput};
use std::collections::{BTreeMap, BTreeSet};
use unicode_width::UnicodeWidthStr as _;

/// The number of blanks before a column.
pub(super) const GAP: usize = 2;

/// The cell without a value.
pub(super) const NONE: &str = "-";

/// An optional column.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ExtraColumn {
    /// The throughput in this unit, as the sum over all threads.
    Throughput(ThroughputUnit),
    /// 100 % x baseline / this, for a baseline within the run.
    Relative,
    /// A multiple of another benchmark of the run.
    Scaled,
    Allocations,
    AllocatedBytes,
    Reallocations,
    Peak,
    Counter(&'static str),
    /// A column of `--stats`, `--launches` or `--first-call`.
    Statistic(Statistic),
    /// The time without that of an empty loop over the count, which takes this many ns per step.
    WithoutLoop(f64),
    /// Instructions per cycle.
    InstructionsPerCycle,
    /// Mispredicted branches, as a share of all.
    BranchMissRate,
    Cycles,
    /// The typical difference of two launches of the same code.
    LaunchNoise,
    /// The time in the last run, if the table is that of a plain run.
    LastTime,
    /// The interval of the change since the last run.
    ChangeInterval,
    /// A picture of that interval.
    ChangePicture,
    /// A histogram of the samples.
    Distribution,
}

/// Options for the columns of a table and their cells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TableOptions<'a> {
    /// Show columns that few users need.
    pub(crate) verbose: bool,
    pub(crate) units: Units,
    pub(crate) columns: RequestedColumns,
    /// Id of the benchmark of which all figures are shown as multiples.
    pub(crate) scale_to: Option<&'a BenchmarkId>,
    /// The width of the terminal. `None` for a file or a pipe.
    pub(crate) width: Option<usize>,
    /// The characters of pictures.
    pub(crate) charset: Charset,
}

/// The columns that flags add.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RequestedColumns {
    /// Further statistics.
    pub(crate) statistics: bool,
    /// Times without the loop over the count.
    pub(crate) without_loop: bool,
    /// The variation between launches.
    pub(crate) launches: bool,
    /// The time of the very first call.
    pub(crate) first_call: bool,
    /// The time in cycles.
    pub(crate) cycles: bool,
}

/// The optional columns of a table.
#[derive(Debug, Clone, Default)]
pub(super) struct ExtraColumns {
    /// The columns of all rows, which flags add.
    pub(super) common: Vec<ExtraColumn>,
    /// The columns that the attributes in a group add.
    pub(super) own: BTreeMap<(String, String), Vec<ExtraColumn>>,
}

impl ExtraColumns {
    pub(super) fn new(
        header: &RunHeader,
        benchmarks: &[Benchmark],
        options: TableOptions<'_>,
    ) -> ExtraColumns {
        let scaled = options.scale_to.map(|_| ExtraColumn::Scaled);
        let cycles = options.columns.cycles.then_some(ExtraColumn::Cycles);
        let distribution = options.verbose.then_some(ExtraColumn::Distribution);
        let side_by_side = header.compared_with.as_ref().is_some_and(ComparedWith::may_run_side_by_side);
        let launch_noise = (options.verbose && side_by_side).then_some(ExtraColumn::LaunchNoise);
        let since_last =
            options.verbose && header.compared_with.as_ref().is_some_and(ComparedWith::has_change_column);
        let since_last = [ExtraColumn::LastTime, ExtraColumn::ChangeInterval, ExtraColumn::ChangePicture]
            .into_iter()
            .filter(|_| since_last);
        let without_loop = header.overheads.filter(|_| options.columns.without_loop);
        let without_loop =
            without_loop.map(|overheads| ExtraColumn::WithoutLoop(overheads.count_loop.median));
        let statistics = Statistic::requested(options.columns).into_iter().map(ExtraColumn::Statistic);
        let counted = counter_columns(|name| benchmarks.iter().all(|benchmark| counts(benchmark, name)));
        let mut groups: BTreeMap<(String, String), Vec<&Benchmark>> = BTreeMap::new();
        for benchmark in benchmarks {
            groups.entry(group_key(benchmark)).or_default().push(benchmark);
        }
        let own = groups.into_iter().map(|(group, members)| {
            let mut own = own(header, &members, options);
            own.extend(counter_columns(|name| members.iter().any(|member| counts(member, name))));
            own.retain(|column| !counted.contains(column));
            (group, own)
        });
        let common = scaled
            .into_iter()
            .chain(without_loop)
            .chain(statistics)
            .chain(since_last)
            .chain(counted.clone())
            .chain(distribution)
            .chain(cycles)
            .chain(launch_noise);
        ExtraColumns { common: common.collect(), own: own.collect() }
    }

    /// Returns the columns that only the group of a benchmark has.
    pub(super) fn own_of(&self, benchmark: &Benchmark) -> &[ExtraColumn] {
        self.own.get(&group_key(benchmark)).map_or(&[], Vec::as_slice)
    }

    /// Returns the cells of a row. `None` for a cell without a value.
    pub(super) fn cells(
        &self,
        row: &Row,
        options: TableOptions<'_>,
        scale: Option<&Row>,
    ) -> Vec<Option<String>> {
        let all = self.common.iter().chain(self.own_of(&row.benchmark));
        all.map(|extra| extra.cell(row, options, scale)).collect()
    }

    /// Removes columns without a value in any of these rows.
    pub(super) fn in_use(
        mut self,
        rows: &[Row],
        options: TableOptions<'_>,
        scale: Option<&Row>,
    ) -> ExtraColumns {
        let is_used = |extra: &ExtraColumn, row: &Row| extra.cell(row, options, scale).is_some();
        self.common.retain(|extra| rows.iter().any(|row| is_used(extra, row)));
        for (group, own) in &mut self.own {
            let is_member = |row: &&Row| group_key(&row.benchmark) == *group;
            own.retain(|extra| rows.iter().filter(is_member).any(|row| is_used(extra, row)));
        }
        self
    }

    /// Splits the columns into tables of at most this width, each with as many as fit.
    pub(super) fn split(&self, width: usize) -> Vec<ExtraColumns> {
        let mut tables: Vec<ExtraColumns> = Vec::new();
        for column in &self.common {
            let alone = ExtraColumns { common: vec![column.clone()], own: BTreeMap::new() };
            match tables.last_mut() {
                Some(last) if last.width() + alone.width() <= width => last.common.push(column.clone()),
                _ => tables.push(alone),
            }
        }
        let own = ExtraColumns { common: Vec::new(), own: self.own.clone() };
        match tables.last_mut() {
            Some(last) if last.width() + own.width() <= width => last.own = own.own,
            _ if own.width() > 0 => tables.push(own),
            _ => {}
        }
        tables
    }

    /// Removes the least important column of those that attributes add, from the widest groups: the
    /// others have room for it. The last of equally important ones goes first. Returns false if there is
    /// none.
    pub(super) fn remove_least(&mut self) -> bool {
        let widest = self.own.values().map(|own| width(own)).max().unwrap_or(0);
        let is_widest = |own: &&mut Vec<ExtraColumn>| width(own) == widest;
        let mut found = false;
        for own in self.own.values_mut().filter(is_widest) {
            let least = (0..own.len()).rev().min_by_key(|&place| own[place].importance());
            found |= least.map(|place| own.remove(place)).is_some();
        }
        found
    }

    /// Returns the width of the columns of the widest group.
    pub(super) fn width(&self) -> usize {
        width(&self.common) + self.own.values().map(|own| width(own)).max().unwrap_or(0)
    }
}

/// Returns the width of columns beside others.
fn width(extras: &[ExtraColumn]) -> usize {
    extras.iter().map(|extra| GAP + extra.column().width).sum()
}

/// Returns the package and group of a benchmark, which are unique in the workspace.
fn group_key(benchmark: &Benchmark) -> (String, String) {
    (benchmark.package().to_owned(), benchmark.group.clone())
}

/// Returns whether a counter is read for a benchmark.
fn counts(benchmark: &Benchmark, counter: &str) -> bool {
    benchmark.spec.counters.iter().flatten().any(|name| name == counter)
}

/// Returns the columns of counters that are read, and of their ratios.
fn counter_columns(is_read: impl Fn(&str) -> bool) -> Vec<ExtraColumn> {
    let counters = COUNTERS.into_iter().filter(|name| is_read(name)).map(ExtraColumn::Counter);
    let ratios = [ExtraColumn::InstructionsPerCycle, ExtraColumn::BranchMissRate].into_iter();
    counters.chain(ratios.filter(|ratio| ratio.counters().iter().all(|name| is_read(name)))).collect()
}

/// Returns the columns that the attributes in a group add.
fn own(header: &RunHeader, group: &[&Benchmark], options: TableOptions<'_>) -> Vec<ExtraColumn> {
    let mut seen = BTreeSet::new();
    let throughputs = group.iter().flat_map(|benchmark| benchmark.spec.throughput.iter().flatten());
    let mut extras: Vec<ExtraColumn> =
        throughputs.filter(|unit| seen.insert(*unit)).map(|unit| ExtraColumn::Throughput(*unit)).collect();
    let compares = |benchmark: &&Benchmark| {
        benchmark.spec.baseline.is_some() || header.baselines.contains(&benchmark.id)
    };
    extras.extend(group.iter().any(compares).then_some(ExtraColumn::Relative));
    if group.iter().any(|benchmark| header.counts_allocations.contains(&benchmark.harness)) {
        extras.extend([ExtraColumn::Allocations, ExtraColumn::AllocatedBytes]);
        extras.extend(options.verbose.then_some(ExtraColumn::Reallocations));
        extras.push(ExtraColumn::Peak);
    }
    extras
}

impl ExtraColumn {
    /// Returns the rank in which narrow tables do without the column, the lowest first.
    fn importance(&self) -> u8 {
        match self {
            ExtraColumn::Peak | ExtraColumn::Reallocations => 0,
            ExtraColumn::AllocatedBytes => 1,
            ExtraColumn::Throughput(_) => 2,
            ExtraColumn::Allocations => 3,
            _ => 4,
        }
    }

    /// Returns the two counters that a ratio is computed from.
    fn counters(&self) -> &'static [&'static str] {
        match self {
            ExtraColumn::InstructionsPerCycle => &["instructions", "cycles"],
            ExtraColumn::BranchMissRate => &["branch-misses", "branches"],
            _ => &[],
        }
    }

    /// Returns the title and the width.
    pub(super) fn column(&self) -> Column<'_> {
        let (title, min_width) = match self {
            ExtraColumn::Throughput(ThroughputUnit::Byte) => ("byte/s", 10),
            ExtraColumn::Throughput(ThroughputUnit::Char) => ("char/s", 10),
            ExtraColumn::Throughput(ThroughputUnit::Item) => ("item/s", 10),
            ExtraColumn::Relative => ("relative", 8),
            ExtraColumn::Scaled => ("scaled", 8),
            ExtraColumn::Allocations => ("allocs", 6),
            ExtraColumn::AllocatedBytes => ("bytes", 7),
            ExtraColumn::Reallocations => ("reallocs", 6),
            ExtraColumn::Peak => ("peak", 7),
            ExtraColumn::Counter(name) => (*name, 6),
            ExtraColumn::Statistic(statistic) => statistic.title_and_width(),
            ExtraColumn::WithoutLoop(_) => ("net/op", 9),
            ExtraColumn::InstructionsPerCycle => ("IPC", 5),
            ExtraColumn::BranchMissRate => ("miss%", 6),
            ExtraColumn::Cycles => ("cycles/op", 10),
            ExtraColumn::LaunchNoise => ("launch noise", 6),
            ExtraColumn::LastTime => ("last run", 10),
            ExtraColumn::ChangeInterval => ("95 %", 16),
            ExtraColumn::ChangePicture => (pictures::CHANGE_TITLE, pictures::CHANGE_WIDTH),
            ExtraColumn::Distribution => ("distribution", pictures::DISTRIBUTION_WIDTH),
        };
        Column { title, width: min_width.max(title.width()) }
    }

    /// Returns the cell of a row. Figures are shown as multiples of the row `scale`.
    pub(super) fn cell(&self, row: &Row, options: TableOptions<'_>, scale: Option<&Row>) -> Option<String> {
        // Even a row that is too short to be timed has counts.
        let Outcome::Measured { measurement, .. } = &row.outcome else { return None };
        let resolved = row.resolved().map(|(_, summary)| summary);
        let counts = measurement.counts.as_ref();
        let allocated = |value: fn(&Allocations) -> u64| {
            Some(per_operation(value(counts?.allocations.as_ref()?) as f64, counts?, measurement))
        };
        let bytes = |number| size(number, options.units.bytes);
        match self {
            ExtraColumn::Throughput(unit) => total_throughput(&row.benchmark.spec, measurement, resolved?)
                .into_iter()
                .find(|amount| amount.name == unit.word())
                .map(|amount| per_second(amount.value, unit.word(), options.units.bytes)),
            ExtraColumn::Relative => resolved
                .and(row.relation.as_ref())
                .map(|relation| format!("{:.1} %", relation.relative * 100.0)),
            ExtraColumn::Scaled => row.multiple_of(scale?).map(significant),
            ExtraColumn::Allocations => allocated(|of| of.allocations).map(quantity),
            ExtraColumn::AllocatedBytes => allocated(|of| of.bytes).map(bytes),
            ExtraColumn::Reallocations => allocated(|of| of.reallocations).map(quantity),
            ExtraColumn::Peak => counts.and_then(|counts| counts.allocations).map(|of| bytes(of.peak as f64)),
            ExtraColumn::Counter(name) => {
                Some(quantity(per_operation(counts?.counter(name)?, counts?, measurement)))
            }
            ExtraColumn::Statistic(statistic) => {
                let (measurement, summary) = row.resolved()?;
                statistic.cell(measurement, summary, options.units.time)
            }
            ExtraColumn::WithoutLoop(step) => {
                without_loop(row, *step).map(|time| options.units.time.format(time))
            }
            ExtraColumn::InstructionsPerCycle => Some(format!("{:.2}", instructions_per_cycle(counts?)?)),
            ExtraColumn::BranchMissRate => Some(percent(branch_miss_rate(counts?)?)),
            ExtraColumn::Cycles => resolved?.cycles.map(quantity),
            ExtraColumn::LastTime => before(row.comparison.as_ref()?, options.units.time),
            ExtraColumn::ChangeInterval => {
                row.comparison.as_ref()?.change?.known_interval().map(|known| interval(&known))
            }
            ExtraColumn::ChangePicture => picture(row.comparison.as_ref()?, options.charset),
            ExtraColumn::Distribution => pictures::distribution(&times(row.resolved()?.0), options.charset),
            ExtraColumn::LaunchNoise => row.comparison.as_ref()?.paired.as_ref()?.launch_noise.map(share),
        }
    }
}

/// Returns the time of an operation in ns without an empty loop over the count, of which a step
/// takes `step` ns. `None` for a benchmark without a count.
pub(super) fn without_loop(row: &Row, step: f64) -> Option<f64> {
    let (measurement, summary) = row.resolved().filter(|_| row.benchmark.spec.takes_count)?;
    Some((summary.median - step / measurement.batch.unwrap_or(1) as f64).max(0.0))
}
