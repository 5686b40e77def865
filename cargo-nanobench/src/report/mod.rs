//! What a run says, in each of its forms. Every form gets the same rows and the same facts; none measures.

mod columns;
mod doubts;
mod facts;
mod gate;
mod json;
mod layout;
mod more;
mod progress;
mod said;
mod summary;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use columns::Shown;
pub(crate) use doubts::lines as doubts;
pub(crate) use facts::{Beside, ComparedWith, Facts};
pub(crate) use gate::lines as gate_lines;
pub(crate) use json::json;
pub(crate) use progress::Progress;
pub(crate) use said::share;
pub(crate) use summary::{Closing, summary};
pub(crate) use table::TableReport;

use crate::experiment::Row;

/// All that a run says, compared with one baseline or none.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) facts: Facts,
    pub(crate) rows: Vec<Row>,
    pub(crate) closing: Closing,
}

impl Part {
    /// Whether a gate didn't let something through.
    pub(crate) fn is_held_back(&self) -> bool {
        self.closing.gate.as_ref().is_some_and(|failures| !failures.is_empty())
    }
}
