//! What a run says, in each of its forms. Every form gets the same rows and the same facts; none measures.

mod columns;
mod doubts;
mod facts;
mod json;
mod progress;
mod summary;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use columns::Shown;
pub(crate) use doubts::lines as doubts;
pub(crate) use facts::{ComparedWith, Facts};
pub(crate) use json::json;
pub(crate) use progress::Progress;
pub(crate) use summary::{Closing, summary};
pub(crate) use table::TableReport;
