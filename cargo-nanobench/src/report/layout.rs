//! Fitting a table into the terminal: its columns, and the width of names.

use super::columns::{Column, GAP, TableOptions};
use super::extra_columns::ExtraColumns;
use crate::experiment::Benchmark;
use nanobench::model::BenchmarkSpec;
use nanobench::report::{Column as TitledColumn, LongerNames, NameFit, Styles, Table, TimeUnit};
use textwrap::core::display_width;
use unicode_width::UnicodeWidthStr;

/// The minimum width of names, with their indentation. Lines break in narrower terminals.
pub(super) const MIN_NAME_WIDTH: usize = 22;
/// The maximum width of the column of names. A single longer one would move all figures far away from
/// their names, so it has a line of its own.
const MAX_NAME_WIDTH: usize = 60;
/// The width of most verdicts: `same (average under 7 %)`. Longer ones may break.
const VERDICT_WIDTH: usize = 24;
/// The longest built-in complexity.
const LONGEST_COMPLEXITY: &str = "O(n log n)";

/// The columns of a comparison with another run, behind which the verdict follows. `relative` is only for
/// those who ask for details: beside `change`, it reads as the opposite.
const COMPARED: [Column; 6] = [
    Column::Before,
    Column::Now,
    Column::RelativeToBaseline,
    Column::Change,
    Column::ChangeInterval,
    Column::ChangePicture,
];
/// The columns that narrower tables do without, the first one first. `change` says as much as `relative`,
/// and the verdict most of the interval. Files and pipes have the picture only if it is requested.
const DISPENSABLE_OF_COMPARED: [Column; 3] =
    [Column::ChangePicture, Column::RelativeToBaseline, Column::ChangeInterval];

/// The columns of a plain run.
const PLAIN: [Column; 4] = [Column::Time, Column::Spread, Column::Rate, Column::Samples];
/// The columns that narrower tables of a plain run do without, the first one first: `op/s`, which is the
/// inverse of the time, and `samples`.
const DISPENSABLE: [Column; 2] = [Column::Rate, Column::Samples];

/// A column with its width.
type SizedColumn = (Column, usize);

/// The layout of a table.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    /// The columns without the optional ones.
    pub(super) columns: Vec<SizedColumn>,
    pub(super) fit: NameFit,
    /// The optional columns follow the other columns, instead of being in a second table.
    pub(super) extras_inline: bool,
    /// The width that is left to verdicts. `None` if it is unlimited.
    pub(super) verdict_room: Option<usize>,
}

impl Layout {
    /// Returns the layout of a plain run. Narrow tables lose optional columns, too.
    /// `has_changes`: it has a column with the changes since the last run.
    pub(super) fn of_plain_run(
        selected: &[Benchmark],
        extras: &mut ExtraColumns,
        has_changes: bool,
        options: TableOptions<'_>,
    ) -> Layout {
        let since_last = has_changes.then_some(Column::SinceLast);
        let mut columns = sized(PLAIN.into_iter().chain(since_last), selected, options);
        let names = NameWidths::of(&names(selected).collect::<Vec<_>>());
        let (all_columns, all_extras) = (columns.clone(), extras.clone());
        // Those who ask for details get all columns, if need be in tables of their own.
        let extras_inline = match options.verbose {
            true => fits(&columns, extras, names.least(), options),
            false => fit_columns(&mut columns, extras, names, options),
        };
        if !extras_inline && !extras.common.is_empty() {
            // The optional columns get tables of their own, so the others have the whole width.
            (columns, *extras) = (all_columns, all_extras);
            fit_columns(&mut columns, &mut ExtraColumns::default(), names, options);
        }
        let beside = width(&columns) + if extras_inline { extras.width() } else { 0 };
        Layout { columns, fit: fit(names, beside, options), extras_inline, verdict_room: None }
    }

    /// Returns the layout of a comparison with another run.
    pub(super) fn with_comparison(selected: &[Benchmark], options: TableOptions<'_>) -> Layout {
        let is_requested = |column: &Column| options.verbose || *column != Column::RelativeToBaseline;
        let all = sized(COMPARED.into_iter().filter(is_requested), selected, options);
        let without = |number: usize| -> Vec<SizedColumn> {
            let is_kept = |column: &Column| !DISPENSABLE_OF_COMPARED[..number].contains(column);
            all.iter().copied().filter(|(column, _)| is_kept(column)).collect()
        };
        // Those who ask for details get the interval: the verdict may break.
        let verdict_width = if options.verbose { 0 } else { GAP + VERDICT_WIDTH };
        let names = NameWidths::of(&names(selected).collect::<Vec<_>>());
        let fits = |number: &usize| {
            let least = if *number < 2 { names.all } else { names.least() };
            let taken = width(&without(*number)) + verdict_width;
            options.width.is_none_or(|all| all.saturating_sub(taken) >= least)
        };
        let has_picture = options.verbose || options.width.is_some();
        let all_removed = DISPENSABLE_OF_COMPARED.len();
        let columns = without((usize::from(!has_picture)..all_removed).find(fits).unwrap_or(all_removed));
        let fit = fit(names, width(&columns) + verdict_width, options);
        let taken = names.all.min(fit.max_width) + width(&columns) + GAP;
        let verdict_room = options.width.map(|all| all.saturating_sub(taken));
        Layout { columns, fit, extras_inline: false, verdict_room }
    }

    /// Returns the layout of the table of optional columns.
    pub(super) fn optional_columns(
        selected: &[Benchmark],
        extras: &ExtraColumns,
        options: TableOptions<'_>,
    ) -> Layout {
        let fit = names_fit(&names(selected).collect::<Vec<_>>(), extras.width(), options);
        Layout { columns: Vec::new(), fit, extras_inline: true, verdict_room: None }
    }

    /// Creates a table of these columns.
    pub(super) fn table(&self, columns: &[TitledColumn<'_>], selected: &[Benchmark]) -> Table {
        let names: Vec<(&str, String)> = names(selected).collect();
        Table::new(columns, names.iter().map(|(package, name)| (*package, name.as_str())), self.fit)
            .with_styles(Styles::TERMINAL)
    }
}

/// Returns rows with more about the row above them: their names and texts. All texts begin right after
/// the longest of these names: they are sentences, not cells.
pub(super) fn detail_rows(details: &[(&str, String)]) -> String {
    let width = details.iter().map(|(name, _)| name.len() + ":".len()).max().unwrap_or_default();
    let row = |(name, text): &(&str, String)| format!("      {:width$} {text}\n", format!("{name}:"));
    details.iter().map(row).collect()
}

/// Removes columns of a plain run until the rest fits. Returns whether it does.
fn fit_columns(
    columns: &mut Vec<SizedColumn>,
    extras: &mut ExtraColumns,
    names: NameWidths,
    options: TableOptions<'_>,
) -> bool {
    let fits = |columns: &[_], extras: &ExtraColumns, names| fits(columns, extras, names, options);
    for column in DISPENSABLE {
        if !fits(columns, extras, names.most) {
            columns.retain(|(kept, _)| *kept != column);
        }
    }
    if !fits(columns, extras, names.least()) {
        columns.retain(|(kept, _)| *kept != Column::Spread);
    }
    while !fits(columns, extras, names.least()) && extras.remove_least() {}
    fits(columns, extras, names.least())
}

/// Returns whether columns fit beside names of this width.
fn fits(columns: &[SizedColumn], extras: &ExtraColumns, names: usize, options: TableOptions<'_>) -> bool {
    options.width.is_none_or(|all| names + width(columns) + extras.width() <= all)
}

/// Returns the fit of names. `beside`: the width of the other columns.
fn fit(names: NameWidths, beside: usize, options: TableOptions<'_>) -> NameFit {
    let Some(all) = options.width else { return WIDEST };
    let room = all.saturating_sub(beside);
    if room < names.most {
        return NameFit { max_width: room.max(MIN_NAME_WIDTH), longer: LongerNames::Shortened, ..WIDEST };
    }
    NameFit { max_width: room.min(MAX_NAME_WIDTH), longer: LongerNames::OnOwnLine(all), ..WIDEST }
}

/// The widths that the column of names may have.
#[derive(Debug, Clone, Copy)]
struct NameWidths {
    /// For all names up to [`MAX_NAME_WIDTH`].
    all: usize,
    /// For three quarters of the names. The others may be on lines of their own, so that a few long
    /// arguments don't cost all rows a column.
    most: usize,
}

impl NameWidths {
    fn of(names: &[(&str, String)]) -> NameWidths {
        let unlimited = NameFit { max_width: usize::MAX, ..WIDEST };
        let width_of =
            |(package, name): &(&str, String)| Table::name_width([(*package, name.as_str())], unlimited);
        let mut widths: Vec<usize> = names.iter().map(width_of).collect();
        widths.sort_unstable();
        let all = names_width(names);
        let last_of_most = (widths.len() * 3).div_ceil(4).saturating_sub(1);
        NameWidths { all, most: widths.get(last_of_most).map_or(all, |&most| most.min(all)) }
    }

    /// Returns the width that names are shortened to if there is no room for most of them.
    fn least(self) -> usize {
        self.most.min(MIN_NAME_WIDTH)
    }
}

/// The fit of names without a limit.
const WIDEST: NameFit =
    NameFit { width: display_width, max_width: MAX_NAME_WIDTH, longer: LongerNames::OnOwnLine(usize::MAX) };

/// Returns the names in a table, each with its package.
fn names(selected: &[Benchmark]) -> impl Iterator<Item = (&str, String)> {
    let names = selected.iter().map(|benchmark| (benchmark.package(), Table::row_name(&benchmark.id.row)));
    let complexities = selected.iter().filter(|benchmark| benchmark.spec.complexity.is_some());
    names.chain(complexities.map(|benchmark| (benchmark.package(), Table::nested_name(LONGEST_COMPLEXITY))))
}

/// Returns the width of the column of these names if there is room.
pub(super) fn names_width(names: &[(&str, String)]) -> usize {
    Table::name_width(names.iter().map(|(package, name)| (*package, name.as_str())), WIDEST)
}

/// Returns the fit of these names. `beside`: the width of the other columns.
pub(super) fn names_fit(names: &[(&str, String)], beside: usize, options: TableOptions<'_>) -> NameFit {
    fit(NameWidths::of(names), beside, options)
}

/// Returns the width of times in a unit that the user chose: a time of a second may be in ns. 0 if
/// there is none.
fn time_width(options: TableOptions<'_>) -> usize {
    if options.units.time == TimeUnit::Suitable { 0 } else { "~1000000000 ns".len() }
}

/// Returns the width of a column of times with units and the mark of doubtful figures. 0 if no
/// benchmark sets a unit.
fn marked_units(selected: &[Benchmark]) -> usize {
    match units(selected) {
        0 => 0,
        width => "~".len() + width,
    }
}

/// Returns the width of a column of times or rates with units. 0 if no benchmark sets a unit.
fn units(selected: &[Benchmark]) -> usize {
    let unit = |benchmark: &BenchmarkSpec| benchmark.unit.as_ref().map(|unit| unit.width());
    selected
        .iter()
        .filter_map(|benchmark| unit(&benchmark.spec))
        .max()
        .map_or(0, |unit| "0.123 us/".len() + unit)
}

/// Returns columns with widths that have room for the units of these benchmarks.
fn sized(
    columns: impl IntoIterator<Item = Column>,
    selected: &[Benchmark],
    options: TableOptions<'_>,
) -> Vec<SizedColumn> {
    let sized = |column: Column| {
        let wider = match column {
            Column::Time | Column::Now => marked_units(selected).max(time_width(options)),
            // Only the figure of this run shows the unit: the other one has the same.
            Column::Before => time_width(options),
            Column::Rate => units(selected),
            _ => 0,
        };
        (column, column.titled().width.max(wider))
    };
    columns.into_iter().map(sized).collect()
}

fn width(columns: &[SizedColumn]) -> usize {
    columns.iter().map(|(_, width)| GAP + width).sum()
}
