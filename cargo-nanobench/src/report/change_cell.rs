//! The cell of the column `change`, in a comparison with the last run.

use super::verdict_text::share;
use crate::experiment::{Comparison, Reason, TimeChange, Verdict};
use nanobench::report::change;
use nanobench::stats::{Change, Interval};

/// The cell of a benchmark whose code differs, for which the time was too short.
const OTHER_CODE_ONLY: &str = "code differs";
/// The cell of a benchmark with the same code and another figure for which the time was too short.
const OTHER_FIGURE_ONLY: &str = "time differs";
/// The cell of a benchmark that can't run side by side.
const NOT_COMPARED: &str = "not compared";
/// The largest bound that is shown for a benchmark without a verdict, as a share. A larger one would
/// tell nothing.
const MAX_BOUND: f64 = 0.5;

/// The finding of a row that is compared with the last run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Finding {
    /// A verdict with the change that it is about, if that is known.
    Verdict(Verdict, Option<f64>),
    /// No change was found. If there is one, it is probably smaller than this.
    Within(f64),
    /// The code differs, but there was no time to run the benchmark side by side.
    OtherCode,
    /// The figure stands out, but there was no time to run the benchmark side by side.
    OtherFigure,
    /// The benchmark can't run side by side.
    NotCompared,
}

impl Finding {
    /// Returns the finding of a comparison. `None` if nothing suggests a change.
    pub(super) fn of(comparison: &Comparison) -> Option<Finding> {
        let verdict = comparison.verdict;
        match verdict {
            Verdict::Slower | Verdict::Faster | Verdict::Moved => {
                Some(Finding::Verdict(verdict, comparison.decisive_change().map(TimeChange::share)))
            }
            Verdict::New | Verdict::Failed => Some(Finding::Verdict(verdict, None)),
            Verdict::Same | Verdict::Unsure => match (&comparison.paired, comparison.change) {
                (Some(paired), Some(found)) if found.known_interval().is_some() => {
                    Some(unconfirmed(comparison.typical(), paired.threshold, found))
                }
                _ if comparison.is_silent() => None,
                _ if comparison.not_paired.is_some() => Some(Finding::NotCompared),
                _ if comparison.reason == Some(Reason::OtherFigure) => Some(Finding::OtherFigure),
                // The time was over before there were enough blocks.
                _ if comparison.paired.is_some() => Some(Finding::Verdict(verdict, None)),
                _ => Some(Finding::OtherCode),
            },
        }
    }
}

/// Returns the finding of a change that was measured side by side and not confirmed: a bound, unless
/// all of the interval is on one side, so that most probably there is a change. `typical`: the verdict on
/// the typical time. `threshold`: the smallest change that is reported.
fn unconfirmed(typical: Verdict, threshold: f64, found: Change) -> Finding {
    let Interval { low, high } = found.interval;
    let bound = low.abs().max(high.abs());
    let is_likely = typical != Verdict::Same && (low > 0.0 || high < 0.0) && found.estimate.abs() > threshold;
    if is_likely {
        Finding::Verdict(Verdict::Unsure, Some(found.estimate))
    } else if bound > MAX_BOUND {
        Finding::Verdict(Verdict::Unsure, None)
    } else {
        Finding::Within(bound)
    }
}

/// Returns the cell of the column `change`: a figure with its verdict. Empty if nothing suggests a
/// change.
pub(super) fn change_cell(comparison: &Comparison) -> String {
    match Finding::of(comparison) {
        None => String::new(),
        Some(Finding::Verdict(verdict, by)) => {
            by.map_or_else(String::new, |by| change(by) + " ") + verdict.word()
        }
        Some(Finding::Within(bound)) => within(bound),
        Some(Finding::OtherCode) => OTHER_CODE_ONLY.to_owned(),
        Some(Finding::OtherFigure) => OTHER_FIGURE_ONLY.to_owned(),
        Some(Finding::NotCompared) => NOT_COMPARED.to_owned(),
    }
}

/// Counts findings in the words of the cells, with the largest bound: `1 slower, 2 within 1.3 %`.
pub(super) fn count(findings: &[Finding]) -> Vec<(usize, String)> {
    let verdict = |verdict: Verdict| {
        let is_of = |finding: &&Finding| matches!(finding, Finding::Verdict(of, _) if *of == verdict);
        (findings.iter().filter(is_of).count(), verdict.word().to_owned())
    };
    let number = |of: Finding| findings.iter().filter(|&&finding| finding == of).count();
    let bound = |finding: &Finding| match finding {
        Finding::Within(bound) => Some(*bound),
        _ => None,
    };
    let bounds: Vec<f64> = findings.iter().filter_map(bound).collect();
    let all_within = within(bounds.iter().copied().fold(0.0, f64::max));
    let [slower, faster, moved, unsure, new] =
        [Verdict::Slower, Verdict::Faster, Verdict::Moved, Verdict::Unsure, Verdict::New].map(verdict);
    let other_code = (number(Finding::OtherCode), "whose code differs".to_owned());
    let other_figure = (number(Finding::OtherFigure), "whose time differs".to_owned());
    let not_compared = (number(Finding::NotCompared), NOT_COMPARED.to_owned());
    vec![
        slower,
        faster,
        (bounds.len(), all_within),
        moved,
        unsure,
        other_code,
        other_figure,
        not_compared,
        new,
    ]
}

fn within(bound: f64) -> String {
    format!("within {}", share(bound))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{PairedDetails, Question};

    fn comparison(verdict: Verdict, low: f64, high: f64) -> Comparison {
        let change = Change { estimate: (low + high) / 2.0, interval: Interval { low, high } };
        Comparison {
            verdict,
            change: Some(change),
            paired: Some(PairedDetails::default()),
            ..Comparison::new_benchmark()
        }
    }

    #[test]
    fn the_column_of_changes_has_figures_of_paired_runs_only() {
        assert_eq!(change_cell(&comparison(Verdict::Slower, 0.03, 0.05)), "+4.0 % slower");
        assert_eq!(change_cell(&comparison(Verdict::Moved, -0.05, -0.03)), "-4.0 % moved");
        assert_eq!(change_cell(&comparison(Verdict::Same, -0.003, 0.001)), "within 0.3 %");
        assert_eq!(change_cell(&comparison(Verdict::Unsure, -0.01, 0.0405)), "within 4.1 %");
        assert_eq!(change_cell(&comparison(Verdict::Unsure, -0.4, 0.5)), "within 50.0 %");
        assert_eq!(change_cell(&comparison(Verdict::Unsure, -0.4, 0.501)), "unsure");
        assert_eq!(change_cell(&comparison(Verdict::Unsure, 0.544, 0.612)), "+57.8 % unsure");
        assert_eq!(change_cell(&comparison(Verdict::Same, 0.001, 0.003)), "within 0.3 %");
        let mut small = comparison(Verdict::Unsure, 0.002, 0.026);
        small.paired.as_mut().unwrap().threshold = 0.02;
        assert_eq!(change_cell(&small), "within 2.6 %");
        let mut unsure_on_average = comparison(Verdict::Unsure, -0.98, -0.96);
        let paired = unsure_on_average.paired.as_mut().unwrap();
        (paired.question, paired.typical) = (Question::Average, Verdict::Faster);
        assert_eq!(change_cell(&unsure_on_average), "-97.0 % unsure");
        let not_run = |reason, verdict| Comparison {
            reason: Some(reason),
            paired: None,
            ..comparison(verdict, -0.24, -0.2)
        };
        assert_eq!(change_cell(&not_run(Reason::SameCode, Verdict::Same)), "");
        assert_eq!(change_cell(&not_run(Reason::SameExecutable, Verdict::Same)), "");
        assert_eq!(
            change_cell(&not_run(Reason::MeasuredEarlier, Verdict::Unsure)),
            "",
            "no sign from stored figures"
        );
        assert_eq!(change_cell(&not_run(Reason::OtherCode, Verdict::Unsure)), "code differs");
        assert_eq!(change_cell(&not_run(Reason::OtherFigure, Verdict::Unsure)), "time differs");
        assert_eq!(change_cell(&Comparison::new_benchmark()), "new");
    }
    #[test]
    fn findings_are_counted_in_the_words_of_the_cells() {
        let other_code = Comparison {
            reason: Some(Reason::OtherCode),
            paired: None,
            ..comparison(Verdict::Unsure, -0.1, 0.1)
        };
        let other_figure = Comparison { reason: Some(Reason::OtherFigure), ..other_code.clone() };
        let silent = Comparison { reason: Some(Reason::SameCode), ..other_code.clone() };
        let comparisons = [
            comparison(Verdict::Slower, 0.03, 0.05),
            comparison(Verdict::Same, -0.003, 0.001),
            comparison(Verdict::Unsure, -0.01, 0.0229),
            comparison(Verdict::Unsure, 0.544, 0.612),
            other_code,
            other_figure,
            silent,
        ];
        let findings: Vec<Finding> = comparisons.iter().filter_map(Finding::of).collect();
        let counts = count(&findings).into_iter().filter(|(number, _)| *number > 0);
        let counts: Vec<String> = counts.map(|(number, word)| format!("{number} {word}")).collect();
        assert_eq!(
            counts,
            ["1 slower", "2 within 2.3 %", "1 unsure", "1 whose code differs", "1 whose time differs"]
        );
    }
}
