use super::*;
use crate::time::scripted::{advance, set_read_cost};
use std::cell::Cell;

fn run(iterations: u64, chunk: u64) -> Bencher {
    set_read_cost(0);
    Bencher::new(Clock::Scripted, iterations, 1, chunk)
}

#[test]
fn a_plain_call_is_one_segment() {
    let mut run = run(5, 1);
    run.call(|_| advance(10));
    assert_eq!((run.elapsed(), run.segments()), (Ticks(50), 1));
}

#[test]
fn drops_are_not_timed_and_results_are_kept_by_the_chunk() {
    thread_local!(static ALIVE: Cell<(u64, u64)> = const { Cell::new((0, 0)) });
    struct Slow;
    impl Drop for Slow {
        fn drop(&mut self) {
            advance(1_000);
            ALIVE.set((ALIVE.get().0 - 1, ALIVE.get().1));
        }
    }
    let mut run = run(7, 3);
    run.call(|_| {
        advance(10);
        let alive = ALIVE.get().0 + 1;
        ALIVE.set((alive, ALIVE.get().1.max(alive)));
        Slow
    });
    assert_eq!((run.elapsed(), run.segments()), (Ticks(70), 3));
    assert_eq!(ALIVE.get(), (0, 3), "all dropped, at most a chunk alive at a time");
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
    let mut by_value = run(7, 3);
    by_value.call_with(setup, |input, _| {
        advance(10);
        input
    });
    assert_eq!((by_value.elapsed(), by_value.segments()), (Ticks(70), 3));
    let mut by_reference = run(7, 3);
    by_reference.call_with_mut(setup, |_, _| advance(10));
    assert_eq!((by_reference.elapsed(), by_reference.segments()), (Ticks(70), 3));
    let mut controlled = run(7, 3);
    controlled.call_controlled_with_mut(setup, |_, _, tc| {
        advance(10);
        tc.exclude(|| advance(500));
    });
    assert_eq!((controlled.elapsed(), controlled.segments()), (Ticks(70), 14));
}

#[test]
fn each_call_has_an_input_of_its_own() {
    let (mut made, mut seen) = (0, Vec::new());
    let setup = || {
        made += 1;
        made
    };
    run(5, 2).call_with(setup, |input: u64, _| seen.push(input));
    assert_eq!(seen, [1, 2, 3, 4, 5]);
}

#[test]
fn controlled_drops_are_not_timed_either() {
    struct Slow;
    impl Drop for Slow {
        fn drop(&mut self) {
            advance(1_000);
        }
    }
    let mut run = run(4, 1);
    run.call_controlled(|_, _| {
        advance(10);
        Slow
    });
    assert_eq!((run.elapsed(), run.segments()), (Ticks(40), 4));
}

#[test]
fn each_segment_holds_one_reading() {
    set_read_cost(3);
    let mut run = Bencher::new(Clock::Scripted, 2, 1, 1);
    run.call_controlled(|_, control| {
        advance(10);
        control.pause();
        advance(500);
        control.resume();
        advance(10);
    });
    assert_eq!((run.elapsed(), run.segments()), (Ticks(2 * 20 + 4 * 3), 4));
}

#[test]
fn caches_are_emptied_before_each_iteration_and_outside_the_timing() {
    // To empty them takes 1,000 scripted ticks.
    let cold = || {
        let mut run = run(4, 3);
        run.empty_caches(Caches::with_size(Some(640)));
        run
    };
    let mut plain = cold();
    plain.call(|_| advance(10));
    assert_eq!((plain.elapsed(), plain.segments()), (Ticks(40), 4));
    let mut with_results = cold();
    with_results.call_with(String::new, |input, _| {
        advance(10);
        input
    });
    assert_eq!((with_results.elapsed(), with_results.segments()), (Ticks(40), 4));
    let mut controlled = cold();
    controlled.carry_out(&mut |run| {
        run.call_controlled(|_, tc| {
            advance(10);
            tc.exclude(|| advance(500));
        });
    });
    assert_eq!((controlled.elapsed(), controlled.segments()), (Ticks(40), 8));
    assert_eq!(controlled.wall(), Ticks(4 * 1_510), "once an iteration, not once a segment");
}

#[test]
fn what_goes_on_around_outlives_a_control() {
    let mut run = run(1, 1);
    run.empty_caches(Caches::with_size(Some(640)));
    run.call_controlled(|_, _| ());
    assert!(run.caches().is_some());
}
