//! The loops of `async` benchmarks. An executor drives a whole loop, and not each call.

use crate::BatchSize;
use crate::async_executor::AsyncExecutor;
use crate::bencher::{Bencher, duration};
use crate::measurement::{Measurement, WallTime};
use std::hint::black_box;
use std::iter;

pub struct AsyncBencher<'a, 'b, A: AsyncExecutor, M: Measurement = WallTime> {
    bencher: &'b mut Bencher<'a, M>,
    executor: A,
}

impl<'a, 'b, A: AsyncExecutor, M: Measurement> AsyncBencher<'a, 'b, A, M> {
    pub(crate) fn new(bencher: &'b mut Bencher<'a, M>, executor: A) -> AsyncBencher<'a, 'b, A, M> {
        AsyncBencher { bencher, executor }
    }

    #[inline(never)]
    pub fn iter<O, R, F>(&mut self, mut routine: R)
    where
        R: FnMut() -> F,
        F: Future<Output = O>,
    {
        let (engine, _) = self.bencher.begin();
        engine.warm_up();
        self.executor.block_on(async {
            let mut iterations = engine.first_segment();
            while iterations > 0 {
                let start = engine.start_clock();
                for _ in 0..iterations {
                    black_box(routine().await);
                }
                iterations = engine.next_segment(start);
            }
        });
    }

    #[inline(never)]
    pub fn iter_custom<R, F>(&mut self, mut routine: R)
    where
        R: FnMut(u64) -> F,
        F: Future<Output = M::Value>,
    {
        let AsyncBencher { bencher, executor } = self;
        let (engine, measurement) = bencher.begin();
        engine.call_custom(|iterations| {
            duration(measurement, executor.block_on(async { routine(iterations).await }))
        });
    }

    pub fn iter_with_large_drop<O, R, F>(&mut self, mut routine: R)
    where
        R: FnMut() -> F,
        F: Future<Output = O>,
    {
        self.iter_batched(|| (), |()| routine(), BatchSize::SmallInput);
    }

    #[inline(never)]
    pub fn iter_batched<I, O, S, R, F>(&mut self, mut setup: S, mut routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> F,
        F: Future<Output = O>,
    {
        let engine = self.bencher.begin_batches(size);
        self.executor.block_on(async {
            let (mut inputs, mut results) = (Vec::new(), Vec::new());
            let mut remaining = engine.first_batch::<I, O>();
            while remaining > 0 {
                let number = engine.batch_length(remaining);
                inputs.extend(iter::repeat_with(&mut setup).take(number));
                results.reserve_exact(number);
                let start = engine.start_batch();
                for input in black_box(&mut inputs).drain(..) {
                    results.push(routine(input).await);
                }
                engine.end_batch(start);
                black_box(&mut results).clear();
                remaining -= number as u64;
            }
        });
    }

    #[inline(never)]
    pub fn iter_batched_ref<I, O, S, R, F>(&mut self, mut setup: S, mut routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(&mut I) -> F,
        F: Future<Output = O>,
    {
        let engine = self.bencher.begin_batches(size);
        self.executor.block_on(async {
            let (mut inputs, mut results, mut single) = (Vec::new(), Vec::new(), None);
            let mut remaining = engine.first_batch::<I, O>();
            while remaining > 0 {
                let number = engine.batch_length(remaining);
                inputs.extend(iter::repeat_with(&mut setup).take(number));
                results.reserve_exact(number);
                let start = engine.start_batch();
                // As in criterion, the drop of an input is timed, unless it is the only one.
                for mut input in black_box(&mut inputs).drain(..) {
                    results.push(routine(&mut input).await);
                    if number == 1 {
                        single = Some(input);
                    }
                }
                engine.end_batch(start);
                drop(single.take());
                black_box(&mut results).clear();
                remaining -= number as u64;
            }
        });
    }

    pub fn iter_with_setup<I, O, S, R, F>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> F,
        F: Future<Output = O>,
    {
        self.iter_batched(setup, routine, BatchSize::PerIteration);
    }

    pub fn iter_with_large_setup<I, O, S, R, F>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> F,
        F: Future<Output = O>,
    {
        self.iter_batched(setup, routine, BatchSize::NumBatches(1));
    }
}
