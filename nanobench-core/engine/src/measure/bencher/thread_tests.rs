use super::*;
use crate::measure::{Engine, SampleRequest, sample};
use crate::time::scripted::{advance, set_read_cost};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};

fn bencher(iterations: u64) -> Bencher {
    Bencher::new(Clock::Scripted, iterations, 1, 2)
}

#[test]
fn threads_run_at_once_until_the_last_one_ends() {
    // A single thread would wait for ever.
    let barrier = Barrier::new(3);
    let next_thread = AtomicU64::new(0);
    let mut bencher = bencher(5);
    bencher.run_on_threads(3, &|bencher| {
        let thread = next_thread.fetch_add(1, Ordering::Relaxed);
        bencher.call(|_| {
            barrier.wait();
            advance(10 + 3 * thread);
        });
    });
    assert_eq!((bencher.elapsed(), bencher.segments), (Ticks(5 * 16), 1));
}

#[test]
fn waiting_for_a_core_is_neither_timed_nor_set_up() {
    // One thread begins each of its segments of two calls long after the others have ended theirs.
    let next_thread = AtomicU64::new(0);
    let mut bencher = bencher(6);
    bencher.run(&mut |bencher| {
        // The time to start the threads.
        advance(1_000_000);
        bencher.run_on_threads(3, &|bencher| {
            let is_late = next_thread.fetch_add(1, Ordering::Relaxed) == 2;
            let setup = || advance(if is_late { 40_000 } else { 5 });
            bencher.call_with_mut(setup, |inputs, segment| {
                segment.call(inputs, |(), _| {
                    advance(10);
                    String::new()
                });
            });
        });
    });
    assert_eq!((bencher.elapsed(), bencher.segments), (Ticks(3 * 2 * 20), 3 * 2));
    assert_eq!((bencher.untimed(), bencher.wall_time()), (Ticks(6 * 5), Ticks(1_000_000)));
}

#[test]
fn the_cost_of_the_clock_is_subtracted_once_for_each_piece() {
    // Eight threads that take turns.
    set_read_cost(20);
    let engine = Engine::with_clock(Clock::Scripted);
    let next_thread = AtomicU64::new(0);
    let mut benchmark = |bencher: &mut Bencher| {
        bencher.run_on_threads(8, &|bencher| {
            advance(next_thread.fetch_add(1, Ordering::Relaxed) % 8 * 10_000);
            set_read_cost(20);
            bencher.call(|_| advance(3));
        });
    };
    let request = SampleRequest {
        samples: 1,
        iterations: 5,
        exact_iterations: true,
        count: 1,
        max_kept_results: 1,
        ..SampleRequest::default()
    };
    let batch = sample(&engine, &mut benchmark, &request);
    let Sample { elapsed, segments, .. } = batch.samples[0];
    assert_eq!(elapsed as f64 - batch.segment_cost * segments as f64, 8.0 * 5.0 * 3.0);
}

#[test]
fn threads_meet_before_each_segment() {
    let mut bencher = bencher(5);
    let (begun, ended) = (AtomicU64::new(0), AtomicU64::new(0));
    bencher.run_on_threads(2, &|bencher| {
        bencher.call(|_| {
            // With two results at a time, no thread begins a third call before both have ended
            // their second.
            let segments_before = begun.fetch_add(1, Ordering::SeqCst) / 4;
            assert!(ended.load(Ordering::SeqCst) >= segments_before * 4);
            ended.fetch_add(1, Ordering::SeqCst);
            String::new()
        });
    });
    assert_eq!((bencher.segments, begun.into_inner()), (3, 10));
}

#[test]
fn a_panic_of_one_thread_ends_all() {
    let next_thread = AtomicU64::new(0);
    let benchmark = |bencher: &mut Bencher| {
        let thread = next_thread.fetch_add(1, Ordering::Relaxed);
        bencher.call_controlled(|_, _| assert!(thread != 1, "thread 1 panics"));
    };
    let outcome = catch_unwind(AssertUnwindSafe(|| bencher(1_000_000).run_on_threads(3, &benchmark)));
    let payload = outcome.unwrap_err();
    assert_eq!(payload.downcast_ref(), Some(&"thread 1 panics"));
}

#[test]
fn nobody_waits_for_a_thread_that_makes_no_calls() {
    let next_thread = AtomicU64::new(0);
    bencher(3).run_on_threads(2, &|bencher| {
        if next_thread.fetch_add(1, Ordering::Relaxed) == 0 {
            bencher.call_controlled(|_, _| ());
        }
    });
}
