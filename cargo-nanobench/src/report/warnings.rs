//! The warnings below a table.

use super::{Report, doubts};
use crate::disturbance::Disturbance;

/// Returns the warnings that came up during a run, each with advice. A disturbance of the whole run
/// explains most doubts about single figures, which only `verbose` adds then.
pub(crate) fn warnings(report: &Report, verbose: bool) -> Vec<String> {
    let Report { header, rows, outcome } = report;
    let symptoms = outcome.disturbance.iter().flat_map(Disturbance::sentences);
    let is_disturbed = outcome.disturbance.is_some();
    let doubts = if verbose {
        doubts::all(rows, header.environment.cores)
    } else {
        doubts::telling(rows, header.environment.cores, is_disturbed)
    };
    symptoms
        .take(if verbose { usize::MAX } else { 1 })
        .chain(outcome.warnings.iter().cloned())
        .chain(doubts)
        .collect()
}
