//! Small pictures in the cells of tables: the distribution of a benchmark's samples, and the
//! interval of a change beside the limits of what is reported.

use crate::output;
use nanobench::stats::{Interval, quantile};

/// The characters that a picture may have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Charset {
    #[default]
    Ascii,
    Unicode,
}

impl Charset {
    /// Returns the characters that stdout can show.
    pub(crate) fn of_stdout() -> Charset {
        if output::takes_unicode() { Charset::Unicode } else { Charset::Ascii }
    }
}

/// The number of bars in a distribution.
const BARS: usize = 12;
/// The width of a distribution, with its frame.
pub(super) const DISTRIBUTION_WIDTH: usize = BARS + 2;
/// The fewest samples that have a distribution.
const MIN_SAMPLES: usize = 5;
/// Samples farther from the middle half than this many times its width are in the first or last bar.
const MAX_DISTANCE: f64 = 3.0;

/// The number of characters on either side of no change.
const HALF: i32 = 8;
/// The width of the picture of a change.
pub(super) const CHANGE_WIDTH: usize = 2 * HALF as usize + 1;
/// The title above the picture of a change. The line is above no change.
pub(super) const CHANGE_TITLE: &str = "faster | slower ";
/// The distance of a limit from no change.
const LIMIT: i32 = 3;
/// The multiple of the limit at the end of the picture.
const FULL_SCALE: f64 = 256.0;

/// Returns the distribution of samples, from the fastest to the slowest, each bar as high as the
/// share of the samples in it: `|.#=.       .|`. `None` for very few samples.
pub(super) fn distribution(times: &[f64], charset: Charset) -> Option<String> {
    if times.len() < MIN_SAMPLES {
        return None;
    }
    let heights: [char; 8] = match charset {
        Charset::Ascii => ['.', '.', ':', ':', '=', '=', '#', '#'],
        Charset::Unicode => ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
    };
    let counts = counts(times);
    let max = counts.into_iter().max().unwrap_or(1);
    let bar = |count: usize| match count {
        0 => ' ',
        _ => heights[(count * heights.len()).div_ceil(max) - 1],
    };
    Some(format!("|{}|", counts.map(bar).iter().collect::<String>()))
}

/// Counts the samples in each bar.
fn counts(times: &[f64]) -> [usize; BARS] {
    let [min, lower, upper, max] = [0.0, 0.25, 0.75, 1.0].map(|q| quantile(times, q));
    let reach = MAX_DISTANCE * (upper - lower);
    let (low, high) = (min.max(lower - reach), max.min(upper + reach));
    let mut counts = [0; BARS];
    for time in times {
        // Equal samples are in the middle.
        let place = if high > low { (time - low) / (high - low) } else { 0.5 };
        counts[((place * BARS as f64).max(0.0) as usize).min(BARS - 1)] += 1;
    }
    counts
}

/// Returns the interval of a change, on a scale with no change in its middle and the limits of what
/// is reported at either side: `     :  |==:===   `. It is linear up to the `limit`, and logarithmic
/// beyond. An arrow stands for an end beyond the scale.
pub(super) fn change(interval: Interval, limit: f64, charset: Charset) -> String {
    let [zero, mark, line, less, more] = match charset {
        Charset::Ascii => ['|', ':', '=', '<', '>'],
        Charset::Unicode => ['│', '┊', '━', '◀', '▶'],
    };
    let (low, high) = (place(interval.low, limit), place(interval.high, limit));
    (-HALF..=HALF)
        .map(|at| match at {
            at if at == -HALF && low < at => less,
            at if at == HALF && high > at => more,
            at if low <= at && at <= high => line,
            0 => zero,
            LIMIT => mark,
            at if at == -LIMIT => mark,
            _ => ' ',
        })
        .collect()
}

/// Returns the place of a change. Beyond the scale, it is one farther than the end.
fn place(change: f64, limit: f64) -> i32 {
    let multiple = change.abs() / limit.max(f64::MIN_POSITIVE);
    let beyond = f64::from(HALF - LIMIT) * multiple.max(1.0).log2() / FULL_SCALE.log2();
    let distance = f64::from(LIMIT) * multiple.min(1.0) + beyond;
    let distance = (distance.round() as i32).min(HALF + 1);
    if change < 0.0 { -distance } else { distance }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distribution_has_the_fastest_samples_first() {
        let shown = |times: &[f64], charset| distribution(times, charset).unwrap();
        let times: Vec<f64> = (0..12).flat_map(|bar| vec![f64::from(bar); 12 - bar as usize]).collect();
        assert_eq!(shown(&times, Charset::Unicode), "|██▇▆▆▅▄▄▃▂▂▁|");
        assert_eq!(shown(&times, Charset::Ascii), "|###===:::...|");
        assert_eq!(shown(&[7.0; 9], Charset::Ascii), "|      #     |");
        assert_eq!(distribution(&[1.0, 2.0, 3.0, 4.0], Charset::Ascii), None);
    }

    #[test]
    fn outliers_leave_room_for_the_others() {
        let mut times: Vec<f64> = (0..100).map(|sample| 10.0 + f64::from(sample) / 100.0).collect();
        times.push(1e6);
        let shown = distribution(&times, Charset::Ascii).unwrap();
        assert!(shown.starts_with("|####") && shown.ends_with(".|"), "{shown}");
        assert_eq!(shown.len(), DISTRIBUTION_WIDTH);
    }

    #[test]
    fn an_interval_is_beside_the_limits() {
        let shown = |low, high| change(Interval { low, high }, 0.01, Charset::Ascii);
        assert_eq!(shown(-0.0001, 0.0001), "     :  =  :     ");
        assert_eq!(shown(-0.004, 0.007), "     : ====:     ");
        assert_eq!(shown(0.015, 0.03), "     :  |  ==    ");
        assert_eq!(shown(-0.64, -0.32), " ==  :  |  :     ");
        assert_eq!(shown(0.64, 40.0), "     :  |  :   =>");
        assert_eq!(shown(-1.0, f64::INFINITY), " ===============>");
        assert_eq!(change(Interval { low: 0.005, high: 0.02 }, 0.01, Charset::Unicode), "     ┊  │ ━━━    ");
        assert_eq!(shown(-0.1, 0.1).len(), CHANGE_WIDTH);
        assert_eq!(CHANGE_TITLE.find('|'), Some(7), "with one blank before it, above no change");
        assert_eq!(change(Interval { low: 0.0, high: 0.0 }, 0.0, Charset::Ascii), "     :  =  :     ");
    }
}
