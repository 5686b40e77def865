//! The table, row by row as results arrive.

use super::Facts;
use crate::experiment::{Comparison, Found, MEASURED_THEN, Outcome, Row, SAME_EXECUTABLE, Verdict};
use anstyle::{AnsiColor, Style};
use nanobench::report::{self, BELOW_RESOLUTION, Column, FIGURES, Table, change, escape, time};
use nanobench::stats::Interval;
use nanobench::summary::Summary;

/// Longest name of a baseline that a heading shows.
const LONGEST_TITLE: usize = 12;

/// Longest text in the place of figures.
const LONGEST_REMARK: usize = 200;

/// A table of the selected benchmarks.
#[derive(Debug)]
pub(crate) struct TableReport {
    table: Table,
    comparing: bool,
    /// With what is only of use to those who ask for it.
    verbose: bool,
}

impl TableReport {
    pub(crate) fn new(facts: &Facts, selected: &[Found], verbose: bool) -> TableReport {
        let names = selected.iter().map(|found| (found.package.as_str(), found.name.as_str()));
        match &facts.compared_with {
            None => {
                let mut columns = FIGURES.to_vec();
                columns.extend(verbose.then_some(Column { title: "cycles/op", width: 10 }));
                TableReport { table: Table::new(&columns, names), comparing: false, verbose }
            }
            Some(with) => {
                let title = shortened(&with.name);
                let columns = [
                    Column { title: &title, width: 9 },
                    Column { title: "now", width: 9 },
                    Column { title: "relative", width: 8 },
                    Column { title: "change", width: 8 },
                    Column { title: "95 %", width: 16 },
                    Column { title: "", width: 0 },
                ];
                TableReport { table: Table::new(&columns, names), comparing: true, verbose }
            }
        }
    }

    /// The lines that a row adds.
    pub(crate) fn row(&mut self, row: &Row) -> String {
        let lead = self.table.lead(&row.benchmark.package, &row.benchmark.group);
        let name = &row.benchmark.name;
        let row = match (&row.outcome, &row.comparison) {
            (Outcome::Failed(why), _) => self.table.remark(name, &paint(Verdict::Failed, &brief(why))),
            (Outcome::Measured { summary, .. }, _) if summary.below_resolution => {
                self.table.remark(name, BELOW_RESOLUTION)
            }
            (Outcome::Measured { summary, .. }, Some(comparison)) if self.comparing => {
                self.table.row(name, &comparison_cells(summary, comparison))
            }
            (Outcome::Measured { summary, .. }, _) => {
                let mut cells = report::figures(summary);
                cells.extend(summary.cycles.filter(|_| self.verbose).map(|cycles| format!("{cycles:.2}")));
                self.table.row(name, &cells)
            }
        };
        lead + &row
    }

    /// The lines for an executable none of whose benchmarks could be asked for.
    pub(crate) fn broken(&mut self, id: &str, why: &str) -> String {
        let (package, group) = id.split_once("::").unwrap_or((id, ""));
        self.table.lead(package, group) + &self.table.remark("(all)", &paint(Verdict::Failed, &brief(why)))
    }
}

fn comparison_cells(now: &Summary, comparison: &Comparison) -> Vec<String> {
    let dash = || "-".to_owned();
    let change_cell = |share: f64| change(share);
    vec![
        comparison.baseline.as_ref().map_or_else(dash, |baseline| time(baseline.median)),
        time(now.median),
        comparison.relative().map_or_else(dash, |relative| format!("{relative:.1} %")),
        comparison.change.as_ref().map_or_else(dash, |change| change_cell(change.estimate)),
        comparison.change.as_ref().map_or_else(String::new, |change| interval(&change.interval)),
        verdict(comparison),
    ]
}

/// `(+4.2 .. +5.3)`, in percent.
fn interval(interval: &Interval) -> String {
    let end = |share: f64| change(share).trim_end_matches(" %").to_owned();
    format!("({} .. {})", end(interval.low), end(interval.high))
}

fn verdict(comparison: &Comparison) -> String {
    let word = paint(comparison.verdict, comparison.verdict.word());
    // The line above the table says what goes for most rows.
    match comparison.reason.filter(|reason| !matches!(*reason, MEASURED_THEN | SAME_EXECUTABLE)) {
        Some(reason) => format!("{word}: {reason}"),
        None => word,
    }
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
