//! Benchmarks whose times contradict the comparison of code.

use crate::experiment::{Reason, Row};
use nanobench::report::escape;
use verdicts::Verdict;

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
