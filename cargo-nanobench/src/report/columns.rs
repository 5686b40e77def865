//! The columns of tables: their titles and widths, and the cells of a row in them, which Markdown has, too.

use super::cells::{NARROW_UNDER, before, bound, interval, is_compared, picture};
use super::change_cell::change_cell;
use super::pictures::{self, Charset};
use super::statistics::{elapsed, launch_medians, launch_spread, operations};
use super::verdict_text::share;
use crate::benchmark_id::BenchmarkId;
use crate::experiment::Row;
use nanobench::model::{Allocations, Measurement, ThroughputUnit};
use nanobench::report::{
    Column as TitledColumn, TimeUnit, Units, change, figure_cells, per_second, percent, quantity,
    significant, size, time, time_in_unit,
};
use nanobench::stats;
use nanobench::summary::{
    Summary, branch_miss_rate, instructions_per_cycle, per_operation, times, total_throughput,
};
use unicode_width::UnicodeWidthStr as _;

/// The number of blanks before a column.
pub(super) const GAP: usize = 2;

/// The cell without a value.
pub(super) const NONE: &str = "-";

/// Options for the columns of a table and their cells.
#[derive(Debug, Clone, Copy, Default)]
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

/// A column: a figure of each row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Column {
    /// The median.
    Time,
    /// The spread of the samples.
    Spread,
    /// Operations per second, of all threads together.
    Rate,
    Samples,
    /// The change since the last run, with its verdict.
    SinceLast,
    /// The median of the baseline, whose name is the title.
    Before,
    /// The median beside that of the baseline.
    Now,
    /// 100 % x baseline / now, for a baseline of another run.
    RelativeToBaseline,
    Change,
    /// The interval of the change.
    ChangeInterval,
    /// A picture of that interval.
    ChangePicture,
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
    Mean,
    StandardDeviation,
    Min,
    Max,
    /// The 95 % interval of the median.
    Interval,
    /// The number of operations in all samples together.
    Operations,
    /// The time of all samples together.
    Elapsed,
    /// The `count` of the function.
    Count,
    /// The number of units in a step of the count.
    Scale,
    /// The spread of the medians of the launches.
    LaunchSpread,
    /// The fastest and the slowest median of a launch.
    LaunchRange,
    /// The median of the very first calls in fresh processes.
    FirstCall,
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
    /// A histogram of the samples.
    Distribution,
}

impl Column {
    /// Returns the rank in which narrow tables do without the column, the lowest first.
    pub(super) fn importance(&self) -> u8 {
        match self {
            Column::Peak | Column::Reallocations => 0,
            Column::AllocatedBytes => 1,
            Column::Throughput(_) => 2,
            Column::Allocations => 3,
            _ => 4,
        }
    }

    /// Returns the two counters that a ratio is computed from.
    pub(super) fn counters(&self) -> &'static [&'static str] {
        match self {
            Column::InstructionsPerCycle => &["instructions", "cycles"],
            Column::BranchMissRate => &["branch-misses", "branches"],
            _ => &[],
        }
    }

    /// Returns the title and the width.
    pub(super) fn titled(&self) -> TitledColumn<'_> {
        let (title, min_width) = match *self {
            Column::Time => ("time/op", 10),
            Column::Spread => ("err%", 7),
            Column::Rate => ("op/s", 10),
            Column::Samples => ("samples", 7),
            Column::SinceLast => ("change", 24),
            Column::Before => ("", 9),
            Column::Now => ("now", 9),
            Column::RelativeToBaseline => ("relative", 8),
            Column::Change => ("change", 8),
            Column::Throughput(ThroughputUnit::Byte) => ("byte/s", 10),
            Column::Throughput(ThroughputUnit::Char) => ("char/s", 10),
            Column::Throughput(ThroughputUnit::Item) => ("item/s", 10),
            Column::Relative => ("relative", 8),
            Column::Scaled => ("scaled", 8),
            Column::Allocations => ("allocs", 6),
            Column::AllocatedBytes => ("bytes", 7),
            Column::Reallocations => ("reallocs", 6),
            Column::Peak => ("peak", 7),
            Column::Counter(name) => (name, 6),
            Column::Mean => ("mean", 9),
            Column::StandardDeviation => ("sd", 9),
            Column::Min => ("min", 9),
            Column::Max => ("max", 9),
            Column::Interval => ("median, 95 % CI", 22),
            Column::Operations => ("ops", 6),
            Column::Elapsed => ("elapsed", 8),
            Column::Count => ("count", 6),
            Column::Scale => ("scale", 5),
            Column::LaunchSpread => ("launch%", 7),
            Column::LaunchRange => ("launches", 22),
            Column::FirstCall => ("first call", 10),
            Column::WithoutLoop(_) => ("net/op", 9),
            Column::InstructionsPerCycle => ("IPC", 5),
            Column::BranchMissRate => ("miss%", 6),
            Column::Cycles => ("cycles/op", 10),
            Column::LaunchNoise => ("noise", 6),
            Column::LastTime => ("last run", 10),
            Column::ChangeInterval => ("95 % CI", 16),
            Column::ChangePicture => (pictures::CHANGE_TITLE, pictures::CHANGE_WIDTH),
            Column::Distribution => ("distribution", pictures::DISTRIBUTION_WIDTH),
        };
        TitledColumn { title, width: min_width.max(title.width()) }
    }

    /// Returns the cell of a row. Figures are shown as multiples of the row `scale`.
    pub(super) fn cell(&self, row: &Row, options: TableOptions<'_>, scale: Option<&Row>) -> Option<String> {
        let comparison = row.comparison.as_ref();
        match self {
            Column::Before => {
                comparison.filter(|with| row.resolved().is_none() || is_compared(with)).and_then(|with| {
                    let bound = bound(NARROW_UNDER, with.baseline.as_ref()?, options.units.time);
                    bound.or_else(|| before(with, options.units.time))
                })
            }
            Column::RelativeToBaseline => Some(format!("{:.1} %", comparison?.relative()?)),
            Column::Change => comparison?.decisive_change().map(|by| change(by.share())),
            Column::ChangeInterval => comparison?.decisive_interval().map(|known| interval(&known)),
            Column::ChangePicture => picture(comparison?, options.charset),
            Column::SinceLast => Some(change_cell(row)).filter(|text| !text.is_empty()),
            Column::LaunchNoise => comparison?.paired.as_ref()?.launch_noise.map(share),
            _ => self.figure(row, options, scale),
        }
    }

    /// Returns the cell with a figure of the row itself.
    fn figure(&self, row: &Row, options: TableOptions<'_>, scale: Option<&Row>) -> Option<String> {
        // Even a row that is too short to be timed has counts.
        let ((measurement, summary), units) = (row.measured()?, options.units);
        let resolved = row.resolved().map(|(_, summary)| summary);
        let counts = measurement.counts.as_ref();
        let allocated = |value: fn(&Allocations) -> u64| {
            Some(per_operation(value(counts?.allocations.as_ref()?) as f64, counts?, measurement))
        };
        let of_run =
            |place: usize| resolved.map(|of| figure_cells(&row.benchmark.spec, of, units).remove(place));
        let bytes = |number| size(number, units.bytes);
        match self {
            Column::Time => of_run(0),
            Column::Spread => of_run(1),
            Column::Rate => of_run(2),
            Column::Samples => of_run(3),
            Column::Now => bound(NARROW_UNDER, summary, units.time).or_else(|| {
                Some(time_in_unit(summary.median, row.benchmark.spec.unit.as_deref(), units.time))
            }),
            Column::Throughput(unit) => total_throughput(&row.benchmark.spec, measurement, resolved?)
                .into_iter()
                .find(|amount| amount.name == unit.word())
                .map(|amount| per_second(amount.value, unit.word(), units.bytes)),
            Column::Relative => resolved
                .and(row.relation.as_ref())
                .map(|relation| format!("{:.1} %", relation.relative * 100.0)),
            Column::Scaled => row.multiple_of(scale?).map(significant),
            Column::Allocations => allocated(|of| of.allocations).map(quantity),
            Column::AllocatedBytes => allocated(|of| of.bytes).map(bytes),
            Column::Reallocations => allocated(|of| of.reallocations).map(quantity),
            Column::Peak => counts.and_then(|counts| counts.allocations).map(|of| bytes(of.peak as f64)),
            Column::Counter(name) => {
                Some(quantity(per_operation(counts?.counter(name)?, counts?, measurement)))
            }
            Column::WithoutLoop(step) => without_loop(row, *step).map(|time| units.time.format(time)),
            Column::InstructionsPerCycle => Some(format!("{:.2}", instructions_per_cycle(counts?)?)),
            Column::BranchMissRate => Some(percent(branch_miss_rate(counts?)?)),
            Column::Cycles => resolved?.cycles.map(quantity),
            Column::LastTime => before(row.comparison.as_ref()?, units.time),
            Column::Distribution => {
                resolved.and_then(|_| pictures::distribution(&times(measurement), options.charset))
            }
            _ => statistic(*self, measurement, resolved?, units.time),
        }
    }
}

/// Returns the cell of a column of `--stats`, `--launches` or `--first-call`.
fn statistic(column: Column, measurement: &Measurement, summary: &Summary, unit: TimeUnit) -> Option<String> {
    let range = |low, high| format!("{} .. {}", unit.format(low), unit.format(high));
    Some(match column {
        Column::Mean => unit.format(summary.mean),
        // A single sample has none.
        Column::StandardDeviation if summary.samples < 2 => return None,
        Column::StandardDeviation => unit.format(summary.sd),
        Column::Min => unit.format(summary.min),
        Column::Max => unit.format(summary.max),
        Column::Interval => range(summary.interval.low, summary.interval.high),
        Column::Operations => quantity(operations(measurement)),
        Column::Elapsed => time(elapsed(measurement)),
        Column::Count => quantity(measurement.count as f64),
        Column::Scale => quantity(measurement.unroll as f64 * measurement.batch.unwrap_or(1) as f64),
        Column::LaunchSpread => percent(launch_spread(&launch_medians(measurement))?),
        Column::LaunchRange => {
            let medians = Some(launch_medians(measurement)).filter(|medians| medians.len() > 1)?;
            range(stats::quantile(&medians, 0.0), stats::quantile(&medians, 1.0))
        }
        Column::FirstCall => unit.format(stats::median(measurement.first_calls.as_deref()?)),
        _ => return None,
    })
}

/// Returns the time of an operation in ns without an empty loop over the count, of which a step
/// takes `step` ns. `None` for a benchmark without a count.
pub(super) fn without_loop(row: &Row, step: f64) -> Option<f64> {
    let (measurement, summary) = row.resolved().filter(|_| row.benchmark.spec.takes_count)?;
    Some((summary.median - step / measurement.batch.unwrap_or(1) as f64).max(0.0))
}
