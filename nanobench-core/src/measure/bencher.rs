//! The bare timed loop around a benchmark function.

use super::segment_hooks::SegmentHooks;
use super::{Caches, Counting, TimeControl};
use crate::model::{Amount, Sample};
use crate::time::{Clock, Ticks};
use std::hint::black_box;
use std::iter;
use std::mem::{self, MaybeUninit};

mod parts;

use parts::ThreadShare;

/// An order to call a benchmark function a number of times, and the account of the time that took.
///
/// `#[nanobench]` writes a function that takes a `Bencher` and hands the benchmark to [`Bencher::call`] or
/// [`Bencher::call_controlled`], so that the loop is compiled, and the benchmark inlined into it, where the
/// benchmark is known.
#[derive(Debug)]
pub struct Bencher {
    clock: Clock,
    iterations: u64,
    count: u64,
    chunk: u64,
    /// The most calls in a segment.
    in_segment: u64,
    /// Calls of the segments to come.
    left: u64,
    around: Option<Box<SegmentHooks>>,
    elapsed: u64,
    segments: u64,
    controlled: bool,
    wall: u64,
    /// What one of several threads does of it.
    of_thread: Option<ThreadShare>,
    needs_throughput: bool,
    throughput: Vec<Amount>,
}

impl Bencher {
    /// An order for `iterations` calls with `count`, at most `chunk` of whose results are kept at a time.
    pub(crate) fn new(clock: Clock, iterations: u64, count: u64, chunk: u64) -> Bencher {
        Bencher {
            clock,
            iterations,
            count,
            chunk: chunk.max(1),
            in_segment: u64::MAX,
            left: 0,
            around: None,
            elapsed: 0,
            segments: 0,
            controlled: false,
            wall: 0,
            of_thread: None,
            needs_throughput: false,
            throughput: Vec::new(),
        }
    }

    /// The same, which also asks how much of what an iteration has a throughput of.
    pub(crate) fn with_throughput(self) -> Bencher {
        Bencher { needs_throughput: true, ..self }
    }

    /// Whether an answer by [`Bencher::throughput`] is wanted. It may be expensive, as it takes an input.
    pub fn needs_throughput(&self) -> bool {
        self.needs_throughput
    }

    /// How much of `unit` a call works on.
    pub fn add_throughput(&mut self, unit: &'static str, amount: u64) {
        self.throughput.push(Amount { name: unit.to_owned(), value: amount as f64 });
    }

    /// What was answered.
    pub(crate) fn amounts(self) -> Option<Vec<Amount>> {
        (!self.throughput.is_empty()).then_some(self.throughput)
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
    pub(crate) fn carry_out(&mut self, run: &mut dyn FnMut(&mut Bencher)) {
        let start = self.clock.start();
        run(self);
        self.wall = self.clock.end().since(start).0;
    }

    /// Time from the beginning to the end.
    pub(crate) fn wall(&self) -> Ticks {
        Ticks(self.wall)
    }

    /// Time that is left out of the timing, such as for making inputs. Of several threads, that of the one that left out
    /// least: what starting them takes and their waiting for one another says nothing of the benchmark.
    pub(crate) fn aside(&self) -> Ticks {
        let waited = self.around.as_ref().map_or(0, |around| around.waited);
        let aside = || self.wall.saturating_sub(self.elapsed + waited);
        Ticks(self.of_thread.map_or_else(aside, |thread| thread.aside))
    }

    /// Time with the clock running on one thread, beside which the others may have been at it before or after, for want of a core.
    pub(crate) fn elapsed_on_thread(&self) -> Ticks {
        Ticks(self.of_thread.map_or(self.elapsed, |thread| thread.elapsed))
    }

    /// The clock it is timed with.
    pub(super) fn clock(&self) -> Clock {
        self.clock
    }

    /// How often starting and stopping the clock is in the time.
    pub(crate) fn segments(&self) -> u64 {
        self.segments
    }

    /// The order as a sample, without its reference, in round 0.
    pub(crate) fn sample(&self) -> Sample {
        let Bencher { iterations, elapsed, segments, .. } = *self;
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
        let mut now = self.first_segment();
        while now > 0 {
            let start = self.clock.start();
            for _ in 0..now {
                // For a `()` too: it keeps iterations from being merged into one.
                black_box(function(count));
            }
            now = self.next_segment(start, self.clock.end());
        }
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
        let mut control = TimeControl::new(self.clock, self.around.take());
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
        self.around = control.into_around();
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
            let now = usize::try_from(self.chunk.min(self.in_segment).min(left)).unwrap_or(usize::MAX);
            results.reserve_exact(now);
            prepare(&mut state, now);
            black_box(&mut state);
            let places = &mut results.spare_capacity_mut()[..now];
            self.begin();
            let start = self.clock.start();
            fill(&mut state, places);
            black_box(places);
            self.end(start, self.clock.end());
            // SAFETY: `fill` has written the first `now` elements, which are within the capacity.
            #[expect(unsafe_code, reason = "a checked push would cost time inside the loop")]
            unsafe {
                results.set_len(now);
            }
            results.clear();
            left -= now as u64;
        }
    }

    /// The clock is about to start for a segment.
    #[inline(always)]
    fn begin(&mut self) {
        if let Some(around) = &mut self.around {
            around.begin();
        }
    }

    /// The clock has run from `start` to `end`.
    #[inline(always)]
    fn end(&mut self, start: Ticks, end: Ticks) {
        if let Some(around) = &mut self.around {
            around.end(start, end);
        }
        self.elapsed += end.since(start).0;
        self.segments += 1;
    }

    // What calls these two is compiled for each benchmark: the less it has to do itself, the better.

    /// Begins the first segment. Returns how many calls it has; none where there is nothing to do.
    #[inline(never)]
    fn first_segment(&mut self) -> u64 {
        self.left = self.iterations;
        self.begin_calls()
    }

    /// Ends a segment that was timed from `start` to `end`, and begins the next. Returns how many calls it has; none where
    /// all is done.
    #[inline(never)]
    fn next_segment(&mut self, start: Ticks, end: Ticks) -> u64 {
        self.end(start, end);
        self.begin_calls()
    }

    fn begin_calls(&mut self) -> u64 {
        let now = self.in_segment.min(self.left);
        self.left -= now;
        if now > 0 {
            self.begin();
        }
        now
    }
}

/// Orders with something around their segments.
impl Bencher {
    fn around(&mut self) -> &mut SegmentHooks {
        self.around.get_or_insert_default()
    }

    /// Has the caches emptied before each iteration.
    pub(crate) fn empty_caches(&mut self, caches: &'static Caches) {
        self.around().caches = Some(caches);
        self.in_segment = 1;
    }

    /// The caches that are emptied.
    pub(super) fn caches(&self) -> Option<&'static Caches> {
        self.around.as_ref()?.caches
    }

    /// Counts what each iteration does.
    pub(super) fn count_with(&mut self, counting: Counting) {
        self.around().counting = Some(counting);
        self.in_segment = 1;
    }

    /// Whether the order is to count, and not to time.
    pub(crate) fn counts(&self) -> bool {
        self.around.as_ref().is_some_and(|around| around.counting.is_some())
    }

    /// Gives back what the order has counted with.
    pub(super) fn take_counting(&mut self) -> Counting {
        let counting = self.around.as_mut().and_then(|around| around.counting.take());
        counting.expect("an order keeps what it counts with")
    }
}

#[cfg(test)]
mod tests;
