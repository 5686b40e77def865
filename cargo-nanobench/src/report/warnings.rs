//! The warnings below a table.

use super::{ComparedRun, doubts};
use crate::disturbance::Disturbance;

/// Follows the warning about a disturbance that has more symptoms.
const MORE: &str = " (more: -v)";

/// Returns the warnings that came up during a run, each with advice. A disturbance of the whole run
/// explains most doubts about single figures, which only `verbose` adds then.
pub(crate) fn warnings(run: &ComparedRun, verbose: bool) -> Vec<String> {
    let ComparedRun { header, rows, outcome } = run;
    let cores = header.environment.cores;
    let mut symptoms: Vec<String> = outcome.disturbance.iter().flat_map(Disturbance::sentences).collect();
    let all = doubts::all(rows, cores);
    let doubts = if verbose {
        all
    } else {
        let telling = doubts::telling(rows, cores, !symptoms.is_empty());
        let has_more = symptoms.len() > 1 || all.len() > telling.len();
        symptoms.truncate(1);
        symptoms.iter_mut().filter(|_| has_more).for_each(|symptom| symptom.push_str(MORE));
        telling
    };
    symptoms.into_iter().chain(outcome.warnings.iter().cloned()).chain(doubts).collect()
}
