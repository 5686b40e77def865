//! The loops of criterion, each with closures that take from a few ns to some µs.

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use std::hint::black_box;

const SIZES: [usize; 3] = [10, 100, 1000];

fn numbers(size: usize) -> Vec<u64> {
    (0..size as u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
}

fn iter(c: &mut Criterion) {
    let mut group = c.benchmark_group("iter");
    for size in SIZES {
        let numbers = numbers(size);
        group.bench_with_input(BenchmarkId::new("sum", size), &numbers, |b, numbers| {
            b.iter(|| black_box(numbers).iter().sum::<u64>());
        });
        group.bench_with_input(BenchmarkId::new("clone, dropped", size), &numbers, |b, numbers| {
            b.iter(|| black_box(numbers).clone());
        });
    }
}

fn iter_batched(c: &mut Criterion) {
    let mut group = c.benchmark_group("iter_batched");
    for size in SIZES {
        group.bench_function(BenchmarkId::new("sort", size), |b| {
            let sort = |mut numbers: Vec<u64>| {
                numbers.sort_unstable();
                numbers
            };
            b.iter_batched(|| numbers(size), sort, BatchSize::SmallInput);
        });
        group.bench_function(BenchmarkId::new("sort by reference", size), |b| {
            b.iter_batched_ref(|| numbers(size), |numbers| numbers.sort_unstable(), BatchSize::SmallInput);
        });
        group.bench_function(BenchmarkId::new("drop", size), |b| {
            b.iter_batched(|| numbers(size), drop, BatchSize::SmallInput);
        });
    }
}

fn iter_with_large_drop(c: &mut Criterion) {
    let mut group = c.benchmark_group("iter_with_large_drop");
    for size in SIZES {
        group.bench_function(BenchmarkId::new("texts", size), |b| {
            b.iter_with_large_drop(|| (0..black_box(size)).map(|n| n.to_string()).collect::<Vec<_>>());
        });
        group.bench_function(BenchmarkId::new("numbers", size), |b| {
            b.iter_with_large_drop(|| numbers(black_box(size)));
        });
    }
}

criterion_group!(loops, iter, iter_batched, iter_with_large_drop);
criterion_main!(loops);
