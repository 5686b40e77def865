//! Benchmarks whose times contradict the comparison of code.

use crate::experiment::{Reason, Row};
use nanobench::report::escape;
use verdicts::Verdict;

/// The probability, over all benchmarks that run side by side, at which one that differs although its code is
/// the same shows a fault of the comparison of code.
const CONTRADICTION_P: f64 = 1e-4;

/// Returns a warning about benchmarks that were taken for the same code, but certainly take another time.
pub(crate) fn contradiction(rows: &[Row]) -> Option<String> {
    let paired = rows.iter().filter_map(|row| {
        let comparison = row.comparison.as_ref()?;
        Some((row, comparison.reason, comparison.paired.as_ref()?.p_of_verdict()))
    });
    let paired: Vec<_> = paired.collect();
    let is_contradicted = |(row, reason, p): &&(&Row, Option<Reason>, Option<f64>)| {
        *reason == Some(Reason::SameCodeAtSamePlaces)
            && row.verdict().is_some_and(Verdict::is_change)
            && p.is_some_and(|p| p * paired.len() as f64 <= CONTRADICTION_P)
    };
    let id = escape(&paired.iter().find(is_contradicted)?.0.benchmark.id.to_string());
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
    fn a_change_of_the_same_code_is_told_if_it_is_certain_over_all() {
        let rows = |others: usize, p: f64, verdict: Verdict, reason: Option<Reason>| {
            let mut changed = Comparison { reason, ..side_by_side(verdict, 300, 0.01, None) };
            changed.paired.as_mut().unwrap().p = Some(p);
            let mut rows = vec![row("changed", &[300], Some(changed))];
            let same = || row("same", &[100], Some(side_by_side(Verdict::Same, 100, 0.01, None)));
            rows.extend(std::iter::repeat_with(same).take(others));
            contradiction(&rows)
        };
        let reason = Some(Reason::SameCodeAtSamePlaces);
        let told = rows(9, 1e-5, Verdict::Slower, reason).unwrap();
        assert!(told.starts_with("my-crate::first::changed was taken for the same code"), "{told}");
        assert_eq!(rows(10, 1e-5, Verdict::Slower, reason), None);
        assert_eq!(rows(0, 1e-9, Verdict::Unsure, reason), None);
        assert_eq!(rows(0, 1e-9, Verdict::Slower, None), None);
    }
}
