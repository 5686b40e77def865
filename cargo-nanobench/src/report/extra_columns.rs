//! The optional columns of a table, which it has only if a selected benchmark has a value for them.

use super::columns::{Column, GAP, RequestedColumns, TableOptions};
use super::{ComparedWith, RunHeader};
use crate::experiment::{Benchmark, Row};
use nanobench::model::COUNTERS;
use std::collections::{BTreeMap, BTreeSet};

/// The optional columns of a table.
#[derive(Debug, Clone, Default)]
pub(super) struct ExtraColumns {
    /// The columns of all rows, which flags add.
    pub(super) common: Vec<Column>,
    /// The columns that the attributes in a group add.
    pub(super) own: BTreeMap<(String, String), Vec<Column>>,
}

impl ExtraColumns {
    pub(super) fn new(
        header: &RunHeader,
        benchmarks: &[Benchmark],
        options: TableOptions<'_>,
    ) -> ExtraColumns {
        let scaled = options.scale_to.map(|_| Column::Scaled);
        let cycles = options.columns.cycles.then_some(Column::Cycles);
        let distribution = options.verbose.then_some(Column::Distribution);
        let side_by_side = header.compared_with.as_ref().is_some_and(ComparedWith::may_run_side_by_side);
        let launch_noise = (options.verbose && side_by_side).then_some(Column::LaunchNoise);
        let since_last =
            options.verbose && header.compared_with.as_ref().is_some_and(ComparedWith::has_change_column);
        let since_last = [Column::LastTime, Column::ChangeInterval, Column::ChangePicture]
            .into_iter()
            .filter(|_| since_last);
        let without_loop = header.overheads.filter(|_| options.columns.without_loop);
        let without_loop = without_loop.map(|overheads| Column::WithoutLoop(overheads.count_loop.median));
        let statistics = statistics(options.columns);
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
            .chain(counted.iter().copied())
            .chain(distribution)
            .chain(cycles)
            .chain(launch_noise);
        ExtraColumns { common: common.collect(), own: own.collect() }
    }

    /// Returns the columns that only the group of a benchmark has.
    pub(super) fn own_of(&self, benchmark: &Benchmark) -> &[Column] {
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
        let is_used = |extra: &Column, row: &Row| extra.cell(row, options, scale).is_some();
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
            let alone = ExtraColumns { common: vec![*column], own: BTreeMap::new() };
            match tables.last_mut() {
                Some(last) if last.width() + alone.width() <= width => last.common.push(*column),
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
        let is_widest = |own: &&mut Vec<Column>| width(own) == widest;
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

/// Returns the columns of statistics that flags request.
fn statistics(requested: RequestedColumns) -> impl Iterator<Item = Column> {
    const OF_SAMPLES: [Column; 9] = [
        Column::Mean,
        Column::StandardDeviation,
        Column::Min,
        Column::Max,
        Column::Interval,
        Column::Operations,
        Column::Elapsed,
        Column::Count,
        Column::Scale,
    ];
    let first_call = requested.first_call.then_some(Column::FirstCall);
    let launches =
        [Column::LaunchSpread, Column::LaunchRange].into_iter().filter(move |_| requested.launches);
    let of_samples = OF_SAMPLES.into_iter().filter(move |_| requested.statistics);
    first_call.into_iter().chain(launches).chain(of_samples)
}

/// Returns the width of columns beside others.
fn width(extras: &[Column]) -> usize {
    extras.iter().map(|extra| GAP + extra.titled().width).sum()
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
fn counter_columns(is_read: impl Fn(&str) -> bool) -> Vec<Column> {
    let counters = COUNTERS.into_iter().filter(|name| is_read(name)).map(Column::Counter);
    let ratios = [Column::InstructionsPerCycle, Column::BranchMissRate].into_iter();
    counters.chain(ratios.filter(|ratio| ratio.counters().iter().all(|name| is_read(name)))).collect()
}

/// Returns the columns that the attributes in a group add.
fn own(header: &RunHeader, group: &[&Benchmark], options: TableOptions<'_>) -> Vec<Column> {
    let mut seen = BTreeSet::new();
    let throughputs = group.iter().flat_map(|benchmark| benchmark.spec.throughput.iter().flatten());
    let mut extras: Vec<Column> =
        throughputs.filter(|unit| seen.insert(*unit)).map(|unit| Column::Throughput(*unit)).collect();
    let compares = |benchmark: &&Benchmark| {
        benchmark.spec.baseline.is_some() || header.baselines.contains(&benchmark.id)
    };
    extras.extend(group.iter().any(compares).then_some(Column::Relative));
    if group.iter().any(|benchmark| header.counts_allocations.contains(&benchmark.harness)) {
        extras.extend([Column::Allocations, Column::AllocatedBytes]);
        extras.extend(options.verbose.then_some(Column::Reallocations));
        extras.push(Column::Peak);
    }
    extras
}
