//! Calibration: finding the number of calls that makes a sample long enough for the clock.

use super::kept_values::KeptValues;
use super::{Bencher, Calibration, CalibrationRequest, Count, Engine};

/// Shortest iteration, in ns, for a count that the harness chooses: long compared with the call and
/// the clock. (SoftWx's Bench takes 1 ms, with a coarser clock.)
const MIN_COUNTED_ITERATION_TIME: f64 = 10_000.0;
/// Largest factor between the requested count and the best one. A count beyond that is replaced.
const MAX_COUNT_FACTOR: u64 = 100;
/// Factor by which calls must be slower with more results kept, so that fewer are kept. With
/// several large ones, an allocator may return memory to the operating system, and get it anew,
/// each time.
const KEPT_RESULTS_SLOWDOWN: f64 = 1.5;
/// Largest factor from a number of iterations that was timed to that of a sample. A tenth of a sample
/// is long compared with the clock, and a sample needn't have an exact length.
const MAX_EXTRAPOLATION: u64 = 10;
/// Largest count, and largest number of iterations, to try.
const MAX_ITERATIONS: u64 = 1_000_000_000;

/// A call that takes longer than this, in ns, including everything outside the timing, is not
/// repeated for the calibration.
const MAX_REPEATED_CALL_TIME: f64 = 200_000_000.0;
/// A call that takes longer than this many samples is not repeated for the calibration, either. If
/// only the first call was that slow, the samples show it, and the calibration is repeated.
const MAX_REPEATED_CALL_SAMPLES: f64 = 10.0;
/// Length of a sample, including everything outside the timing, in multiples of the requested
/// length, from which on the timed part gets shorter.
const WALL_TIME_FACTOR: f64 = 4.0;
/// Shortest timed part of such a sample, as a share of the requested length, so that it stays long
/// compared with the clock.
const MIN_TIMED_SHARE: f64 = 0.1;
/// Longest sample, including everything outside the timing, in multiples of the requested length.
const MAX_WALL_TIME_FACTOR: f64 = 40.0;

/// Calibrates a benchmark for samples of the requested length.
///
/// Increases the number of iterations until a sample is long enough. Each length is measured twice,
/// and the shorter one counts, so that one preemption can't end the search early.
pub(crate) fn calibrate(
    engine: &Engine,
    benchmark: &mut dyn FnMut(&mut Bencher),
    count: Count,
    request: &CalibrationRequest,
) -> Calibration {
    let fixed_count = match count {
        Count::None => Some(1),
        Count::Fixed(count) => Some(count),
        Count::Auto => None,
    };
    // The first calls pay for caches, page faults and lazy initialisation, so their time serves
    // only as a first guess.
    let mut first = engine.bencher(request.warmup.max(1), fixed_count.unwrap_or(1), 1).with_throughput();
    first.run(benchmark);
    let count = fixed_count.unwrap_or_else(|| usable_count(request.count, best_count(engine, benchmark)));
    let first_times = IterationTimes::new(engine, &first);
    let is_slow = first_times.call() > MAX_REPEATED_CALL_TIME
        || first_times.timed > MAX_REPEATED_CALL_SAMPLES * request.sample_time;
    // The first call says little about the time of the following ones, so more calls are timed even
    // if their number is given.
    let max_iterations = request.iterations.unwrap_or(MAX_ITERATIONS);
    let (times, max_kept_results) = if is_slow || max_iterations <= 1 {
        (first_times, first_times.max_kept_results())
    } else {
        times_in_a_sample(engine, benchmark, count, request.sample_time, max_iterations)
    };
    let iterations = request.iterations.unwrap_or_else(|| times.iterations_for(request.sample_time)).max(1);
    Calibration {
        count,
        iterations,
        max_kept_results: max_kept_results.min(iterations),
        iteration_ticks: engine.ticks(times.timed),
        iteration_wall_time: times.wall,
        segment_cost: engine.segment_cost(&first),
        first_call: first.to_sample(),
        returns_value: first.returns_value,
        throughput: first.into_throughput(),
    }
}

/// Times of an iteration, in ns.
#[derive(Debug, Clone, Copy)]
struct IterationTimes {
    /// Time with the clock running.
    timed: f64,
    /// Time with the clock running on one thread. It is shorter than `timed` for threads that take
    /// turns.
    thread_timed: f64,
    /// Time outside the timing.
    untimed: f64,
    /// Time from the beginning to the end.
    wall: f64,
    kept_values: KeptValues,
}

impl IterationTimes {
    fn new(engine: &Engine, bencher: &Bencher) -> IterationTimes {
        let per_iteration = |ticks| engine.nanoseconds(ticks) / bencher.iterations as f64;
        IterationTimes {
            timed: per_iteration(bencher.elapsed()),
            thread_timed: per_iteration(bencher.thread_elapsed()),
            untimed: per_iteration(bencher.untimed()),
            wall: per_iteration(bencher.wall_time()),
            kept_values: bencher.kept_values,
        }
    }

    /// Returns the time including everything outside the timing. It is not the wall time: for few
    /// calls on several threads, most of that is the time to start the threads, which doesn't grow
    /// with the number of calls.
    fn call(&self) -> f64 {
        self.timed + self.untimed
    }

    /// Returns the largest number of results and inputs that a thread may keep at a time.
    fn max_kept_results(&self) -> u64 {
        self.kept_values.max_number(self.thread_timed, self.untimed)
    }

    /// Returns the number of iterations for a sample of `sample_time` ns.
    fn iterations_for(&self, sample_time: f64) -> u64 {
        let in_wall_time = |factor: f64| factor * sample_time / self.call().max(f64::MIN_POSITIVE);
        let needed = sample_time / self.timed.max(f64::MIN_POSITIVE);
        let affordable = in_wall_time(WALL_TIME_FACTOR).max(MIN_TIMED_SHARE * needed);
        (needed.min(affordable).min(in_wall_time(MAX_WALL_TIME_FACTOR)).round() as u64)
            .clamp(1, MAX_ITERATIONS)
    }
}

/// Increases the number of iterations until they make up a tenth of a sample of `sample_time` ns, or
/// are `max_iterations`. Returns the times with that number, and the number of results to keep.
fn times_in_a_sample(
    engine: &Engine,
    benchmark: &mut dyn FnMut(&mut Bencher),
    count: u64,
    sample_time: f64,
    max_iterations: u64,
) -> (IterationTimes, u64) {
    let (mut iterations, mut kept, mut most_kept) = (1, 1, u64::MAX);
    let mut previous: Option<(IterationTimes, u64)> = None;
    loop {
        let times = shorter_of_two(engine, benchmark, iterations, count, kept);
        if let Some((with_fewer, fewer)) = previous.filter(|(_, previous)| *previous < kept) {
            if times.timed > KEPT_RESULTS_SLOWDOWN * with_fewer.timed {
                most_kept = fewer;
            }
        }
        previous = Some((times, kept));
        let next_kept = times.max_kept_results().min(most_kept);
        // If results own memory, the number that is kept changes the time, so it has to be tried.
        let is_tried = !times.kept_values.results_own_memory || next_kept <= 2 * kept;
        let needed = times.iterations_for(sample_time);
        if is_tried && (needed <= iterations * MAX_EXTRAPOLATION || iterations == max_iterations) {
            let fewer = times.kept_values.fewer_than(next_kept);
            return fewer.map_or((times, next_kept), |fewer| {
                faster_of(engine, benchmark, iterations, count, [fewer, next_kept])
            });
        }
        kept = next_kept;
        if needed > iterations {
            // A tenth more than needed, so that the next try doesn't just miss the length. At most
            // ten times as many, since a short time says little.
            let next = times.iterations_for(1.1 * sample_time);
            iterations = next.clamp(iterations * 2, iterations * 10).min(max_iterations);
        }
    }
}

/// Times the same iterations with each of these numbers of results kept. Returns the shorter times,
/// with their number. A short segment seems slower than a long one, but memory for more results than
/// the allocator has at hand takes longer. The time with one number alone says nothing about that.
fn faster_of(
    engine: &Engine,
    benchmark: &mut dyn FnMut(&mut Bencher),
    iterations: u64,
    count: u64,
    numbers: [u64; 2],
) -> (IterationTimes, u64) {
    let [few, many] =
        numbers.map(|number| (shorter_of_two(engine, benchmark, iterations, count, number), number));
    if few.0.timed < many.0.timed { few } else { many }
}

/// Returns the requested count, or the best one if the requested count is far too large or too
/// small.
fn usable_count(requested: Option<u64>, best: u64) -> u64 {
    let is_near = |&count: &u64| {
        count <= best.saturating_mul(MAX_COUNT_FACTOR) && best <= count.saturating_mul(MAX_COUNT_FACTOR)
    };
    requested.filter(is_near).unwrap_or(best)
}

/// Returns the smallest power of ten with which an iteration is long compared with the call and the
/// clock. Powers of ten (as in SoftWx's Bench) make runs agree on the count.
fn best_count(engine: &Engine, benchmark: &mut dyn FnMut(&mut Bencher)) -> u64 {
    let mut count = 1;
    loop {
        let times = shorter_of_two(engine, benchmark, 1, count, 1);
        let is_long = times.timed >= MIN_COUNTED_ITERATION_TIME
            || times.call() >= MAX_WALL_TIME_FACTOR * MIN_COUNTED_ITERATION_TIME;
        if is_long || count == MAX_ITERATIONS {
            return count;
        }
        count *= 10;
    }
}

/// Runs the benchmark twice, and returns the shorter times.
fn shorter_of_two(
    engine: &Engine,
    benchmark: &mut dyn FnMut(&mut Bencher),
    iterations: u64,
    count: u64,
    max_kept_results: u64,
) -> IterationTimes {
    let mut times =
        || IterationTimes::new(engine, &engine.run(benchmark, iterations, count, max_kept_results));
    let (first, second) = (times(), times());
    IterationTimes {
        timed: first.timed.min(second.timed),
        thread_timed: first.thread_timed.min(second.thread_timed),
        untimed: first.untimed.min(second.untimed),
        wall: first.wall.min(second.wall),
        kept_values: first.kept_values,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{SampleRequest, sample};
    use crate::model::Sample;
    use crate::time::{Clock, scripted};
    use std::cell::Cell;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    const REQUEST: CalibrationRequest =
        CalibrationRequest { sample_time: 100_000.0, iterations: None, count: None, warmup: 1 };

    /// Calibrates calls of `function`.
    fn calibration(count: Count, mut function: impl FnMut(u64)) -> Calibration {
        scripted::set_read_cost(20);
        let engine = Engine::with_clock(Clock::Scripted);
        calibrate(&engine, &mut |bencher| bencher.call(&mut function), count, &REQUEST)
    }

    #[test]
    fn samples_have_the_requested_length() {
        for cost in [3, 50, 700, 99_000] {
            let result = calibration(Count::None, |_| scripted::advance(cost));
            let sample = result.iterations as f64 * cost as f64;
            assert!((0.5..1.5).contains(&(sample / 100_000.0)), "{cost} ns: {result:?}");
            assert!((result.iteration_ticks / cost as f64 - 1.0).abs() < 0.05, "{cost} ns: {result:?}");
        }
    }

    #[test]
    fn one_preemption_does_not_end_the_search_early() {
        let mut calls = 0;
        let result = calibration(Count::None, |_| {
            calls += 1;
            scripted::advance(if calls == 8 { 5_000_000 } else { 100 });
        });
        assert!((900..1_200).contains(&result.iterations), "{result:?}");
    }

    #[test]
    fn slow_functions_are_called_once() {
        for (cost, expected) in [(1_000_000_000, 1), (10_000_000, 1), (900_000, 3)] {
            let mut calls = 0;
            let result = calibration(Count::None, |_| {
                calls += 1;
                scripted::advance(cost);
            });
            assert_eq!((result.iterations, calls), (1, expected));
        }
    }

    #[test]
    fn a_somewhat_slow_first_call_is_repeated() {
        let mut calls = 0;
        let result = calibration(Count::None, |_| {
            calls += 1;
            scripted::advance(if calls == 1 { 900_000 } else { 100 });
        });
        assert!((900..1_200).contains(&result.iterations), "{result:?}");
    }

    #[test]
    fn time_outside_the_timing_is_limited() {
        scripted::set_read_cost(0);
        let engine = Engine::with_clock(Clock::Scripted);
        let mut benchmark = |bencher: &mut Bencher| {
            bencher.call_controlled(|_, tc| {
                scripted::advance(50);
                tc.exclude(|| scripted::advance(1_000_000));
            });
        };
        let result = calibrate(&engine, &mut benchmark, Count::None, &REQUEST);
        assert_eq!(result.iterations, 4, "4 ms for a sample of 0.1 ms: {result:?}");
        assert_eq!((result.iteration_ticks, result.iteration_wall_time), (50.0, 1_000_050.0));
    }

    /// Calibrates calls of 33 ns on `threads` threads. All but one of them start `delay` late,
    /// because there is no core for them. Starting the threads takes `start`.
    fn on_threads(threads: usize, start: u64, delay: impl Fn() -> u64 + Sync) -> Calibration {
        scripted::set_read_cost(20);
        let engine = Engine::with_clock(Clock::Scripted);
        let next_thread = AtomicU64::new(0);
        let mut benchmark = |bencher: &mut Bencher| {
            next_thread.store(0, Ordering::Relaxed);
            scripted::advance(start);
            bencher.run_on_threads(threads, &|bencher| {
                let delay = if next_thread.fetch_add(1, Ordering::Relaxed) == 0 { 0 } else { delay() };
                let setup = || scripted::advance(delay);
                bencher.call_with_mut(setup, |inputs, segment| {
                    segment.call(inputs, |(), _| scripted::advance(33));
                });
            });
        };
        calibrate(&engine, &mut benchmark, Count::None, &REQUEST)
    }

    #[test]
    fn more_threads_than_cores_get_samples_of_many_calls() {
        let result = on_threads(3, 30_000_000, || 37_000);
        assert!((900..3_100).contains(&result.iterations) && result.max_kept_results > 40, "{result:?}");
        assert!((33.0..100.0).contains(&result.iteration_ticks), "{result:?}");
    }

    #[test]
    fn threads_that_take_turns_keep_as_many_results_as_a_single_one() {
        // No two of them overlap.
        let turns = AtomicU64::new(0);
        let result = on_threads(16, 0, || 100_000 * (1 + turns.fetch_add(1, Ordering::Relaxed) % 15));
        assert!(result.iteration_ticks > 8.0 * 33.0 && result.max_kept_results > 80, "{result:?}");
    }

    #[test]
    fn a_late_start_of_the_first_threads_does_not_decide_the_length_of_samples() {
        let starts = AtomicU64::new(0);
        let result =
            on_threads(2, 0, || if starts.fetch_add(1, Ordering::Relaxed) < 4 { 8_000_000 } else { 0 });
        assert!((1_500..3_100).contains(&result.iterations), "{result:?}");
    }

    #[test]
    fn a_benchmark_with_a_clock_of_its_own_gets_samples_of_its_time() {
        scripted::set_read_cost(20);
        let engine = Engine::with_clock(Clock::Scripted);
        let mut benchmark = |bencher: &mut Bencher| {
            bencher.call_manual(|count| {
                // Most of a call is not timed.
                scripted::advance(10 * count);
                Duration::from_nanos(3 * count)
            });
        };
        let result = calibrate(&engine, &mut benchmark, Count::Auto, &REQUEST);
        assert_eq!((result.count, result.iterations, result.segment_cost), (10_000, 3, 0.0));
        let batch = sample(
            &engine,
            &mut benchmark,
            &SampleRequest {
                samples: 1,
                iterations: 3,
                exact_iterations: true,
                count: 10_000,
                ..SampleRequest::default()
            },
        );
        let Sample { elapsed, segments, .. } = batch.samples[0];
        assert_eq!((elapsed, segments, batch.segment_cost), (90_000, 0, 0.0));
    }

    #[test]
    fn a_fixed_number_of_iterations_is_kept() {
        scripted::set_read_cost(20);
        let engine = Engine::with_clock(Clock::Scripted);
        let request = CalibrationRequest { iterations: Some(5), ..REQUEST };
        let mut benchmark = |bencher: &mut Bencher| bencher.call(|_| scripted::advance(100));
        let result = calibrate(&engine, &mut benchmark, Count::None, &request);
        assert_eq!((result.iterations, result.count), (5, 1));
    }

    #[test]
    fn times_of_a_fixed_number_of_iterations_are_not_those_of_the_first_call() {
        scripted::set_read_cost(20);
        let engine = Engine::with_clock(Clock::Scripted);
        let request = CalibrationRequest { iterations: Some(1_000), ..REQUEST };
        let (mut calls, mut max_iterations) = (0_u64, 0);
        let mut benchmark = |bencher: &mut Bencher| {
            max_iterations = max_iterations.max(bencher.iterations);
            bencher.call(|_| {
                calls += 1;
                scripted::advance(if calls == 1 { 900_000 } else { 20 });
                String::new()
            });
        };
        let result = calibrate(&engine, &mut benchmark, Count::None, &request);
        assert!(result.iteration_wall_time < 100.0, "{result:?}");
        assert_eq!(result.max_kept_results, 7, "after the first call, it would be 1");
        assert_eq!((result.iterations, max_iterations), (1_000, 1_000), "no more than a sample has");
    }

    #[test]
    fn results_that_slow_each_other_down_are_kept_one_at_a_time() {
        thread_local!(static ALIVE: Cell<u64> = const { Cell::new(0) });
        struct Large;
        impl Drop for Large {
            fn drop(&mut self) {
                ALIVE.set(ALIVE.get() - 1);
            }
        }
        scripted::set_read_cost(20);
        let engine = Engine::with_clock(Clock::Scripted);
        let calibrate_with = |limit: u64| {
            let mut benchmark = |bencher: &mut Bencher| {
                bencher.call(|_| {
                    ALIVE.set(ALIVE.get() + 1);
                    scripted::advance(if ALIVE.get() > limit { 1_000 } else { 20 });
                    Large
                });
            };
            calibrate(&engine, &mut benchmark, Count::None, &REQUEST)
        };
        let (slow, fast) = (calibrate_with(1), calibrate_with(100));
        assert_eq!((slow.max_kept_results, fast.max_kept_results), (1, 7), "{slow:?} {fast:?}");
        assert_eq!(slow.iteration_ticks, 40.0, "with a reading of the clock for each result");
    }

    #[test]
    fn results_that_an_allocator_has_at_hand_are_not_exceeded() {
        thread_local!(static ALIVE: Cell<u64> = const { Cell::new(0) });
        struct Small;
        impl Drop for Small {
            fn drop(&mut self) {
                ALIVE.set(ALIVE.get() - 1);
            }
        }
        scripted::set_read_cost(1);
        let engine = Engine::with_clock(Clock::Scripted);
        // Less than `KEPT_RESULTS_SLOWDOWN` slower.
        let kept_with = |later: u64| {
            let mut benchmark = |bencher: &mut Bencher| {
                bencher.call(|_| {
                    ALIVE.set(ALIVE.get() + 1);
                    scripted::advance(if ALIVE.get() > 7 { later } else { 5 });
                    Small
                });
            };
            calibrate(&engine, &mut benchmark, Count::None, &REQUEST).max_kept_results
        };
        assert_eq!(kept_with(7), 7);
        assert!(kept_with(4) > 7, "they allocate nothing, and segments are short");
    }

    #[test]
    fn the_best_count_is_a_power_of_ten_and_large_enough() {
        let result = calibration(Count::Auto, |count| scripted::advance(3 * count));
        assert_eq!(result.count, 10_000);
    }

    #[test]
    fn a_requested_count_is_kept_unless_far_off() {
        scripted::set_read_cost(20);
        let engine = Engine::with_clock(Clock::Scripted);
        let count = |requested, cost: u64| {
            let request = CalibrationRequest { count: Some(requested), ..REQUEST };
            let mut benchmark = |bencher: &mut Bencher| bencher.call(|count| scripted::advance(cost * count));
            calibrate(&engine, &mut benchmark, Count::Auto, &request).count
        };
        assert_eq!(count(1_000, 3), 1_000, "10,000 would be best");
        assert_eq!(count(1_000_000_000, 60), 1_000, "a minute per iteration");
        assert_eq!(count(1, 3), 10_000, "most of the time would be the call");
    }

    #[test]
    fn a_fixed_count_is_kept() {
        let result = calibration(Count::Fixed(7), |count| {
            assert_eq!(count, 7);
            scripted::advance(100);
        });
        assert_eq!(result.count, 7);
    }

    #[test]
    fn the_search_ends_for_an_empty_benchmark() {
        let engine = Engine::with_clock(Clock::Scripted);
        scripted::set_read_cost(0);
        let result = calibrate(&engine, &mut |_| {}, Count::Auto, &REQUEST);
        assert_eq!((result.count, result.iterations), (MAX_ITERATIONS, MAX_ITERATIONS));
    }
}
