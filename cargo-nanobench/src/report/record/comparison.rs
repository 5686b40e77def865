//! The cells of a row's comparison with another run.

use super::super::verdict_text;
use crate::code::ChangedFunction;
use crate::experiment::{Comparison, InstructionChange, LayoutFindings, Premise};
use serde::Serialize;
use verdicts::{AverageChange, Question, SlowLaunches, Verdict};

/// The comparison with another run. Changes and their intervals are in percent.
#[derive(Debug, Serialize)]
pub(super) struct Compared<'a> {
    /// The baseline's median, in ns. `change` was computed from it.
    baseline_median: Option<f64>,
    /// The median as it was stored, if `baseline_median` is corrected for another clock rate.
    stored_median: Option<f64>,
    /// 100 x baseline / now.
    relative: Option<f64>,
    change: Option<f64>,
    /// The 95 % confidence interval of the change.
    interval: Option<[f64; 2]>,
    verdict: Verdict,
    /// The question that `slower`, `faster`, `placement` and `unsure` are about.
    question: Option<Question>,
    /// `None` without a paired run, like `average`.
    typical: Option<Typical>,
    average: Option<Average<'a>>,
    /// Threads or processes of each side are busy while no call runs.
    busy_between_calls: Option<Sides<bool>>,
    /// `None` unless the launches of a side fall into two groups.
    slow_launches: Option<&'a SlowLaunches>,
    reason: Option<String>,
    /// `side by side` or `stored figures`. `None` without figures to compare with.
    method: Option<&'static str>,
    /// The typical difference of two launches of the same code, in percent.
    launch_noise: Option<f64>,
    /// The number of pairs of fresh processes.
    pairs: Option<usize>,
    /// `None` if no layouts were made.
    layouts: Option<&'a LayoutFindings>,
    /// The upper bound of the change of the typical time for `same`.
    bound: Option<f64>,
    /// The instructions of a call on both sides. `None` unless a gate needs them.
    instructions: Option<Instructions>,
    /// What the verdict rests on besides the executables.
    premises: &'a [Premise],
    /// The function nearest to the benchmark whose code or data differ, for a change.
    differs_in: Option<&'a str>,
    /// The functions whose code or data differ, for a change, the nearest first.
    changed_functions: &'a [ChangedFunction],
    /// The further seconds that would decide an `unsure` verdict.
    seconds_to_decide: Option<f64>,
    /// The comparison in words.
    sentence: String,
}

/// The answer about the time of a typical call.
#[derive(Debug, Serialize)]
struct Typical {
    verdict: Verdict,
    change: Option<f64>,
    interval: Option<[f64; 2]>,
    /// Two-sided p-value.
    p: Option<f64>,
}

/// The answer about the average time of a call.
#[derive(Debug, Serialize)]
struct Average<'a> {
    #[serde(flatten)]
    found: &'a AverageChange,
    /// The upper bound of the change for `same`.
    bound: Option<f64>,
}

/// The instructions of a call on both sides.
#[derive(Debug, Serialize)]
struct Instructions {
    #[serde(flatten)]
    counts: InstructionChange,
    change: f64,
}

#[derive(Debug, Serialize)]
struct Sides<T> {
    baseline: T,
    now: T,
}

impl<'a> Compared<'a> {
    pub(super) fn new(comparison: &'a Comparison) -> Compared<'a> {
        let paired = comparison.paired.as_ref();
        let percent = |share: f64| share * 100.0;
        let change = comparison.change.map(|change| percent(change.estimate));
        let interval = comparison.change.and_then(|change| change.known_interval());
        let interval = interval.map(|known| [known.low, known.high].map(percent));
        Compared {
            baseline_median: comparison.baseline.as_ref().map(|baseline| baseline.median),
            stored_median: comparison.uncorrected_median,
            relative: comparison.relative(),
            change,
            interval,
            verdict: comparison.verdict,
            question: paired.filter(|_| comparison.verdict != Verdict::Same).map(|_| comparison.question()),
            typical: paired.map(|paired| Typical {
                verdict: comparison.typical(),
                change,
                interval,
                p: paired.p,
            }),
            average: comparison
                .average()
                .map(|found| Average { found, bound: comparison.bound_of_average().map(percent) }),
            busy_between_calls: paired.map(|paired| Sides { baseline: paired.busy[0], now: paired.busy[1] }),
            slow_launches: comparison.slow_launches(),
            reason: verdict_text::reason(comparison),
            method: match (paired, &comparison.baseline) {
                (Some(_), _) => Some("side by side"),
                (None, Some(_)) if change.is_some() => Some("stored figures"),
                (None, _) => None,
            },
            launch_noise: paired.and_then(|paired| paired.launch_noise).map(percent),
            pairs: paired.map(|paired| paired.pairs),
            layouts: comparison.layouts(),
            bound: comparison.bound().map(percent),
            instructions: comparison
                .instructions
                .map(|counts| Instructions { counts, change: percent(counts.share()) }),
            premises: &comparison.premises,
            differs_in: paired.and_then(|paired| paired.differs_in.as_deref()),
            changed_functions: paired.map_or(&[], |paired| &paired.changed_functions),
            seconds_to_decide: paired.and_then(|paired| paired.time_to_decide).map(|time| time.as_secs_f64()),
            sentence: verdict_text::sentence(comparison),
        }
    }
}
