//! The bare timed loop around a benchmark function.

use super::TimeControl;
use crate::model::Sample;
use crate::time::{Clock, Ticks};
use std::hint::black_box;
use std::iter;
use std::mem::{self, MaybeUninit};

/// An order to call a benchmark function a number of times, and the account of the time that took.
///
/// `#[nanobench]` writes a function that takes a `Run` and hands the benchmark to [`Run::call`] or
/// [`Run::call_controlled`], so that the loop is compiled, and the benchmark inlined into it, where the
/// benchmark is known.
#[derive(Debug)]
pub struct Run {
    clock: Clock,
    iterations: u64,
    count: u64,
    chunk: u64,
    elapsed: u64,
    segments: u64,
    controlled: bool,
    wall: u64,
}

impl Run {
    /// An order for `iterations` calls with `count`, at most `chunk` of whose results are kept at a time.
    pub(crate) fn new(clock: Clock, iterations: u64, count: u64, chunk: u64) -> Run {
        Run {
            clock,
            iterations,
            count,
            chunk: chunk.max(1),
            elapsed: 0,
            segments: 0,
            controlled: false,
            wall: 0,
        }
    }

    /// How many calls.
    pub(crate) fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Time with the clock running.
    pub(crate) fn elapsed(&self) -> Ticks {
        Ticks(self.elapsed)
    }

    /// Makes `run` carry the order out, and notes how long that takes with all that is not timed.
    pub(crate) fn carry_out(&mut self, run: &mut dyn FnMut(&mut Run)) {
        let start = self.clock.start();
        run(self);
        self.wall = self.clock.end().since(start).0;
    }

    /// Time from the beginning to the end.
    pub(crate) fn wall(&self) -> Ticks {
        Ticks(self.wall)
    }

    /// How often the clock was started and stopped.
    pub(crate) fn segments(&self) -> u64 {
        self.segments
    }

    /// The order as a sample, without its reference, in round 0.
    pub(crate) fn sample(&self) -> Sample {
        let Run { iterations, elapsed, segments, .. } = *self;
        Sample { iterations, elapsed, segments, reference: 0, round: 0 }
    }

    /// Whether a [`TimeControl`] kept the account.
    pub(crate) fn controlled(&self) -> bool {
        self.controlled
    }

    /// Calls `function` with the count. The value is kept from the optimiser, and dropped outside the timing.
    #[inline(always)]
    pub fn call<T>(&mut self, function: impl FnMut(u64) -> T) {
        if mem::needs_drop::<T>() { self.keep_results(function) } else { self.discard_results(function) }
    }

    #[inline(never)]
    fn discard_results<T>(&mut self, mut function: impl FnMut(u64) -> T) {
        let count = black_box(self.count);
        let start = self.clock.start();
        for _ in 0..self.iterations {
            // For a `()` too: it keeps iterations from being merged into one.
            black_box(function(count));
        }
        self.add(self.clock.end().since(start));
    }

    #[inline(never)]
    fn keep_results<T>(&mut self, mut function: impl FnMut(u64) -> T) {
        let count = black_box(self.count);
        self.in_chunks(
            |(): &mut (), _| {},
            |(), places| {
                for place in places {
                    place.write(function(count));
                }
            },
        );
    }

    /// Calls `function` with a value of `setup` of its own, and the count. Values are made before the clock starts;
    /// what is returned is dropped after it has stopped.
    #[inline(never)]
    pub fn call_with<I, T>(&mut self, mut setup: impl FnMut() -> I, mut function: impl FnMut(I, u64) -> T) {
        let count = black_box(self.count);
        self.in_chunks(
            |inputs: &mut Vec<I>, now| inputs.extend(iter::repeat_with(&mut setup).take(now)),
            |inputs, places| {
                for (place, input) in places.iter_mut().zip(inputs.drain(..)) {
                    place.write(function(input, count));
                }
            },
        );
    }

    /// The same with a reference to the value, which is dropped after the clock has stopped.
    #[inline(never)]
    pub fn call_with_mut<I, T>(
        &mut self,
        mut setup: impl FnMut() -> I,
        mut function: impl FnMut(&mut I, u64) -> T,
    ) {
        let count = black_box(self.count);
        self.in_chunks(
            |inputs: &mut Vec<I>, now| {
                inputs.clear();
                inputs.extend(iter::repeat_with(&mut setup).take(now));
            },
            |inputs, places| {
                for (place, input) in places.iter_mut().zip(inputs) {
                    place.write(function(input, count));
                }
            },
        );
    }

    /// Calls `function` with the count and the control of the clock. Between calls the clock stands still, and the
    /// value is dropped.
    #[inline(never)]
    pub fn call_controlled<T>(&mut self, mut function: impl FnMut(u64, &mut TimeControl) -> T) {
        self.call_controlled_with(|| (), |(), count, control| function(count, control));
    }

    /// The same with a value of `setup` of its own.
    #[inline(never)]
    pub fn call_controlled_with<I, T>(
        &mut self,
        mut setup: impl FnMut() -> I,
        mut function: impl FnMut(I, u64, &mut TimeControl) -> T,
    ) {
        let count = black_box(self.count);
        let mut control = TimeControl::new(self.clock);
        for _ in 0..self.iterations {
            let input = black_box(setup());
            control.begin_iteration();
            let result = black_box(function(input, count, &mut control));
            control.pause();
            drop(result);
        }
        self.controlled = true;
        self.elapsed += control.elapsed().0;
        self.segments += control.segments();
    }

    /// The same with a reference to the value.
    #[inline(never)]
    pub fn call_controlled_with_mut<I, T>(
        &mut self,
        setup: impl FnMut() -> I,
        mut function: impl FnMut(&mut I, u64, &mut TimeControl) -> T,
    ) {
        // The value goes out with the result, so that it is dropped with it.
        self.call_controlled_with(setup, |mut input, count, control| {
            let result = function(&mut input, count, control);
            (result, input)
        });
    }

    /// Has `fill` write results while the clock runs, up to a chunk at a time, after `prepare` has made ready for so
    /// many. They are dropped while the clock stands still. `fill` has to write all of its places.
    #[inline(always)]
    fn in_chunks<S: Default, T>(
        &mut self,
        mut prepare: impl FnMut(&mut S, usize),
        mut fill: impl FnMut(&mut S, &mut [MaybeUninit<T>]),
    ) {
        let mut left = self.iterations;
        let (mut state, mut results) = (S::default(), Vec::new());
        while left > 0 {
            // What does not fit a usize could not be allocated, and `reserve_exact` says so.
            let now = usize::try_from(self.chunk.min(left)).unwrap_or(usize::MAX);
            results.reserve_exact(now);
            prepare(&mut state, now);
            black_box(&mut state);
            let places = &mut results.spare_capacity_mut()[..now];
            let start = self.clock.start();
            fill(&mut state, places);
            black_box(places);
            self.add(self.clock.end().since(start));
            // SAFETY: `fill` has written the first `now` elements, which are within the capacity.
            #[expect(unsafe_code, reason = "a checked push would cost time inside the loop")]
            unsafe {
                results.set_len(now);
            }
            results.clear();
            left -= now as u64;
        }
    }

    fn add(&mut self, elapsed: Ticks) {
        self.elapsed += elapsed.0;
        self.segments += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::scripted::{advance, set_read_cost};
    use std::cell::Cell;

    fn run(iterations: u64, chunk: u64) -> Run {
        set_read_cost(0);
        Run::new(Clock::Scripted, iterations, 1, chunk)
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
        let mut run = Run::new(Clock::Scripted, 2, 1, 1);
        run.call_controlled(|_, control| {
            advance(10);
            control.pause();
            advance(500);
            control.resume();
            advance(10);
        });
        assert_eq!((run.elapsed(), run.segments()), (Ticks(2 * 20 + 4 * 3), 4));
    }
}
