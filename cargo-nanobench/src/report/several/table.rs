//! Several runs as a table.

use super::{Group, Line, Mean, SeveralRuns, word};
use crate::experiment::Row;
use crate::report::cells::{interval, paint, shortened};
use crate::report::extra_columns::{GAP, NONE, TableOptions};
use crate::report::layout;
use nanobench::report::{Column, Styles, Table, change, time, time_in_unit};
use verdicts::Verdict;

const TIME_WIDTH: usize = 9;
/// The widths of changes: `+12.3 %`, `+123.4 % slower`, and with an interval.
const BRIEF_WIDTH: usize = 8;
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
pub(crate) fn table(runs: &SeveralRuns, options: TableOptions<'_>) -> String {
    let groups = runs.groups();
    let overall = Mean::of(groups.iter().flat_map(|group| &group.lines));
    let names = names(&groups, overall.as_ref());
    let others: Vec<usize> = (1..=runs.others.len()).collect();
    let full = if options.verbose { Form::WithInterval } else { Form::WithWord };
    let fits = |form, others: usize| {
        let names = layout::names_width(&names).min(layout::MIN_NAME_WIDTH);
        options.width.is_none_or(|width| names + columns_width(form, others) <= width)
    };
    let form = if fits(full, others.len()) { full } else { Form::Brief };
    let at_once = (1..=others.len()).rev().find(|number| fits(form, *number)).unwrap_or(1);
    let tables = others.chunks(at_once).map(|others| {
        let view = View { runs: runs.names(), others, form, options };
        view.table(&groups, overall.as_ref(), &names)
    });
    tables.collect::<Vec<_>>().join("\n")
}

/// Returns the names of all rows, each with its package.
fn names<'a>(groups: &'a [Group<'_>], overall: Option<&Mean>) -> Vec<(&'a str, String)> {
    let of_group = |group: &'a Group<'_>| {
        let rows = group.lines.iter().map(|line| Table::row_name(&line.benchmark.id.row));
        rows.chain(group.mean().map(|mean| mean_name(&mean))).map(|name| (group.package, name))
    };
    groups.iter().flat_map(of_group).chain(overall.map(|mean| ("", overall_name(mean)))).collect()
}

fn mean_name(mean: &Mean) -> String {
    format!("geomean of {}", mean.benchmarks)
}

fn overall_name(mean: &Mean) -> String {
    format!("geomean of all {}", mean.benchmarks)
}

fn columns_width(form: Form, others: usize) -> usize {
    GAP + TIME_WIDTH + others * (GAP + TIME_WIDTH + GAP + form.width())
}

/// Some of the runs beside the first one.
struct View<'a> {
    /// The names of all runs.
    runs: Vec<String>,
    /// The places of those in this table, without the first one.
    others: &'a [usize],
    form: Form,
    options: TableOptions<'a>,
}

impl View<'_> {
    fn table(&self, groups: &[Group<'_>], overall: Option<&Mean>, names: &[(&str, String)]) -> String {
        let titles: Vec<String> = self.runs.iter().map(|name| shortened(name)).collect();
        let mut columns = vec![Column { title: &titles[0], width: TIME_WIDTH }];
        for &run in self.others {
            columns.push(Column { title: &titles[run], width: TIME_WIDTH });
            columns.push(Column { title: "change", width: self.form.width() });
        }
        let fit = layout::names_fit(names, columns_width(self.form, self.others.len()), self.options);
        let names = names.iter().map(|(package, name)| (*package, name.as_str()));
        let mut table = Table::new(&columns, names, fit).with_styles(Styles::TERMINAL);
        let mut text = String::new();
        for group in groups {
            for line in &group.lines {
                let id = &line.benchmark.id.row;
                text += &table.headings(group.package, group.name);
                text += &table.function_heading(id);
                text += &table.row(&Table::row_name(id), &self.cells(line));
            }
            // A single group has the mean of all.
            if let Some(mean) = group.mean().filter(|_| groups.len() > 1) {
                text += &table.row(&mean_name(&mean), &self.mean_cells(&mean));
            }
        }
        if let Some(mean) = overall {
            text += &format!("\n{}", table.row(&overall_name(mean), &self.mean_cells(mean)));
        }
        text
    }

    fn cells(&self, line: &Line<'_>) -> Vec<String> {
        let figure = |row: Option<&Row>, has_unit: bool| {
            let median = row.and_then(Row::resolved).map(|(_, summary)| summary.median);
            let unit = line.benchmark.spec.unit.as_deref().filter(|_| has_unit);
            median
                .map_or_else(|| NONE.to_owned(), |median| time_in_unit(median, unit, self.options.units.time))
        };
        let mut cells = vec![figure(line.rows[0], true)];
        for &run in self.others {
            cells.push(figure(line.rows[run], false));
            cells.push(line.rows[run].map_or_else(|| self.form.cell(NONE, ""), |row| self.change(row)));
        }
        cells
    }

    /// Returns the change of a row, in the colour of its verdict.
    fn change(&self, row: &Row) -> String {
        let Some(comparison) = &row.comparison else { return self.form.cell(NONE, "") };
        let word = word(row).map(Verdict::word);
        let Some(by) = comparison.change else {
            return word.map_or_else(|| self.form.cell(NONE, ""), |word| self.form.cell("", word));
        };
        let known = by.known_interval().filter(|_| self.form == Form::WithInterval);
        let known = known.map_or_else(String::new, |known| format!(" {}", interval(&known)));
        let cell = self.form.cell(&(change(by.estimate) + &known), word.unwrap_or_default());
        let text = cell.trim_end();
        paint(comparison.verdict, text) + &cell[text.len()..]
    }

    fn mean_cells(&self, mean: &Mean) -> Vec<String> {
        let changes: Vec<Option<f64>> = mean.changes().collect();
        let mut cells = vec![time(mean.times[0])];
        for &run in self.others {
            let by = changes[run].map_or_else(|| NONE.to_owned(), change);
            cells.extend([time(mean.times[run]), self.form.cell(&by, "")]);
        }
        cells
    }
}

impl Form {
    /// Returns a cell with figures below each other, and words below each other.
    fn cell(self, figure: &str, word: &str) -> String {
        match self {
            Form::Brief if figure.is_empty() => word.to_owned(),
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
