//! The warnings below a table.

use super::{ComparedRun, doubts};
use crate::disturbance::Disturbance;

/// Follows the warning about a disturbance that has more symptoms.
const MORE: &str = " (more: -v)";

/// Returns the warnings that came up during a run, each with advice. Those that hold in any case are
/// first. A disturbance of the whole run explains varying samples, which only `verbose` adds then.
pub(crate) fn warnings(run: &ComparedRun, verbose: bool) -> Vec<String> {
    let ComparedRun { header, rows, outcome } = run;
    let mut symptoms: Vec<String> = outcome.disturbance.iter().flat_map(Disturbance::sentences).collect();
    let mut doubts = doubts::varying(rows);
    if !verbose {
        let telling = if symptoms.is_empty() { doubts::telling(rows) } else { Vec::new() };
        let has_more = symptoms.len() > 1 || doubts.len() > telling.len();
        symptoms.truncate(1);
        symptoms.iter_mut().filter(|_| has_more).for_each(|symptom| symptom.push_str(MORE));
        doubts = telling;
    }
    let certain = doubts::certain(rows, header.environment.cores);
    outcome.warnings.iter().cloned().chain(certain).chain(symptoms).chain(doubts).collect()
}
