//! The Markdown table, which grows with each run.

use super::Column;
use super::result::{BenchResult, Measure};
use crate::fitness;
use crate::report::escape;

/// Spread of the epochs, as a fraction, from which a row is marked as unstable.
const UNSTABLE: f64 = 0.05;

/// The state of the table.
#[derive(Debug, Default)]
pub(super) struct Markdown {
    /// The head of the table that the last row is in.
    head: Option<String>,
}

/// The title of a column, its smallest width, and the text of its cell.
type Cell = (String, usize, Option<String>);

impl Markdown {
    /// Returns the row of a result, after the head of a new table if its columns or title differ
    /// from the last one.
    #[inline]
    pub(super) fn row(&mut self, result: &BenchResult) -> String {
        let columns = columns(result);
        let mut lines = String::new();
        let head = head(&columns, result.title());
        if self.head.as_ref() != Some(&head) {
            lines += "\n";
            lines += &head;
            self.head = Some(head);
        }
        for (title, width, cell) in &columns {
            let cell = cell.as_deref().unwrap_or("-");
            lines += &format!("| {cell:>0$} ", width.max(&title.chars().count()));
        }
        lines += &format!("| {}\n", last_cell(result));
        lines
    }
}

/// Returns the head of a table.
#[inline]
fn head(columns: &[Cell], title: &str) -> String {
    let (mut titles, mut rulers) = (String::new(), String::new());
    for (title, width, _) in columns {
        let width = (*width).max(title.chars().count());
        titles += &format!("| {title:>width$} ");
        rulers += &format!("|{:->1$}", ":", width + 2);
    }
    format!("{titles}| {}\n{rulers}|:----------\n", in_cell(title))
}

/// Returns the columns of a result that are not hidden, without the last one.
#[inline]
fn columns(result: &BenchResult) -> Vec<Cell> {
    let (unit_seconds, time_unit) = &result.settings.time_unit;
    let unit = in_cell(result.unit());
    let per_unit = format!("{}/{unit}", in_cell(time_unit));
    let batch = result.batch();
    let seconds = result.time_per_operation();
    let time = match result.limit {
        Some(limit) => format!("under {}", grouped(limit / batch / unit_seconds, 2)),
        None => grouped(seconds / unit_seconds, 2),
    };
    let told = |time: f64| result.limit.is_none().then(|| grouped(time / unit_seconds, 2));
    let rate = (result.limit.is_none() && seconds > 0.0).then(|| grouped(1.0 / seconds, 2));
    let mut columns: Vec<(Column, Cell)> = Vec::new();
    let mut add = |column, title: String, width, cell| columns.push((column, (title, width, cell)));
    if result.settings.relative {
        let relative = result.relative.filter(|relative| relative.is_finite() && result.limit.is_none());
        add(Column::Relative, "relative".into(), 8, relative.map(percent));
    }
    let n = result.complexity_n().into_iter();
    n.for_each(|n| add(Column::ComplexityN, "complexityN".into(), 11, Some(grouped(n, 0))));
    for key in &result.settings.context_columns {
        add(Column::Context, in_cell(key), 8, result.context(key).map(in_cell));
    }
    add(Column::TimePerUnit, per_unit.clone(), 19, Some(time));
    add(Column::WithoutLoop, format!("net {per_unit}"), 11, told(result.net_time_per_operation()));
    add(Column::UnitPerSecond, format!("{unit}/s"), 19, rate);
    let err = result.median_absolute_percent_error(Measure::Elapsed);
    add(Column::Error, "err%".into(), 7, Some(percent(err)));
    let sd = result.standard_deviation(Measure::Elapsed) / batch;
    add(Column::StandardDeviation, format!("sd {per_unit}"), 11, told(sd));
    let an_operation = |measure| result.has(measure).then(|| result.median(measure) / batch);
    let of = |amount: Option<f64>, base: Option<f64>| {
        amount.zip(base).filter(|(_, base)| *base > 0.0).map(|(amount, base)| amount / base)
    };
    let [instructions, cycles, branches, misses] =
        [Measure::Instructions, Measure::CpuCycles, Measure::BranchInstructions, Measure::BranchMisses]
            .map(an_operation);
    let mut counter = |column, title: String, width, value: Option<String>| {
        value.into_iter().for_each(|value| add(column, title.clone(), width, Some(value)));
    };
    let number = |number: Option<f64>| number.map(|number| grouped(number, 2));
    counter(Column::Instructions, format!("ins/{unit}"), 14, number(instructions));
    counter(Column::Cycles, format!("cyc/{unit}"), 14, number(cycles));
    let ipc = of(instructions, cycles).map(|ipc| grouped(ipc, 3));
    counter(Column::Ipc, "IPC".into(), 6, ipc);
    counter(Column::Branches, format!("bra/{unit}"), 13, number(branches));
    counter(Column::BranchMisses, "miss%".into(), 7, of(misses, branches).map(percent));
    let total = result.sum_product(Measure::Iterations, Measure::Elapsed);
    add(Column::Total, "total".into(), 9, Some(grouped(total, 2)));
    columns.retain(|(column, _)| result.settings.shows(*column));
    columns.into_iter().map(|(_, cell)| cell).collect()
}

/// Returns the name, and a remark if it takes no time or if the epochs differ too much.
#[inline]
fn last_cell(result: &BenchResult) -> String {
    let name = format!("`{}`", in_cell(result.name()));
    if let Some(remark) = result.remark() {
        return format!("{name} ({remark})");
    }
    let err = result.median_absolute_percent_error(Measure::Elapsed);
    if err < UNSTABLE || fitness::is_suppressed() {
        return name;
    }
    let iterations = result.average(Measure::Iterations);
    format!(
        ":wavy_dash: {name} (Unstable with ~{} iters. Increase `min_epoch_iterations` to e.g. {:.0})",
        grouped(iterations, 1),
        (iterations * 10.0).ceil()
    )
}

/// Escapes a text so that it stays within its cell.
#[inline]
fn in_cell(text: &str) -> String {
    escape(text).replace('`', "'").replace('|', "\\|")
}

#[inline]
fn percent(fraction: f64) -> String {
    format!("{}%", grouped(fraction * 100.0, 1))
}

/// Formats a number with commas between groups of three digits: `1,234.50`.
#[inline]
pub(super) fn grouped(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    let end = text.find('.').unwrap_or(text.len());
    let start = usize::from(text.starts_with('-'));
    if !text[start..end].bytes().all(|byte| byte.is_ascii_digit()) {
        return text;
    }
    let mut out = String::new();
    for (i, c) in text.char_indices() {
        if i > start && i < end && (end - i) % 3 == 0 {
            out.push(',');
        }
        out.push(c);
    }
    out
}
