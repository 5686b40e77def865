//! The figures of a benchmark as text.

use super::{Column, TimeUnit, Units, escape, per_second, percent, time};
use crate::model::{BenchmarkSpec, Measurement};
use crate::summary::{MAX_SPREAD, Summary, is_limited_by_clock};

/// Columns of a run without a comparison, for the cells of [`figure_cells`].
pub const FIGURE_COLUMNS: [Column<'static>; 4] = [
    Column { title: "time/op", width: 10 },
    Column { title: "err%", width: 7 },
    Column { title: "op/s", width: 10 },
    Column { title: "samples", width: 7 },
];

/// Returns the remark in place of figures for a benchmark that can't be told from an empty one.
#[inline]
pub fn below_resolution(benchmark: &BenchmarkSpec, measurement: &Measurement, summary: &Summary) -> String {
    if is_by_its_own_clock(summary) {
        return "the function returns a time of 0".to_owned();
    }
    let takes_input = benchmark.takes_input == Some(true);
    let advice = match measurement.returns_value {
        // Even an empty loop over it takes longer.
        _ if benchmark.takes_count => "; does it do its work `count` times?",
        Some(false) => "; if its work was removed, return the result, or black_box it",
        _ if takes_input && benchmark.wipe_size.is_none() && is_limited_by_clock(measurement) => {
            "; to time many calls at once, use `every = \"sample\"`, or take an argument by `&`"
        }
        // Inputs are hidden already.
        _ if takes_input => "",
        Some(true) | None => "; if its input is a constant, black_box it",
    };
    no_longer_than_empty(summary) + advice
}

/// Returns whether a benchmark that can't be told from an empty one measures its own time. No
/// empty loop limits what it can tell.
#[inline]
pub fn is_by_its_own_clock(summary: &Summary) -> bool {
    summary.resolution == 0.0
}

/// Returns the remark on a benchmark that does some work, but can't be told from an empty one.
#[inline]
pub fn no_longer_than_empty(summary: &Summary) -> String {
    format!("under {}, like an empty benchmark", time(summary.resolution))
}

/// Returns the smallest width of a column for times per unit of these benchmarks. 0 if all count
/// operations.
pub(crate) fn min_unit_width<'a>(benchmarks: impl IntoIterator<Item = &'a BenchmarkSpec>) -> usize {
    let units = benchmarks.into_iter().filter_map(|benchmark| benchmark.unit.as_ref());
    units.map(|unit| "0.123 us/".len() + unit.chars().count()).max().unwrap_or(0)
}

/// Returns the cells of [`FIGURE_COLUMNS`]. The time is that of one thread, the rate that of all
/// threads together.
#[inline]
pub fn figure_cells(benchmark: &BenchmarkSpec, summary: &Summary, units: Units) -> Vec<String> {
    let unit = benchmark.unit.as_deref();
    let threads = benchmark.id.conditions.threads.unwrap_or(1) as f64;
    let rate = per_second(threads * 1e9 / summary.median, unit.unwrap_or("op"), units.bytes);
    let rate = match unit.filter(|&unit| unit != "byte") {
        None => rate,
        Some(unit) => format!("{} {}/s", rate.trim_end_matches("/s").trim_end(), escape(unit)),
    };
    let time = time_in_unit(summary.median, unit, units.time);
    vec![time, percent(summary.err), rate, summary.samples.to_string()]
}

/// Formats the time of an operation, which is in ns, with the unit of the operation if it has one.
#[inline]
pub fn time_in_unit(nanoseconds: f64, unit: Option<&str>, time_unit: TimeUnit) -> String {
    let time = time_unit.format(nanoseconds);
    unit.map_or_else(|| time.clone(), |unit| format!("{time}/{}", escape(unit)))
}

/// Returns whether a time must not be trusted: the timeout left few samples, or the 95 % interval of the
/// median is wider than [`MAX_SPREAD`] to either side. The spread of single samples has its own column.
#[inline]
pub fn is_uncertain(measurement: &Measurement, summary: &Summary) -> bool {
    let width = summary.interval.high - summary.interval.low;
    measurement.timed_out.is_some() || width > 2.0 * MAX_SPREAD * summary.median
}

/// Returns the cell of a time with the mark of a figure that must not be trusted.
#[inline]
pub fn mark_unstable(time: &str) -> String {
    format!("~{time}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ClockInfo, Launch, Sample};

    #[test]
    fn advice_on_rows_below_resolution_fits_their_inputs() {
        let advice = |takes_input, segments, returns_value| {
            let sample = Sample { iterations: 1_000, elapsed: 1_000, segments, ..Sample::default() };
            let clock = ClockInfo { frequency: 1e9, ..ClockInfo::default() };
            let launch = Launch { clock, segment_cost: 20.0, empty_loop: 0.5, samples: vec![sample; 3] };
            let measurement = Measurement {
                count: 1,
                unroll: 1,
                launches: vec![launch],
                returns_value: Some(returns_value),
                ..Measurement::default()
            };
            let benchmark = BenchmarkSpec { takes_input, ..BenchmarkSpec::default() };
            let summary = Summary::from_measurement(&measurement).unwrap();
            let remark = below_resolution(&benchmark, &measurement, &summary);
            remark.split_once("benchmark").unwrap().1.to_owned()
        };
        assert!(advice(None, 1, true).contains("if its input is a constant"));
        assert!(advice(None, 1, false).contains("if its work was removed"));
        assert_eq!(advice(Some(true), 1, true), "");
        assert!(advice(Some(true), 1, false).contains("if its work was removed"));
        assert!(advice(Some(true), 1_000, true).contains("`every = \"sample\"`"));
        assert!(advice(Some(true), 1_000, false).contains("if its work was removed"));
        assert!(advice(None, 1_000, true).contains("if its input is a constant"), "a `TimeControl`");
    }
}
