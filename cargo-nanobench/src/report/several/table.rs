//! Several runs as a table.

use super::{Cell, Line, Mean, lines, name};
use crate::report::Report;
use crate::report::cells::{interval, paint, shortened};
use crate::report::columns::{GAP, NONE, TableOptions};
use crate::report::layout;
use nanobench::report::{Column, Styles, Table, change, time, time_in_unit};

const TIME_WIDTH: usize = 9;
/// The widths of changes: `+12.3 %` or `identical`, `+123.4 % slower`, and with an interval.
const BRIEF_WIDTH: usize = 9;
const WORD_WIDTH: usize = 15;
const INTERVAL_WIDTH: usize = 32;

/// The form of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// In narrow terminals. The lines above the table have the verdicts.
    Brief,
    WithWord,
    WithInterval,
}

/// Returns the table: the times in each run, and the changes compared with the first one. In a
/// narrow terminal, there are several, each with the first run.
pub(crate) fn table(report: &Report, options: TableOptions<'_>) -> String {
    let lines = lines(report);
    let names: Vec<(&str, String)> = lines.iter().map(|line| (line.package(), line.name())).collect();
    let others: Vec<usize> = (1..report.runs.len()).collect();
    let full = if options.verbose { Form::WithInterval } else { Form::WithWord };
    let fits = |form, others: usize| {
        let names = layout::names_width(&names).min(layout::MIN_NAME_WIDTH);
        options.width.is_none_or(|width| names + columns_width(form, others) <= width)
    };
    let form = if fits(full, others.len()) { full } else { Form::Brief };
    let at_once = (1..=others.len()).rev().find(|number| fits(form, *number)).unwrap_or(1);
    let tables = others.chunks(at_once).map(|others| {
        let titles = report.runs.iter().map(|run| shortened(&name(run))).collect();
        View { titles, others, form, options }.table(&lines, &names)
    });
    tables.collect::<Vec<_>>().join("\n")
}

fn columns_width(form: Form, others: usize) -> usize {
    GAP + TIME_WIDTH + others * (GAP + TIME_WIDTH + GAP + form.width())
}

impl Line<'_> {
    fn package(&self) -> &str {
        match self {
            Line::Benchmark(benchmark, _) => benchmark.package(),
            Line::Mean(mean) => mean.package.unwrap_or_default(),
        }
    }

    fn name(&self) -> String {
        match self {
            Line::Benchmark(benchmark, _) => Table::row_name(&benchmark.id.row),
            Line::Mean(mean) => mean.name(),
        }
    }
}

/// Some of the runs beside the first one.
struct View<'a> {
    /// The names of all runs.
    titles: Vec<String>,
    /// The places of those in this table, without the first one.
    others: &'a [usize],
    form: Form,
    options: TableOptions<'a>,
}

impl View<'_> {
    fn table(&self, lines: &[Line<'_>], names: &[(&str, String)]) -> String {
        let mut columns = vec![Column { title: &self.titles[0], width: TIME_WIDTH }];
        for &run in self.others {
            columns.push(Column { title: &self.titles[run], width: TIME_WIDTH });
            columns.push(Column { title: "change", width: self.form.width() });
        }
        let fit = layout::names_fit(names, columns_width(self.form, self.others.len()), self.options);
        let names = names.iter().map(|(package, name)| (*package, name.as_str()));
        let mut table = Table::new(&columns, names, fit).with_styles(Styles::TERMINAL);
        let mut text = String::new();
        for line in lines {
            let cells = match line {
                Line::Benchmark(benchmark, cells) => {
                    text += &table.headings(benchmark.package(), &benchmark.group);
                    text += &table.function_heading(&benchmark.id.row);
                    self.cells(benchmark.spec.unit.as_deref(), cells)
                }
                Line::Mean(mean) => {
                    text += if mean.group.is_none() { "\n" } else { "" };
                    self.mean_cells(mean)
                }
            };
            text += &table.row(&line.name(), &cells);
        }
        text
    }

    /// Returns the cells of a benchmark. Only the first time has its unit.
    fn cells(&self, unit: Option<&str>, cells: &[Option<Cell>]) -> Vec<String> {
        let time = |cell: &Option<Cell>, unit: Option<&str>| {
            let time = cell.as_ref().and_then(|cell| cell.time);
            time.map_or_else(|| NONE.to_owned(), |time| time_in_unit(time, unit, self.options.units.time))
        };
        let others = self.others.iter().flat_map(|&run| {
            let change = cells[run].as_ref().map(|cell| self.change(cell));
            [time(&cells[run], None), change.unwrap_or_else(|| self.form.cell(NONE, ""))]
        });
        [time(&cells[0], unit)].into_iter().chain(others).collect()
    }

    /// Returns the change of a cell, in the colour of its verdict.
    fn change(&self, cell: &Cell) -> String {
        let Some(by) = cell.change else {
            return cell.word.map_or_else(|| self.form.cell(NONE, ""), |word| self.form.cell("", word));
        };
        let known = by.known_interval().filter(|_| self.form == Form::WithInterval);
        let known = known.map_or_else(String::new, |known| format!(" {}", interval(&known)));
        let text = self.form.cell(&(change(by.estimate) + &known), cell.word.unwrap_or_default());
        let shown = text.trim_end();
        cell.verdict.map_or_else(|| shown.to_owned(), |verdict| paint(verdict, shown)) + &text[shown.len()..]
    }

    fn mean_cells(&self, mean: &Mean<'_>) -> Vec<String> {
        let others = self.others.iter().flat_map(|&run| {
            let by = mean.changes[run].map_or_else(|| NONE.to_owned(), |percent| change(percent / 100.0));
            [time(mean.times[run]), self.form.cell(&by, "")]
        });
        [time(mean.times[0])].into_iter().chain(others).collect()
    }
}

impl Form {
    /// Returns a cell with figures below each other, and words below each other.
    fn cell(self, figure: &str, word: &str) -> String {
        match self {
            Form::Brief if figure.is_empty() => word.split(' ').next().unwrap_or_default().to_owned(),
            Form::Brief => figure.to_owned(),
            Form::WithWord | Form::WithInterval => format!("{figure} {word:<6}"),
        }
    }

    fn width(self) -> usize {
        match self {
            Form::Brief => BRIEF_WIDTH,
            Form::WithWord => WORD_WIDTH,
            Form::WithInterval => INTERVAL_WIDTH,
        }
    }
}
