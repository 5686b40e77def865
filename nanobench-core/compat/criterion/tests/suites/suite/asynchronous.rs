//! All loops of `AsyncBencher`, with executors of the suite and those of the features.

use criterion::async_executor::AsyncExecutor;
use criterion::measurement::Measurement;
use criterion::{AsyncBencher, BatchSize, Criterion, criterion_group};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

/// An executor of the suite's own.
struct Polling;

impl AsyncExecutor for Polling {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        loop {
            if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                return output;
            }
        }
    }
}

async fn text() -> String {
    "text".to_owned()
}

fn iter<A: AsyncExecutor, M: Measurement>(mut b: AsyncBencher<'_, '_, A, M>) {
    b.iter(text);
}

fn loops(c: &mut Criterion) {
    let mut group = c.benchmark_group("async");
    group.bench_function("iter", |b| iter(b.to_async(Polling)));
    group.bench_function("iter_with_large_drop", |b| b.to_async(Polling).iter_with_large_drop(text));
    group.bench_function("iter_custom", |b| {
        b.to_async(Polling).iter_custom(async |iterations| Duration::from_nanos(iterations * 100));
    });
    group.bench_function("iter_with_setup", |b| {
        b.to_async(Polling).iter_with_setup(|| 3, |n| async move { n + 1 });
    });
    group.bench_function("iter_with_large_setup", |b| {
        b.to_async(Polling).iter_with_large_setup(|| 3, |n| async move { n + 1 });
    });
    for size in [BatchSize::SmallInput, BatchSize::PerIteration] {
        group.bench_function(format!("iter_batched {size:?}"), |b| {
            b.to_async(Polling).iter_batched(String::new, async |text| text + "a", size);
        });
        group.bench_function(format!("iter_batched_ref {size:?}"), |b| {
            b.to_async(Polling).iter_batched_ref(
                || vec![1],
                |numbers| {
                    numbers.push(2);
                    async {}
                },
                size,
            );
        });
    }
}

#[cfg(feature = "async_futures")]
fn on_futures(c: &mut Criterion) {
    c.bench_function("FuturesExecutor", |b| {
        b.to_async(criterion::async_executor::FuturesExecutor).iter(text);
    });
}

#[cfg(feature = "async_smol")]
fn on_smol(c: &mut Criterion) {
    c.bench_function("SmolExecutor", |b| b.to_async(criterion::async_executor::SmolExecutor).iter(text));
}

#[cfg(feature = "async_std")]
fn on_async_std(c: &mut Criterion) {
    c.bench_function("AsyncStdExecutor", |b| {
        b.to_async(criterion::async_executor::AsyncStdExecutor).iter(text);
    });
}

#[cfg(feature = "async_tokio")]
fn on_tokio(c: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime can be made");
    let handle = runtime.handle();
    c.bench_function("&Runtime", |b| b.to_async(&runtime).iter(text));
    c.bench_function("&Handle", |b| b.to_async(handle).iter(text));
    c.bench_function("Handle", |b| b.to_async(handle.clone()).iter(text));
    c.bench_function("Runtime", |b| {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime can be made");
        b.to_async(runtime).iter(text);
    });
}

fn on_features(_c: &mut Criterion) {
    #[cfg(feature = "async_futures")]
    on_futures(_c);
    #[cfg(feature = "async_smol")]
    on_smol(_c);
    #[cfg(feature = "async_std")]
    on_async_std(_c);
    #[cfg(feature = "async_tokio")]
    on_tokio(_c);
}

criterion_group!(benches, loops, on_features);
