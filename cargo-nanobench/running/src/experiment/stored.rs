//! Comparison with figures that were measured earlier.

use super::baseline::KnownBenchmark;
use super::comparison::{Comparison, Reason};
use nanobench::model::{BenchmarkSpec, Measurement};
use nanobench::stats;
use nanobench::summary::{self, CONFIDENCE, Summary};
use std::sync::Arc;
use verdicts::Verdict;

/// Largest difference between two runs of one executable that the machine explains. On the
/// machines that this was measured on, the core's clock varies by about 18 %.
pub(crate) const RERUN_SPREAD: f64 = 0.20;
/// Smallest change that is reported without a paired run: twice or half the time. Between runs of
/// one executable on a busy machine, one comparison in 20 exceeded 50 %, and one in 1,000 exceeded
/// this, except for benchmarks that wait for threads.
pub const STORED_THRESHOLD: f64 = 1.0;
/// The part of the samples that other programs hardly disturb.
const FAST_SAMPLES: f64 = 0.1;

impl KnownBenchmark<'_> {
    /// Returns the count that the harness chose for the stored figures, if it chooses again: for
    /// some benchmarks, another count is another amount of work. Returns `None` for a benchmark
    /// below resolution.
    pub(super) fn count_for(&self, now: &BenchmarkSpec) -> Option<u64> {
        let is_chosen = |spec: &BenchmarkSpec| spec.takes_count && spec.count.is_none();
        let measurement = self.measurement.filter(|measurement| resolved(measurement).is_some())?;
        (is_chosen(self.spec) && is_chosen(now)).then_some(measurement.count)
    }
}

/// Returns whether the figures of both are per the same number of the same unit.
pub fn have_same_unit(before: &BenchmarkSpec, now: &BenchmarkSpec) -> bool {
    (&before.unit, before.batch.unwrap_or(1)) == (&now.unit, now.batch.unwrap_or(1))
}

/// Compares `now` with figures that were measured earlier. `identical`: both come from executables
/// with the same bytes. Changes below `threshold` are not reported, however certain they are.
pub fn compare_with_stored(
    baseline: &Measurement,
    now: &Measurement,
    identical: bool,
    threshold: f64,
) -> Comparison {
    let bound = STORED_THRESHOLD.max(threshold);
    let comparison = times_or_links(baseline, now, bound);
    if let Some(reason) = Reason::if_unoptimized(baseline, now).filter(|_| !identical) {
        return Comparison { verdict: Verdict::Unsure, reason: Some(reason), ..comparison };
    }
    let is_single = is_single_sample(baseline) || is_single_sample(now);
    let (verdict, reason) = match (identical, comparison.verdict.is_change()) {
        _ if comparison.change.is_none() => return comparison,
        // The code is the same, so any change is one of its input or of the machine.
        (true, is_change) => {
            let differs = is_change && !is_single && fast_samples_differ(baseline, now, bound);
            return comparison.of_same_executable(differs);
        }
        // A single sample shows neither a spread nor a recurrence.
        _ if is_single => (Verdict::Unsure, Reason::SingleSample),
        (false, false) => (Verdict::Unsure, Reason::MeasuredEarlier),
        // The cost of a call is spread over `count` operations.
        (false, true) if baseline.count != now.count => (Verdict::Unsure, Reason::OtherCount),
        // Another process on the machine can double the time of a whole launch.
        (false, true) if !recurs(comparison.verdict, baseline, now, bound) => {
            (Verdict::Unsure, Reason::DidNotRecur)
        }
        (false, true) => (comparison.verdict, Reason::StoredFigures),
    };
    Comparison { verdict, reason: Some(reason), ..comparison }
}

/// Returns the change of the times since earlier figures; `None` if either side is below resolution.
pub(super) fn change_of_times(baseline: &Measurement, now: &Measurement) -> Option<stats::Change> {
    compare_values([baseline, now], &summary::times(baseline), &summary::times(now), STORED_THRESHOLD).change
}

/// Returns the logarithm of the change since earlier figures; `None` if either side is below
/// resolution.
pub(super) fn log_change(baseline: &Measurement, now: &Measurement) -> Option<f64> {
    Some(times_or_links(baseline, now, STORED_THRESHOLD).change?.estimate.ln_1p())
}

/// Returns the logarithm of the change of the average over all samples since earlier figures.
pub(super) fn log_change_of_averages(baseline: &Measurement, now: &Measurement) -> f64 {
    let average = |measurement: &Measurement| stats::mean(&summary::times(measurement));
    (average(now) / average(baseline)).ln()
}

/// Compares the times, in ns or in links of the reference chain, whichever changed less. A different
/// clock rate of the core affects the first of benchmarks that are limited by the core, and the second
/// of benchmarks that wait for something else.
fn times_or_links(baseline: &Measurement, now: &Measurement, bound: f64) -> Comparison {
    let of_times = compare_values([baseline, now], &summary::times(baseline), &summary::times(now), bound);
    let (Some(before), Some(after)) = (summary::links(baseline), summary::links(now)) else {
        return of_times;
    };
    let of_links = compare_values([baseline, now], &before, &after, bound);
    let size = |comparison: &Comparison| comparison.change.map(|change| change.estimate.abs());
    if size(&of_links) >= size(&of_times) {
        return of_times;
    }
    of_links.corrected_for_the_clock(&Summary::from_measurement(now))
}

/// Compares values that were derived from the samples of the two measurements. Reports a change if
/// the whole interval lies beyond `bound`, which applies as a factor in either direction. A change
/// without an interval counts by its estimate.
fn compare_values(
    [baseline, now]: [&Measurement; 2],
    before: &[f64],
    after: &[f64],
    bound: f64,
) -> Comparison {
    let below_resolution = Reason::if_below_resolution(baseline, now);
    let change = stats::change_of_medians(before, after, CONFIDENCE).filter(|_| below_resolution.is_none());
    let ends = |change: &stats::Change| {
        change.known_interval().map_or([change.estimate; 2], |known| [known.low, known.high])
    };
    let (verdict, reason) = match change.as_ref().map(ends) {
        None => (Verdict::Unsure, below_resolution.or(Some(Reason::BelowResolution))),
        Some([low, _]) if low > bound => (Verdict::Slower, None),
        Some([_, high]) if high < -bound / (1.0 + bound) => (Verdict::Faster, None),
        Some(_) => (Verdict::Unsure, None),
    };
    let comparison = Comparison::without_figures(verdict, reason);
    Comparison { change, ..comparison.with_baseline(Some(Arc::new(baseline.clone()))) }
}

/// Returns whether the fast samples, too, lie further apart than `bound`. Other programs can double the
/// time of most samples, but hardly of all.
fn fast_samples_differ(baseline: &Measurement, now: &Measurement, bound: f64) -> bool {
    let fast = |measurement| stats::quantile(&summary::times(measurement), FAST_SAMPLES);
    let (before, after) = (fast(baseline), fast(now));
    after > before * (1.0 + bound) || before > after * (1.0 + bound)
}

/// Returns whether the median of every launch of either side lies beyond `bound` from the other
/// side. A launch of a paired run has too few samples for an interval.
fn recurs(verdict: Verdict, baseline: &Measurement, now: &Measurement, bound: f64) -> bool {
    let median =
        |measurement: &Measurement| Summary::from_measurement(measurement).map(|summary| summary.median);
    let is_apart = |before: &Measurement, after: &Measurement| match (median(before), median(after)) {
        (Some(before), Some(after)) if verdict == Verdict::Slower => after > before * (1.0 + bound),
        (Some(before), Some(after)) => before > after * (1.0 + bound),
        _ => false,
    };
    by_launch(now).all(|launch| is_apart(baseline, &launch))
        && by_launch(baseline).all(|launch| is_apart(&launch, now))
}

/// Returns the figures of a measurement that is above resolution.
pub(super) fn resolved(measurement: &Measurement) -> Option<Summary> {
    Summary::from_measurement(measurement).filter(|summary| !summary.below_resolution)
}

/// Returns whether a measurement with samples can't be distinguished from an empty benchmark.
pub(super) fn is_below_resolution(measurement: &Measurement) -> bool {
    Summary::from_measurement(measurement).is_some_and(|summary| summary.below_resolution)
}

fn is_single_sample(measurement: &Measurement) -> bool {
    measurement.launches.iter().map(|launch| launch.samples.len()).sum::<usize>() == 1
}

/// Returns each launch as a separate measurement.
fn by_launch(measurement: &Measurement) -> impl Iterator<Item = Measurement> {
    measurement
        .launches
        .iter()
        .map(|launch| Measurement { launches: vec![launch.clone()], ..measurement.clone() })
}

#[cfg(test)]
mod tests;
