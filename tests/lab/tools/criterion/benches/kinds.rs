//! A benchmark for each kind of work, for criterion.

use criterion::{BatchSize::LargeInput, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use work::*;

fn kinds(c: &mut Criterion) {
    c.bench_function("chain", |b| {
        let mut x = 1;
        b.iter(|| {
            x = kind_chain(x);
            x
        });
    });
    c.bench_function("push", |b| b.iter(kind_push));
    c.bench_function("insert", |b| b.iter_batched_ref(kind_empty_map, kind_insert, LargeInput));
    c.bench_function("lookup", |b| {
        let map = kind_filled_map();
        b.iter(|| kind_lookup(&map));
    });
    c.bench_function("remove", |b| {
        let map = kind_filled_map();
        b.iter_batched_ref(|| map.clone(), kind_remove, LargeInput);
    });
    c.bench_function("allocate", |b| b.iter(kind_allocate));
    c.bench_function("sort", |b| {
        let numbers = kind_unsorted();
        b.iter_batched_ref(|| numbers.clone(), |numbers| kind_sort(numbers), LargeInput);
    });
    c.bench_function("format", |b| b.iter(kind_format));
    c.bench_function("byte_hash", |b| {
        let data = kind_bytes();
        b.iter(|| byte_hash(black_box(&data)));
    });
    c.bench_function("copy", |b| {
        let (mut to, from) = kind_buffers();
        b.iter(|| kind_copy(&mut to, &from));
    });
    c.bench_function("search", |b| {
        let text = kind_haystack();
        b.iter(|| search(black_box(&text), black_box("needle")));
    });
    c.bench_function("chase", |b| {
        let (ring, mut at) = (kind_ring(), 0);
        b.iter(|| {
            at = kind_chase(&ring, at);
            at
        });
    });
    c.bench_function("sleep_2ms", |b| b.iter(kind_sleep));
}

criterion_group!(benches, kinds);
criterion_main!(benches);
