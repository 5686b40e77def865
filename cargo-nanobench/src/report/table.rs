//! The table, row by row as results arrive.

use super::columns::{Extra, Shown, common, own};
use super::facts::pairs;
use super::{Facts, said};
use crate::experiment::{Comparison, Found, Growth, Outcome, Rise, Row, Sweep, Verdict, growth, sweep};
use anstyle::{AnsiColor, Style};
use nanobench::model::Benchmark;
use nanobench::report::{
    BELOW_RESOLUTION, Bytes, Column, FIGURES, Table, change, escape, figures, in_unit, percent, significant,
    size, unit_width,
};
use nanobench::stats::Interval;
use nanobench::summary::Summary;
use std::collections::BTreeMap;

/// Longest name of a baseline that a heading shows.
const LONGEST_TITLE: usize = 12;

/// The longest name of one, but for the user's own.
const LONGEST_COMPLEXITY: &str = "O(n log n)";

/// The columns of a comparison with another run, for the baseline's name in the place of the first title. Behind them
/// and behind the extra ones stands the verdict.
const COMPARED: [Column<'static>; 5] = [
    Column { title: "", width: 9 },
    Column { title: "now", width: 9 },
    Column { title: "relative", width: 8 },
    Column { title: "change", width: 8 },
    Column { title: "95 %", width: 16 },
];

/// Longest text in the place of figures.
const LONGEST_REMARK: usize = 200;

/// A table of the selected benchmarks.
#[derive(Debug)]
pub(crate) struct TableReport<'a> {
    table: Table,
    comparing: bool,
    shown: Shown<'a>,
    /// Columns of all rows, and those that each group has besides.
    common: Vec<Extra>,
    own: BTreeMap<(String, String), Vec<Extra>>,
    /// The figure of the benchmark that others are multiples of, in ns.
    scale: Option<f64>,
    /// Rows of one function of which more is said when they are all there.
    pending: Vec<Row>,
}

impl<'a> TableReport<'a> {
    pub(crate) fn new(facts: &Facts, selected: &[Found], shown: Shown<'a>) -> TableReport<'a> {
        let names: Vec<(&str, String)> =
            selected.iter().map(|found| (found.package.as_str(), name(found))).collect();
        let complexities = selected.iter().filter(|found| found.benchmark.complexity.is_some());
        let widest = complexities.map(|found| (found.package.as_str(), Table::nested(LONGEST_COMPLEXITY)));
        let names = names.into_iter().chain(widest).collect::<Vec<_>>();
        let comparing = facts.compared_with.is_some();
        let baseline = facts.compared_with.as_ref().map_or_else(String::new, |with| shortened(&with.name));
        let now = facts.compared_with.as_ref().and_then(|with| Some(shortened(&with.now.as_ref()?.0)));
        let mut columns = if comparing { COMPARED.to_vec() } else { FIGURES.to_vec() };
        if comparing {
            columns[0].title = &baseline;
            columns[1].title = now.as_deref().unwrap_or("now");
        }
        // What counts in something else than operations says in what.
        let width = unit_width(selected.iter().map(|found| &found.benchmark));
        for column in if comparing { [0, 1] } else { [0, 2] } {
            columns[column].width = columns[column].width.max(width);
        }
        let common = common(facts, shown);
        let titles: Vec<String> = common.iter().map(|extra| extra.title(comparing)).collect();
        columns.extend(common.iter().zip(&titles).map(|(extra, title)| extra.column(title)));
        let mut groups: BTreeMap<(String, String), Vec<&Found>> = BTreeMap::new();
        for found in selected {
            groups.entry((found.package.clone(), found.group.clone())).or_default().push(found);
        }
        let own = groups.into_iter().map(|(group, members)| (group, own(facts, &members, shown))).collect();
        let table = Table::new(&columns, names.iter().map(|(package, name)| (*package, name.as_str())));
        TableReport { table, comparing, shown, common, own, scale: None, pending: Vec::new() }
    }

    /// From now on rows are shown as multiples of this one.
    pub(crate) fn scale_to(&mut self, row: &Row) {
        self.scale = row.resolved().map(|(_, summary)| summary.median);
    }

    /// The lines that a row adds.
    pub(crate) fn row(&mut self, row: &Row) -> String {
        let found = &row.benchmark;
        let mut lines = String::new();
        if self.pending.first().is_some_and(|first| first.benchmark.function_id() != found.function_id()) {
            lines += &self.finish();
        }
        lines += &self.lead(found);
        lines += &self.table.within(&found.function, found.benchmark.case.is_some());
        let name = name(found);
        lines += &match (&row.outcome, &row.comparison) {
            (Outcome::Failed(why), _) => self.table.remark(&name, &paint(Verdict::Failed, &brief(why))),
            (Outcome::Measured { summary, .. }, _) if summary.below_resolution => {
                self.table.remark(&name, BELOW_RESOLUTION)
            }
            (Outcome::Measured { summary, .. }, Some(comparison)) if self.comparing => {
                let verdict = [verdict(comparison)];
                let cells = Self::comparison_cells(&found.benchmark, summary, comparison).into_iter();
                self.table.row(&name, &cells.chain(self.extra_cells(row)).chain(verdict).collect::<Vec<_>>())
            }
            (Outcome::Measured { summary, .. }, _) => {
                let cells = figures(&found.benchmark, summary, self.shown.bytes).into_iter();
                self.table.row(&name, &cells.chain(self.extra_cells(row)).collect::<Vec<_>>())
            }
        };
        if let Some(context) = found.benchmark.context.as_ref().filter(|_| self.shown.verbose) {
            lines += &self.table.remark(&Table::nested("context"), &escape(&pairs(context)));
        }
        if found.benchmark.complexity.is_some() || found.benchmark.wipe_size.is_some() {
            self.pending.push(row.clone());
        }
        lines
    }

    /// The lines that lead to a row, with the titles of what only its group has.
    fn lead(&mut self, found: &Found) -> String {
        let own = self.own_of(found);
        let titles: Vec<String> = own.iter().map(|extra| extra.title(self.comparing)).collect();
        let columns = own.iter().zip(&titles).map(|(extra, title)| extra.column(title));
        let verdict = self.comparing.then_some(Column { title: "", width: 0 });
        let columns: Vec<Column<'_>> = columns.chain(verdict).collect();
        self.table.lead_with(&found.package, &found.group, &columns)
    }

    fn own_of(&self, found: &Found) -> Vec<Extra> {
        self.own.get(&(found.package.clone(), found.group.clone())).cloned().unwrap_or_default()
    }

    /// What is said of the rows of a function together, when they are all there.
    pub(crate) fn finish(&mut self) -> String {
        let pending = std::mem::take(&mut self.pending);
        let unit = pending.first().and_then(|row| row.benchmark.benchmark.unit.clone());
        let mut lines = String::new();
        for Growth { case, fits, .. } in growth(&pending) {
            let shown = if self.shown.verbose { fits.len() } else { 1 };
            for fit in fits.iter().take(shown) {
                let coefficient = in_unit(fit.coefficient, unit.as_deref());
                let next = fits.get(1).filter(|_| shown == 1);
                let next = next.map_or_else(String::new, |next| {
                    format!("; next {}, err {}", escape(&next.name), percent(next.error))
                });
                let of = of(&case);
                let width = if shown == 1 { 0 } else { 10 };
                let err = percent(fit.error);
                let text = format!("{of}coefficient {coefficient:>width$}, err {err}{next}");
                lines += &self.table.remark(&Table::nested(&fit.name), &text);
            }
        }
        for Sweep { case, rises, .. } in sweep(&pending) {
            let end = |rise: &Rise| {
                let size = size(rise.size as f64, Bytes::Binary);
                format!("one ends at about {size} (time x {})", significant(rise.factor))
            };
            let text = match &rises[..] {
                [] => "the time rises at none of these sizes".to_owned(),
                rises => rises.iter().map(end).collect::<Vec<_>>().join(", "),
            };
            lines += &self.table.remark(&Table::nested("caches"), &format!("{}{text}", of(&case)));
        }
        lines
    }

    /// The lines for an executable none of whose benchmarks could be asked for.
    pub(crate) fn broken(&mut self, id: &str, why: &str) -> String {
        let (package, group) = id.split_once("::").unwrap_or((id, ""));
        self.finish()
            + &self.table.lead(package, group)
            + &self.table.remark("(all)", &paint(Verdict::Failed, &brief(why)))
    }

    fn extra_cells(&self, row: &Row) -> Vec<String> {
        let extras = self.common.iter().cloned().chain(self.own_of(&row.benchmark));
        extras.map(|extra| extra.cell(row, self.shown, self.scale)).collect()
    }

    fn comparison_cells(benchmark: &Benchmark, now: &Summary, comparison: &Comparison) -> Vec<String> {
        let (dash, unit) = (|| "-".to_owned(), benchmark.unit.as_deref());
        vec![
            comparison.baseline.as_ref().map_or_else(dash, |before| in_unit(before.median, unit)),
            in_unit(now.median, unit),
            comparison.relative().map_or_else(dash, |relative| format!("{relative:.1} %")),
            comparison.change.as_ref().map_or_else(dash, |by| change(by.estimate)),
            comparison.change.as_ref().map_or_else(String::new, |by| interval(&by.interval)),
        ]
    }
}

/// The name of a row, under its group or under its function.
fn name(found: &Found) -> String {
    found.benchmark.case.as_deref().map_or_else(|| found.function.clone(), Table::nested)
}

/// `Vec<u64>: `, where there is something to say.
fn of(case: &str) -> String {
    if case.is_empty() { String::new() } else { format!("{}: ", escape(case)) }
}

/// `(+4.2 .. +5.3)`, in percent.
fn interval(interval: &Interval) -> String {
    let end = |share: f64| change(share).trim_end_matches(" %").to_owned();
    format!("({} .. {})", end(interval.low), end(interval.high))
}

fn verdict(comparison: &Comparison) -> String {
    paint(comparison.verdict, comparison.verdict.word()) + &said::remark(comparison)
}

/// `text` in the colour of a verdict.
pub(super) fn paint(verdict: Verdict, text: &str) -> String {
    let colour = match verdict {
        Verdict::Slower | Verdict::Failed => AnsiColor::Red,
        Verdict::Faster => AnsiColor::Green,
        Verdict::Unsure => AnsiColor::Yellow,
        Verdict::Same | Verdict::New => return text.to_owned(),
    };
    let style = Style::new().fg_color(Some(colour.into()));
    format!("{style}{text}{style:#}")
}

/// The first line of a text, and not too much of it. JSON has it whole.
fn brief(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let brief: String = line.chars().take(LONGEST_REMARK).collect();
    let more = if brief.len() < text.len() { " ..." } else { "" };
    escape(&brief) + more
}

fn shortened(name: &str) -> String {
    if name.chars().count() <= LONGEST_TITLE {
        name.to_owned()
    } else {
        name.chars().take(LONGEST_TITLE - 2).chain("..".chars()).collect()
    }
}
