//! The report of a run, in each of its forms. All forms render the same [`Report`], and none
//! measures.

mod answer_text;
pub(crate) mod assembly;
mod cells;
mod change_cell;
mod change_lines;
mod columns;
mod compared_with;
mod doubts;
mod earlier_comparison;
mod extra_columns;
mod extra_table;
mod formats;
mod gate;
mod header;
mod html;
mod layout;
pub(crate) mod listing;
mod lost_work;
mod outcome;
mod pictures;
mod progress;
mod record;
pub(crate) mod several;
mod side_by_side;
mod sort;
mod source;
mod statistics;
mod summary;
mod table;
mod template;
#[cfg(test)]
mod tests;
mod verdict_text;
mod warnings;
pub(crate) mod why;

pub(crate) use change_lines::changes;
pub(crate) use columns::{RequestedColumns, TableOptions};
pub(crate) use compared_with::{ComparedWith, ComparisonMethod, LastRun, UnusableExecutables};
pub(crate) use doubts::noisy_figures;
pub(crate) use earlier_comparison::earlier_comparison;
pub(crate) use formats::{
    FileFormat, RenderError, Rendered, github_annotations, json, json_end, json_row, json_start, markdown,
};
pub(crate) use gate::lines as gate_lines;
pub(crate) use header::RunHeader;
pub(crate) use outcome::{Command, ComparedRun, Ending, Report, RunOutcome};
pub(crate) use pictures::Charset;
pub(crate) use progress::Progress;
pub(crate) use side_by_side::side_by_side;
pub(crate) use sort::{SortKey, sort};
pub(crate) use summary::{closing, saved};
pub(crate) use table::TableReport;
pub(crate) use template::{Template, TemplateError};
pub(crate) use verdict_text::share;
pub(crate) use warnings::{contradiction, warnings};
