//! The texts in the cells of tables.

use super::pictures::{self, Charset};
use super::verdict_text;
use crate::experiment::{Comparison, Row, STORED_THRESHOLD};
use crate::style;
use nanobench::report::{TimeUnit, escape, is_by_its_own_clock, time_in_unit};
use nanobench::stats::Interval;
use nanobench::summary::Summary;
use verdicts::Verdict;

/// The maximum length of a baseline's name in a heading.
const MAX_TITLE: usize = 12;

/// The mark of a time that is corrected for another clock rate of the core.
pub(super) const CORRECTED: &str = "*";

/// The maximum length of a text in place of figures.
const MAX_REMARK: usize = 200;

/// The smallest change, as a share, at which a picture has its marks. With a threshold of 0, every interval
/// would be beyond the scale.
const MIN_MARKED_CHANGE: f64 = 0.001;

/// Returns the line above multiples of a row. `None` if it has no figure.
pub(super) fn scale_line(row: &Row, unit: TimeUnit) -> Option<String> {
    let (_, summary) = row.resolved()?;
    let time = time_in_unit(summary.median, row.benchmark.spec.unit.as_deref(), unit);
    Some(format!("scaled: 1.00 is {time}, the time of {}", escape(&row.benchmark.name())))
}

/// Returns whether the baseline's time may stand beside that of this run. Of identical code, two
/// times of different moments would look like a change.
pub(super) fn is_compared(comparison: &Comparison) -> bool {
    comparison.change.is_some() || !verdict_text::is_identical(comparison)
}

/// Returns the median of the baseline, with a mark if it is corrected for another clock rate.
pub(super) fn before(comparison: &Comparison, unit: TimeUnit) -> Option<String> {
    let is_corrected = comparison.uncorrected_median.is_some() && comparison.resolved_baseline().is_some();
    let mark = if is_corrected { CORRECTED } else { "" };
    comparison.baseline.as_ref().map(|before| median_or_bound(before, unit) + mark)
}

/// Returns the median: `1.85 ns`. Below resolution, returns its bound: `under 0.308 ns`.
pub(super) fn median_or_bound(summary: &Summary, unit: TimeUnit) -> String {
    bound("under ", summary, unit).unwrap_or_else(|| unit.format(summary.median))
}

/// The sign before bounds in the columns of times: `<0.308 ns`.
pub(super) const NARROW_UNDER: &str = "<";

/// Returns the bound of a figure below resolution, after a word or sign. A clock of the benchmark's own
/// has none.
pub(super) fn bound(under: &str, summary: &Summary, unit: TimeUnit) -> Option<String> {
    let has_bound = summary.below_resolution && !is_by_its_own_clock(summary);
    has_bound.then(|| format!("{under}{}", unit.format(summary.resolution)))
}

/// Formats an interval in percent: `(+4.2 .. +5.3)`. A narrow one has another decimal, lest it look
/// as if it had no width: `(+4.22 .. +4.24)`.
pub(super) fn interval(interval: &Interval) -> String {
    let ends = |decimals| [interval.low, interval.high].map(|share| end(share, decimals));
    let (ends, finer) = (ends(1), ends(2));
    let [low, high] = if ends[0] == ends[1] && finer[0] != finer[1] { finer } else { ends };
    format!("({low} .. {high})")
}

/// Formats an end of an interval in percent, with a sign unless it is zero.
fn end(share: f64, decimals: usize) -> String {
    let text = format!("{:+.decimals$}", share * 100.0);
    let is_zero = text.chars().skip(1).all(|character| matches!(character, '0' | '.'));
    if is_zero { text.chars().skip(1).collect() } else { text }
}

/// Returns the interval of a change as a picture, beside the smallest change that is reported.
pub(super) fn picture(comparison: &Comparison, charset: Charset) -> Option<String> {
    let known = comparison.decisive_interval()?;
    let limit = match &comparison.paired {
        Some(paired) => paired.threshold.max(MIN_MARKED_CHANGE),
        None => STORED_THRESHOLD,
    };
    Some(pictures::change(known, limit, charset))
}

/// Returns `text` in the colour of a verdict.
pub(super) fn paint(verdict: Verdict, text: &str) -> String {
    let style = match verdict {
        Verdict::Slower | Verdict::Failed => style::BAD,
        Verdict::Faster => style::GOOD,
        Verdict::Unsure => style::DOUBTFUL,
        Verdict::Same | Verdict::Placement | Verdict::New => return text.to_owned(),
    };
    style::paint(style, text)
}

/// Returns the beginning of the first line of a text.
pub(super) fn brief(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let brief: String = line.chars().take(MAX_REMARK).collect();
    let more = if brief.len() < text.len() { " ..." } else { "" };
    escape(&brief) + more
}

pub(super) fn shortened(name: &str) -> String {
    if name.chars().count() <= MAX_TITLE {
        name.to_owned()
    } else {
        name.chars().take(MAX_TITLE - 2).chain("..".chars()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::side_by_side;

    #[test]
    fn a_picture_has_a_scale_whatever_the_threshold() {
        let of = |threshold| {
            let mut comparison = side_by_side(Verdict::Same, 100, 0.001, None);
            comparison.paired.as_mut().unwrap().threshold = threshold;
            picture(&comparison, Charset::Ascii).unwrap()
        };
        assert_eq!(of(0.005), "     : === :     ");
        assert_eq!(of(0.0), "     =======     ");
    }
}
