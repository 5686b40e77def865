use super::*;
use crate::measure::Caches;
use crate::time::scripted::{advance, set_read_cost};
use std::cell::Cell;
use std::time::Duration;

fn bencher(iterations: u64, max_kept_results: u64) -> Bencher {
    set_read_cost(0);
    Bencher::new(Clock::Scripted, iterations, 1, max_kept_results)
}

#[test]
fn a_plain_call_is_one_segment() {
    let mut bencher = bencher(5, 1);
    bencher.call(|_| advance(10));
    assert_eq!((bencher.elapsed(), bencher.segments), (Ticks(50), 1));
}

#[test]
fn a_warm_up_precedes_few_iterations() {
    let run = |mut bencher: Bencher| {
        let mut calls = 0;
        bencher.call_and_drop(|| {
            advance(if calls == 0 { 1_000 } else { 10 });
            calls += 1;
        });
        (calls, bencher.elapsed().0, bencher.segments)
    };
    assert_eq!(run(bencher(3, 1)), (4, 30, 1));
    assert_eq!(run(bencher(100, 1)), (100, 1_990, 1));
    assert_eq!(run(bencher(3, 1).with_throughput()), (3, 1_020, 1), "the first call is reported");
    let mut counted = bencher(3, 1);
    counted.separate_iterations();
    counted.hooks_mut();
    assert_eq!(run(counted), (3, 1_020, 3), "counts are exact");
}

#[test]
fn drops_are_not_timed_and_few_results_are_kept_at_a_time() {
    thread_local!(static ALIVE: Cell<(u64, u64)> = const { Cell::new((0, 0)) });
    struct Slow;
    impl Drop for Slow {
        fn drop(&mut self) {
            advance(1_000);
            ALIVE.set((ALIVE.get().0 - 1, ALIVE.get().1));
        }
    }
    let mut bencher = bencher(7, 3);
    bencher.call(|_| {
        advance(10);
        let alive = ALIVE.get().0 + 1;
        ALIVE.set((alive, ALIVE.get().1.max(alive)));
        Slow
    });
    assert_eq!((bencher.elapsed(), bencher.segments), (Ticks(70), 3));
    assert_eq!(ALIVE.get(), (0, 3), "all are dropped, and at most 3 are alive at a time");
}

#[test]
fn inputs_are_made_and_dropped_outside_the_timing() {
    struct Input;
    impl Drop for Input {
        fn drop(&mut self) {
            advance(1_000);
        }
    }
    let setup = || {
        advance(100);
        Input
    };
    let mut by_value = bencher(7, 3);
    by_value.call_with(setup, |input, _| {
        advance(10);
        input
    });
    assert_eq!((by_value.elapsed(), by_value.segments), (Ticks(70), 3));
    let mut by_reference = bencher(7, 3);
    by_reference.call_with_mut(setup, |inputs, segment| segment.call(inputs, |_, _| advance(10)));
    assert_eq!((by_reference.elapsed(), by_reference.segments), (Ticks(70), 3));
    assert_eq!([by_value.returns_value, by_reference.returns_value], [Some(false); 2]);
    by_reference.call_with_mut(|| 1_u64, |inputs, segment| segment.call(inputs, |input, _| *input));
    assert_eq!(by_reference.returns_value, Some(true));
    let mut controlled = bencher(7, 3);
    controlled.call_controlled_with_mut(setup, |_, _, tc| {
        advance(10);
        tc.exclude(|| advance(500));
    });
    assert_eq!((controlled.elapsed(), controlled.segments), (Ticks(70), 14));
}

#[test]
fn each_call_gets_a_fresh_input() {
    let (mut made, mut seen) = (0, Vec::new());
    let setup = || {
        made += 1;
        made
    };
    bencher(5, 2).call_with(setup, |input: u64, _| seen.push(input));
    assert_eq!(seen, [1, 2, 3, 4, 5]);
}

#[test]
fn drops_are_not_timed_with_a_time_control() {
    struct Slow;
    impl Drop for Slow {
        fn drop(&mut self) {
            advance(1_000);
        }
    }
    let mut bencher = bencher(4, 1);
    bencher.call_controlled(|_, _| {
        advance(10);
        Slow
    });
    assert_eq!((bencher.elapsed(), bencher.segments), (Ticks(40), 4));
}

#[test]
fn a_benchmark_with_a_clock_of_its_own_is_not_timed() {
    let nanoseconds = |number| {
        advance(1_000);
        Duration::from_nanos(number)
    };
    let mut plain = bencher(7, 3);
    plain.call_manual(|count| nanoseconds(10 * count));
    assert_eq!((plain.elapsed(), plain.segments, plain.timing), (Ticks(70), 0, Timing::Manual));
    let mut by_reference = bencher(3, 3);
    by_reference.call_manual_with_mut(|| 5, |input, _| nanoseconds(*input));
    assert_eq!((by_reference.elapsed(), by_reference.segments), (Ticks(15), 0));
    let mut on_threads = bencher(7, 3);
    on_threads.run_on_threads(2, &|bencher| bencher.call_manual(|_| nanoseconds(10)));
    assert_eq!((on_threads.elapsed(), on_threads.segments), (Ticks(70), 0), "the mean of the threads");
}

#[test]
#[should_panic(expected = "the benchmark returned 18446744073709551615.999999999s as the time of its calls")]
fn a_time_that_is_too_long_to_be_one_is_the_fault_of_the_benchmark() {
    bencher(1, 1).call_custom(|_| Duration::MAX);
}

#[test]
fn each_segment_contains_the_cost_of_one_reading() {
    set_read_cost(3);
    let mut bencher = Bencher::new(Clock::Scripted, 2, 1, 1);
    bencher.call_controlled(|_, control| {
        advance(10);
        control.pause();
        advance(500);
        control.resume();
        advance(10);
    });
    assert_eq!((bencher.elapsed(), bencher.segments), (Ticks(2 * 20 + 4 * 3), 4));
}

#[test]
fn caches_are_emptied_before_each_segment_and_outside_the_timing() {
    // Emptying the caches takes 1,000 scripted ticks, and writes each line twice.
    let caches = Caches::with_size(Some(640));
    let cold = || {
        let mut bencher = bencher(4, 3);
        bencher.prepare(Preparation { caches: Some(caches), between: None });
        bencher
    };
    let mut plain = cold();
    plain.call(|_| advance(10));
    assert_eq!((plain.elapsed(), plain.segments), (Ticks(40), 4));
    assert_eq!(caches.writes(), [4 * 2; 10]);
    let mut with_results = cold();
    with_results.call_with(String::new, |input, _| {
        advance(10);
        input
    });
    assert_eq!((with_results.elapsed(), with_results.segments), (Ticks(40), 4));
    let mut controlled = cold();
    controlled.run(&mut |bencher| {
        bencher.call_controlled(|_, tc| {
            advance(10);
            tc.exclude(|| advance(500));
        });
    });
    assert_eq!((controlled.elapsed(), controlled.segments), (Ticks(40), 8));
    assert_eq!(controlled.wall_time(), Ticks(4 * 2_510), "what was done while paused may be warm");
    assert_eq!(caches.writes(), [4 * 4 * 2; 10]);
    let mut on_request = cold();
    on_request.run(&mut |bencher| {
        bencher.call_controlled(|_, tc| {
            advance(10);
            tc.empty_caches();
            advance(10);
        });
    });
    assert_eq!((on_request.elapsed(), on_request.wall_time()), (Ticks(80), Ticks(4 * 2_020)));
    let mut warm = bencher(4, 3);
    warm.call_controlled(|_, tc| tc.empty_caches());
    assert_eq!(warm.segments, 4, "nothing interrupts the timing");
}

#[test]
fn other_code_runs_before_each_iteration_and_outside_the_timing() {
    let with_other_code = || {
        let mut bencher = bencher(4, 3);
        bencher.prepare(Preparation { between: Some(|| advance(1_000)), caches: None });
        bencher
    };
    let mut plain = with_other_code();
    plain.run(&mut |bencher| bencher.call(|_| advance(10)));
    assert_eq!((plain.elapsed(), plain.segments, plain.wall_time()), (Ticks(40), 4, Ticks(4_040)));
    let mut controlled = with_other_code();
    controlled.run(&mut |bencher| bencher.call_controlled(|_, tc| tc.exclude(|| advance(5))));
    assert_eq!((controlled.elapsed(), controlled.wall_time()), (Ticks(0), Ticks(4_020)));
}

#[test]
fn hooks_outlive_a_time_control() {
    let mut bencher = bencher(1, 1);
    bencher.prepare(Preparation { caches: Some(Caches::with_size(Some(128))), between: None });
    bencher.call_controlled(|_, _| ());
    assert!(bencher.preparation().caches.is_some());
}
