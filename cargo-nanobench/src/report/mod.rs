//! What a run says, in each of its forms. Every form gets the same rows and the same facts; none measures.

mod columns;
mod doubts;
mod extra_columns;
mod gate;
mod header;
mod json;
mod layout;
mod progress;
mod summary;
mod table;
#[cfg(test)]
mod tests;
mod verdict_text;

pub(crate) use columns::TableOptions;
pub(crate) use doubts::lines as doubts;
pub(crate) use gate::lines as gate_lines;
pub(crate) use header::{Beside, ComparedWith, RunHeader};
pub(crate) use json::json;
pub(crate) use progress::Progress;
pub(crate) use summary::{RunOutcome, summary};
pub(crate) use table::TableReport;
pub(crate) use verdict_text::share;

use crate::experiment::Row;

/// All that a run says, compared with one baseline or none.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) header: RunHeader,
    pub(crate) rows: Vec<Row>,
    pub(crate) outcome: RunOutcome,
}

impl Report {
    /// Whether a gate didn't let something through.
    pub(crate) fn is_held_back(&self) -> bool {
        self.outcome.gate.as_ref().is_some_and(|failures| !failures.is_empty())
    }
}
