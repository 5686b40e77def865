//! What of a table fits into the terminal: which columns, how much of the names.

use super::columns::{Extras, TableOptions};
use crate::experiment::Benchmark;
use nanobench::model::BenchmarkSpec;
use nanobench::report::{Column, FIGURE_COLUMNS, NameFit, Table};
use unicode_width::UnicodeWidthStr;

/// Blanks before a column.
pub(super) const GAP: usize = 2;

/// Names are not cut to less than this, with their indentation. A line may break in a terminal that has no room for it.
const LEAST_NAME: usize = 22;
/// The room of most verdicts: `same, within 0.4 %`. A longer one may break.
const VERDICT: usize = 18;
/// The longest complexity, but for the user's own.
const LONGEST_COMPLEXITY: &str = "O(n log n)";

/// The columns of a comparison with another run, for the baseline's name in the place of the first title. Behind them stands
/// the verdict.
const COMPARED: [Column<'static>; 5] = [
    Column { title: "", width: 9 },
    Column { title: "now", width: 9 },
    Column { title: "relative", width: 8 },
    Column { title: "change", width: 8 },
    Column { title: "95 %", width: 16 },
];
/// Their places.
const ALL: [usize; 5] = [0, 1, 2, 3, 4];
/// Those that stay where there is no room for all: without what `change` says as well; without the interval, of which the
/// verdict says most.
const WITHOUT_RELATIVE: [usize; 4] = [0, 1, 3, 4];
const WITHOUT_INTERVAL: [usize; 3] = [0, 1, 3];

/// How a table is laid out.
#[derive(Debug)]
pub(super) struct Layout {
    /// Its columns, by their places among all that there could be, and their widths. Not the extra ones.
    pub(super) columns: Vec<(usize, Column<'static>)>,
    /// How its names fit in.
    pub(super) fit: NameFit,
    /// Extra columns stand behind the others. In a table of their own, otherwise.
    pub(super) extras_inline: bool,
}

impl Layout {
    /// Of a run by itself.
    pub(super) fn alone(selected: &[Benchmark], extras: &Extras, shown: TableOptions<'_>) -> Layout {
        let mut columns: Vec<(usize, Column<'static>)> = FIGURE_COLUMNS.into_iter().enumerate().collect();
        let with_unit = units(selected);
        for place in [0, 2] {
            columns[place].1.width = columns[place].1.width.max(with_unit);
        }
        let figures = width(&columns);
        let extras_inline =
            shown.width.is_none_or(|all| room_for(selected) + figures + extras.width() <= all);
        let beside = figures + if extras_inline { extras.width() } else { 0 };
        Layout { columns, fit: fit(shown.width.map(|all| all.saturating_sub(beside))), extras_inline }
    }

    /// Of a comparison with another run. With what the run says of itself as well, a line would be too long for most
    /// terminals.
    pub(super) fn compared(selected: &[Benchmark], shown: TableOptions<'_>) -> Layout {
        let mut all = COMPARED;
        // The unit stands with the figure of this run only: that of the other is per the same.
        all[1].width = all[1].width.max(units(selected));
        let kept = |places: &[usize]| places.iter().map(|&place| (place, all[place])).collect::<Vec<_>>();
        let room = |places: &[usize]| {
            let taken = width(&kept(places)) + GAP + VERDICT;
            shown.width.map(|all| all.saturating_sub(taken))
        };
        let names = room_for(selected);
        // The columns, and the room that they have to leave to the names.
        let ways: [(&[usize], usize); 2] = [(&ALL, names), (&WITHOUT_RELATIVE, names.min(LEAST_NAME))];
        let fits = |(places, least): &(&[usize], usize)| room(places).is_none_or(|room| room >= *least);
        let places = ways.into_iter().find(fits).map_or(&WITHOUT_INTERVAL[..], |(places, _)| places);
        Layout { columns: kept(places), fit: fit(room(places)), extras_inline: false }
    }

    /// Of the extra columns by themselves.
    pub(super) fn of_extras(extras: &Extras, shown: TableOptions<'_>) -> Layout {
        let room = shown.width.map(|all| all.saturating_sub(extras.width()));
        Layout { columns: Vec::new(), fit: fit(room), extras_inline: true }
    }

    /// A table of these columns.
    pub(super) fn table(&self, columns: &[Column<'_>], selected: &[Benchmark]) -> Table {
        let names: Vec<(&str, String)> = names(selected).collect();
        Table::new(columns, names.iter().map(|(package, name)| (*package, name.as_str())), self.fit)
    }

    /// Of all cells that there could be in a row, those that it has.
    pub(super) fn cells(&self, all: Vec<String>) -> impl Iterator<Item = String> {
        let is_kept = |place: &usize| self.columns.iter().any(|(kept, _)| kept == place);
        all.into_iter().enumerate().filter(move |(place, _)| is_kept(place)).map(|(_, cell)| cell)
    }
}

/// Names as wide as a terminal shows them, in this room.
fn fit(room: Option<usize>) -> NameFit {
    NameFit { width: UnicodeWidthStr::width, max_width: room.map_or(usize::MAX, |room| room.max(LEAST_NAME)) }
}

/// The names that a table has to have room for, under their packages.
fn names(selected: &[Benchmark]) -> impl Iterator<Item = (&str, String)> {
    let names = selected.iter().map(|found| (found.package(), Table::row_name(&found.id.row)));
    let complexities = selected.iter().filter(|found| found.benchmark.complexity.is_some());
    names.chain(complexities.map(|found| (found.package(), Table::nested_name(LONGEST_COMPLEXITY))))
}

/// The room that the names take where there is enough.
fn room_for(selected: &[Benchmark]) -> usize {
    let names: Vec<(&str, String)> = names(selected).collect();
    Table::name_width(names.iter().map(|(package, name)| (*package, name.as_str())), UnicodeWidthStr::width)
}

/// The width of a column of times of which one has a unit: what counts in something else than operations says in what.
fn units(selected: &[Benchmark]) -> usize {
    let unit = |benchmark: &BenchmarkSpec| benchmark.unit.as_ref().map(|unit| unit.width());
    selected.iter().filter_map(|found| unit(&found.benchmark)).max().map_or(0, |unit| 9 + unit)
}

fn width(columns: &[(usize, Column<'_>)]) -> usize {
    columns.iter().map(|(_, column)| GAP + column.width).sum()
}
