//! The cell of the column `change`, in a comparison with the last run.

use super::verdict_text::share;
use crate::experiment::{Comparison, Verdict};
use nanobench::report::change;
use nanobench::stats::{Change, Interval};

/// The cell of a benchmark with other code for which the time was too short.
const OTHER_CODE_ONLY: &str = "code differs";
/// The cell of a benchmark that can't run side by side.
const NOT_COMPARED: &str = "not compared";
/// The largest bound that is shown for a benchmark without a verdict, as a share. Beyond it, the
/// samples say nothing.
const MAX_BOUND: f64 = 1.0;

/// Returns the cell of the column `change`: a figure with its verdict. Empty if nothing suggests a
/// change.
pub(super) fn change_cell(comparison: &Comparison) -> String {
    let figure = || comparison.decisive_change().map_or_else(String::new, |by| change(by) + " ");
    let word = comparison.verdict.word();
    match comparison.verdict {
        Verdict::Slower | Verdict::Faster | Verdict::Moved => figure() + word,
        Verdict::New | Verdict::Failed => word.to_owned(),
        Verdict::Same | Verdict::Unsure => match (&comparison.paired, comparison.change) {
            (Some(_), Some(found)) if found.known_interval().is_some() => {
                unconfirmed(comparison.typical(), found)
            }
            _ if comparison.is_silent() => String::new(),
            _ if comparison.not_paired.is_some() => NOT_COMPARED.to_owned(),
            _ => OTHER_CODE_ONLY.to_owned(),
        },
    }
}

/// Returns the cell of a change that was measured side by side and not confirmed: a bound, unless
/// all of the interval is on one side, so that most probably there is a change. `verdict`: that on the
/// typical time.
fn unconfirmed(verdict: Verdict, found: Change) -> String {
    let Interval { low, high } = found.interval;
    let bound = low.abs().max(high.abs());
    match verdict {
        Verdict::Unsure if low > 0.0 || high < 0.0 => {
            format!("{} {}", change(found.estimate), verdict.word())
        }
        _ if bound > MAX_BOUND => Verdict::Unsure.word().to_owned(),
        _ => format!("within {}", share(bound)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{PairedDetails, Reason};

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
        assert_eq!(change_cell(&comparison(Verdict::Unsure, -0.4, 1.0)), "within 100.0 %");
        assert_eq!(change_cell(&comparison(Verdict::Unsure, -0.4, 19.156)), "unsure");
        assert_eq!(change_cell(&comparison(Verdict::Unsure, 0.544, 0.612)), "+57.8 % unsure");
        assert_eq!(change_cell(&comparison(Verdict::Same, 0.001, 0.003)), "within 0.3 %");
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
        assert_eq!(change_cell(&Comparison::new_benchmark()), "new");
    }
}
