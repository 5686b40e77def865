//! The loops of benchmarks.

use crate::BatchSize;
use crate::async_bencher::AsyncBencher;
use crate::async_executor::AsyncExecutor;
use crate::measurement::{Measurement, WallTime};
use nanobench_engine::__private::Bencher as Engine;
use std::time::Duration;

pub struct Bencher<'a, M: Measurement = WallTime> {
    engine: &'a mut Engine,
    measurement: &'a M,
    has_timed: bool,
}

impl<'a, M: Measurement> Bencher<'a, M> {
    /// Lets `benchmark` call a method of the bencher.
    pub(crate) fn run(engine: &'a mut Engine, measurement: &'a M, benchmark: impl FnOnce(&mut Self)) {
        let mut bencher = Bencher { engine, measurement, has_timed: false };
        benchmark(&mut bencher);
        assert!(bencher.has_timed, "the benchmark has to call `iter` or another method of its `Bencher`");
    }

    /// Returns what the loop of the benchmark needs.
    pub(crate) fn begin(&mut self) -> (&mut Engine, &'a M) {
        self.has_timed = true;
        (self.engine, self.measurement)
    }

    /// Returns what the loop of the benchmark needs, with batches of this size.
    pub(crate) fn begin_batches(&mut self, size: BatchSize) -> &mut Engine {
        let (engine, _) = self.begin();
        if let Some(limit) = size.limit() {
            engine.limit_segments(limit);
        }
        engine
    }

    #[inline(always)]
    pub fn iter<O, R>(&mut self, routine: R)
    where
        R: FnMut() -> O,
    {
        self.begin().0.call_and_drop(routine);
    }

    #[inline(always)]
    pub fn iter_custom<R>(&mut self, mut routine: R)
    where
        R: FnMut(u64) -> M::Value,
    {
        let (engine, measurement) = self.begin();
        engine.call_custom(|iterations| duration(measurement, routine(iterations)));
    }

    #[inline(always)]
    pub fn iter_with_large_drop<O, R>(&mut self, mut routine: R)
    where
        R: FnMut() -> O,
    {
        self.begin().0.call(|_| routine());
    }

    #[inline(always)]
    pub fn iter_batched<I, O, S, R>(&mut self, setup: S, mut routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> O,
    {
        self.begin_batches(size).call_with(setup, |input, _| routine(input));
    }

    #[inline(always)]
    pub fn iter_batched_ref<I, O, S, R>(&mut self, setup: S, mut routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(&mut I) -> O,
    {
        self.begin_batches(size).call_with_mut(setup, |inputs, segment| {
            segment.call(inputs, |input, _| routine(input));
        });
    }

    #[inline(always)]
    pub fn iter_with_setup<I, O, S, R>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> O,
    {
        self.iter_batched(setup, routine, BatchSize::PerIteration);
    }

    #[inline(always)]
    pub fn iter_with_large_setup<I, O, S, R>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> O,
    {
        self.iter_batched(setup, routine, BatchSize::NumBatches(1));
    }

    pub fn to_async<'b, A: AsyncExecutor>(&'b mut self, runner: A) -> AsyncBencher<'a, 'b, A, M> {
        AsyncBencher::new(self, runner)
    }
}

/// Returns the time that a benchmark has measured. In code that is generic over the measurement, its
/// type is not known.
pub(crate) fn duration<M: Measurement>(measurement: &M, value: M::Value) -> Duration {
    Duration::from_nanos(measurement.to_f64(&value) as u64)
}
