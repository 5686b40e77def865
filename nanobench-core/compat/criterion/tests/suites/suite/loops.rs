//! All loops of `Bencher`.

use criterion::{BatchSize, Bencher, Criterion, criterion_group};
use std::time::{Duration, Instant};

fn numbers() -> Vec<u32> {
    (0..100).rev().collect()
}

fn with_results(c: &mut Criterion) {
    let mut group = c.benchmark_group("results");
    group.bench_function("iter", |b| b.iter(numbers));
    group.bench_function("iter_with_large_drop", |b| b.iter_with_large_drop(numbers));
    group.bench_function(String::from("iter_custom"), |b| {
        b.iter_custom(|iterations| {
            let start = Instant::now();
            for _ in 0..iterations {
                criterion::black_box(numbers());
            }
            start.elapsed()
        });
    });
    group.finish();
}

fn with_inputs(c: &mut Criterion) {
    let sizes = [
        BatchSize::SmallInput,
        BatchSize::LargeInput,
        BatchSize::PerIteration,
        BatchSize::NumBatches(3),
        BatchSize::NumIterations(7),
    ];
    for size in sizes {
        let mut group = c.benchmark_group(format!("inputs {size:?}"));
        group.bench_function("iter_batched", |b| {
            b.iter_batched(
                numbers,
                |mut numbers| {
                    numbers.sort_unstable();
                    numbers
                },
                size,
            );
        });
        group.bench_function("iter_batched_ref", |b| {
            b.iter_batched_ref(numbers, |numbers| numbers.sort_unstable(), size);
        });
        // The end of the scope finishes the group.
    }
}

fn with_setup(c: &mut Criterion) {
    c.bench_function("iter_with_setup", |b| b.iter_with_setup(numbers, |numbers| numbers.len()));
    c.bench_function("iter_with_large_setup", |b| {
        b.iter_with_large_setup(numbers, |numbers| numbers.len());
    });
}

/// A helper with a `Bencher` and an input.
fn sum(b: &mut Bencher, numbers: &[u32]) {
    b.iter(|| numbers.iter().sum::<u32>());
}

fn of_helper(c: &mut Criterion) {
    let numbers = numbers();
    c.bench_function("helper", |b| sum(b, &numbers));
    let mut constant_time = |b: &mut Bencher<'_>| {
        b.iter_custom(|iterations| Duration::from_nanos(100 * iterations));
    };
    c.bench_function("100 ns", &mut constant_time);
}

criterion_group!(loops, with_results, with_inputs, with_setup, of_helper,);
