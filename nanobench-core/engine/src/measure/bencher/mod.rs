//! The bare timed loop around a benchmark function.

mod alignment;
mod batches;
#[cfg_attr(
    not(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))),
    path = "no_closures.rs"
)]
mod closures;
mod manual;
mod results;
mod segments;
mod thread_times;
mod threads;

use super::kept_values::KeptValues;
use super::preparation::Preparation;
use super::segment_hooks::SegmentHooks;
use super::{Counting, TimeControl};
use crate::model::{Amount, Sample, ThroughputUnit};
use crate::time::{Clock, Ticks};
use alignment::align_following_code;
pub(crate) use closures::State as ClosureState;
pub use results::Segment;
use std::hint::black_box;
use std::iter;
use std::mem;
use thread_times::ThreadTimes;

/// Calls a benchmark function a number of times and records the time that takes.
///
/// `#[nanobench]` writes a function that takes a `Bencher` and passes the benchmark to
/// [`Bencher::call`] or [`Bencher::call_controlled`]. So the loop is compiled where the benchmark
/// is known, and the benchmark is inlined into it.
#[derive(Debug)]
pub struct Bencher {
    clock: Clock,
    pub(super) iterations: u64,
    count: u64,
    max_kept_results: u64,
    /// Largest number of iterations in a segment.
    max_segment_iterations: u64,
    /// Iterations that no segment has started yet.
    remaining: u64,
    hooks: Option<Box<SegmentHooks>>,
    elapsed: u64,
    pub(super) segments: u64,
    pub(super) timing: Timing,
    pub(super) kept_values: KeptValues,
    /// False if the function returns nothing. `None` if that is unknown.
    pub(super) returns_value: Option<bool>,
    /// An iteration comes first that is not timed.
    warms_up: bool,
    wall_time: u64,
    /// Times of a typical thread, for a benchmark that runs on several at once.
    thread_times: Option<ThreadTimes>,
    needs_throughput: bool,
    throughput: Vec<Amount>,
}

/// The code that reads the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Timing {
    /// The loop around the calls.
    Plain,
    /// A [`TimeControl`].
    Controlled,
    /// The benchmark, with a clock of its own. No segment is timed.
    Manual,
}

impl Bencher {
    /// Prepares `iterations` calls with `count`, of which at most `max_kept_results` results are
    /// kept at a time.
    pub(crate) fn new(clock: Clock, iterations: u64, count: u64, max_kept_results: u64) -> Bencher {
        Bencher {
            clock,
            iterations,
            count,
            max_kept_results: max_kept_results.max(1),
            max_segment_iterations: u64::MAX,
            remaining: 0,
            hooks: None,
            elapsed: 0,
            segments: 0,
            timing: Timing::Plain,
            kept_values: KeptValues::default(),
            returns_value: None,
            warms_up: false,
            wall_time: 0,
            thread_times: None,
            needs_throughput: false,
            throughput: Vec::new(),
        }
    }

    /// Also requests the throughput from the benchmark.
    pub(crate) fn with_throughput(self) -> Bencher {
        Bencher { needs_throughput: true, ..self }
    }

    /// Does this work before each iteration, outside the timing.
    pub(crate) fn prepare(&mut self, preparation: Preparation) {
        if preparation.is_some() {
            self.hooks_mut().preparation = preparation;
            self.separate_iterations();
        }
    }

    /// Counts the allocations and events of the timed segments.
    pub(super) fn set_counting(&mut self, counting: Counting) {
        self.hooks_mut().counting = Some(counting);
    }

    /// Makes each iteration a segment.
    pub fn separate_iterations(&mut self) {
        self.max_segment_iterations = 1;
    }

    fn hooks_mut(&mut self) -> &mut SegmentHooks {
        self.hooks.get_or_insert_default()
    }

    /// Runs `benchmark` and records its wall time.
    pub(crate) fn run(&mut self, benchmark: &mut dyn FnMut(&mut Bencher)) {
        let start = self.clock.start();
        benchmark(self);
        self.wall_time = self.clock.end().since(start).0;
    }

    /// Returns whether the benchmark should call [`Bencher::add_throughput`]. Computing it may be
    /// expensive, as it takes an input.
    pub fn needs_throughput(&self) -> bool {
        self.needs_throughput
    }

    /// Reports that a call, or one operation of its `count`, works on `amount` of `unit`.
    pub fn add_throughput(&mut self, unit: ThroughputUnit, amount: u64) {
        self.throughput.push(Amount { name: unit.word().to_owned(), value: amount as f64 });
    }

    /// Keeps as many results as a library does that drops them at the end of a sample, not as few as a
    /// program.
    pub fn let_results_last(&mut self) {
        self.kept_values.results_last = true;
    }

    /// Reports these amounts, if the throughput is requested, except in units that the benchmark has
    /// reported.
    pub(crate) fn add_missing_throughput(&mut self, amounts: &[(ThroughputUnit, u64)]) {
        for (unit, amount) in amounts {
            if self.needs_throughput && !self.throughput.iter().any(|known| known.name == unit.word()) {
                self.add_throughput(*unit, *amount);
            }
        }
    }

    /// Returns the throughput that the benchmark has reported.
    pub(crate) fn into_throughput(self) -> Option<Vec<Amount>> {
        (!self.throughput.is_empty()).then_some(self.throughput)
    }

    /// Returns the time with the clock running.
    pub(crate) fn elapsed(&self) -> Ticks {
        Ticks(self.elapsed)
    }

    /// Returns the time from the beginning to the end.
    pub(crate) fn wall_time(&self) -> Ticks {
        Ticks(self.wall_time)
    }

    /// Returns the time outside the timing, for example for making inputs. With several threads,
    /// that is the minimum over the threads, without the time for starting them and waiting for
    /// each other.
    pub(crate) fn untimed(&self) -> Ticks {
        let waited = self.hooks.as_ref().map_or(0, |hooks| hooks.waited);
        let untimed = || self.wall_time.saturating_sub(self.elapsed + waited);
        Ticks(self.thread_times.map_or_else(untimed, |times| times.untimed))
    }

    /// Returns the time with the clock running on one thread. It is shorter than
    /// [`Bencher::elapsed`] for threads that take turns because there are fewer cores than threads.
    pub(crate) fn thread_elapsed(&self) -> Ticks {
        Ticks(self.thread_times.map_or(self.elapsed, |times| times.elapsed))
    }

    /// Returns the sample, without a reference time and with round 0.
    pub(crate) fn to_sample(&self) -> Sample {
        let Bencher { iterations, elapsed, segments, .. } = *self;
        Sample { iterations, elapsed, segments, reference: 0, round: 0 }
    }

    /// Returns the work before each iteration.
    pub(super) fn preparation(&self) -> Preparation {
        self.hooks.as_ref().map(|hooks| hooks.preparation).unwrap_or_default()
    }

    /// Returns whether the calls are counted and not timed.
    pub(crate) fn is_counting(&self) -> bool {
        self.hooks.as_ref().is_some_and(|hooks| hooks.counting.is_some())
    }

    /// Returns the counters of [`Bencher::set_counting`].
    pub(super) fn take_counting(&mut self) -> Option<Counting> {
        self.hooks.as_mut()?.counting.take()
    }

    /// Calls `function` with the count. Its result is kept from the optimiser and dropped outside
    /// the timing.
    #[inline(always)]
    pub fn call<T>(&mut self, function: impl FnMut(u64) -> T) {
        self.returns_value = Some(size_of::<T>() > 0);
        if mem::needs_drop::<T>() { self.keep_results(function) } else { self.discard_results(function) }
    }

    #[inline(never)]
    fn discard_results<T>(&mut self, mut function: impl FnMut(u64) -> T) {
        let count = black_box(self.count);
        let mut iterations = self.first_segment();
        while iterations > 0 {
            let start = self.clock.start();
            align_following_code();
            for _ in 0..iterations {
                // Needed for `()`, too: it keeps the optimiser from merging iterations.
                black_box(function(count));
            }
            iterations = self.begin_next_segment(start, self.clock.end());
        }
    }

    /// Calls `function`, after a [warm-up](Bencher::warm_up). Its result is kept from the optimiser, and
    /// dropped within the timing.
    #[inline(always)]
    pub fn call_and_drop<T>(&mut self, mut function: impl FnMut() -> T) {
        self.warm_up();
        self.discard_results(|_| {
            black_box(function());
        });
        self.returns_value = Some(size_of::<T>() > 0);
    }

    #[inline(never)]
    fn keep_results<T>(&mut self, mut function: impl FnMut(u64) -> T) {
        let count = black_box(self.count);
        self.fill_results(
            |(): &mut (), _| {},
            |(), results| {
                for result in results {
                    result.write(function(count));
                }
            },
        );
    }

    /// Calls `function` with a fresh value of `setup` and the count. Values are made before the
    /// clock starts; results are dropped after it has stopped.
    #[inline(never)]
    pub fn call_with<I, T>(&mut self, mut setup: impl FnMut() -> I, mut function: impl FnMut(I, u64) -> T) {
        self.returns_value = Some(size_of::<T>() > 0);
        let count = black_box(self.count);
        self.kept_values.input_size = mem::size_of::<I>();
        self.fill_results(
            |inputs: &mut Vec<I>, number| inputs.extend(iter::repeat_with(&mut setup).take(number)),
            |inputs, results| {
                for (result, input) in results.iter_mut().zip(inputs.drain(..)) {
                    result.write(function(input, count));
                }
            },
        );
    }

    /// Makes values with `setup`, before the clock starts, and lets `calls` pass them to
    /// [`Segment::call`]. Results may borrow from the values. Both are dropped after the clock has
    /// stopped.
    #[inline(never)]
    pub fn call_with_mut<I>(
        &mut self,
        mut setup: impl FnMut() -> I,
        mut calls: impl FnMut(&mut [I], Segment<'_>),
    ) {
        self.kept_values.input_size = mem::size_of::<I>();
        let (mut inputs, mut remaining) = (Vec::new(), self.iterations);
        while remaining > 0 {
            let number = self.next_segment_length(remaining);
            inputs.clear();
            inputs.extend(iter::repeat_with(&mut setup).take(number));
            calls(black_box(&mut inputs), Segment(self));
            remaining -= number as u64;
        }
    }

    /// Calls `function` with the count and a control of the clock. Between calls the clock is
    /// stopped, and the result is dropped.
    #[inline(never)]
    pub fn call_controlled<T>(&mut self, mut function: impl FnMut(u64, &mut TimeControl) -> T) {
        self.call_controlled_with(|| (), |(), count, control| function(count, control));
    }

    /// Calls `function` with a fresh value of `setup`, the count and a control of the clock.
    #[inline(never)]
    pub fn call_controlled_with<I, T>(
        &mut self,
        mut setup: impl FnMut() -> I,
        mut function: impl FnMut(I, u64, &mut TimeControl) -> T,
    ) {
        let count = black_box(self.count);
        let mut control = TimeControl::new(self.clock, self.hooks.take());
        align_following_code();
        for _ in 0..self.iterations {
            let input = black_box(setup());
            control.begin_iteration();
            let result = black_box(function(input, count, &mut control));
            control.pause();
            drop(result);
        }
        self.timing = Timing::Controlled;
        self.elapsed += control.total.elapsed;
        self.segments += control.total.segments;
        self.hooks = control.hooks;
    }

    /// Calls `function` with a reference to a fresh value of `setup`, the count and a control of
    /// the clock. `function` drops its result with the clock paused.
    #[inline(never)]
    pub fn call_controlled_with_mut<I>(
        &mut self,
        setup: impl FnMut() -> I,
        mut function: impl FnMut(&mut I, u64, &mut TimeControl),
    ) {
        // Returns the value, so that it is dropped outside the timing.
        self.call_controlled_with(setup, |mut input, count, control| {
            function(&mut input, count, control);
            input
        });
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod thread_tests;
