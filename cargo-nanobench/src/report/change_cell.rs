//! The cell of the column `change`, in a comparison with the last run.

use super::verdict_text::{self, average_under, share};
use crate::experiment::{Comparison, Reason, Row, TimeChange};
use nanobench::report::change;
use nanobench::stats::{Change, Interval};
use verdicts::{Question, Verdict};

/// The cell of a benchmark that may have changed, for which the time was too short.
const UNDECIDED: &str = "undecided";
/// The cell of a benchmark that can't run side by side, or whose times mean nothing.
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
    /// No change was found, but that of the average is only known to be smaller than this.
    AverageWithin(f64),
    /// The benchmark may have changed, perhaps by this estimate. There was not enough time to run
    /// it side by side.
    Undecided(Option<f64>),
    /// The benchmark can't run side by side, or its times mean nothing.
    NotCompared,
}

impl Finding {
    /// Returns the finding of a comparison. `None` if nothing suggests a change.
    pub(super) fn of(comparison: &Comparison) -> Option<Finding> {
        let verdict = comparison.verdict;
        let is_in_vain = matches!(comparison.reason, Some(Reason::BelowResolution | Reason::UnoptimizedLoop));
        match verdict {
            Verdict::Slower | Verdict::Faster | Verdict::Placement => {
                Some(Finding::Verdict(verdict, comparison.decisive_change().map(TimeChange::share)))
            }
            Verdict::New | Verdict::Failed => Some(Finding::Verdict(verdict, None)),
            Verdict::Unsure if is_in_vain && comparison.paired.is_some() => Some(Finding::NotCompared),
            Verdict::Same | Verdict::Unsure => match (&comparison.paired, comparison.change) {
                (Some(paired), Some(found)) if found.known_interval().is_some() => {
                    let average = comparison.bound_of_grown_average().map(Finding::AverageWithin);
                    let typical = || unshown(comparison.typical(), paired.threshold, found);
                    Some(average.unwrap_or_else(typical))
                }
                _ if comparison.is_silent() => None,
                _ if comparison.not_paired.is_some() => Some(Finding::NotCompared),
                _ if verdict == Verdict::Same => Some(Finding::Verdict(verdict, None)),
                _ => Some(Finding::Undecided(None)),
            },
        }
    }
}

/// Returns the finding of a change that was measured side by side and not shown: a bound, unless all of
/// the interval is on one side, so that most probably there is a change. `typical`: the verdict on the
/// typical time. `threshold`: the smallest change that is reported.
fn unshown(typical: Verdict, threshold: f64, found: Change) -> Finding {
    let Interval { low, high } = found.interval;
    let bound = low.abs().max(high.abs());
    let is_likely = typical != Verdict::Same && (low > 0.0 || high < 0.0) && found.estimate.abs() > threshold;
    if is_likely {
        Finding::Undecided(Some(found.estimate))
    } else if bound > MAX_BOUND {
        Finding::Undecided(None)
    } else {
        Finding::Within(bound)
    }
}

/// Returns the cell of the column `change`: a figure with its verdict. Empty if nothing suggests a
/// change.
pub(super) fn change_cell(row: &Row) -> String {
    let with = |by: Option<String>, word: &str| by.map_or_else(String::new, |by| by + " ") + word;
    match row.comparison.as_ref().and_then(Finding::of) {
        None => String::new(),
        Some(Finding::Verdict(verdict, by)) => {
            with(by.map(change).or_else(|| least_change(row)), &word(row, verdict))
        }
        Some(Finding::Within(bound)) => under(bound),
        Some(Finding::AverageWithin(bound)) => average_under(bound),
        Some(Finding::Undecided(by)) => with(by.map(change), UNDECIDED),
        Some(Finding::NotCompared) => NOT_COMPARED.to_owned(),
    }
}

/// Returns the word of a verdict, which tells if it is not about the typical time.
fn word(row: &Row, verdict: Verdict) -> String {
    let comparison = row.comparison.as_ref();
    let is_of_unit = comparison.is_some_and(|it| it.reason == Some(Reason::OtherUnit));
    let is_average = verdict.is_change() && comparison.is_some_and(|it| it.question() != Question::Typical);
    match verdict {
        Verdict::New if is_of_unit => "unit changed".to_owned(),
        _ if is_average => format!("{} on average", verdict.told()),
        _ => verdict.told().to_owned(),
    }
}

/// Returns the least change of a slower benchmark whose baseline can't be told from an empty one:
/// `over +80.0 %`.
pub(super) fn least_change(row: &Row) -> Option<String> {
    let (_, now) = row.measured()?;
    let comparison = row.comparison.as_ref().filter(|comparison| comparison.verdict == Verdict::Slower)?;
    let before = comparison.baseline.as_ref().filter(|before| before.below_resolution)?;
    let least = now.median / before.resolution - 1.0;
    (least > 0.0 && !now.below_resolution).then(|| format!("over {}", change(least)))
}

/// Returns why a benchmark that may have changed is not compared with the last run, or only with
/// its stored figures.
pub(super) fn not_compared_because(comparison: &Comparison) -> Option<String> {
    match Finding::of(comparison)? {
        Finding::NotCompared => {
            verdict_text::obstacle(comparison).or_else(|| verdict_text::reason(comparison))
        }
        _ => verdict_text::reason(comparison).filter(|_| comparison.not_paired.is_some()),
    }
}

/// Counts findings in the words of the cells, with the largest bounds: `1 slower, 2 under 1.3 %`.
pub(super) fn count(findings: &[Finding]) -> Vec<(usize, String)> {
    let verdict = |verdict: Verdict| {
        let is_of = |finding: &&Finding| matches!(finding, Finding::Verdict(of, _) if *of == verdict);
        (findings.iter().filter(is_of).count(), verdict.told().to_owned())
    };
    let bounded = |bound: fn(&Finding) -> Option<f64>, text: fn(f64) -> String| {
        let bounds: Vec<f64> = findings.iter().filter_map(bound).collect();
        (bounds.len(), text(bounds.iter().copied().fold(0.0, f64::max)))
    };
    let typical = |finding: &Finding| if let Finding::Within(bound) = finding { Some(*bound) } else { None };
    let average =
        |finding: &Finding| if let Finding::AverageWithin(bound) = finding { Some(*bound) } else { None };
    let (typical, average) = (bounded(typical, under), bounded(average, average_under));
    let [slower, faster, placement, new] =
        [Verdict::Slower, Verdict::Faster, Verdict::Placement, Verdict::New].map(verdict);
    let number = |of: fn(&Finding) -> bool| findings.iter().filter(|&finding| of(finding)).count();
    let undecided = number(|finding| matches!(finding, Finding::Undecided(_)));
    let undecided = (undecided, UNDECIDED.to_owned());
    let not_compared = (number(|finding| *finding == Finding::NotCompared), NOT_COMPARED.to_owned());
    vec![slower, faster, typical, average, placement, undecided, not_compared, new]
}

fn under(bound: f64) -> String {
    format!("under {}", share(bound))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::PairedDetails;
    use crate::report::tests::{measured, row};
    use nanobench::summary::Summary;

    fn cell(comparison: &Comparison) -> String {
        change_cell(&row("a", &[100; 5], Some(comparison.clone())))
    }

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
        assert_eq!(cell(&comparison(Verdict::Slower, 0.03, 0.05)), "+4.0 % slower");
        assert_eq!(cell(&comparison(Verdict::Placement, -0.05, -0.03)), "-4.0 % placed elsewhere");
        assert_eq!(cell(&comparison(Verdict::Same, -0.003, 0.001)), "under 0.3 %");
        assert_eq!(cell(&comparison(Verdict::Unsure, -0.01, 0.0405)), "under 4.1 %");
        assert_eq!(cell(&comparison(Verdict::Unsure, -0.4, 0.5)), "under 50.0 %");
        assert_eq!(cell(&comparison(Verdict::Unsure, -0.4, 0.501)), "undecided");
        assert_eq!(cell(&comparison(Verdict::Unsure, 0.544, 0.612)), "+57.8 % undecided");
        assert_eq!(cell(&comparison(Verdict::Same, 0.001, 0.003)), "under 0.3 %");
        let mut small = comparison(Verdict::Unsure, 0.002, 0.026);
        small.paired.as_mut().unwrap().threshold = 0.02;
        assert_eq!(cell(&small), "under 2.6 %");
        let mut unsure_on_average = comparison(Verdict::Unsure, -0.98, -0.96);
        let paired = unsure_on_average.paired.as_mut().unwrap();
        (paired.question, paired.typical) = (Question::Average, Verdict::Faster);
        assert_eq!(cell(&unsure_on_average), "-97.0 % undecided");
        let not_run = |reason, verdict| Comparison {
            reason: Some(reason),
            paired: None,
            ..comparison(verdict, -0.24, -0.2)
        };
        assert_eq!(cell(&not_run(Reason::SameCode, Verdict::Same)), "");
        assert_eq!(cell(&not_run(Reason::SameExecutable, Verdict::Same)), "");
        assert_eq!(
            cell(&not_run(Reason::MeasuredEarlier, Verdict::Unsure)),
            "",
            "no sign from stored figures"
        );
        assert_eq!(cell(&not_run(Reason::OtherCode, Verdict::Unsure)), "undecided");
        assert_eq!(cell(&not_run(Reason::OtherFigure, Verdict::Unsure)), "undecided");
        assert_eq!(cell(&Comparison::new_benchmark()), "new");
        let in_vain = |reason| Comparison { reason: Some(reason), ..comparison(Verdict::Unsure, 0.1, 0.2) };
        assert_eq!(cell(&in_vain(Reason::UnoptimizedLoop)), "not compared");
        let below = |reason| Comparison { change: None, ..in_vain(reason) };
        assert_eq!(cell(&below(Reason::BelowResolution)), "not compared");
        assert_eq!(cell(&below(Reason::BaselineBelowResolution)), "undecided", "a longer run would tell");
    }

    #[test]
    fn slower_than_something_below_resolution_has_the_least_change() {
        let slower = Comparison { change: None, ..comparison(Verdict::Slower, 0.0, 0.0) };
        let cell_with = |baseline: &Summary| {
            let comparison = Comparison { baseline: Some(*baseline), ..slower.clone() };
            change_cell(&row("a", &[2; 5], Some(comparison)))
        };
        let before = Summary::from_measurement(&measured(&[100; 5])).unwrap();
        let below = |resolution| Summary { resolution, below_resolution: true, ..before };
        assert_eq!(cell_with(&below(0.8)), "over +150.0 % slower");
        assert_eq!(cell_with(&below(2.5)), "slower");
        assert_eq!(cell_with(&before), "slower");
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
        assert_eq!(counts, ["1 slower", "2 under 2.3 %", "3 undecided"]);
    }
}
