//! The check of all replies: a harness may be of another build, and a benchmark may have damaged
//! its process. Beyond this module, figures are finite and fit their request.

use crate::limits::{FREQUENCIES, MAX_TICKS, MAX_TIME};
use nanobench::measure::{Calibration, CalibrationRequest, SampleBatch, SampleRequest};
use nanobench::model::{
    Amount, BenchmarkSpec, COUNTERS, ClockCalibration, Counts, Overhead, Overheads, Sample,
};
use nanobench::protocol::{Listing, Reply, Request};
use std::ops::RangeInclusive;

/// Largest number of iterations of a sample, unless it was requested. A harness chooses at most
/// 1e9.
const MAX_ITERATIONS: u64 = 1 << 48;
/// Largest amount of a throughput or a counter.
const MAX_AMOUNT: f64 = 1e30;
/// The range of differences of two measured times in ns, which may be negative.
const DIFFERENCES: RangeInclusive<f64> = -MAX_TIME..=MAX_TIME;
/// Divisor for the part by which a sample may have more iterations than requested.
const JITTER_DIVISOR: u64 = 5;

/// The reason why a reply is refused. It follows "an ".
type Reason = String;

/// Fails if `reply` doesn't fit `request`.
pub fn check(request: Option<&Request>, reply: &Reply) -> Result<(), Reason> {
    let checked = match (request, reply) {
        (None, Reply::Hello(_)) => Ok(()),
        (Some(Request::List(_)), Reply::Listing(listing)) => check_listing(listing),
        (Some(Request::Calibrate(request)), Reply::Calibrated(calibration)) => {
            check_calibration(&request.request, calibration)
        }
        (Some(Request::Sample(request)), Reply::Samples(batch)) => check_samples(&request.request, batch),
        (Some(Request::Count(request)), Reply::Counts(counts)) => {
            check_counts(request.request.iterations, counts)
        }
        (_, other) => return Err(unexpected(other)),
    };
    checked.map_err(|reason| format!("invalid reply: {reason}"))
}

/// Returns the reason for a reply of a kind that wasn't requested.
pub(super) fn unexpected(reply: &Reply) -> Reason {
    let kind = match reply {
        Reply::Hello(_) => "hello",
        Reply::Listing(_) => "listing",
        Reply::Calibrated(_) => "calibrated",
        Reply::Samples(_) => "samples",
        Reply::Counts(_) => "counts",
        Reply::Failed(_) => "failed",
        Reply::Refused(_) => "refused",
        Reply::TeardownFailed(_) => "teardown_failed",
    };
    format!("unexpected reply `{kind}`")
}

fn check_listing(listing: &Listing) -> Result<(), Reason> {
    let ClockCalibration {
        clock,
        plain_segment,
        controlled_segment,
        empty_loop,
        overheads,
        prepared_segment,
    } = &listing.clock_calibration;
    within("frequency", clock.frequency, FREQUENCIES)?;
    within("resolution", clock.resolution, 0.0..=MAX_TIME)?;
    within("read_cost", clock.read_cost, DIFFERENCES)?;
    within("plain_segment", *plain_segment, DIFFERENCES)?;
    within("controlled_segment", *controlled_segment, DIFFERENCES)?;
    within("empty_loop", *empty_loop, DIFFERENCES)?;
    within("prepared_segment", prepared_segment.unwrap_or(0.0), DIFFERENCES)?;
    if let Some(Overheads { empty_loop, count_loop, time_control }) = overheads {
        for Overhead { median, low, high } in [empty_loop, count_loop, time_control] {
            [median, low, high].into_iter().try_for_each(|cost| within("overheads", *cost, DIFFERENCES))?;
        }
    }
    let mut benchmarks = listing.benchmarks.iter();
    benchmarks.try_for_each(|spec| check_spec(spec).map_err(|reason| format!("{}: {reason}", spec.id)))
}

fn check_spec(spec: &BenchmarkSpec) -> Result<(), Reason> {
    if let Some(other) = spec.counters.iter().flatten().find(|name| !COUNTERS.contains(&name.as_str())) {
        return Err(format!("its `counters` contain `{other}`"));
    }
    within("unroll", spec.unroll, 1..=u64::MAX)?;
    within("threshold", spec.threshold.unwrap_or(0.0), 0.0..=f64::MAX)?;
    let complexity = spec.complexity.as_ref();
    let curve = complexity.and_then(|input| input.custom.as_ref()?.value);
    within("n", complexity.map_or(0.0, |input| input.n), f64::MIN..=f64::MAX)?;
    within("complexity", curve.unwrap_or(0.0), f64::MIN..=f64::MAX)
}

fn check_calibration(request: &CalibrationRequest, calibration: &Calibration) -> Result<(), Reason> {
    within("count", calibration.count, 1..=u64::MAX)?;
    let iterations = request.iterations.map_or(1..=MAX_ITERATIONS, |exact| exact.max(1)..=exact.max(1));
    within("iterations", calibration.iterations, iterations)?;
    within("max_kept_results", calibration.max_kept_results, 1..=MAX_ITERATIONS)?;
    within("iteration_ticks", calibration.iteration_ticks, 0.0..=MAX_TICKS as f64)?;
    within("iteration_wall_time", calibration.iteration_wall_time, 0.0..=MAX_TIME)?;
    within("segment_cost", calibration.segment_cost, DIFFERENCES)?;
    for amount in calibration.throughput.iter().flatten() {
        check_amount(amount)?;
    }
    check_sample(&calibration.first_call, request.warmup.max(1)..=request.warmup.max(1))
}

fn check_samples(request: &SampleRequest, batch: &SampleBatch) -> Result<(), Reason> {
    if batch.samples.len() as u64 != request.samples {
        return Err(format!("{} samples instead of {}", batch.samples.len(), request.samples));
    }
    within("segment_cost", batch.segment_cost, DIFFERENCES)?;
    within("warmup_time", batch.warmup_time, 0.0..=MAX_TIME)?;
    within("empty_loop", batch.empty_loop.unwrap_or(0.0), DIFFERENCES)?;
    let jitter = if request.exact_iterations { 0 } else { request.iterations / JITTER_DIVISOR };
    let fewest = request.iterations.max(1);
    let iterations = fewest..=fewest.saturating_add(jitter);
    if let Some(waited) = batch.waited.as_ref().filter(|waited| waited.len() != batch.samples.len()) {
        return Err(format!("{} waiting times instead of {}", waited.len(), batch.samples.len()));
    }
    for &time in batch.waited.iter().flatten() {
        within("waited", time as f64, 0.0..=MAX_TIME)?;
    }
    for (sample, round) in batch.samples.iter().zip(request.round..) {
        check_sample(sample, iterations.clone())?;
        within("round", sample.round, round..=round)?;
    }
    Ok(())
}

fn check_sample(sample: &Sample, iterations: RangeInclusive<u64>) -> Result<(), Reason> {
    if !iterations.contains(&sample.iterations) {
        return Err(format!(
            "a sample of {} iterations instead of {}",
            sample.iterations,
            iterations.start()
        ));
    }
    within("elapsed", sample.elapsed, 0..=MAX_TICKS)?;
    within("segments", sample.segments, 0..=MAX_TICKS)?;
    within("reference", sample.reference, 0..=MAX_TICKS)
}

fn check_counts(iterations: u64, counts: &Counts) -> Result<(), Reason> {
    // A benchmark that can't be counted has no counts, and says so by having counted nothing.
    within("iterations", counts.iterations, 0..=iterations)?;
    counts.counters.iter().flatten().try_for_each(check_amount)
}

fn check_amount(amount: &Amount) -> Result<(), Reason> {
    within(&amount.name, amount.value, -MAX_AMOUNT..=MAX_AMOUNT)
}

/// Checks that a value is in a range. NaN is in none.
fn within<T: PartialOrd + std::fmt::Display>(
    name: &str,
    value: T,
    range: RangeInclusive<T>,
) -> Result<(), Reason> {
    if range.contains(&value) { Ok(()) } else { Err(format!("its `{name}` is {value}")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nanobench::measure::CountRequest;
    use nanobench::model::ClockInfo;
    use nanobench::protocol::{CountBenchmark, List, SampleBenchmark};

    const REQUEST: SampleRequest = SampleRequest {
        samples: 2,
        iterations: 100,
        exact_iterations: false,
        count: 1,
        max_kept_results: 1,
        round: 7,
        seed: 0,
        measure_waiting: false,
    };

    fn sample(iterations: u64, round: u64) -> Sample {
        Sample { iterations, elapsed: 1_000, segments: 1, reference: 0, round }
    }

    fn refusal(samples: &[Sample], segment_cost: f64) -> Option<String> {
        let batch = SampleBatch { segment_cost, samples: samples.to_vec(), ..SampleBatch::default() };
        let request = Request::Sample(SampleBenchmark { benchmark: 0, request: REQUEST });
        check(Some(&request), &Reply::Samples(batch)).err()
    }

    #[test]
    fn samples_fit_their_request() {
        assert_eq!(refusal(&[sample(100, 7), sample(120, 8)], 20.0), None);
        let invalid = |reason: &str| Some(format!("invalid reply: {reason}"));
        assert_eq!(refusal(&[sample(100, 7)], 20.0), invalid("1 samples instead of 2"));
        let short = [sample(100, 7), sample(99, 8)];
        assert_eq!(refusal(&short, 20.0), invalid("a sample of 99 iterations instead of 100"));
        assert!(refusal(&[sample(100, 7), sample(121, 8)], 20.0).is_some());
        assert_eq!(refusal(&[sample(100, 7), sample(100, 7)], 20.0), invalid("its `round` is 7"));
    }

    #[test]
    fn each_sample_has_a_waiting_time_or_none_has() {
        let refusal = |waited: &[u64]| {
            let samples = vec![sample(100, 7), sample(120, 8)];
            let batch = SampleBatch { samples, waited: Some(waited.to_vec()), ..SampleBatch::default() };
            let request = Request::Sample(SampleBenchmark { benchmark: 0, request: REQUEST });
            check(Some(&request), &Reply::Samples(batch)).err()
        };
        assert_eq!(refusal(&[0, 4_000_000]), None);
        let reason = "invalid reply: 1 waiting times instead of 2";
        assert_eq!(refusal(&[0]).as_deref(), Some(reason));
        assert!(refusal(&[0, u64::MAX]).is_some());
    }

    #[test]
    fn no_reply_has_a_figure_that_is_not_a_number() {
        let samples = [sample(100, 7), sample(100, 8)];
        for cost in [f64::NAN, f64::INFINITY, -f64::INFINITY, 1e300] {
            assert!(refusal(&samples, cost).is_some(), "{cost}");
        }
    }

    #[test]
    fn no_listing_has_a_cost_that_is_not_a_number() {
        let refusal = |prepared_segment| {
            let clock = ClockInfo { frequency: 1e9, ..ClockInfo::default() };
            let clock_calibration = ClockCalibration { clock, prepared_segment, ..Default::default() };
            let listing = Listing {
                clock_calibration,
                benchmarks: Vec::new(),
                debug_build: false,
                traced: false,
                counts_allocations: false,
                no_counters: Vec::new(),
                time_before: None,
            };
            check(Some(&Request::List(List::default())), &Reply::Listing(listing)).err()
        };
        assert_eq!([None, Some(-5.0), Some(900.0)].map(refusal), [None, None, None]);
        for cost in [f64::NAN, f64::INFINITY, 1e300] {
            let reason = refusal(Some(cost));
            assert!(reason.is_some_and(|reason| reason.contains("`prepared_segment`")), "{cost}");
        }
    }

    #[test]
    fn a_reply_of_another_kind_is_refused() {
        let counts = Reply::Counts(Counts::default());
        let request = Request::Sample(SampleBenchmark { benchmark: 0, request: REQUEST });
        assert_eq!(check(Some(&request), &counts), Err("unexpected reply `counts`".to_owned()));
        assert!(check(None, &counts).is_err(), "a second reply to one request");
        let request = CountRequest { iterations: 3, count: 1, ..CountRequest::default() };
        let request = CountBenchmark { benchmark: 0, request };
        assert_eq!(check(Some(&Request::Count(request)), &counts), Ok(()));
    }
}
