//! Samples of one benchmark, in this process.

use super::request::shorter;
use super::waiting::Waiting;
use super::{Bencher, Counting, Engine, SampleBatch, SampleRequest, stack};
use crate::model::Sample;
use crate::rng::Rng;

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
    // data.
    sample_after(request.warmup_iterations(), engine, benchmark, request, &mut None)
}

/// Takes the samples of a request after this number of calls. `counting` counts around them.
pub(crate) fn sample_after(
    warmup: u64,
    engine: &Engine,
    benchmark: &mut dyn FnMut(&mut Bencher),
    request: &SampleRequest,
    counting: &mut Option<Counting>,
) -> SampleBatch {
    let mut batch = SampleBatch::default();
    let mut waited = request.measure_waiting.then(Vec::new);
    // Without iterations, nothing runs, not even the set-up around them.
    if warmup > 0 {
        let waiting = waited.as_ref().and_then(|_| Waiting::begin(engine));
        let bencher = engine.run(benchmark, warmup, request.count, request.max_kept_results);
        let waited = waiting.and_then(|waiting| waiting.end(engine, &bencher)).unwrap_or(0);
        batch.warmup_time = (engine.nanoseconds(bencher.elapsed()) - waited as f64).max(0.0);
    }
    for round in request.round..request.round + request.samples {
        let jitter = if request.exact_iterations { 0 } else { jitter(request, round) };
        let reference_before = engine.reference();
        let iterations = request.iterations + jitter;
        let waiting = waited.as_ref().and_then(|_| Waiting::begin(engine));
        let mut bencher = engine.bencher(iterations, request.count, request.max_kept_results);
        counting.take().into_iter().for_each(|counting| bencher.set_counting(counting));
        stack::run_at(place(request, round), &mut || bencher.run(benchmark));
        *counting = bencher.take_counting();
        let time = waiting.and_then(|waiting| waiting.end(engine, &bencher));
        waited = waited.zip(time).map(|(mut all, time)| {
            all.push(time);
            all
        });
        let reference = reference_before + engine.reference();
        batch.segment_cost = engine.segment_cost(&bencher);
        batch.empty_loop = shorter(batch.empty_loop, engine.empty_loop_beside(&bencher));
        batch.samples.push(Sample { reference, round, ..bencher.to_sample() });
    }
    SampleBatch { waited, ..batch }
}

/// Returns the number of iterations to request so that samples have `mean` iterations on average,
/// including the random ones.
#[inline]
pub(super) fn fewest_iterations(mean: u64) -> u64 {
    mean - mean / (2 * JITTER_DIVISOR + 1)
}

/// Returns the place of the stack for the sample of this round.
fn place(request: &SampleRequest, round: u64) -> u32 {
    Rng::with_seed(!(request.seed ^ round)).bounded(stack::PLACES)
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
    use crate::measure::Preparation;
    use crate::model::ClockCalibration;
    use crate::time::{Clock, scripted};
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    const REQUEST: SampleRequest = SampleRequest {
        samples: 1,
        iterations: 4,
        exact_iterations: false,
        count: 1,
        max_kept_results: 1,
        round: 0,
        seed: 0,
        measure_waiting: false,
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
    fn only_an_optimised_chain_is_a_reference() {
        let batch = sample(&Engine::new(), &mut |_| {}, &SampleRequest { iterations: 3, ..REQUEST });
        assert!(batch.samples.iter().all(|sample| (sample.reference == 0) == cfg!(debug_assertions)));
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
    fn samples_have_the_intended_iterations_on_average() {
        scripted::set_read_cost(1);
        let engine = Engine::with_clock(Clock::Scripted);
        for mean in [1, 2, 4, 11, 100, 2_500] {
            let iterations = fewest_iterations(mean);
            let request = SampleRequest { samples: 4_000, iterations, ..REQUEST };
            let batch = sample(&engine, &mut |bencher| bencher.call(|_| ()), &request);
            let all: u64 = batch.samples.iter().map(|sample| sample.iterations).sum();
            let deviation = all as f64 / 4_000.0 / mean as f64 - 1.0;
            assert!(deviation.abs() < 0.01, "{mean}: {deviation}");
        }
    }

    #[test]
    fn waiting_in_the_timed_part_is_told_and_the_sample_stays_as_it_was() {
        scripted::set_read_cost(1);
        let engine = Engine::with_clock(Clock::Scripted);
        let request = SampleRequest { samples: 3, iterations: 1, measure_waiting: true, ..REQUEST };
        let taken = |run: &dyn Fn(u64)| {
            let calls = std::cell::Cell::new(0);
            let mut benchmark = |bencher: &mut Bencher| {
                bencher.call(|_| {
                    scripted::advance(100);
                    run(calls.replace(calls.get() + 1));
                });
            };
            sample(&engine, &mut benchmark, &request)
        };
        assert_eq!(taken(&|_| ()).waited, None, "nothing tells");
        scripted::wait(5_000, 0);
        assert_eq!(taken(&|_| ()).waited, Some(vec![0; 3]), "only between the samples");
        let batch = taken(&|call| {
            if call == 1 {
                scripted::wait(4_000, 0);
            }
        });
        let elapsed: Vec<u64> = batch.samples.iter().map(|sample| sample.elapsed).collect();
        assert_eq!(elapsed, [101, 4_101, 101]);
        // The clock was also read outside the timed part, and the thread may have waited there.
        assert!(matches!(batch.waited.as_deref(), Some([0, 3_990..=4_000, 0])), "{batch:?}");
        let own = taken(&|call| scripted::wait(4_000, 1_000 * call));
        let waited: Vec<u64> = own.waited.unwrap().iter().map(|time| (time + 500) / 1_000).collect();
        assert_eq!(waited, [4, 3, 2], "threads of the benchmark itself count as its time");
    }

    #[test]
    fn waiting_in_the_untimed_part_is_no_part_of_the_sample() {
        scripted::set_read_cost(1);
        let engine = Engine::with_clock(Clock::Scripted);
        let request = SampleRequest { iterations: 1, measure_waiting: true, ..REQUEST };
        let waited = |untimed: u64, timed: u64| {
            scripted::wait(0, 0);
            let mut benchmark = |bencher: &mut Bencher| {
                scripted::advance(300);
                scripted::wait(untimed, 0);
                bencher.call(|_| {
                    scripted::advance(100);
                    scripted::wait(timed, 0);
                });
            };
            sample(&engine, &mut benchmark, &request).waited.unwrap()[0]
        };
        assert_eq!(waited(4_000, 0), 0);
        assert_eq!(waited(0, 200), 0, "as short as the untimed part");
        assert!((3_600..=3_700).contains(&waited(0, 4_000)), "certainly in the timed part");
    }

    #[test]
    fn the_segment_cost_is_calibrated_for_cold_caches() {
        // With a scripted clock, it is the same as for warm ones.
        scripted::set_read_cost(20);
        let engine = Engine::with_clock(Clock::Scripted);
        let caches = Caches::with_size(Some(1 << 12));
        let mut cold = |bencher: &mut Bencher| {
            bencher.prepare(Preparation { caches: Some(caches), between: None });
            bencher.call(|_| scripted::advance(100));
        };
        let batch = sample(&engine, &mut cold, &REQUEST);
        let Sample { iterations, elapsed, segments, .. } = batch.samples[0];
        assert_eq!((iterations, elapsed, segments), (4, 4 * 120, 4));
        assert_eq!(batch.segment_cost, 20.0);
    }

    #[test]
    fn a_segment_cost_that_another_process_has_measured_is_not_measured_again() {
        static PREPARED: AtomicU64 = AtomicU64::new(0);
        fn between() {
            PREPARED.fetch_add(1, Relaxed);
        }
        let known = Engine::new().clock_calibration().clone();
        let known = ClockCalibration { prepared_segment: Some(123.0), ..known };
        let engine = Engine::from_calibration(known).expect("the same clock");
        let mut benchmark = |bencher: &mut Bencher| {
            bencher.prepare(Preparation { caches: None, between: Some(between) });
            bencher.call(|_| ());
        };
        let request = SampleRequest { iterations: 1, ..REQUEST };
        assert_eq!(sample(&engine, &mut benchmark, &request).segment_cost, 123.0);
        assert_eq!(PREPARED.load(Relaxed), 1, "for the iteration only");
    }
}
