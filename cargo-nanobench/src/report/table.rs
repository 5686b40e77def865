//! The table, row by row as results arrive.

use super::cells::{brief, paint, scale_line, shortened};
use super::change_cell::not_compared_because;
use super::columns::{Column, NONE, TableOptions};
use super::extra_columns::ExtraColumns;
use super::header::pairs;
use super::layout::{Layout, detail_rows};
use super::{
    ComparedRun, ComparedWith, RunHeader, answer_text, doubts, extra_table, lost_work, verdict_text, why,
};
use crate::experiment::{
    Benchmark, Comparison, Outcome, PairedDetails, Row, TargetComplexity, UnlistedExecutable, complexity,
};
use crate::style;
use nanobench::complexity::{Scope, SeriesComplexity};
use nanobench::report::{Column as TitledColumn, Table, escape, mark_unstable, percent};
use nanobench::summary::MAX_SPREAD;
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
        let sized =
            layout.columns.iter().map(|(column, width)| TitledColumn { width: *width, ..column.titled() });
        let mut all: Vec<TitledColumn<'_>> = sized.collect();
        for (column, title) in all.iter_mut().zip(titles.iter().flatten()) {
            column.title = title;
        }
        if layout.extras_inline {
            all.extend(extras.common.iter().map(Column::titled));
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

    /// Returns the whole table of a finished run.
    pub(crate) fn of_finished(run: &ComparedRun, options: TableOptions<'_>) -> String {
        let selected: Vec<Benchmark> = run.rows.iter().map(|row| row.benchmark.clone()).collect();
        let mut table = TableReport::new(&run.header, &selected, options);
        let rows: String = run.rows.iter().map(|row| table.row(row)).collect();
        rows + &table.finish() + &table.extra_columns(&run.rows)
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
        let is_below = row.measured().is_some() && row.resolved().is_none();
        lines += &match &row.outcome {
            Outcome::Failed(error) => {
                self.table.remark_row(&name, &paint(Verdict::Failed, &brief(&error.to_string())))
            }
            Outcome::NotRun if row.comparison.is_none() => String::new(),
            _ if is_below && !(self.comparing && lost_work::of_change(row).is_some()) => {
                self.below_resolution(&name, row)
            }
            _ => {
                let cells = self.layout.columns.iter().map(|(column, _)| self.cell(*column, row));
                let verdict = row.comparison.as_ref().filter(|_| self.comparing);
                let verdict = verdict.map(|comparison| self.verdict_cell(row, comparison));
                let cells = cells.chain(verdict).chain(self.extra_cells(row));
                self.table.row(&name, &cells.collect::<Vec<_>>())
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
            let verdict = if row.has_lost_all_work() { Verdict::Unsure } else { Verdict::Same };
            return self.table.remark_row(name, &paint(verdict, &why));
        }
        let dashes = self.layout.columns.iter().map(|_| NONE.to_owned());
        let cells = dashes.chain(self.extra_cells(row)).collect::<Vec<_>>();
        self.table.row(name, &cells) + &self.table.remark_row("", &why)
    }

    /// Returns the lines above a row: its package and group, with the titles of the group's
    /// columns.
    fn lead(&mut self, benchmark: &Benchmark) -> String {
        let own = if self.layout.extras_inline { self.extras.own_of(benchmark) } else { &[] };
        let verdict = self.comparing.then_some(TitledColumn { title: "", width: 0 });
        let own: Vec<TitledColumn<'_>> = own.iter().map(Column::titled).chain(verdict).collect();
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

    /// Returns the cell of a column, with a mark if the figure is in doubt. Those that matter less are in
    /// the background.
    fn cell(&self, column: Column, row: &Row) -> String {
        let cell = column.cell(row, self.options, self.scale.as_ref());
        let is_marked = matches!(column, Column::Time | Column::Now) && doubts::is_doubtful(row);
        match (column, cell) {
            (Column::SinceLast | Column::ChangeInterval | Column::ChangePicture, None) => String::new(),
            (_, None) => NONE.to_owned(),
            (_, Some(time)) if is_marked => mark_unstable(&time),
            (Column::Spread, Some(err)) => {
                let is_wide = row.resolved().is_some_and(|(_, summary)| summary.err > MAX_SPREAD);
                style::paint(if is_wide { style::DOUBTFUL } else { style::FAINT }, &err)
            }
            (Column::Samples, Some(samples)) => style::paint(style::FAINT, &samples),
            (Column::SinceLast, Some(change)) => match row.verdict() {
                Some(verdict) => paint(verdict, &change),
                None => change,
            },
            (_, Some(cell)) => cell,
        }
    }

    /// Returns the verdict of a row that is compared with another run, and what there is room for behind it.
    fn verdict_cell(&self, row: &Row, comparison: &Comparison) -> String {
        let (word, remark) = verdict_text::of_row(row, comparison, self.layout.verdict_room);
        paint(comparison.verdict, &word) + &remark
    }
}

/// Returns how a benchmark was sampled in a paired run, and what else that found, each with its name.
fn answers(comparison: &Comparison, paired: &PairedDetails) -> Vec<(&'static str, String)> {
    let ran = paired.pairs > 0;
    let sampled = ran.then(|| ("sampled", verdict_text::pairs(paired)));
    let average = paired.average.as_ref().map(|found| ("average", answer_text::average(found)));
    let launches = paired.slow_launches.as_ref();
    let launches = launches.map(|slow| ("processes", answer_text::slow_launches(slow)));
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
