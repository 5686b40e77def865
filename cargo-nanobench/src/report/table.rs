//! The table, row by row as results arrive.

use super::cells::{
    NARROW_UNDER, before, bound, brief, interval, is_compared, paint, picture, scale_line, shortened, styled,
};
use super::change_cell::{change_cell, not_compared_because};
use super::extra_columns::{ExtraColumn, ExtraColumns, NONE, TableOptions};
use super::header::pairs;
use super::layout::{Layout, detail_rows};
use super::{ComparedWith, RunHeader, answer_text, doubts, extra_table, lost_work, verdict_text, why};
use crate::experiment::{
    Benchmark, Comparison, Outcome, PairedDetails, Row, TargetComplexity, UnlistedExecutable, complexity,
};
use crate::style;
use nanobench::complexity::{Scope, SeriesComplexity};
use nanobench::report::{Column, Table, change, escape, figure_cells, mark_unstable, percent, time_in_unit};
use nanobench::summary::Summary;
use verdicts::Verdict;

/// A table of the selected benchmarks.
#[derive(Debug, Clone)]
pub(crate) struct TableReport<'a> {
    table: Table,
    layout: Layout,
    comparing: bool,
    options: TableOptions<'a>,
    extras: ExtraColumns,
    /// The name of the run that the figures come from.
    run: String,
    /// The row that figures are shown as multiples of.
    scale: Option<Row>,
    /// The reason for a change in the line above, which applies to the rows below it, too.
    reason: Option<String>,
    /// Rows of one function that gets further lines when all of its rows are there.
    pending: Vec<Row>,
    /// Rows of one group with a fit over its functions.
    pending_group: Vec<Row>,
}

impl<'a> TableReport<'a> {
    pub(crate) fn new(
        header: &RunHeader,
        selected: &[Benchmark],
        options: TableOptions<'a>,
    ) -> TableReport<'a> {
        let mut extras = ExtraColumns::new(header, selected, options);
        let compared_with = header.compared_with.as_ref();
        let has_changes = compared_with.is_some_and(ComparedWith::has_change_column);
        let with = compared_with.filter(|with| with.has_own_table());
        let now = with.and_then(ComparedWith::candidate);
        let layout = match with {
            Some(_) => Layout::with_comparison(selected, options),
            None => Layout::of_plain_run(selected, &mut extras, has_changes, options),
        };
        // A second table repeats each name, which is too much for columns that no flag asks for.
        if with.is_some() && options.width.is_some() && !options.verbose {
            extras.own.clear();
        }
        let titles = with.map(|with| [shortened(&with.name), shortened(now.unwrap_or("now"))]);
        let mut all: Vec<Column<'_>> = layout.columns.iter().map(|(_, column)| *column).collect();
        for (column, title) in all.iter_mut().zip(titles.iter().flatten()) {
            column.title = title;
        }
        if layout.extras_inline {
            all.extend(extras.common.iter().map(ExtraColumn::column));
        }
        TableReport {
            table: layout.table(&all, selected),
            layout,
            comparing: with.is_some(),
            options,
            extras,
            run: now.map_or_else(|| "this run".to_owned(), escape),
            scale: None,
            reason: None,
            pending: Vec::new(),
            pending_group: Vec::new(),
        }
    }

    /// Shows all further rows as multiples of this one. Returns the line above them.
    pub(crate) fn scale_to(&mut self, row: &Row) -> String {
        self.scale = Some(row.clone());
        scale_line(row, self.options.units.time).map_or_else(String::new, |line| line + "\n\n")
    }

    /// Returns what else was found about a row, each with its name: with `-v`, all of it; and the
    /// reason for a change, unless the last one was the same.
    fn details(&mut self, row: &Row) -> Vec<(&'static str, String)> {
        let is_verbose = self.options.verbose;
        let comparison = row.comparison.as_ref();
        let compared = comparison.zip(row.paired()).filter(|_| is_verbose);
        let mut details = compared.map_or_else(Vec::new, |(comparison, paired)| answers(comparison, paired));
        let busy = comparison.and_then(verdict_text::busy_between_calls);
        details.extend(busy.map(|busy| ("busy", busy.to_owned())));
        // The table of a requested comparison has it beside the verdict.
        let not_compared = || not_compared_because(comparison.filter(|_| !self.comparing)?);
        let reason = row.paired().and_then(|paired| why::short(&paired.changed_functions));
        let reason = reason.or_else(not_compared);
        let is_new = reason != self.reason;
        details.extend(reason.clone().filter(|_| is_new).map(|reason| ("why", reason)));
        self.reason = reason;
        let context = row.benchmark.spec.context.as_ref().filter(|_| is_verbose);
        details.extend(context.map(|context| ("context", escape(&pairs(context)))));
        details
    }

    /// Returns the lines of a row.
    pub(crate) fn row(&mut self, row: &Row) -> String {
        // Few of many may have changed.
        if row.is_not_run() && !self.options.verbose {
            return String::new();
        }
        let benchmark = &row.benchmark;
        let mut lines = String::new();
        if self.pending.first().is_some_and(|first| first.benchmark.id.function() != benchmark.id.function())
        {
            lines += &self.finish_function();
        }
        if self.pending_group.first().is_some_and(|first| group(first) != group(row)) {
            lines += &self.finish();
        }
        lines += &self.lead(benchmark);
        lines += &self.table.function_heading(&benchmark.id.row);
        let name = Table::row_name(&benchmark.id.row);
        lines += &match (&row.outcome, &row.comparison) {
            (Outcome::Failed(error), _) => {
                self.table.remark_row(&name, &paint(Verdict::Failed, &brief(&error.to_string())))
            }
            (Outcome::NotRun, None) => String::new(),
            (Outcome::NotRun, Some(comparison)) => {
                let cells = [
                    self.before_cell(comparison),
                    NONE.to_owned(),
                    NONE.to_owned(),
                    NONE.to_owned(),
                    String::new(),
                ];
                let remark = verdict_text::remark(comparison, None);
                let verdict = format!("{}{remark}, not run", comparison.verdict.word());
                let cells = self.layout.cells(cells.into());
                self.table.row(&name, &cells.chain([verdict]).collect::<Vec<_>>())
            }
            (Outcome::Measured { summary, .. }, _)
                if summary.below_resolution && !(self.comparing && lost_work::of_change(row).is_some()) =>
            {
                self.below_resolution(&name, row)
            }
            (Outcome::Measured { summary, .. }, Some(comparison)) if self.comparing => {
                let word = comparison.verdict.word();
                let room = self.layout.verdict_room.map(|room| room.saturating_sub(word.len()));
                let verdict =
                    [paint(comparison.verdict, word) + &verdict_text::remark_on(row, comparison, room)];
                let cells = self.layout.cells(self.comparison_cells(row, summary, comparison));
                self.table.row(&name, &cells.chain(verdict).collect::<Vec<_>>())
            }
            (Outcome::Measured { summary, .. }, _) => {
                let figures = figure_cells(&benchmark.spec, summary, self.options.units);
                let mut cells = styled(figures, summary, doubts::is_doubtful(row));
                cells.push(self.change_cell(row));
                let cells = self.layout.cells(cells);
                self.table.row(&name, &cells.chain(self.extra_cells(row)).collect::<Vec<_>>())
            }
        };
        let details = self.details(row);
        lines += &detail_rows(&details);
        let is_in_function = is_fitted_in_function(row);
        if is_in_function {
            self.pending.push(row.clone());
        }
        if benchmark.spec.complexity.is_some() && !is_in_function {
            self.pending_group.push(row.clone());
        }
        lines
    }

    /// Returns the lines of a row that can't be told from an empty benchmark.
    fn below_resolution(&self, name: &str, row: &Row) -> String {
        let Some(why) = lost_work::below_resolution(row) else { return String::new() };
        let extras = self.extras.cells(row, self.options, self.scale.as_ref());
        if !self.layout.extras_inline || extras.iter().all(Option::is_none) {
            return self.table.remark_row(name, &why);
        }
        let dashes = self.layout.columns.iter().map(|_| NONE.to_owned());
        let cells = dashes.chain(self.extra_cells(row)).collect::<Vec<_>>();
        self.table.row(name, &cells) + &self.table.remark_row("", &why)
    }

    /// Returns the lines above a row: its package and group, with the titles of the group's
    /// columns.
    fn lead(&mut self, benchmark: &Benchmark) -> String {
        let own = if self.layout.extras_inline { self.extras.own_of(benchmark) } else { &[] };
        let verdict = self.comparing.then_some(Column { title: "", width: 0 });
        let own: Vec<Column<'_>> = own.iter().map(ExtraColumn::column).chain(verdict).collect();
        self.table.headings_with_columns(benchmark.package(), &benchmark.group, &own)
    }

    /// Returns the tables of optional columns, if there was no room for them in this one.
    pub(crate) fn extra_columns(&self, rows: &[Row]) -> String {
        if self.layout.extras_inline {
            return String::new();
        }
        extra_table::tables(&self.run, &self.extras, rows, self.options, self.scale.as_ref())
    }

    /// Returns the lines about all rows of the last function, and of the last group.
    pub(crate) fn finish(&mut self) -> String {
        let of_function = self.finish_function();
        let of_group = std::mem::take(&mut self.pending_group);
        of_function + &self.curves(&of_group)
    }

    /// Returns the lines about all rows of the last function: its complexity.
    fn finish_function(&mut self) -> String {
        let pending = std::mem::take(&mut self.pending);
        self.curves(&pending)
    }

    /// Returns the lines about the complexities of these rows.
    fn curves<'r>(&self, rows: impl IntoIterator<Item = &'r Row>) -> String {
        let mut lines = String::new();
        for TargetComplexity { series, .. } in complexity(rows) {
            let SeriesComplexity { scope, case, fits, unfitted } = series;
            let shown = if self.options.verbose { fits.len() } else { 1 };
            for fit in fits.iter().take(shown) {
                let coefficient = self.options.units.time.format(fit.coefficient);
                let next = fits.get(1).filter(|_| shown == 1);
                let next = next.map_or_else(String::new, |next| {
                    format!("; next {}, err {}", escape(&next.name), percent(next.error))
                });
                let prefix = prefix(&case);
                let width = if shown == 1 { 0 } else { 10 };
                let err = percent(fit.error);
                let text = format!("{prefix}coefficient {coefficient:>width$}, err {err}{next}");
                lines += &self.table.remark_row(&Table::curve_name(&scope, &fit.name), &text);
            }
            let unfitted = unfitted.map(|curve| self.table.unfitted_row(&scope, &prefix(&case), &curve));
            lines += &unfitted.unwrap_or_default();
        }
        lines
    }

    /// Returns the lines for an executable that failed before it listed its benchmarks.
    pub(crate) fn unlisted(&mut self, executable: &UnlistedExecutable) -> String {
        let UnlistedExecutable { target, error } = executable;
        self.finish()
            + &self.table.headings(&target.package, &target.within_package())
            + &self.table.remark_row("(all)", &paint(Verdict::Failed, &brief(&error.to_string())))
    }

    /// Returns the cells of the optional columns, if this table has them.
    fn extra_cells(&self, row: &Row) -> Vec<String> {
        if !self.layout.extras_inline {
            return Vec::new();
        }
        let cells = self.extras.cells(row, self.options, self.scale.as_ref()).into_iter();
        cells.map(|cell| cell.unwrap_or_else(|| style::paint(style::FAINT, NONE))).collect()
    }

    /// Returns the cell of the column `change`.
    fn change_cell(&self, row: &Row) -> String {
        let Some(verdict) = row.verdict() else { return String::new() };
        // The table doesn't know the width of coloured text.
        let width = self.layout.columns.last().map_or(0, |(_, column)| column.width);
        match change_cell(row) {
            text if text.is_empty() => text,
            text => paint(verdict, &format!("{text:>width$}")),
        }
    }

    /// Returns the cell of the baseline's median.
    fn before_cell(&self, comparison: &Comparison) -> String {
        let unit = self.options.units.time;
        let bound = comparison.baseline.as_ref().and_then(|baseline| bound(NARROW_UNDER, baseline, unit));
        bound.or_else(|| before(comparison, unit)).unwrap_or_else(|| NONE.to_owned())
    }

    fn comparison_cells(&self, row: &Row, now: &Summary, comparison: &Comparison) -> Vec<String> {
        let (dash, unit) = (|| NONE.to_owned(), row.benchmark.spec.unit.as_deref());
        let time = bound(NARROW_UNDER, now, self.options.units.time)
            .unwrap_or_else(|| time_in_unit(now.median, unit, self.options.units.time));
        vec![
            if is_compared(comparison) { self.before_cell(comparison) } else { dash() },
            if doubts::is_doubtful(row) { mark_unstable(&time) } else { time },
            comparison.relative().map_or_else(dash, |relative| format!("{relative:.1} %")),
            comparison.change.as_ref().map_or_else(dash, |by| change(by.estimate)),
            comparison
                .change
                .and_then(|by| by.known_interval())
                .map_or_else(String::new, |known| interval(&known)),
            picture(comparison, self.options.charset).unwrap_or_default(),
        ]
    }
}

/// Returns how a benchmark was sampled in a paired run, and what else that found, each with its name.
fn answers(comparison: &Comparison, paired: &PairedDetails) -> Vec<(&'static str, String)> {
    let ran = paired.pairs > 0;
    let sampled = ran.then(|| ("sampled", verdict_text::pairs(paired)));
    let average = paired.average.as_ref().map(|found| ("average", answer_text::average(found)));
    let launches = paired.slow_launches.as_ref();
    let launches = launches.map(|slow| ("launches", answer_text::slow_launches(slow)));
    let layouts = verdict_text::layouts(comparison).map(|text| ("layouts", text));
    [sampled, average, launches, layouts].into_iter().flatten().collect()
}

/// Returns whether a fit looks for sizes in the row's own function.
fn is_fitted_in_function(row: &Row) -> bool {
    matches!(Scope::of(&row.benchmark.spec), Some(Scope::Function { .. }))
}

/// Returns the package and the group of a row.
fn group(row: &Row) -> (&str, &str) {
    (row.benchmark.package(), &row.benchmark.group)
}

/// Returns the beginning of a line about rows with these labels: `Vec<u64>: `.
fn prefix(case: &str) -> String {
    if case.is_empty() { String::new() } else { format!("{}: ", escape(case)) }
}
