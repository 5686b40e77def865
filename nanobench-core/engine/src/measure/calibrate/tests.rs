//! Calibration with a scripted clock.

use super::*;
use crate::measure::{SampleRequest, sample};
use crate::model::{Sample, ThroughputUnit};
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

/// Calibrates calls of 100 ns, whose set-up takes as many ns as `setup` returns for the number of
/// earlier calls. Also returns the number of calls.
fn with_setup(iterations: Option<u64>, setup: impl Fn(u64) -> u64) -> (Calibration, u64) {
    scripted::set_read_cost(20);
    let engine = Engine::with_clock(Clock::Scripted);
    let mut calls = 0;
    let mut benchmark = |bencher: &mut Bencher| {
        bencher.call_controlled(|_, tc| {
            tc.exclude(|| scripted::advance(setup(calls)));
            calls += 1;
            scripted::advance(100);
        });
    };
    let calibration =
        calibrate(&engine, &mut benchmark, Count::None, &CalibrationRequest { iterations, ..REQUEST });
    (calibration, calls)
}

#[test]
fn a_slow_set_up_may_be_that_of_the_first_call_only() {
    let once = |calls: u64| if calls == 0 { 6_000_000_000 } else { 0 };
    let (result, _) = with_setup(None, once);
    assert!((600..1_200).contains(&result.iterations), "{result:?}");
    let (result, _) = with_setup(Some(1), once);
    assert!(result.iterations == 1 && result.iteration_wall_time < 1_000.0, "{result:?}");
    let (result, calls) = with_setup(None, |_| 300_000_000);
    assert!(result.iterations == 1 && result.iteration_wall_time > 3e8 && calls == 2, "{result:?}, {calls}");
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
    let result = on_threads(2, 0, || if starts.fetch_add(1, Ordering::Relaxed) < 4 { 8_000_000 } else { 0 });
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

/// Calibrates calls that take as many ns as `cost` returns for the number of results alive. Dropping a
/// result runs code.
fn with_results_alive(read_cost: u64, cost: impl Fn(u64) -> u64) -> Calibration {
    thread_local!(static ALIVE: Cell<u64> = const { Cell::new(0) });
    struct Owning;
    impl Drop for Owning {
        fn drop(&mut self) {
            ALIVE.set(ALIVE.get() - 1);
        }
    }
    scripted::set_read_cost(read_cost);
    let engine = Engine::with_clock(Clock::Scripted);
    let mut benchmark = |bencher: &mut Bencher| {
        bencher.call(|_| {
            ALIVE.set(ALIVE.get() + 1);
            scripted::advance(cost(ALIVE.get()));
            Owning
        });
    };
    calibrate(&engine, &mut benchmark, Count::None, &REQUEST)
}

#[test]
fn results_that_slow_each_other_down_are_kept_one_at_a_time() {
    let calibrate_with = |limit| with_results_alive(20, |alive| if alive > limit { 1_000 } else { 20 });
    let (slow, fast) = (calibrate_with(1), calibrate_with(100));
    assert_eq!((slow.max_kept_results, fast.max_kept_results), (1, 7), "{slow:?} {fast:?}");
    assert_eq!(slow.iteration_ticks, 40.0, "with a reading of the clock for each result");
}

#[test]
fn results_that_an_allocator_has_at_hand_are_not_exceeded() {
    // Less than `KEPT_RESULTS_SLOWDOWN` slower.
    let kept_with = |later| with_results_alive(1, |alive| if alive > 7 { later } else { 5 }).max_kept_results;
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

#[test]
fn an_iteration_has_the_throughput_of_all_its_operations() {
    scripted::set_read_cost(20);
    let engine = Engine::with_clock(Clock::Scripted);
    for (count, operations) in [(Count::None, 1.0), (Count::Fixed(5), 5.0), (Count::Auto, 1_000.0)] {
        let mut benchmark = |bencher: &mut Bencher| {
            bencher.call(|count| scripted::advance(10 * count));
            if bencher.needs_throughput() {
                bencher.add_throughput(ThroughputUnit::Item, 8);
            }
        };
        let throughput = calibrate(&engine, &mut benchmark, count, &REQUEST).iteration_throughput(3);
        assert_eq!(throughput.unwrap()[0].value, 8.0 * operations * 3.0, "{count:?}");
    }
}
