//! The warnings below a table, and those about rows that contradict each other.

use super::{ComparedRun, doubts};
use crate::disturbance::Disturbance;
use crate::experiment::{Reason, Row};
use nanobench::report::escape;
use verdicts::Verdict;

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

/// Returns a warning about benchmarks that were taken for the same code, but certainly take another time.
pub(crate) fn contradiction(rows: &[Row]) -> Option<String> {
    let is_contradicted = |row: &&Row| {
        let reason = row.comparison.as_ref().and_then(|comparison| comparison.reason);
        reason == Some(Reason::SameCodeAtSamePlaces) && row.verdict().is_some_and(Verdict::is_change)
    };
    let id = escape(&rows.iter().find(is_contradicted)?.benchmark.id.to_string());
    Some(format!(
        "{id} was taken for the same code, but takes another time: nanobench has overlooked what differs. Others \
         that did not run may be wrong, too (--include-unchanged runs all). Please report this fault, with the \
         output of: cargo nanobench why --asm '{id}'"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Comparison;
    use crate::report::tests::{row, side_by_side};

    #[test]
    fn a_change_of_the_same_code_is_told() {
        let warning = |verdict: Verdict, reason: Option<Reason>| {
            let changed = Comparison { reason, ..side_by_side(verdict, 300, 0.01, None) };
            let same = row("same", &[100], Some(side_by_side(Verdict::Same, 100, 0.01, None)));
            contradiction(&[same, row("changed", &[300], Some(changed))])
        };
        let reason = Some(Reason::SameCodeAtSamePlaces);
        let told = warning(Verdict::Slower, reason).unwrap();
        assert!(told.starts_with("my-crate::first::changed was taken for the same code"), "{told}");
        assert_eq!([warning(Verdict::Unsure, reason), warning(Verdict::Slower, None)], [None, None]);
    }
}
