//! Samples of one benchmark, in this process.

use super::request::shorter;
use super::{Bencher, Engine, SampleBatch, SampleRequest};
use crate::model::Sample;
use crate::rng::Rng;

/// Divisor for the part of a sample that runs untimed before the samples of a request.
const WARMUP_DIVISOR: u64 = 10;
/// Divisor for the part by which a sample may have more iterations than requested (as in
/// ankerl::nanobench).
const JITTER_DIVISOR: u64 = 5;

/// Takes the samples of a request.
pub(crate) fn sample(
    engine: &Engine,
    benchmark: &mut dyn FnMut(&mut Bencher),
    request: &SampleRequest,
) -> SampleBatch {
    // Other benchmarks may have run since the last request, and have filled the caches with their
    // data. Without iterations, nothing runs, not even the set-up around them.
    let warmup = request.iterations / WARMUP_DIVISOR;
    if warmup > 0 {
        engine.run(benchmark, warmup, request.count, request.max_kept_results);
    }
    let mut batch = SampleBatch::default();
    for round in request.round..request.round + request.samples {
        let jitter = if request.exact_iterations { 0 } else { jitter(request, round) };
        let reference_before = engine.reference();
        let iterations = request.iterations + jitter;
        let bencher = engine.run(benchmark, iterations, request.count, request.max_kept_results);
        let reference = reference_before + engine.reference();
        batch.segment_cost = engine.segment_cost(&bencher);
        batch.empty_loop = shorter(batch.empty_loop, engine.empty_loop_beside(&bencher));
        batch.samples.push(Sample { reference, round, ..bencher.to_sample() });
    }
    batch
}

/// Returns the number of additional iterations in the sample of this round.
fn jitter(request: &SampleRequest, round: u64) -> u64 {
    let range = u32::try_from(request.iterations / JITTER_DIVISOR + 1).unwrap_or(u32::MAX);
    u64::from(Rng::with_seed(request.seed ^ round).bounded(range))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Caches;
    use crate::time::{Clock, scripted};

    const REQUEST: SampleRequest = SampleRequest {
        samples: 1,
        iterations: 4,
        exact_iterations: false,
        count: 1,
        max_kept_results: 1,
        round: 0,
        seed: 0,
    };

    #[test]
    fn short_samples_have_no_warmup() {
        scripted::set_read_cost(1);
        let engine = Engine::with_clock(Clock::Scripted);
        let mut iterations = Vec::new();
        let mut benchmark = |bencher: &mut Bencher| iterations.push(bencher.iterations);
        sample(&engine, &mut benchmark, &SampleRequest { samples: 2, iterations: 3, ..REQUEST });
        assert_eq!(iterations, [3, 3]);
    }

    #[test]
    fn the_empty_loop_is_timed_beside_short_samples_only() {
        scripted::set_read_cost(0);
        let engine = Engine::with_clock(Clock::Scripted);
        let beside = |cost: u64| {
            let mut benchmark = |bencher: &mut Bencher| bencher.call(|_| scripted::advance(cost));
            sample(&engine, &mut benchmark, &REQUEST).empty_loop
        };
        assert_eq!((beside(0), beside(1)), (Some(0.0), None));
    }

    #[test]
    fn samples_have_additional_iterations_unless_exact() {
        scripted::set_read_cost(1);
        let engine = Engine::with_clock(Clock::Scripted);
        let iterations = |exact_iterations| {
            let request = SampleRequest { samples: 8, iterations: 100, exact_iterations, ..REQUEST };
            let batch = sample(&engine, &mut |bencher| bencher.call(|_| ()), &request);
            batch.samples.iter().map(|sample| sample.iterations).collect::<Vec<_>>()
        };
        assert_eq!(iterations(true), [100; 8]);
        let jittered = iterations(false);
        assert!(jittered.iter().all(|number| (100..=120).contains(number)), "{jittered:?}");
        assert!(jittered.iter().any(|number| *number != jittered[0]), "{jittered:?}");
    }

    #[test]
    fn the_segment_cost_is_calibrated_for_cold_caches() {
        // With a scripted clock, it is the same as for warm ones.
        scripted::set_read_cost(20);
        let engine = Engine::with_clock(Clock::Scripted);
        let caches = Caches::with_size(Some(1 << 12));
        let mut cold = |bencher: &mut Bencher| {
            bencher.use_cold_caches(caches);
            bencher.call(|_| scripted::advance(100));
        };
        let batch = sample(&engine, &mut cold, &REQUEST);
        let Sample { iterations, elapsed, segments, .. } = batch.samples[0];
        assert_eq!((iterations, elapsed, segments), (4, 4 * 120, 4));
        assert_eq!(batch.segment_cost, 20.0);
    }
}
